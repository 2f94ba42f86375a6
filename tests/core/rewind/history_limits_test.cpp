// A history at its edges: memory that was given back, states that are longer or shorter than the pool, and another pool than its own.
#include <lido/core/dense_pool.hpp>
#include <lido/core/rewind/history.hpp>
#include <lido/core/rewind/rewind.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace lido::test::rewind_history_limits {

constexpr options marked{.mark_changes = true};
struct wide {
    std::uint32_t value;
    std::uint8_t rest[252];
};
using slots = slot_pool<wide, marked>;
using rows = dense_pool<wide, marked>;

template <class Pool>
class a_history : public testing::Test {};
using pools = testing::Types<slots, rows>;
TYPED_TEST_SUITE(a_history, pools);

template <class Pool>
std::vector<typename Pool::handle_type> fill(Pool& pool, std::uint32_t count) {
    std::vector<typename Pool::handle_type> made;
    for (std::uint32_t i = 0; i < count; ++i) made.push_back(pool.acquire(wide{i, {}}));
    return made;
}

TYPED_TEST(a_history, X1_saves_a_pool_whose_pages_were_given_back) {
    TypeParam pool(4096, {.leaks = leaks::allow});
    history<4, TypeParam> past;
    const auto made = fill(pool, 1000);
    past.save(1, pool);
    const std::uint64_t then = state_hash(pool);
    for (const auto h : made) pool.release(h);
    pool.trim();
    past.save(2, pool);  // what was live at tick 1 lay on pages that are gone
    history<4, TypeParam> fresh;
    fresh.save(1, pool);
    ASSERT_TRUE(past.restore(1, pool));
    EXPECT_EQ(state_hash(pool), then);
    EXPECT_TRUE(pool.validate());
    ASSERT_TRUE(past.restore(2, pool));
    EXPECT_TRUE(pool.empty());
}

TYPED_TEST(a_history, X1_gives_back_no_more_than_the_pool_can_hold) {
    TypeParam pool(100, {.leaks = leaks::allow});
    history<8, TypeParam> past;
    snapshot few;
    static_cast<void>(fill(pool, 64));
    past.save(1, pool);
    ASSERT_TRUE(pool.save(few));
    static_cast<void>(fill(pool, 36));
    past.save(2, pool);  // a shadow that doubles would be of 128
    const std::uint64_t all = state_hash(pool);
    ASSERT_TRUE(pool.restore(few));
    ASSERT_TRUE(past.restore(2, pool));
    EXPECT_EQ(state_hash(pool), all);
    EXPECT_TRUE(pool.validate());
}

TYPED_TEST(a_history, X1_is_not_given_to_another_pool) {
    TypeParam one(64, {.leaks = leaks::allow});
    TypeParam other(64, {.leaks = leaks::allow});
    history<4, TypeParam> past;
    static_cast<void>(fill(one, 5));
    past.save(1, one);
    static_cast<void>(fill(one, 3));
    past.save(2, one);
    EXPECT_EQ(past.restore(1, other).error, restore_error::other_parts);
    EXPECT_TRUE(other.empty());
    // Saving another pool begins a history of that one.
    past.save(3, other);
    EXPECT_FALSE(past.has(2));
    EXPECT_EQ(past.restore(3, one).error, restore_error::other_parts);
    EXPECT_EQ(one.size(), 8u);
    ASSERT_TRUE(past.restore(3, other));
    EXPECT_TRUE(other.empty());
}

TYPED_TEST(a_history, X1_saved_from_two_pools_in_turn_never_gives_one_the_state_of_the_other) {
    TypeParam one(64, {.leaks = leaks::allow});
    TypeParam other(64, {.leaks = leaks::allow});
    history<4, TypeParam> past;
    static_cast<void>(fill(one, 5));
    past.save(1, one);
    past.save(2, other);
    past.save(3, one);  // afresh: tick 2 was another pool's
    EXPECT_FALSE(past.has(2));
    const std::uint64_t then = state_hash(one);
    one.clear();
    ASSERT_TRUE(past.restore(3, one));
    EXPECT_EQ(state_hash(one), then);
}

TYPED_TEST(a_history, X1_that_starts_afresh_with_fewer_slots_forgets_the_longer_state) {
    TypeParam pool(256, {.leaks = leaks::allow});
    snapshot empty;
    ASSERT_TRUE(pool.save(empty));
    history<4, TypeParam> past;
    static_cast<void>(fill(pool, 200));
    past.save(1, pool);
    ASSERT_TRUE(pool.restore(empty));
    static_cast<void>(fill(pool, 2));
    past.save(2, pool);
    const std::uint64_t two = state_hash(pool);
    static_cast<void>(fill(pool, 150));
    ASSERT_TRUE(past.restore(2, pool));
    EXPECT_EQ(state_hash(pool), two);
    EXPECT_TRUE(pool.validate());
}

TEST(a_snapshot, X1_that_was_moved_from_is_empty) {
    slots pool(8, {.leaks = leaks::allow});
    static_cast<void>(pool.acquire(wide{1, {}}));
    snapshot first;
    ASSERT_TRUE(pool.save(first));
    snapshot second(std::move(first));
    EXPECT_TRUE(second);
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): this is what is asked
    EXPECT_EQ(pool.restore(first).error, restore_error::not_kept);
    first = std::move(second);
    EXPECT_TRUE(first);
    EXPECT_FALSE(second);  // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(pool.restore(first));
}

// X1
TEST(a_rewind, that_was_moved_from_keeps_no_tick) {
    lido::slot_pool<int> pool(4);
    static_cast<void>(pool.acquire(1));
    lido::rewind<4> kept;
    ASSERT_TRUE(kept.save(7, pool));
    const lido::rewind<4> mine = std::move(kept);
    EXPECT_TRUE(mine.has(7));
    EXPECT_FALSE(kept.has(7));  // NOLINT(bugprone-use-after-move): that is the question
    EXPECT_FALSE(kept.oldest().has_value());
    EXPECT_FALSE(kept.newest().has_value());
}

}  // namespace lido::test::rewind_history_limits
