// X2: what the other calls of a pool do where ends wait: leases, bulk calls, reserve, trim, growth, idle objects, settings, reports.
#include "core/limbo/sirens.hpp"
#include "core/misuse/misuse_log.hpp"

#include <lido/core/recycle_pool.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace limbo_calls_test {

using lido::test::confirmed;
using lido::test::silenced;
using lido::test::siren;
using recycling = lido::recycle_pool<siren, confirmed>;
using slots = lido::slot_pool<int, confirmed>;
using ids = std::vector<int>;

class calls_where_ends_wait : public ::testing::Test {
protected:
    calls_where_ends_wait() { silenced.clear(); }
};

TEST_F(calls_where_ends_wait, X2_a_lease_that_ends_leaves_its_object_waiting_and_does_not_own_what_comes_back) {
    recycling pool{4, {.leaks = lido::leaks::allow}};
    lido::snapshot saved;
    recycling::handle_type handle;
    {
        const auto lease = pool.lease(1);
        handle = lease.handle();
        ASSERT_TRUE(pool.save(saved));
    }
    EXPECT_TRUE(pool.end_waits(handle));
    EXPECT_EQ(silenced, ids{});
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_TRUE(pool.contains(handle));
    EXPECT_TRUE(pool.validate());
}

TEST_F(calls_where_ends_wait, X2_bulk_calls_end_and_begin_as_single_ones_do) {
    slots pool{100, {.leaks = lido::leaks::allow, .rollback = 1}};
    std::vector<slots::handle_type> all(100);
    ASSERT_EQ(pool.acquire_n(all, 7), 100u);
    EXPECT_TRUE(pool.validate());
    EXPECT_EQ(pool.release_n(all), 100u);
    EXPECT_EQ(pool.waiting_ends(), 100u);
    EXPECT_EQ(pool.release_n(all), 0u);
    std::vector<slots::handle_type> more(100);
    EXPECT_EQ(pool.acquire_n(more, 8), 0u);
    ASSERT_TRUE(pool.begin_tick(1));
    EXPECT_EQ(pool.acquire_n(more, 8), 100u);
    EXPECT_TRUE(pool.validate());
}

TEST_F(calls_where_ends_wait, X2_a_waiting_slot_is_taken_for_a_reserve) {
    recycling pool{4, {.leaks = lido::leaks::allow, .rollback = 1}};
    const auto one = pool.acquire(1).handle();
    pool.release(one);
    const auto next = recycling::handle_type::of(one.index(), one.generation() + 2);
    EXPECT_FALSE(pool.reserve(next, 2));
    EXPECT_EQ(pool.why_refused(), lido::refusal::slot_taken);
    ASSERT_TRUE(pool.begin_tick(1));
    EXPECT_TRUE(pool.reserve(next, 2));
    EXPECT_TRUE(pool.validate());
}

TEST_F(calls_where_ends_wait, X2_a_trim_leaves_what_waits_where_it_is) {
    recycling pool{4, {.leaks = lido::leaks::allow}};
    pool.prewarm(4);
    const auto one = pool.acquire(1).handle();
    lido::snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    pool.release(one);
    static_cast<void>(pool.trim());
    EXPECT_EQ(pool.idle(), 0u);
    EXPECT_TRUE(pool.end_waits(one));
    EXPECT_TRUE(pool.validate());
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_EQ(pool.get(one)->id, 1);
    EXPECT_TRUE(pool.validate());
}

TEST_F(calls_where_ends_wait, X2_growth_counts_what_waits_and_a_trim_takes_it_back_afterwards) {
    slots pool{64, {.on_full = lido::on_full::grow_to(256), .leaks = lido::leaks::allow, .rollback = 2}};
    for (int i = 0; i < 64; ++i) pool.release(pool.acquire(i));
    EXPECT_EQ(pool.capacity(), 64u);
    ASSERT_TRUE(pool.acquire(1));
    EXPECT_EQ(pool.capacity(), 128u);
    EXPECT_TRUE(pool.validate());
    static_cast<void>(pool.trim());
    EXPECT_TRUE(pool.validate());
    EXPECT_GE(pool.capacity(), 65u);
    ASSERT_TRUE(pool.begin_tick(2));
    pool.clear();
    static_cast<void>(pool.trim());
    EXPECT_EQ(pool.capacity(), 64u);
    EXPECT_TRUE(pool.validate());
}

TEST_F(calls_where_ends_wait, X2_the_idle_cap_is_asked_when_a_slot_is_free_and_not_before) {
    recycling pool{4, {.leaks = lido::leaks::allow, .idle_cap = 1, .rollback = 2}};
    recycling::handle_type all[3];
    ASSERT_EQ(pool.acquire_n(all, 1), 3u);
    pool.release_n(all);
    pool.confirm(0);
    EXPECT_EQ(pool.stats().destroyed, 0u);
    ASSERT_TRUE(pool.begin_tick(2));
    EXPECT_EQ(pool.idle(), 1u);
    EXPECT_EQ(pool.stats().destroyed, 2u);
    EXPECT_EQ(pool.stats().idle_overflow, 2u);
    EXPECT_EQ(silenced, (ids{1, 1, 1}));
    EXPECT_TRUE(pool.validate());
}

