// Promise: a count of slots that cannot be had is answered with false, never with less memory than was asked for.
#include "support/failing_memory.hpp"
#include "test_layouts.hpp"

#include <gtest/gtest.h>

namespace memory_hostile_sizes_test {

using namespace lido::test;

constexpr std::size_t hostile[] = {SIZE_MAX,          SIZE_MAX - 1,     SIZE_MAX - 63,     SIZE_MAX / 2,
                                   SIZE_MAX / 2 + 1,  SIZE_MAX / 4 + 1, SIZE_MAX / 48,     SIZE_MAX / 48 + 1,
                                   SIZE_MAX / 56 + 1, SIZE_MAX / 64,    SIZE_MAX / 64 + 1, SIZE_MAX / 96 + 1,
                                   SIZE_MAX / 3 * 2,  SIZE_MAX / 16 + 1};

template <class L>
class hostile_sizes : public ::testing::Test {};
using layouts_with_values = ::testing::Types<slot_like, over_64, over_128, over_4096, over_a_page, columns, keeps_all>;
TYPED_TEST_SUITE(hostile_sizes, layouts_with_values);

TYPED_TEST(hostile_sizes, are_refused_before_any_memory_is_asked_for) {
    failing_memory::reset();
    for (const std::size_t slots : hostile) {
        typename lido::basic_heap_storage<failing_source<>>::template memory<TypeParam> heap;
        EXPECT_FALSE(heap.open(slots, slots)) << slots;
        EXPECT_EQ(heap.max_slots(), 0u);
        typename lido::basic_reserved_storage<failing_pages<>>::template memory<TypeParam> reserved;
        EXPECT_FALSE(reserved.open(0, slots)) << slots;
        EXPECT_FALSE(reserved.open(slots, slots)) << slots;
        EXPECT_EQ(reserved.max_slots(), 0u);
        EXPECT_EQ(lido::lent_storage::memory<TypeParam>::bytes_for(slots), SIZE_MAX) << slots;
        EXPECT_EQ(lido::heap_storage::memory<TypeParam>::bytes_for(slots), SIZE_MAX) << slots;
    }
    EXPECT_EQ(failing_memory::calls(), 0u);
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
}

TYPED_TEST(hostile_sizes, that_no_machine_has_are_refused_by_the_system) {
    // Representable, so they reach the system: 2^59 bytes and more.
    const std::size_t slots = (lido::detail::most_bytes >> 3) / lido::detail::checked_bytes<TypeParam>(0, 1) / 128;
    ASSERT_NE(lido::heap_storage::memory<TypeParam>::bytes_for(slots), SIZE_MAX);
    lido::heap_storage::memory<TypeParam> heap;
    EXPECT_FALSE(heap.open(slots, slots));
    lido::reserved_storage::memory<TypeParam> reserved;
    EXPECT_FALSE(reserved.open(0, slots));
    typename lido::basic_reserved_storage<lido::portable_pages>::template memory<TypeParam> portable;
    EXPECT_FALSE(portable.open(0, slots));
    EXPECT_EQ(heap.max_slots() + reserved.max_slots() + portable.max_slots(), 0u);
}

TYPED_TEST(hostile_sizes, asked_of_a_lent_buffer_give_what_fits) {
    using memory_type = lido::lent_storage::memory<TypeParam>;
    std::vector<std::byte> buffer(memory_type::bytes_for(100));
    for (const std::size_t at_most : hostile) {
        memory_type memory;
        ASSERT_TRUE(memory.open(buffer, at_most));
        EXPECT_GE(memory.max_slots(), 100u);
        EXPECT_LE(memory.bytes(), buffer.size());
        fill<TypeParam>(memory, memory.max_slots());
        EXPECT_TRUE(holds_fill<TypeParam>(memory, memory.max_slots()));
    }
}

TEST(hostile_sizes, asked_of_an_open_storage_do_no_harm) {
    lido::reserved_storage::memory<slot_like> memory;
    ASSERT_TRUE(memory.open(10, 100000));
    fill<slot_like>(memory, 10);
    EXPECT_EQ(memory.give_back(SIZE_MAX), 0u);
    EXPECT_EQ(memory.make_ready(SIZE_MAX), 100000u);
    EXPECT_TRUE(holds_fill<slot_like>(memory, 10));
}

}  // namespace memory_hostile_sizes_test
