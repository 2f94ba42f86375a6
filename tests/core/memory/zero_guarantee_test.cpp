// Promise: arrays that are kept read as zero when they become ready for the first time, whatever the memory held
// before.
#include "support/failing_memory.hpp"
#include "test_layouts.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <vector>

namespace memory_zero_guarantee_test {

using namespace lido::test;

// Memory as the heap hands it out in a long run: full of something else.
struct dirty_source {
    static void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
        void* at = lido::heap_source::allocate(bytes, alignment);
        if (at != nullptr) {
            std::memset(at, 0xEE, bytes);
        }
        return at;
    }
    static void release(void* at, std::size_t bytes, std::size_t alignment) noexcept {
        lido::heap_source::release(at, bytes, alignment);
    }
};

struct dirty_pages : lido::portable_pages {
    static void* reserve(std::size_t bytes) noexcept {
        void* at = lido::portable_pages::reserve(bytes);
        if (at != nullptr) {
            std::memset(at, 0xEE, bytes);
        }
        return at;
    }
};

template <class L>
class zero_guarantee : public ::testing::Test {};
TYPED_TEST_SUITE(zero_guarantee, all_layouts);

TYPED_TEST(zero_guarantee, holds_in_a_dirty_heap) {
    typename lido::basic_heap_storage<dirty_source>::template memory<TypeParam> memory;
    ASSERT_TRUE(memory.open(3000, 3000));
    EXPECT_TRUE(reads_zero<TypeParam>(memory, 0, 3000));
}

TYPED_TEST(zero_guarantee, holds_in_a_dirty_buffer) {
    using memory_type = lido::lent_storage::memory<TypeParam>;
    std::vector<std::byte> buffer(memory_type::bytes_for(3000), std::byte{0xEE});
    memory_type memory;
    ASSERT_TRUE(memory.open(buffer, 3000));
    EXPECT_TRUE(reads_zero<TypeParam>(memory, 0, 3000));
}

TYPED_TEST(zero_guarantee, holds_in_an_object_built_on_dirty_bytes) {
    using memory_type = typename lido::inline_storage<300>::template memory<TypeParam>;
    void* at = dirty_source::allocate(sizeof(memory_type), alignof(memory_type));
    auto* memory = new (at) memory_type;
    EXPECT_TRUE(reads_zero<TypeParam>(*memory, 0, 300));
    memory->~memory_type();
    dirty_source::release(at, sizeof(memory_type), alignof(memory_type));
}

TEST(zero_guarantee, does_not_zero_values_on_the_stack_for_nothing) {
#if defined(__OPTIMIZE__)
    GTEST_SKIP() << "an optimiser may drop the marks that this test looks for";
#else
    using memory_type = lido::inline_storage<64>::memory<slot_like>;
    alignas(memory_type) std::byte at[sizeof(memory_type)];
    std::memset(at, 0xEE, sizeof at);
    auto* memory = new (at) memory_type;
    EXPECT_TRUE(reads_zero<slot_like>(*memory, 0, 64));
    const std::byte first = *static_cast<volatile std::byte*>(memory->array<0>());
    EXPECT_EQ(first, std::byte{0xEE});
    memory->~memory_type();
#endif
}

template <class L, class Storage>
void holds_while_growing() {
    typename Storage::template memory<L> memory;
    ASSERT_TRUE(memory.open(0, 60000));
    std::size_t seen = 0;
    while (seen < memory.max_slots()) {
        const std::size_t now = seen == memory.ready() ? memory.make_ready(seen + 1) : memory.ready();
        ASSERT_GT(now, seen);
        ASSERT_TRUE(reads_zero<L>(memory, seen, now)) << seen << " to " << now;
        fill<L>(memory, now);
        seen = now;
    }
}

TYPED_TEST(zero_guarantee, holds_in_reserved_pages_as_they_grow) {
    holds_while_growing<TypeParam, lido::reserved_storage>();
}

TYPED_TEST(zero_guarantee, holds_in_dirty_portable_pages_as_they_grow) {
    holds_while_growing<TypeParam, lido::basic_reserved_storage<dirty_pages>>();
}

TEST(zero_guarantee, keeps_what_was_written_to_kept_arrays_through_give_back) {
    lido::basic_reserved_storage<demand_pages>::memory<slot_like> memory;
    ASSERT_TRUE(memory.open(100000, 100000));
    fill<slot_like>(memory, 100000);
    ASSERT_GT(memory.give_back(10), 0u);
    ASSERT_EQ(memory.make_ready(100000), 100000u);
    for (const std::size_t k : {std::size_t{1}, std::size_t{3}}) {
        const std::byte* const at = arrays_of<slot_like>(memory)[k];
        for (std::size_t i = 0; i < slot_like::bytes(k, 100000); ++i) {
            ASSERT_EQ(at[i], mark(k, i, 0)) << k << " " << i;
        }
    }
}

TEST(zero_guarantee, holds_again_after_a_refused_step_was_rolled_back) {
    // generations (kept) are committed first, then values are refused.
    using L = test_layout<array_spec{4, 1, 4, false}, array_spec{64, 1, 64, true}>;
    failing_memory::reset();
    {
        lido::basic_reserved_storage<failing_pages<>>::memory<L> memory;
        ASSERT_TRUE(memory.open(1, 1000000));
        const std::size_t before = memory.ready();
        failing_memory::refuse(2, memory_failure::onwards);
        ASSERT_EQ(memory.make_ready(500000), before);
        ASSERT_GT(failing_memory::decommits(), 0u) << "the refusal came before anything was committed";
        failing_memory::refuse(0);
        ASSERT_EQ(memory.make_ready(1000000), 1000000u);
        EXPECT_TRUE(reads_zero<L>(memory, 0, 1000000));
    }
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
}

}  // namespace memory_zero_guarantee_test
