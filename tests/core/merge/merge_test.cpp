// Promise (S3.6): a pass folds neighbours by the user's rule, the lower row survives, what was folded is released; and every odd input
// has a defined answer.
#include "core/misuse/misuse_log.hpp"
#include "merging.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace merge_test {

using namespace lido;
using namespace lido::test;

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

template <class Pool>
class merge_of : public testing::Test {};
using pools = testing::Types<dense_pool<mote>, column_pool<mote>, dense_pool<mote, options{.mark_changes = true}>,
                             column_pool<mote, options{.tracks = track::priority, .reuse_delay = 4}>>;
TYPED_TEST_SUITE(merge_of, pools);

TYPED_TEST(merge_of, the_lower_row_survives_and_handles_of_the_folded_are_stale) {
    TypeParam pool(8);
    const auto a = pool.acquire(mote{0, 0, 1, 0}).handle();
    const auto far = pool.acquire(mote{50, 0, 2, 0}).handle();
    const auto b = pool.acquire(mote{3, 4, 4, 0}).handle();
    const auto c = pool.acquire(mote{0, 2, 8, 0}).handle();
    merge_pass pass(8);
    EXPECT_EQ(pass.run(pool, 5.0f, where, add_up), 2u);
    EXPECT_EQ(pool.size(), 2u);
    ASSERT_TRUE(pool.contains(a));
    EXPECT_EQ(amount_in(*pool.get(a)), 13);
    EXPECT_TRUE(pool.contains(far));
    EXPECT_FALSE(pool.contains(b));
    EXPECT_FALSE(pool.contains(c));
    EXPECT_EQ(pool.stats().released, 2u);
    EXPECT_TRUE(pool.validate());
    EXPECT_EQ(pass.last().folded, 2u);
    EXPECT_EQ(pass.last().took_part, 4u);
}

TYPED_TEST(merge_of, neighbours_are_asked_about_in_the_order_of_rows_whatever_cells_they_lie_in) {
    // Round one object, each of eight directions a cell of its own, in an order that is not that of the cells.
    constexpr int x[] = {4, -4, 0, 4, -4, 4, 0, -4};
    constexpr int y[] = {4, 0, -4, -4, 4, 0, 4, -4};
    for (unsigned turn = 0; turn < 8; ++turn) {
        TypeParam pool(16);
        pool.acquire(mote{100, 100, 0, 0});
        for (unsigned i = 0; i < 8; ++i) {
            const unsigned at = (i * 3 + turn) % 8;
            pool.acquire(mote{100.0f + static_cast<float>(x[at]), 100.0f + static_cast<float>(y[at]),
                              static_cast<int>(i) + 1, 0});
        }
        std::vector<int> asked;
        merge_pass pass(16);
        EXPECT_EQ(pass.run(pool, 6.0f, where,
                           [&](auto&& into, const auto& from) {
                               if (amount_in(into) == 0) asked.push_back(amount_in(from));
                               return false;
                           }),
                  0u);
        EXPECT_EQ(asked, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8})) << "turn " << turn;
    }
}

TYPED_TEST(merge_of, a_folded_one_lives_until_the_end_of_the_run_and_folds_nobody) {
    TypeParam pool(8);
    pool.acquire(mote{0, 0, 1, 0});
    const auto middle = pool.acquire(mote{4, 0, 1, 0}).handle();
    pool.acquire(mote{8, 0, 1, 0});  // near the middle one only
    merge_pass pass(8);
    bool lived = true;
    EXPECT_EQ(pass.run(pool, 5.0f, where,
                       [&](auto&& into, const auto& from) {
                           lived = lived && pool.contains(middle);
                           return add_up(into, from);
                       }),
              1u);
    EXPECT_TRUE(lived);
    EXPECT_FALSE(pool.contains(middle));
    EXPECT_EQ(pool.size(), 2u);
}

TYPED_TEST(merge_of, the_rule_is_asked_in_row_order_and_of_each_pair_once) {
    TypeParam pool(16);
    for (int i = 0; i < 9; ++i) pool.acquire(mote{static_cast<float>((i * 4) % 9), 0, i, 0});  // in and around one cell
    merge_pass pass(16);
    std::vector<std::pair<int, int>> asked;
    EXPECT_EQ(pass.run(pool, 100.0f, where,
                       [&](auto&& into, const auto& from) {
                           asked.emplace_back(amount_in(into), amount_in(from));
                           return false;
                       }),
              0u);
    std::vector<std::pair<int, int>> all;
    for (int a = 0; a < 9; ++a) {
        for (int b = a + 1; b < 9; ++b) all.emplace_back(a, b);
    }
    EXPECT_EQ(asked, all);
    EXPECT_EQ(pass.last().asked, 36u);
    EXPECT_EQ(pool.size(), 9u);
}

