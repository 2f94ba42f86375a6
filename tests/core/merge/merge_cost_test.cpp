// Promise (S3.6): a pass takes near-linear time, shown by counting and not by a clock, and no memory after its construction; memory that
// cannot be had is a clean refusal.
#include "core/misuse/misuse_log.hpp"
#include "merging.hpp"
#include "support/allocation_counter.hpp"
#include "support/failing_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace merge_cost_test {

using namespace lido;
using namespace lido::test;

/// `count` motes at the same density whatever the count: one to a square of side 4 on average.
template <class Pool>
void scatter(Pool& pool, std::uint32_t count, std::uint32_t side) {
    dice d{count};
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto x = static_cast<float>(d.below(side * 64)) / 16.0f;
        const auto y = static_cast<float>(d.below(side * 64)) / 16.0f;
        ASSERT_TRUE(pool.acquire(mote{x, y, 1, static_cast<std::int32_t>(i % 3)}));
    }
}

struct work {
    double pairs;  // an object
    double asked;
};

template <class Rule>
work work_of(std::uint32_t count, std::uint32_t side, Rule rule) {
    column_pool<mote> pool(count);
    scatter(pool, count, side);
    merge_pass pass(count);
    static_cast<void>(pass.run(pool, 6.0f, where, rule));
    EXPECT_EQ(pass.last().took_part, count);
    return {static_cast<double>(pass.last().pairs) / count, static_cast<double>(pass.last().asked) / count};
}

TEST(merge_cost, work_an_object_does_not_grow_with_their_number) {
    const auto never = [](const auto&, const auto&) { return false; };
    for (const auto& [small, large] :
         {std::pair{work_of(1024, 32, never), work_of(65536, 256, never)},
          std::pair{work_of(1024, 32, same_kind_up_to_9), work_of(65536, 256, same_kind_up_to_9)}}) {
        EXPECT_GT(large.asked, 1.0);
        // A little more, because fewer lie at the rim; the plain loop looks at 64 times as many.
        EXPECT_LT(large.pairs, small.pairs * 1.25);
        EXPECT_LT(large.pairs, 40.0);  // nine cells of 6 by 6 hold 20 on average; some lists are shared
    }
}

TEST(merge_cost, a_crowd_on_one_spot_is_linear_when_it_folds_into_some) {
    for (const std::uint32_t count : {1000u, 64000u}) {
        dense_pool<mote> pool(count);
        for (std::uint32_t i = 0; i < count; ++i) pool.acquire(mote{1, 1, 1, 0});
        merge_pass pass(count);
        EXPECT_EQ(pass.run(pool, 1.0f, where, add_up), count - 1);
        EXPECT_EQ(pass.last().pairs, count - 1);
    }
}

TEST(merge_cost, things_in_rows_and_on_round_numbers_do_not_share_lists) {
    // Cells on powers of two, which a mask of low bits would put together.
    constexpr std::uint32_t count = 4096;
    dense_pool<mote> pool(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t line = i / 64;
        pool.acquire(mote{static_cast<float>(i % 64) * 65536.0f, static_cast<float>(line) * 65536.0f, 1, 0});
    }
    merge_pass pass(count);
    EXPECT_EQ(pass.run(pool, 1.0f, where, add_up), 0u);
    EXPECT_LT(pass.last().pairs, count * 9u);
}

TEST(merge_no_allocation, a_pass_allocates_once_and_runs_allocate_nothing) {
    column_pool<mote, options{}, heap_storage> columns(2000);
    dense_pool<mote, options{}, heap_storage> objects(2000);
    const allocation_watch before;
    merge_pass pass(2000);
    EXPECT_EQ(before.allocations(), 1u);
    EXPECT_EQ(before.bytes(), pass.bytes());
    EXPECT_LE(pass.bytes(), 2000u * 32 + 2048u * 4);
    const allocation_watch watch;
    for (int round = 0; round < 5; ++round) {
        scatter(columns, 2000, 30);
        scatter(objects, 2000, 30);
        static_cast<void>(pass.run(columns, 6.0f, where, same_kind_up_to_9));
        static_cast<void>(pass.run(objects, 3, where, add_up, [](const mote& m) { return m.kind != 1; }));
        columns.clear();
        objects.clear();
    }
    EXPECT_TRUE(watch.quiet());
}

TEST(merge_no_memory, is_told_and_every_run_is_refused) {
    using pass_type = basic_merge_pass<failing_source<>>;
    misuse_log log;
    dense_pool<mote> pool(8);
    pool.acquire(mote{0, 0, 1, 0});
    pool.acquire(mote{0, 0, 1, 0});
    failing_memory::refuse(1);
    {
        pass_type pass(100);
        EXPECT_EQ(failing_memory::refused(), 1u);
        EXPECT_EQ(log.only().kind, misuse_kind::no_memory);
        EXPECT_EQ(pass.max_objects(), 0u);
        EXPECT_EQ(pass.run(pool, 1.0f, where, add_up), 0u);
        EXPECT_EQ(pool.size(), 2u);
    }
    failing_memory::refuse(0);
    {
        pass_type pass(100);
        EXPECT_EQ(pass.run(pool, 1.0f, where, add_up), 1u);
    }
    EXPECT_EQ(failing_memory::held_bytes(), 0u);
}

}  // namespace merge_cost_test
