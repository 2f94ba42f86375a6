// X2: an end in a recycle_pool with confirmed_ends waits: what is gone at once, what stays, and when the hook runs.
#include "core/limbo/sirens.hpp"
#include "core/misuse/misuse_log.hpp"

#include <lido/core/recycle_pool.hpp>
#include <lido/core/rewind/rewind.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace limbo_recycle_ends_test {

using lido::test::confirmed;
using lido::test::silenced;
using lido::test::siren;
using pool_type = lido::recycle_pool<siren, confirmed>;
using ids = std::vector<int>;

class confirmed_ends : public ::testing::Test {
protected:
    confirmed_ends() { silenced.clear(); }

    /// begin_tick, and everything must hold.
    void begin(std::uint64_t tick) {
        ASSERT_TRUE(pool.begin_tick(tick));
        const auto sound = pool.validate();
        ASSERT_TRUE(sound) << sound.broken;
    }

    pool_type pool{4, {.name = "sirens", .leaks = lido::leaks::allow, .rollback = 3}};
};

TEST_F(confirmed_ends, X2_a_released_object_is_gone_at_once_and_its_hook_has_not_run) {
    begin(1);
    const auto one = pool.acquire(1);
    ASSERT_TRUE(pool.release(one));
    EXPECT_FALSE(pool.contains(one));
    EXPECT_EQ(pool.try_get(one), nullptr);
    EXPECT_TRUE(pool.empty());
    EXPECT_TRUE(pool.begin() == pool.end());
    EXPECT_TRUE(pool.end_waits(one));
    EXPECT_EQ(pool.waiting_ends(), 1u);
    EXPECT_EQ(pool.stats().waiting_ends, 1u);
    EXPECT_EQ(silenced, ids{});
    EXPECT_TRUE(pool.validate());
}

TEST_F(confirmed_ends, X2_confirm_runs_the_hooks_of_its_ticks_once_and_in_order) {
    begin(1);
    const auto a = pool.acquire(1).handle();
    const auto b = pool.acquire(2).handle();
    const auto c = pool.acquire(3).handle();
    pool.release(b);
    pool.release(a);
    begin(2);
    pool.release(c);
    EXPECT_EQ(pool.confirm(1), 2u);
    EXPECT_EQ(silenced, (ids{2, 1}));
    EXPECT_EQ(pool.confirm(1), 0u);
    EXPECT_EQ(pool.confirm(2), 1u);
    EXPECT_EQ(silenced, (ids{2, 1, 3}));
    EXPECT_EQ(pool.waiting_ends(), 3u);
    EXPECT_TRUE(pool.validate());
}

TEST_F(confirmed_ends, X2_a_confirmed_end_keeps_its_slot_until_its_tick_is_out_of_reach) {
    begin(1);
    const auto a = pool.acquire(1).handle();
    pool.release(a);
    pool.confirm(1);
    begin(2);
    begin(3);
    EXPECT_NE(pool.acquire(2).handle().index(), a.index());
    EXPECT_TRUE(pool.end_waits(a));
    begin(4);
    EXPECT_FALSE(pool.end_waits(a));
    EXPECT_EQ(pool.waiting_ends(), 0u);
    EXPECT_EQ(pool.idle(), 1u);
    EXPECT_EQ(pool.acquire(3).handle().index(), a.index());
    EXPECT_EQ(silenced, ids{1});
}

TEST_F(confirmed_ends, X2_an_end_that_nobody_confirms_is_let_go_when_its_slot_is_due) {
    begin(1);
    pool.release(pool.acquire(1));
    begin(3);
    EXPECT_EQ(silenced, ids{});
    begin(4);
    EXPECT_EQ(silenced, ids{1});
    EXPECT_EQ(pool.confirm(10), 0u);
}

TEST_F(confirmed_ends, X2_a_pool_full_of_ends_that_wait_is_full) {
    begin(1);
    for (int i = 0; i < 4; ++i) pool.release(pool.acquire(i));
    pool.confirm(1);
    EXPECT_TRUE(pool.full());
    EXPECT_FALSE(pool.acquire(9));
    EXPECT_EQ(pool.why_refused(), lido::refusal::full);
    begin(4);
    EXPECT_TRUE(pool.acquire(9));
}