TYPED_TEST(merge_of, only_those_that_take_part_fold_or_are_folded) {
    TypeParam pool(16);
    for (int i = 0; i < 10; ++i) pool.acquire(mote{static_cast<float>(i % 2 * 100), 0, 1, i % 2});
    merge_pass pass(16);
    const auto off_screen = [](const auto& m) { return kind_in(m) == 1; };
    EXPECT_EQ(pass.run(pool, 1000.0f, where, add_up, off_screen), 4u);
    EXPECT_EQ(pass.last().took_part, 5u);
    EXPECT_EQ(pool.size(), 6u);
    const auto on_screen = [](const auto& m) { return kind_in(m) == 0; };
    EXPECT_EQ(pass.run(pool, 1.0f, where, add_up, on_screen), 4u);
    EXPECT_EQ(pool.size(), 2u);
}

TYPED_TEST(merge_of, a_distance_of_exactly_the_radius_is_near_and_one_step_more_is_not) {
    TypeParam pool(8);
    pool.acquire(mote{0, 0, 1, 0});
    pool.acquire(mote{3, 4, 1, 0});
    merge_pass pass(8);
    EXPECT_EQ(pass.run(pool, std::nextafter(5.0f, 0.0f), where, add_up), 0u);
    EXPECT_EQ(pass.run(pool, 5.0f, where, add_up), 1u);
}

TYPED_TEST(merge_of, a_radius_that_is_none_does_nothing) {
    TypeParam pool(8);
    for (int i = 0; i < 3; ++i) pool.acquire(mote{1, 1, 1, 0});
    merge_pass pass(8);
    for (const float radius : {0.0f, -1.0f, -infinite, no_number}) {
        EXPECT_EQ(pass.run(pool, radius, where, add_up), 0u) << radius;
        EXPECT_EQ(pass.last().asked, 0u) << radius;
    }
    EXPECT_EQ(pool.size(), 3u);
    EXPECT_EQ(pass.run(pool, std::numeric_limits<float>::denorm_min(), where, add_up), 2u);
}

TYPED_TEST(merge_of, an_endless_radius_reaches_every_finite_position_within_the_largest_float) {
    TypeParam pool(8);
    pool.acquire(mote{0, 0, 1, 0});
    pool.acquire(mote{-1e30f, 1e30f, 1, 0});
    pool.acquire(mote{infinite, 0, 1, 0});
    merge_pass pass(8);
    EXPECT_EQ(pass.run(pool, infinite, where, add_up), 1u);
    EXPECT_EQ(pool.size(), 2u);
}

TYPED_TEST(merge_of, positions_that_are_not_finite_take_no_part) {
    TypeParam pool(16);
    for (const float odd : {infinite, -infinite, no_number}) {
        pool.acquire(mote{odd, 0, 1, 0});
        pool.acquire(mote{0, odd, 1, 0});
        pool.acquire(mote{odd, odd, 1, 0});
    }
    merge_pass pass(16);
    EXPECT_EQ(pass.run(pool, 10.0f, where, add_up), 0u);
    EXPECT_EQ(pass.last().not_finite, 9u);
    EXPECT_EQ(pass.last().took_part, 0u);
    EXPECT_EQ(pool.size(), 9u);
}

TYPED_TEST(merge_of, far_out_positions_still_find_their_neighbours) {
    TypeParam pool(16);
    const float far = std::numeric_limits<float>::max();
    for (const float x : {far, -far, 1e20f}) {
        pool.acquire(mote{x, far, 1, 0});
        pool.acquire(mote{x, far, 1, 0});
        pool.acquire(mote{x, -far, 1, 0});
    }
    merge_pass pass(16);
    EXPECT_EQ(pass.run(pool, 0.001f, where, add_up), 3u);
    EXPECT_EQ(pool.size(), 6u);
}

TYPED_TEST(merge_of, more_than_max_objects_leaves_out_the_last_rows_and_says_so) {
    TypeParam pool(32);
    for (int i = 0; i < 20; ++i) pool.acquire(mote{0, 0, 1, 0});
    merge_pass pass(8);
    EXPECT_EQ(pass.run(pool, 1.0f, where, add_up), 7u);
    EXPECT_EQ(pass.last().took_part, 8u);
    EXPECT_EQ(pass.last().left_out, 12u);
    EXPECT_EQ(pool.size(), 13u);
    int runs = 1;
    while (pass.run(
               pool, 1.0f,
               [](const auto&) {
                   return std::pair{0.0f, 0.0f};
               },
               add_up) != 0)
        ++runs;
    EXPECT_EQ(pool.size(), 1u);
    EXPECT_EQ(runs, 3);
}

TYPED_TEST(merge_of, a_pass_without_room_and_an_empty_pool_are_fine) {
    TypeParam pool(8);
    merge_pass pass(8);
    EXPECT_EQ(pass.run(pool, 1.0f, where, add_up), 0u);
    pool.acquire(mote{0, 0, 1, 0});
    EXPECT_EQ(pass.run(pool, 1.0f, where, add_up), 0u);
    pool.acquire(mote{0, 0, 1, 0});
    merge_pass none(0);
    EXPECT_EQ(none.max_objects(), 0u);
    EXPECT_EQ(none.bytes(), 0u);
    EXPECT_EQ(none.run(pool, 1.0f, where, add_up), 0u);
    EXPECT_EQ(pool.size(), 2u);
}

