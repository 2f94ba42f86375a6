// Promise (X12): growth never moves an array, keeps every byte, and takes few system calls.
#include "support/failing_memory.hpp"
#include "test_layouts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace memory_growth_test {

using namespace lido::test;
using counting_storage = lido::basic_reserved_storage<failing_pages<>>;

template <class L>
class growth : public ::testing::Test {};
TYPED_TEST_SUITE(growth, all_layouts);

template <class L, class Storage>
void grows_in_place() {
    typename Storage::template memory<L> memory;
    ASSERT_TRUE(memory.open(1, 50000));
    const auto first = arrays_of<L>(memory);
    fill<L>(memory, memory.ready());
    for (std::size_t steps = 0; memory.ready() < memory.max_slots(); ++steps) {
        ASSERT_LT(steps, 1000u);
        const std::size_t before = memory.ready();
        ASSERT_GT(memory.make_ready(before + 1), before);
        ASSERT_EQ(arrays_of<L>(memory), first);
        ASSERT_TRUE(holds_fill<L>(memory, before));
        fill<L>(memory, memory.ready());
    }
    EXPECT_EQ(memory.make_ready(memory.max_slots() + 1), memory.max_slots()) << "there is no more than max_slots";
    EXPECT_TRUE(holds_fill<L>(memory, memory.max_slots()));
}

TYPED_TEST(growth, X12_never_moves_an_array) { grows_in_place<TypeParam, lido::reserved_storage>(); }

TYPED_TEST(growth, X12_never_moves_an_array_in_portable_pages) {
    grows_in_place<TypeParam, lido::basic_reserved_storage<lido::portable_pages>>();
}

TEST(growth, slot_by_slot_to_a_million_takes_few_system_calls) {
    failing_memory::reset();
    {
        counting_storage::memory<slot_like> memory;
        ASSERT_TRUE(memory.open(1, 1000000));
        while (memory.ready() < 1000000) {
            const std::size_t before = memory.ready();
            ASSERT_GT(memory.make_ready(before + 1), before);
        }
        // One page each at open, then doubling: 48 MB takes 10 steps more, 4 MB twice 6, 125 KB 2; and the reservation.
        EXPECT_LE(failing_memory::calls(), 1 + 4 + 11 + 7 + 7 + 2u);
        EXPECT_EQ(failing_memory::decommits(), 0u);
    }
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
}

TEST(growth, of_a_small_pool_takes_two_system_calls_and_is_done_at_open) {
    failing_memory::reset();
    {
        counting_storage::memory<slot_like> memory;
        ASSERT_TRUE(memory.open(1, 1000));
        EXPECT_EQ(memory.ready(), 1000u);
        EXPECT_EQ(failing_memory::calls(), 2u) << "reserve, and commit of the head";
        EXPECT_EQ(failing_memory::held_bytes(), memory.bytes());
    }
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
}

TEST(growth, to_a_known_size_takes_one_call_an_array) {
    failing_memory::reset();
    {
        counting_storage::memory<slot_like> memory;
        ASSERT_TRUE(memory.open(1000000, 1000000));
        EXPECT_EQ(memory.ready(), 1000000u);
        EXPECT_EQ(failing_memory::calls(), 5u);
    }
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
}

TEST(growth, never_holds_more_than_a_step_beyond_the_need) {
    failing_memory::reset();
    {
        counting_storage::memory<one_byte> memory;
        ASSERT_TRUE(memory.open(0, std::size_t{1} << 30));
        ASSERT_EQ(memory.bytes(), 0u);
        std::size_t need = 1;
        while (memory.ready() < memory.max_slots()) {
            const std::size_t before = memory.bytes();
            need = memory.ready() + 1;
            ASSERT_GE(memory.make_ready(need), need);
            const std::size_t step = std::max(before, std::size_t{64} * 1024);
            ASSERT_LE(memory.bytes() - before, std::min(step, std::size_t{64} * 1024 * 1024));
            ASSERT_EQ(failing_memory::held_bytes(), memory.bytes());
        }
        EXPECT_LE(failing_memory::calls(), 1 + 11 + 16u);
    }
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
}

TEST(growth, holds_no_memory_for_slots_that_were_only_reserved) {
    lido::basic_reserved_storage<demand_pages>::memory<slot_like> memory;
    ASSERT_TRUE(memory.open(0, std::size_t{1} << 24));
    EXPECT_GT(memory.reserved_bytes(), (std::size_t{1} << 24) * 56);
    EXPECT_EQ(memory.bytes(), 0u);
    EXPECT_EQ(memory.ready(), 0u);
}

}  // namespace memory_growth_test
