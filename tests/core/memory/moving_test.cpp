// Promise: moving a storage moves pointers only; the source is closed and can be opened again; nothing is released
// twice.
#include "support/failing_memory.hpp"
#include "test_layouts.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>
#include <vector>

namespace memory_moving_test {

using namespace lido::test;

struct heap_case {
    using memory = lido::basic_heap_storage<failing_source<>>::memory<slot_like>;
    bool open(memory& m, std::size_t slots) { return m.open(slots, slots); }
};
struct reserved_case {
    using memory = lido::basic_reserved_storage<failing_pages<>>::memory<slot_like>;
    bool open(memory& m, std::size_t slots) { return m.open(slots, slots); }
};
struct portable_case {
    using memory = lido::basic_reserved_storage<failing_pages<lido::portable_pages>>::memory<slot_like>;
    bool open(memory& m, std::size_t slots) { return m.open(slots, slots); }
};
struct lent_case {
    using memory = lido::lent_storage::memory<slot_like>;
    bool open(memory& m, std::size_t slots) {
        buffers.emplace_back(memory::bytes_for(slots));
        return m.open(buffers.back(), slots);
    }
    std::vector<std::vector<std::byte>> buffers;
};

template <class Case>
class moving : public ::testing::Test {
protected:
    void SetUp() override { failing_memory::reset(); }
    void TearDown() override {
        EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
        failing_memory::reset();
    }
};
using cases = ::testing::Types<heap_case, reserved_case, portable_case, lent_case>;
TYPED_TEST_SUITE(moving, cases);

template <class M>
void expect_closed(const M& memory) {
    EXPECT_EQ(memory.max_slots(), 0u);
    EXPECT_EQ(memory.ready(), 0u);
    EXPECT_EQ(memory.bytes(), 0u);
    EXPECT_EQ(memory.reserved_bytes(), 0u);
    EXPECT_EQ(memory.template array<0>(), nullptr);
}

TYPED_TEST(moving, is_noexcept_and_copying_does_not_exist) {
    using memory = typename TypeParam::memory;
    static_assert(memory::movable);
    static_assert(std::is_nothrow_move_constructible_v<memory> && std::is_nothrow_move_assignable_v<memory>);
    static_assert(!std::is_copy_constructible_v<memory> && !std::is_copy_assignable_v<memory>);
    static_assert(std::is_nothrow_default_constructible_v<memory>);
    expect_closed(memory{});
}

TYPED_TEST(moving, keeps_addresses_and_content_and_closes_the_source) {
    TypeParam with;
    typename TypeParam::memory from;
    ASSERT_TRUE(with.open(from, 20000));
    fill<slot_like>(from, 20000);
    const auto arrays = arrays_of<slot_like>(from);
    const std::size_t bytes = from.bytes();
    typename TypeParam::memory to(std::move(from));
    EXPECT_EQ(arrays_of<slot_like>(to), arrays);
    EXPECT_EQ(to.max_slots(), 20000u);
    EXPECT_EQ(to.bytes(), bytes);
    EXPECT_TRUE(holds_fill<slot_like>(to, 20000));
    expect_closed(from);
    EXPECT_TRUE(with.open(from, 100)) << "a closed storage opens again";
}

TYPED_TEST(moving, onto_an_open_storage_releases_what_it_held) {
    TypeParam with;
    typename TypeParam::memory from;
    typename TypeParam::memory to;
    ASSERT_TRUE(with.open(from, 5000));
    ASSERT_TRUE(with.open(to, 7000));
    fill<slot_like>(from, 5000);
    const std::size_t live = failing_memory::live();
    to = std::move(from);
    EXPECT_EQ(failing_memory::live(), live == 0 ? 0 : live - 1);
    EXPECT_EQ(to.max_slots(), 5000u);
    EXPECT_TRUE(holds_fill<slot_like>(to, 5000));
    expect_closed(from);
}

TYPED_TEST(moving, onto_itself_changes_nothing) {
    TypeParam with;
    typename TypeParam::memory memory;
    ASSERT_TRUE(with.open(memory, 1000));
    fill<slot_like>(memory, 1000);
    auto& same = memory;
    memory = std::move(same);
    EXPECT_EQ(memory.max_slots(), 1000u);
    EXPECT_TRUE(holds_fill<slot_like>(memory, 1000));
}

TYPED_TEST(moving, swaps) {
    TypeParam with;
    typename TypeParam::memory a;
    typename TypeParam::memory b;
    ASSERT_TRUE(with.open(a, 1000));
    ASSERT_TRUE(with.open(b, 2000));
    fill<slot_like>(a, 1000, 1);
    fill<slot_like>(b, 2000, 2);
    std::swap(a, b);
    EXPECT_TRUE(holds_fill<slot_like>(b, 1000, 1));
    EXPECT_TRUE(holds_fill<slot_like>(a, 2000, 2));
}

TEST(moving, a_growing_storage_lets_it_grow_on) {
    using memory = lido::basic_reserved_storage<demand_pages>::memory<slot_like>;
    memory from;
    ASSERT_TRUE(from.open(10, 200000));
    fill<slot_like>(from, 10);
    memory to(std::move(from));
    EXPECT_EQ(from.make_ready(1), 0u) << "a closed storage has nothing to give";
    EXPECT_EQ(from.give_back(0), 0u);
    ASSERT_EQ(to.make_ready(200000), 200000u);
    EXPECT_TRUE(holds_fill<slot_like>(to, 10));
    EXPECT_GT(to.give_back(10), 0u);
    EXPECT_TRUE(holds_fill<slot_like>(to, 10));
}

TEST(moving, is_not_offered_by_inline_storage) {
    using memory = lido::inline_storage<8>::memory<slot_like>;
    static_assert(!memory::movable && !std::is_move_constructible_v<memory> && !std::is_move_assignable_v<memory>);
    static_assert(!std::is_copy_constructible_v<memory> && !std::is_copy_assignable_v<memory>);
    static_assert(!memory::grows && !lido::heap_storage::memory<slot_like>::grows);
    static_assert(!lido::lent_storage::memory<slot_like>::grows && lido::reserved_storage::memory<slot_like>::grows);
    SUCCEED() << "checked by the compiler";
}

}  // namespace memory_moving_test