TEST_F(confirmed_ends, X2_slots_are_free_in_the_order_of_the_ends) {
    begin(1);
    const auto a = pool.acquire(1).handle();
    const auto b = pool.acquire(2).handle();
    const auto c = pool.acquire(3).handle();
    pool.release(c);
    pool.release(a);
    pool.release(b);
    begin(4);
    EXPECT_EQ(pool.acquire(4).handle().index(), b.index());
    EXPECT_EQ(pool.acquire(5).handle().index(), a.index());
    EXPECT_EQ(pool.acquire(6).handle().index(), c.index());
}

TEST_F(confirmed_ends, X2_a_restore_brings_back_the_same_object_under_the_same_handle) {
    begin(9);
    const auto one = pool.acquire(1);
    const siren* const object = one.get();
    const siren before = *one;
    const auto handle = one.handle();
    lido::snapshot at_9;
    ASSERT_TRUE(pool.save(at_9));
    begin(10);
    pool.get(handle)->tune += " and on";
    ASSERT_TRUE(pool.release(handle));
    begin(12);
    ASSERT_TRUE(pool.restore(at_9));
    EXPECT_EQ(pool.tick(), 9u);
    ASSERT_EQ(pool.get(handle), object);
    EXPECT_EQ(*object, before);
    EXPECT_EQ(silenced, ids{});
    EXPECT_EQ(pool.waiting_ends(), 0u);
    EXPECT_TRUE(pool.validate());
    // It ends once more, and this time for good.
    begin(10);
    ASSERT_TRUE(pool.release(handle));
    EXPECT_EQ(pool.confirm(10), 1u);
    EXPECT_EQ(silenced, ids{1});
}

TEST_F(confirmed_ends, X2_a_restore_undoes_a_life_with_its_hook_whether_it_lives_or_waits) {
    begin(1);
    const auto old = pool.acquire(1).handle();
    lido::snapshot at_1;
    ASSERT_TRUE(pool.save(at_1));
    begin(2);
    pool.release(pool.acquire(2));
    const auto young = pool.acquire(3).handle();
    ASSERT_TRUE(pool.restore(at_1));
    EXPECT_EQ(silenced, (ids{2, 3}));
    EXPECT_TRUE(pool.contains(old));
    EXPECT_FALSE(pool.contains(young));
    EXPECT_EQ(pool.size(), 1u);
    EXPECT_TRUE(pool.validate());
    // What is undone is owed nothing any more.
    EXPECT_EQ(pool.confirm(100), 0u);
    EXPECT_EQ(silenced, (ids{2, 3}));
}

TEST_F(confirmed_ends, X2_an_end_of_before_the_save_stays_ended_and_is_let_go_once) {
    begin(1);
    const auto one = pool.acquire(1).handle();
    pool.release(one);
    lido::snapshot at_1;
    ASSERT_TRUE(pool.save(at_1));
    begin(2);
    pool.confirm(1);
    EXPECT_EQ(silenced, ids{1});
    ASSERT_TRUE(pool.restore(at_1));
    EXPECT_TRUE(pool.end_waits(one));
    EXPECT_EQ(pool.confirm(1), 0u);
    begin(4);
    EXPECT_EQ(silenced, ids{1});
    EXPECT_EQ(pool.idle(), 1u);
}

TEST_F(confirmed_ends, X2_a_restore_of_a_later_moment_ends_a_life_again_and_its_hook_still_waits) {
    begin(1);
    const auto a = pool.acquire(1).handle();
    lido::snapshot alive, ended;
    ASSERT_TRUE(lido::save(alive, pool));
    begin(2);
    pool.release(a);
    ASSERT_TRUE(lido::save(ended, pool));
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(lido::restore(alive, pool));
        EXPECT_TRUE(pool.contains(a));
        ASSERT_TRUE(lido::restore(ended, pool));
        EXPECT_FALSE(pool.contains(a));
        EXPECT_TRUE(pool.end_waits(a));
        EXPECT_EQ(silenced, ids{});
        EXPECT_TRUE(pool.validate());
    }
    EXPECT_EQ(pool.confirm(2), 1u);
    EXPECT_EQ(silenced, ids{1});
    EXPECT_FALSE(lido::restore(alive, pool));
    for (std::uint64_t t = 3; t < 7; ++t) begin(t);
    EXPECT_EQ(silenced, ids{1});
}

