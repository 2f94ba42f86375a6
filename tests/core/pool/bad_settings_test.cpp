// Promise: a setting that the type of a pool cannot honour is reported once, at construction, as bad_setting, whatever the shape.
#include "core/misuse/misuse_log.hpp"

#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>

namespace pool_bad_settings_test {

using namespace lido;
using lido::test::misuse_log;

struct orb {
    int value = 0;
};

constexpr options two_kinds{.kinds = 2};
constexpr std::uint8_t levels[] = {15, 16, 255};
constexpr options gated{.headroom = true};

/// Every shape that has headroom and kinds. A ring_pool has neither, and a bytemap_pool no options.
template <options Options>
using shapes = ::testing::Types<slot_pool<orb, Options, heap_storage>, flag_pool<orb, 10, Options>,
                                dense_pool<orb, Options, heap_storage>, column_pool<orb, Options, heap_storage>,
                                flag_column_pool<orb, Options, heap_storage>, recycle_pool<orb, Options, heap_storage>,
                                recycled_list<orb, Options>, capped_list<orb, 10, Options>>;

/// Ten slots.
template <class Pool>
struct made {
    static Pool pool(typename Pool::settings_type settings) {
        settings.leaks = leaks::allow;
        settings.name = "named";
        if constexpr (std::is_constructible_v<Pool, std::uint32_t, typename Pool::settings_type>) {
            return Pool(10u, settings);
        } else {
            return Pool(settings);
        }
    }
};

void expect_told(misuse_log& log, const char* what) {
    const misuse_log::entry told = log.only();
    EXPECT_EQ(told.kind, misuse_kind::bad_setting);
    EXPECT_EQ(told.pool, "named");
    EXPECT_NE(told.what.find(what), std::string::npos) << told.what;
}

template <class Pool>
bool acquire(Pool& pool, request wish) {
    if constexpr (requires { pool.push_as(wish, orb{}); }) {
        return static_cast<bool>(pool.push_as(wish, orb{}));
    } else if constexpr (requires { pool.acquire_as(wish); }) {
        return static_cast<bool>(pool.acquire_as(wish));
    } else {
        return static_cast<bool>(pool.acquire_as(wish, orb{}));
    }
}

template <class Pool>
class caps_of_kinds : public ::testing::Test {};
TYPED_TEST_SUITE(caps_of_kinds, shapes<two_kinds>);

TYPED_TEST(caps_of_kinds, S3_5_of_more_kinds_than_the_type_knows_are_told) {
    misuse_log log;
    const auto one_too_many = made<TypeParam>::pool({.kind_caps = {10, 20, 5}});
    expect_told(log, "more kinds than options::kinds");
    const auto the_last = made<TypeParam>::pool({.kind_caps = {0, 0, 0, 0, 0, 0, 0, 1}});
    expect_told(log, "more kinds than options::kinds");
    const auto fits = made<TypeParam>::pool({.kind_caps = {10, 20}});
    EXPECT_EQ(log.count(), 0u);
}

TEST(caps_of_kinds, S3_5_of_all_that_there_can_be_are_kept) {
    misuse_log log;
    const slot_pool<orb, options{.kinds = max_kinds}> pool(10, {.kind_caps = {1, 2, 3, 4, 5, 6, 7, 8}});
    EXPECT_EQ(log.count(), 0u);
}

template <class Pool>
class share_of_headroom : public ::testing::Test {};
TYPED_TEST_SUITE(share_of_headroom, shapes<gated>);

TYPED_TEST(share_of_headroom, S3_5_above_100_is_told_and_counts_as_100) {
    misuse_log log;
    auto pool = made<TypeParam>::pool({.headroom = {.above_percent = 101, .priority = 3}});
    expect_told(log, "above_percent is more than 100");
    for (int i = 0; i < 10; ++i) {
        EXPECT_TRUE(acquire(pool, {}));
    }
    const auto at_most = made<TypeParam>::pool({.headroom = {.above_percent = 100, .priority = 3}});
    EXPECT_EQ(log.count(), 0u);
}

TYPED_TEST(share_of_headroom, S3_5_for_a_priority_above_15_is_for_those_of_15_too) {
    misuse_log log;
    for (const std::uint8_t kept_for : levels) {
        auto pool = made<TypeParam>::pool({.headroom = {.above_percent = 50, .priority = kept_for}});
        for (int i = 0; i < 5; ++i) {
            ASSERT_TRUE(acquire(pool, {}));
        }
        EXPECT_FALSE(acquire(pool, {.priority = 14}));
        EXPECT_EQ(pool.why_refused(), refusal::headroom);
        for (const std::uint8_t priority : levels) {
            EXPECT_TRUE(acquire(pool, {.priority = priority}))
                << int{priority} << " where it is kept for " << int{kept_for};
        }
    }
    EXPECT_EQ(log.count(), 0u) << "more counts as 15, and is no mistake";
}

TEST(a_bytemap_pool, that_is_given_what_only_other_shapes_have_says_so_once) {
    misuse_log log;
    bytemap_pool<int> pool(2, {.name = "named", .headroom = {.above_percent = 50, .priority = 1}});
    expect_told(log, "headroom");
    bytemap_pool<int> other(2, {.name = "named", .kind_caps = {1}});
    expect_told(log, "kind_caps");
    bytemap_pool<int> later({.name = "named", .kind_caps = {1}});
    expect_told(log, "kind_caps");
    for (auto* each : {&pool, &other, &later}) {
        EXPECT_TRUE(each->initialise(2));
        EXPECT_TRUE(each->acquire(1));
        EXPECT_TRUE(each->acquire(1));
    }
    EXPECT_EQ(log.count(), 0u) << "told at construction, and not with each initialise";
}

}  // namespace pool_bad_settings_test