TEST_F(calls_where_ends_wait, X2_objects_made_elsewhere_come_in_beside_what_waits) {
    recycling pool{3, {.leaks = lido::leaks::allow}};
    pool.release(pool.acquire(1));
    siren outside;
    outside.id = 7;
    EXPECT_TRUE(pool.adopt(siren(outside)));
    const auto lives = pool.adopt_active(std::move(outside));
    ASSERT_TRUE(lives);
    EXPECT_FALSE(pool.full());
    EXPECT_TRUE(pool.acquire(8));
    EXPECT_TRUE(pool.full());
    EXPECT_FALSE(pool.adopt_active(siren{}));
    EXPECT_TRUE(pool.validate());
    pool.release(lives);
    EXPECT_EQ(pool.confirm(0), 2u);
    EXPECT_EQ(silenced, (ids{1, 7}));
}

TEST_F(calls_where_ends_wait, X2_nobody_is_replaced_and_the_settings_say_so) {
    constexpr lido::options aged{.tracks = lido::track::age, .confirmed_ends = true};
    const lido::test::misuse_log log;
    lido::slot_pool<int, aged> pool{1, {.on_full = lido::on_full::replace_oldest, .leaks = lido::leaks::allow}};
    ASSERT_EQ(log.count(lido::misuse_kind::bad_setting), 1u);
    EXPECT_NE(log.all().front().what.find("nobody can be replaced"), std::string::npos);
    const auto one = pool.acquire(1).handle();
    EXPECT_FALSE(pool.acquire(2));
    EXPECT_TRUE(pool.contains(one));
    lido::recycle_pool<siren, aged> other{1, {.on_full = lido::on_full::replace_oldest, .leaks = lido::leaks::allow}};
    ASSERT_TRUE(other.acquire(1));
    EXPECT_FALSE(other.acquire(2));
    EXPECT_EQ(other.why_refused(), lido::refusal::full);
}

TEST_F(calls_where_ends_wait, X2_a_merge_folds_into_lives_only) {
    slots pool{
        1,
        {.on_full = lido::on_full::merge, .leaks = lido::leaks::allow, .merge = [](int& existing, const int& newcomer) {
             existing += newcomer;
             return true;
         }}};
    const auto one = pool.acquire(1).handle();
    EXPECT_FALSE(pool.acquire(5));
    EXPECT_EQ(pool.merged_into(), one);
    EXPECT_EQ(*pool.get(one), 6);
    pool.release(one);
    EXPECT_FALSE(pool.acquire(7));
    EXPECT_EQ(pool.why_refused(), lido::refusal::full);
}

TEST_F(calls_where_ends_wait, X2_a_rollback_of_no_ticks_frees_a_slot_with_the_next_tick_that_begins) {
    recycling pool{1, {.leaks = lido::leaks::allow, .rollback = 0}};
    pool.release(pool.acquire(1));
    ASSERT_TRUE(pool.begin_tick(0));
    EXPECT_EQ(silenced, ids{1});
    EXPECT_TRUE(pool.acquire(2));
}

TEST_F(calls_where_ends_wait, X2_ticks_may_be_as_large_as_they_get) {
    recycling pool{4, {.leaks = lido::leaks::allow}};
    constexpr std::uint64_t last = ~std::uint64_t{0};
    ASSERT_TRUE(pool.begin_tick(last - 1));
    pool.release(pool.acquire(1));
    ASSERT_TRUE(pool.begin_tick(last));
    EXPECT_EQ(pool.waiting_ends(), 1u);
    EXPECT_EQ(pool.confirm(last), 1u);
    EXPECT_TRUE(pool.validate());
}

TEST_F(calls_where_ends_wait, X6_a_second_release_is_told_that_the_object_waits) {
    recycling pool{4, {.leaks = lido::leaks::allow}};
    const auto one = pool.acquire(1).handle();
    pool.release(one);
    lido::test::misuse_log log;
    EXPECT_FALSE(pool.release(one));
    const auto told = log.only();
    EXPECT_EQ(told.kind, lido::misuse_kind::double_release);
    EXPECT_NE(told.what.find("waits until that end is confirmed"), std::string::npos) << told.what;
    EXPECT_EQ(pool.stats().bad_releases, 1u);
    if constexpr (lido::forensics) {
        EXPECT_NE(told.story.find("waits in the slot"), std::string::npos) << told.story;
        lido::reports.stale_gets = true;
        EXPECT_EQ(pool.get(one), nullptr);
        lido::reports.stale_gets = false;
        const auto stale = log.only();
        EXPECT_EQ(stale.kind, lido::misuse_kind::stale_get);
        EXPECT_NE(stale.what.find("its object waits"), std::string::npos) << stale.what;
        EXPECT_NE(stale.story.find("waits in the slot"), std::string::npos) << stale.story;
    }
    // Once the slot is free, it is an ordinary mistake.
    ASSERT_TRUE(pool.begin_tick(8));
    EXPECT_FALSE(pool.release(one));
    EXPECT_EQ(log.only().what.find("waits"), std::string::npos);
}

TEST_F(calls_where_ends_wait, X9_objects_that_wait_are_no_leak) {
    const lido::test::misuse_log log;
    {
        recycling pool{4};
        pool.release(pool.acquire(1));
    }
    EXPECT_EQ(log.count(), 0u);
    EXPECT_EQ(silenced, ids{1});
}

}  // namespace limbo_calls_test