TEST_F(confirmed_ends, X2_a_save_with_a_life_that_was_let_go_is_refused_and_nothing_changes) {
    begin(1);
    const auto one = pool.acquire(1).handle();
    lido::snapshot at_1;
    ASSERT_TRUE(pool.save(at_1));
    begin(2);
    pool.release(one);
    const auto two = pool.acquire(2).handle();
    pool.confirm(2);
    const auto hash = pool.state_hash();
    const auto result = pool.restore(at_1);
    EXPECT_EQ(result.error, lido::restore_error::let_go);
    EXPECT_NE(std::string(result.what()).find("forget_past"), std::string::npos);
    EXPECT_EQ(pool.state_hash(), hash);
    EXPECT_TRUE(pool.contains(two));
    EXPECT_EQ(silenced, ids{1});
}

TEST_F(confirmed_ends, X2_a_save_of_a_future_that_was_played_differently_is_refused_where_it_needs_an_undone_life) {
    begin(1);
    lido::snapshot at_1;
    ASSERT_TRUE(pool.save(at_1));
    const auto first = pool.acquire(1).handle();
    lido::snapshot with_first;
    ASSERT_TRUE(pool.save(with_first));
    ASSERT_TRUE(pool.restore(at_1));
    const auto second = pool.acquire(2).handle();
    ASSERT_EQ(first, second);  // the same handle, and another life
    EXPECT_EQ(pool.restore(with_first).error, lido::restore_error::let_go);
    EXPECT_EQ(pool.get(second)->id, 2);
}

TEST_F(confirmed_ends, X2_a_pool_that_forgets_its_past_lets_go_and_takes_any_save) {
    begin(1);
    const auto one = pool.acquire(1).handle();
    lido::snapshot at_1;
    ASSERT_TRUE(pool.save(at_1));
    begin(2);
    pool.release(one);
    const auto hash = pool.state_hash();
    pool.forget_past();
    EXPECT_EQ(silenced, ids{1});
    EXPECT_EQ(pool.state_hash(), hash);
    ASSERT_TRUE(pool.restore(at_1));
    EXPECT_TRUE(pool.validate());
    ASSERT_TRUE(pool.contains(one));
    // It is another object now, with an end of its own.
    pool.release(one);
    EXPECT_EQ(pool.confirm(1), 1u);
    EXPECT_EQ(silenced, (ids{1, 1}));
}

TEST_F(confirmed_ends, X2_a_save_of_another_pool_is_a_reset) {
    pool_type other{4, {.leaks = lido::leaks::allow, .rollback = 3}};
    other.begin_tick(5);
    const auto theirs = other.acquire(7).handle();
    other.release(other.acquire(8));
    lido::snapshot saved;
    ASSERT_TRUE(other.save(saved));
    silenced.clear();

    begin(9);
    pool.release(pool.acquire(1));
    pool.release(pool.acquire(2));
    const auto mine = pool.acquire(3).handle();
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_EQ(silenced, (ids{1, 2, 3}));
    EXPECT_FALSE(pool.contains(mine));
    EXPECT_TRUE(pool.contains(theirs));
    EXPECT_EQ(pool.state_hash(), other.state_hash());
    EXPECT_EQ(pool.waiting_ends(), 1u);
    EXPECT_TRUE(pool.validate());
    // What waits there is not this pool's to let go.
    EXPECT_EQ(pool.confirm(9), 0u);
    begin(8);
    EXPECT_EQ(silenced, (ids{1, 2, 3}));
    EXPECT_EQ(pool.acquire(4).handle(), (other.begin_tick(8), other.acquire(4).handle()));
}

TEST_F(confirmed_ends, X2_a_clear_lets_everything_go) {
    begin(1);
    pool.release(pool.acquire(1));
    EXPECT_TRUE(pool.acquire(2));
    pool.clear();
    EXPECT_EQ(silenced, (ids{1, 2}));
    EXPECT_EQ(pool.waiting_ends(), 0u);
    EXPECT_EQ(pool.idle(), 2u);
    EXPECT_TRUE(pool.validate());
}

TEST_F(confirmed_ends, X2_the_end_of_the_pool_lets_everything_go) {
    {
        pool_type short_lived{4};
        short_lived.begin_tick(1);
        short_lived.release(short_lived.acquire(5));
        EXPECT_EQ(silenced, ids{});
    }
    EXPECT_EQ(silenced, ids{5});
}

TEST_F(confirmed_ends, X2_a_tick_that_goes_back_is_refused_in_words) {
    const lido::test::misuse_log log;
    begin(5);
    EXPECT_FALSE(pool.begin_tick(4));
    EXPECT_EQ(pool.tick(), 5u);
    EXPECT_EQ(log.count(lido::misuse_kind::bad_setting), 1u);
}

}  // namespace limbo_recycle_ends_test
