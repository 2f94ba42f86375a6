// S3.3: a recycle_pool that runs is raised as far as it reserved, keeps more or fewer idle objects, and begins to keep ages.
#include "core/misuse/misuse_log.hpp"

#include <lido/core/recycle_pool.hpp>
#include <lido/core/rewind/save.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace recycled_changing_test {

struct orb {
    int value = 0;
};
constexpr lido::options with_all{.tracks = lido::track::priority, .ages_by_setting = true, .headroom = true};
using pool_type = lido::recycle_pool<orb, with_all>;
using lido::on_full;

pool_type::settings_type small(std::uint32_t reserve) {
    return {.leaks = lido::leaks::allow, .reserve = reserve, .keep_ages = false};
}

TEST(a_pool_that_runs, S3_3_is_raised_as_far_as_it_reserved_and_no_further) {
    pool_type pool(2, small(100));
    EXPECT_EQ(pool.reserved(), 100u);
    EXPECT_EQ(pool.capacity(), 2u);
    while (pool.acquire()) continue;
    EXPECT_EQ(pool.size(), 2u);
    EXPECT_TRUE(pool.raise(3, on_full::reject));
    EXPECT_EQ(pool.capacity(), 3u);
    EXPECT_TRUE(pool.raise(3, on_full::grow_to(100)));
    while (pool.acquire()) continue;
    EXPECT_EQ(pool.size(), 100u);
    EXPECT_FALSE(pool.raise(3, on_full::grow_to(101)));
    EXPECT_FALSE(pool.raise(101, on_full::reject));
    EXPECT_FALSE(pool.raise(3, on_full::grow_to(99))) << "a save of a hundred must still fit";
    EXPECT_EQ(pool.max_capacity(), 100u);
    EXPECT_TRUE(pool.validate());
}

TEST(a_pool_that_runs, S3_3_without_a_reserve_can_only_be_raised_to_what_its_settings_needed) {
    pool_type pool(2, {.on_full = on_full::grow_to(8), .leaks = lido::leaks::allow});
    EXPECT_EQ(pool.reserved(), 8u);
    EXPECT_TRUE(pool.raise(8, on_full::grow_to(8)));
    EXPECT_EQ(pool.capacity(), 8u);
    EXPECT_TRUE(pool.raise(8, on_full::grow())) << "as far as it reserved";
    EXPECT_EQ(pool.max_capacity(), 8u);
}

TEST(a_pool_that_runs, S3_3_goes_back_to_its_first_capacity_of_now_in_a_trim) {
    pool_type pool(2, small(64));
    ASSERT_TRUE(pool.raise(10, on_full::grow_to(64)));
    pool.trim();
    EXPECT_EQ(pool.capacity(), 10u);
}

TEST(a_pool_that_runs, S3_3_keeps_more_idle_objects_or_fewer) {
    auto settings = small(32);
    settings.idle_cap = 2;
    pool_type pool(4, settings);
    pool.prewarm(4);
    EXPECT_EQ(pool.idle(), 2u);
    EXPECT_TRUE(pool.set_idle_cap(20));
    pool.prewarm(20);
    EXPECT_EQ(pool.idle(), 20u);
    EXPECT_FALSE(pool.set_idle_cap(33)) << "more than it reserved";
    EXPECT_EQ(pool.idle_cap(), 20u);
    EXPECT_TRUE(pool.set_idle_cap(3));
    EXPECT_EQ(pool.idle(), 20u) << "until a trim";
    pool.trim(3);
    EXPECT_EQ(pool.idle(), 3u);
    const auto one = pool.acquire();
    EXPECT_TRUE(pool.release(one));
    EXPECT_EQ(pool.idle(), 3u);
    EXPECT_TRUE(pool.validate());
}

TEST(a_pool_that_runs, S3_3_begins_to_keep_ages_with_those_that_live_in_the_order_of_their_slots) {
    pool_type pool(3, small(0));
    lido::handle<orb> h[3];
    for (auto& one : h) one = pool.acquire().handle();
    pool.release(h[0]);
    h[0] = pool.acquire_as({.priority = 5}).handle();
    EXPECT_FALSE(pool.victim_by(on_full::replace_oldest));
    EXPECT_TRUE(pool.keep_ages());
    EXPECT_EQ(pool.victim_by(on_full::replace_oldest), h[0]) << "the first slot";
    pool.release(h[1]);
    h[1] = pool.acquire().handle();
    pool.release(h[0]);
    EXPECT_EQ(pool.victim_by(on_full::replace_oldest), h[2]);
    EXPECT_TRUE(pool.validate());
}

TEST(a_pool_that_runs, X1_takes_back_a_save_from_before_it_kept_ages_the_same_way_each_time) {
    pool_type pool(4, small(0));
    const auto first = pool.acquire().handle();
    const auto second = pool.acquire().handle();
    lido::snapshot before;
    ASSERT_TRUE(lido::save(before, pool));
    ASSERT_TRUE(pool.keep_ages());
    pool.release(first);
    static_cast<void>(pool.acquire());
    lido::snapshot after;
    ASSERT_TRUE(lido::save(after, pool));
    const auto youngest = pool.victim_by(on_full::replace_oldest);
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(lido::restore(before, pool));
        EXPECT_TRUE(pool.validate());
        EXPECT_EQ(pool.victim_by(on_full::replace_oldest), first);
        EXPECT_TRUE(pool.contains(second));
        ASSERT_TRUE(lido::restore(after, pool));
        EXPECT_EQ(pool.victim_by(on_full::replace_oldest), youngest);
        EXPECT_TRUE(pool.validate());
    }
    pool_type never(4, small(0));
    EXPECT_FALSE(lido::restore(after, never)) << "it keeps none";
}

TEST(a_pool_that_runs, X1_takes_back_an_image_from_before_it_kept_ages) {
    pool_type pool(4, small(0));
    const auto first = pool.acquire().handle();
    std::vector<std::byte> image;
    lido::save(image, pool);
    ASSERT_TRUE(pool.keep_ages());
    pool.release(first);
    ASSERT_TRUE(lido::restore(image, pool));
    EXPECT_EQ(pool.victim_by(on_full::replace_oldest), first);
    EXPECT_TRUE(pool.validate());
}

TEST(a_pool_that_runs, S3_5_keeps_headroom_of_another_size) {
    pool_type pool(10, small(0));
    pool.set_headroom({.above_percent = 50, .priority = 3});
    while (pool.acquire()) continue;
    EXPECT_EQ(pool.size(), 5u);
    EXPECT_EQ(pool.why_refused(), lido::refusal::headroom);
    pool.set_headroom({});
    while (pool.acquire()) continue;
    EXPECT_EQ(pool.size(), 10u);
}

}  // namespace recycled_changing_test