TYPED_TEST(merge_of, a_rule_that_throws_costs_nobody_twice) {
    TypeParam pool(16);
    for (int i = 0; i < 6; ++i) pool.acquire(mote{0, 0, 1, 0});
    merge_pass pass(16);
    int folds = 0;
    const auto throws_at_the_third = [&](auto&& into, const auto& from) {
        if (++folds == 3) throw folds;
        return add_up(into, from);
    };
    EXPECT_THROW(pass.run(pool, 1.0f, where, throws_at_the_third), int);
    ASSERT_EQ(pool.size(), 4u);  // two were folded before
    int sum = 0;
    pool.for_each([&](const auto& m) { sum += amount_in(m); });
    EXPECT_EQ(sum, 6);
    EXPECT_TRUE(pool.validate());
    EXPECT_THROW(pass.run(
                     pool, 1.0f, [](const auto&) -> std::pair<float, float> { throw 1; }, add_up),
                 int);
    EXPECT_EQ(pool.size(), 4u);
    EXPECT_EQ(pass.run(pool, 1e6f, where, add_up), 3u);  // and the pass can be used again
}

TEST(merge_pass_positions, a_struct_a_pair_a_tuple_and_whole_numbers_will_do) {
    struct xy {
        double x, y;
    };
    merge_pass pass(8);
    const auto folds = [&](auto position, auto radius) {
        dense_pool<mote> pool(4);
        pool.acquire(mote{1, 2, 1, 0});
        pool.acquire(mote{2, 2, 1, 0});
        return pass.run(pool, radius, position, add_up);
    };
    EXPECT_EQ(folds([](const mote& m) { return xy{static_cast<double>(m.x), static_cast<double>(m.y)}; }, 1.0), 1u);
    EXPECT_EQ(folds([](const mote& m) { return m; }, 1), 1u);
    EXPECT_EQ(folds([](const mote& m) { return std::tuple{m.x, 2}; }, 1.0f), 1u);
    EXPECT_EQ(folds([](const mote& m) { return std::pair{static_cast<int>(m.x), 0u}; }, 1u), 1u);
}

TEST(merge_pass_positions, whole_numbers_are_exact_up_to_their_ends) {
    constexpr std::int32_t low = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t high = std::numeric_limits<std::int32_t>::max();
    const auto folds = [](whole_mote a, whole_mote b, auto radius) {
        dense_pool<whole_mote> pool(4);
        pool.acquire(a);
        pool.acquire(b);
        merge_pass pass(4);
        return pass.run(pool, radius, where, [](auto&, const auto&) { return true; });
    };
    EXPECT_EQ(folds({low, low, 0, 0}, {high, high, 0, 0}, std::uint64_t{1} << 60), 0u);
    EXPECT_EQ(folds({low, 0, 0, 0}, {-1, 0, 0, 0}, high), 1u);
    EXPECT_EQ(folds({low, 0, 0, 0}, {0, 0, 0, 0}, high), 0u);  // one too far
    // 1414213562^2 * 2 is just below 2000000000^2; in floats the two would be equal
    EXPECT_EQ(folds({0, 0, 0, 0}, {1414213562, 1414213562, 0, 0}, 2000000000), 1u);
    EXPECT_EQ(folds({0, 0, 0, 0}, {1414213563, 1414213562, 0, 0}, 2000000000), 0u);
    EXPECT_EQ(folds({0, 0, 0, 0}, {0, 0, 0, 0}, 0), 0u);
    EXPECT_EQ(folds({0, 0, 0, 0}, {0, 0, 0, 0}, -5), 0u);
}

TEST(merge_pass_owner, a_moved_pass_takes_its_room_along) {
    dense_pool<mote> pool(4);
    pool.acquire(mote{0, 0, 1, 0});
    pool.acquire(mote{0, 0, 1, 0});
    merge_pass first(8);
    merge_pass second(std::move(first));
    EXPECT_EQ(first.max_objects(), 0u);  // NOLINT(bugprone-use-after-move): defined
    EXPECT_EQ(first.run(pool, 1.0f, where, add_up), 0u);
    merge_pass third(2);
    third = std::move(second);
    EXPECT_EQ(third.max_objects(), 8u);
    EXPECT_EQ(third.run(pool, 2.0f, where, add_up), 1u);
}

TEST(merge_pass_death, a_rule_that_changes_the_pool_and_a_run_inside_a_run_are_stopped) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    dense_pool<mote> pool(4);
    pool.acquire(mote{0, 0, 1, 0});
    pool.acquire(mote{0, 0, 1, 0});
    merge_pass pass(4);
    if constexpr (checks) {
        EXPECT_DEATH(pass.run(pool, 1.0f, where,
                              [&](mote&, const mote& from) {
                                  pool.release(from);
                                  return false;
                              }),
                     "the rule changed the pool");
    }
    EXPECT_DEATH(
        pass.run(pool, 1.0f, where, [&](mote&, const mote&) { return pass.run(pool, 1.0f, where, add_up) == 0; }),
        "from inside a run");
}

}  // namespace merge_test
