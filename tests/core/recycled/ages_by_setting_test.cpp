// options::ages_by_setting: whether a recycle_pool tracks is decided when it is made.
#include "core/misuse/misuse_log.hpp"

#include <lido/core/recycle_pool.hpp>
#include <lido/core/rewind/save.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace recycled_ages_by_setting_test {

struct orb {
    int value = 0;
};
constexpr lido::options by_setting{.tracks = lido::track::priority, .ages_by_setting = true};
using pool_type = lido::recycle_pool<orb, by_setting>;

pool_type::settings_type replacing(bool keep_ages) {
    return {.on_full = lido::on_full::replace_oldest, .leaks = lido::leaks::allow, .keep_ages = keep_ages};
}

TEST(ages_by_setting, S1_6_a_pool_that_keeps_them_replaces_the_oldest) {
    pool_type pool(2, replacing(true));
    const auto first = pool.acquire().handle();
    const auto second = pool.acquire().handle();
    EXPECT_TRUE(pool.acquire());
    EXPECT_FALSE(pool.contains(first));
    EXPECT_TRUE(pool.contains(second));
    EXPECT_TRUE(pool.validate());
}

TEST(ages_by_setting, S1_6_a_pool_that_keeps_none_refuses) {
    pool_type pool(2, replacing(false));
    const auto first = pool.acquire().handle();
    EXPECT_TRUE(pool.acquire());
    EXPECT_FALSE(pool.acquire());
    EXPECT_EQ(pool.why_refused(), lido::refusal::full);
    EXPECT_FALSE(pool.victim_by(lido::on_full::replace_oldest));
    EXPECT_TRUE(pool.release(first));
    EXPECT_TRUE(pool.validate());
}

TEST(ages_by_setting, a_pool_that_keeps_none_and_is_to_replace_by_them_says_so_when_it_is_made) {
    lido::test::misuse_log log;
    for (const lido::on_full by : {lido::on_full::replace_oldest, lido::on_full::replace_lowest}) {
        for (const bool grows : {false, true}) {
            const pool_type pool(
                2, {.name = "named", .on_full = grows ? lido::on_full::grow_to(8).then(by) : by, .keep_ages = false});
            const auto told = log.only();
            EXPECT_EQ(told.kind, lido::misuse_kind::bad_setting);
            EXPECT_EQ(told.pool, "named");
            EXPECT_NE(told.what.find("need settings.keep_ages"), std::string::npos) << told.what;
        }
        const pool_type keeps(2, {.on_full = by});
        EXPECT_EQ(log.count(), 0u);
    }
    const pool_type needs_none(2, {.on_full = lido::on_full::reject, .keep_ages = false});
    EXPECT_EQ(log.count(), 0u);
}

TEST(ages_by_setting, a_pool_of_a_type_that_always_keeps_them_says_that_it_goes_on_to) {
    lido::test::misuse_log log;
    using always = lido::recycle_pool<orb, lido::options{.tracks = lido::track::age}>;
    always pool(1, {.on_full = lido::on_full::replace_oldest, .leaks = lido::leaks::allow, .keep_ages = false});
    EXPECT_NE(log.only().what.find("needs options::ages_by_setting"), std::string::npos);
    EXPECT_TRUE(pool.acquire());
    EXPECT_TRUE(pool.acquire());
    EXPECT_EQ(pool.stats().replaced, 1u);
    const lido::recycle_pool<orb> never(1, {.keep_ages = false});
    EXPECT_EQ(log.count(), 0u) << "it keeps none, as it was told";
}

TEST(ages_by_setting, X1_is_part_of_a_save_and_two_pools_that_differ_do_not_mix) {
    for (const bool keeps : {false, true}) {
        pool_type pool(4, replacing(keeps));
        pool_type other(4, replacing(!keeps));
        pool.acquire();
        pool.acquire();
        lido::snapshot s;
        ASSERT_TRUE(pool.save(s));
        std::vector<std::byte> image;
        pool.save(image);
        pool.clear();
        EXPECT_TRUE(pool.restore(s));
        EXPECT_EQ(pool.size(), 2u);
        pool.clear();
        EXPECT_TRUE(pool.restore(image));
        EXPECT_EQ(pool.size(), 2u);
        EXPECT_TRUE(pool.validate());
        EXPECT_EQ(other.restore(s).error, lido::restore_error::other_options);
        EXPECT_EQ(other.restore(image).error, lido::restore_error::other_options);
        EXPECT_TRUE(other.empty());
    }
}

TEST(recycle_pool, S1_6_victim_by_names_whom_a_rule_would_end) {
    pool_type pool(3, {.leaks = lido::leaks::allow, .victim = [](const orb& o) { return o.value == 2; }});
    const auto low = pool.acquire_as({.priority = 3});
    low->value = 1;
    const auto lower = pool.acquire_as({.priority = 1});
    lower->value = 2;
    EXPECT_EQ(pool.victim_by(lido::on_full::replace_oldest), low.handle());
    EXPECT_EQ(pool.victim_by(lido::on_full::replace_lowest, {.priority = 2}), lower.handle());
    EXPECT_FALSE(pool.victim_by(lido::on_full::replace_lowest, {.priority = 0}));
    EXPECT_EQ(pool.victim_by(lido::on_full::replace_if), lower.handle());
    EXPECT_FALSE(pool.victim_by(lido::on_full::reject));
    EXPECT_EQ(pool.size(), 2u);
}

TEST(recycle_pool, S1_1_find_if_may_end_and_begin_lives) {
    pool_type pool(8, {.leaks = lido::leaks::allow});
    lido::handle<orb> all[6];
    for (int i = 0; i < 6; ++i) {
        const auto got = pool.acquire();
        got->value = i;
        all[i] = got;
    }
    std::vector<int> asked;
    const auto found = pool.find_if([&](orb& o) {
        asked.push_back(o.value);
        if (o.value == 1) {
            pool.release(all[2]);
            pool.release(all[1]);
        }
        return o.value == 4;
    });
    EXPECT_EQ(found, all[4]);
    EXPECT_EQ(asked, (std::vector<int>{0, 1, 3, 4}));
    EXPECT_FALSE(pool.find_if([](orb&) { return false; }));
}

}  // namespace recycled_ages_by_setting_test
