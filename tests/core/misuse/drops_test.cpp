// S3.5: requests that do not fit are dropped and counted; a report of them, where it is asked for, is limited in ticks and counts.
#include <lido/core/bytemap_pool.hpp>
#include <lido/core/capped_list.hpp>
#include <lido/core/column_pool.hpp>
#include <lido/core/dense_pool.hpp>
#include <lido/core/flag_pool.hpp>
#include <lido/core/recycle_pool.hpp>
#include <lido/core/slot_pool.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace lido::test::misuse_drops {

struct spark {
    int heat = 0;
};

class drops : public ::testing::Test {
protected:
    void TearDown() override { set_tick(no_tick); }

    misuse_log log{false};
};

template <class Pool>
void ask(Pool& pool, int times) {
    for (int i = 0; i < times; ++i) {
        if constexpr (requires { pool.push(); }) {
            static_cast<void>(pool.push());
        } else {
            static_cast<void>(pool.acquire());
        }
    }
}

TEST_F(drops, S3_5_are_counted_and_not_told_unless_that_is_asked_for) {
    slot_pool<spark> pool(2, {.leaks = leaks::allow});
    ask(pool, 2 + 100);
    EXPECT_EQ(pool.stats().refused, 100u);
    EXPECT_EQ(log.count(), 0u);
}

TEST_F(drops, S3_5_are_told_once_in_so_many_ticks_with_the_count_of_those_since) {
    slot_pool<spark> pool(2, {.name = "sparks", .leaks = leaks::allow, .report_drops = 60});
    set_tick(0);
    ask(pool, 2);
    EXPECT_EQ(log.count(), 0u);
    std::vector<std::uint64_t> told_at;
    for (std::uint64_t tick = 1; tick <= 200; ++tick) {
        set_tick(tick);
        const std::size_t before = log.count();
        ask(pool, 3);
        if (log.count() != before) told_at.push_back(tick);
    }
    EXPECT_EQ(told_at, (std::vector<std::uint64_t>{1, 61, 121, 181}));
    EXPECT_EQ(log.count(misuse_kind::dropped), 4u);
    EXPECT_EQ(pool.stats().refused, 600u);
}

TEST_F(drops, S3_5_say_how_many_and_why) {
    slot_pool<spark> pool(1, {.name = "sparks", .leaks = leaks::allow, .report_drops = 10});
    set_tick(5);
    ask(pool, 2);
    const auto first = log.only();
    EXPECT_EQ(first.pool, "sparks");
    EXPECT_EQ(first.count, 1u);
    EXPECT_EQ(first.story.rfind("1 request was dropped; because: full", 0), 0u) << first.story;
}

TEST_F(drops, S3_5_of_ticks_that_a_rewind_plays_again_are_not_told_again) {
    slot_pool<spark> pool(1, {.leaks = leaks::allow, .report_drops = 60});
    ask(pool, 1);
    for (const std::uint64_t tick : {100u, 101u, 95u, 100u, 101u, 102u}) {
        set_tick(tick);
        ask(pool, 1);
    }
    EXPECT_EQ(log.count(), 1u);
    set_tick(3);  // another level
    ask(pool, 1);
    EXPECT_EQ(log.count(), 2u);
}

TEST_F(drops, S3_5_without_ticks_are_told_at_powers_of_ten) {
    slot_pool<spark> pool(1, {.leaks = leaks::allow, .report_drops = 1});
    ask(pool, 1 + 1500);
    EXPECT_EQ(log.count(), 4u) << "the 1st, 10th, 100th and 1000th";
}

TEST_F(drops, S3_5_of_one_pool_do_not_hide_those_of_another) {
    slot_pool<spark> sparks(1, {.name = "sparks", .leaks = leaks::allow, .report_drops = 60});
    slot_pool<spark> smoke(1, {.name = "smoke", .leaks = leaks::allow, .report_drops = 60});
    set_tick(1);
    ask(sparks, 50);
    ask(smoke, 50);
    EXPECT_EQ(log.count(), 2u);
}

TEST_F(drops, S3_5_for_headroom_and_caps_of_kinds_are_drops_and_a_bad_reserve_is_none) {
    slot_pool<spark, options{.headroom = true, .kinds = 2}> pool(
        10, {.headroom = {50, 3}, .leaks = leaks::allow, .report_drops = 1, .kind_caps = {0, 2}});
    for (int i = 0; i < 5; ++i) static_cast<void>(pool.acquire_as({.priority = 3}));
    static_cast<void>(pool.reserve(decltype(pool)::handle_type::of(0, 1)));
    EXPECT_EQ(log.count(), 0u);
    static_cast<void>(pool.acquire_as({.priority = 3, .kind = 1}));
    EXPECT_EQ(pool.why_refused(), refusal::kind_cap);
    EXPECT_EQ(log.count(), 1u);
    forget_reports();
    static_cast<void>(pool.acquire());
    EXPECT_EQ(pool.why_refused(), refusal::headroom);
    EXPECT_EQ(log.count(), 2u);
}

template <class Pool>
void expect_told(Pool& pool, const misuse_log& log) {
    ask(pool, 2 + 1);
    EXPECT_EQ(log.count(misuse_kind::dropped), 1u) << Pool::shape;
    forget_reports();
}

TEST_F(drops, S3_5_are_told_by_every_shape_that_drops) {
    const auto one = [](auto&& pool) {
        misuse_log own{false};
        expect_told(pool, own);
    };
    one(slot_pool<spark>(2, {.leaks = leaks::allow, .report_drops = 9}));
    one(flag_pool<spark, 2>({.leaks = leaks::allow, .report_drops = 9}));
    one(dense_pool<spark>(2, {.leaks = leaks::allow, .report_drops = 9}));
    one(column_pool<spark>(2, {.leaks = leaks::allow, .report_drops = 9}));
    one(recycle_pool<spark>(2, {.leaks = leaks::allow, .report_drops = 9}));
    one(bytemap_pool<spark>(2, {.leaks = leaks::allow, .report_drops = 9}));
    one(capped_list<spark, 2>({.leaks = leaks::allow, .report_drops = 9}));
}

TEST_F(drops, S3_5_that_make_room_are_none) {
    slot_pool<spark, options{.tracks = track::age}> pool(
        2, {.on_full = on_full::replace_oldest, .leaks = leaks::allow, .report_drops = 1});
    ask(pool, 50);
    EXPECT_EQ(pool.stats().replaced, 48u);
    EXPECT_EQ(log.count(), 0u);
}

}  // namespace lido::test::misuse_drops
