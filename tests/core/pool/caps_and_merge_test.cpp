// Soft and hard caps by kind of request (S3.5) and merge on a full pool (S3.6), for every shape that keeps objects as they are.
#include "pool_cases.hpp"

#include <lido/core.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pool_caps_and_merge_test {

using namespace lido;
using lido::test::delicate;
using lido::test::misuse_watch;

struct orb {
    float x;
    int amount;
};

constexpr options kinds{.headroom = true, .kinds = 3};

template <class Pool>
class caps : public ::testing::Test {};
using capped_pools = ::testing::Types<slot_pool<orb, kinds>, dense_pool<orb, kinds>,
                                      slot_pool<orb, options{.order = reuse::lowest, .headroom = true, .kinds = 3}>,
                                      slot_pool<orb, kinds, heap_storage>, inline_dense_pool<orb, 100, kinds>>;
TYPED_TEST_SUITE(caps, capped_pools);

template <class Pool>
auto build(typename Pool::settings_type settings) {
    if constexpr (std::is_constructible_v<Pool, std::uint32_t>) {
        return Pool(100, settings);
    } else {
        return Pool(settings);
    }
}

TYPED_TEST(caps, S3_5_a_kind_is_refused_once_the_pool_is_filled_to_its_cap) {
    // The document's bullets: 80 for bullets, 100 for what they split into.
    auto pool = build<TypeParam>({.kind_caps = {80, 0, 90}});
    for (int i = 0; i < 80; ++i) ASSERT_TRUE(pool.acquire(orb{0, i}));
    EXPECT_FALSE(pool.acquire(orb{}));
    EXPECT_EQ(pool.why_refused(), refusal::kind_cap);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(pool.acquire_as({.kind = 2}, orb{}));
    EXPECT_FALSE(pool.acquire_as({.kind = 2}, orb{}));
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(pool.acquire_as({.kind = 1}, orb{}));
    EXPECT_FALSE(pool.acquire_as({.kind = 1}, orb{}));
    EXPECT_EQ(pool.why_refused(), refusal::full);
    EXPECT_EQ(pool.stats().refused, 3u);
    EXPECT_EQ(pool.stats().refused_kind_cap, 2u);

    // Below the cap again: the kind is served again.
    pool.release_if([left = 21](const orb&) mutable { return left-- > 0; });
    EXPECT_TRUE(pool.acquire(orb{}));
    EXPECT_FALSE(pool.acquire(orb{}));
}

TYPED_TEST(caps, S3_5_a_kind_that_the_pool_does_not_know_has_the_cap_of_the_last) {
    auto pool = build<TypeParam>({.kind_caps = {0, 0, 2}});
    ASSERT_TRUE(pool.acquire_as({.kind = 200}, orb{}));
    ASSERT_TRUE(pool.acquire_as({.kind = 200}, orb{}));
    EXPECT_FALSE(pool.acquire_as({.kind = 200}, orb{}));
    EXPECT_EQ(pool.why_refused(), refusal::kind_cap);
}

TYPED_TEST(caps, S3_5_headroom_and_kinds_hold_together) {
    auto pool = build<TypeParam>({.headroom = {.above_percent = 50, .priority = 5}, .kind_caps = {60, 0, 0}});
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(pool.acquire(orb{}));
    EXPECT_FALSE(pool.acquire(orb{}));
    EXPECT_EQ(pool.why_refused(), refusal::headroom);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(pool.acquire_as({.priority = 5}, orb{}));
    EXPECT_FALSE(pool.acquire_as({.priority = 5}, orb{}));
    EXPECT_EQ(pool.why_refused(), refusal::kind_cap);
    EXPECT_TRUE(pool.acquire_as({.priority = 5, .kind = 1}, orb{}));
}

TEST(caps, S3_5_caps_without_the_option_are_told) {
    misuse_watch watch;
    const slot_pool<orb> pool(4, {.kind_caps = {1}});
    EXPECT_EQ(watch.count(misuse_kind::bad_setting), 1u);
    EXPECT_EQ(std::string(watch.last().what), "kind_caps need options::kinds; no kind has a cap");
}

// --- merge ---------------------------------------------------------------------------------------------------------------

/// Orbs of one place become one.
bool same_place(orb& existing, const orb& newcomer) {
    if (existing.x != newcomer.x) return false;
    existing.amount += newcomer.amount;
    return true;
}

template <class Pool>
class merges : public ::testing::Test {};
using merging_pools =
    ::testing::Types<slot_pool<orb>, dense_pool<orb>, slot_pool<orb, options{.mark_changes = true}>,
                     dense_pool<orb, options{.mark_changes = true}>, slot_pool<orb, options{.tracks = track::age}>>;
TYPED_TEST_SUITE(merges, merging_pools);

TYPED_TEST(merges, S3_6_a_newcomer_to_a_full_pool_is_folded_into_the_first_that_the_rule_accepts) {
    TypeParam pool(4, {.on_full = on_full::merge, .merge = same_place});
    std::vector<typename TypeParam::handle_type> all;
    for (int i = 0; i < 4; ++i) all.push_back(pool.acquire(orb{static_cast<float>(i % 3), 1}));  // 0 1 2 0

    EXPECT_FALSE(pool.acquire(orb{0, 10}));
    EXPECT_EQ(pool.why_refused(), refusal::merged);
    EXPECT_EQ(pool.merged_into(), all[0]);
    EXPECT_EQ(pool.get(all[0])->amount, 11);
    EXPECT_EQ(pool.get(all[3])->amount, 1);
    EXPECT_EQ(pool.stats().merged, 1u);
    EXPECT_EQ(pool.stats().refused, 0u) << "nothing was lost";
    EXPECT_EQ(pool.stats().acquired, 4u);
    EXPECT_EQ(pool.size(), 4u);

    EXPECT_FALSE(pool.acquire(orb{7, 10}));
    EXPECT_EQ(pool.why_refused(), refusal::full) << "no neighbour takes it";
    EXPECT_EQ(pool.stats().refused, 1u);

    pool.release(all[1]);
    EXPECT_TRUE(pool.acquire(orb{0, 1})) << "not full: it lives by itself";
    EXPECT_TRUE(pool.validate());
}

TYPED_TEST(merges, S3_6_growth_comes_before_merging) {
    TypeParam pool(2, {.on_full = on_full::grow_to(4).then(on_full::merge), .merge = same_place});
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(pool.acquire(orb{0, 1}));
    EXPECT_FALSE(pool.acquire(orb{0, 1}));
    EXPECT_EQ(pool.why_refused(), refusal::merged);
    EXPECT_EQ(pool.stats().merged, 1u);
}

TYPED_TEST(merges, S3_6_is_undone_by_a_restore) {
    TypeParam pool(2, {.on_full = on_full::merge, .merge = same_place});
    pool.acquire(orb{0, 1});
    pool.acquire(orb{1, 1});
    snapshot before;
    ASSERT_TRUE(pool.save(before));
    const auto hash = pool.state_hash();
    pool.acquire(orb{1, 5});
    EXPECT_NE(pool.state_hash(), hash);
    ASSERT_TRUE(pool.restore(before));
    EXPECT_EQ(pool.state_hash(), hash);
    EXPECT_EQ(pool.stats().merged, 0u);
}

TEST(merges, S3_6_a_history_sees_the_object_that_was_merged_into_as_changed) {
    slot_pool<orb, options{.mark_changes = true}> pool(2, {.on_full = on_full::merge, .merge = same_place});
    history<4, decltype(pool)> past;
    pool.acquire(orb{0, 1});
    const auto second = pool.acquire(orb{1, 1}).handle();
    past.save(1, pool);
    const auto hash = pool.state_hash();
    pool.acquire(orb{1, 5});
    past.save(2, pool);
    ASSERT_TRUE(past.restore(1, pool));
    EXPECT_EQ(pool.state_hash(), hash);
    EXPECT_EQ(pool.get(second)->amount, 1);
}

TYPED_TEST(merges, S3_6_an_acquire_from_inside_the_rule_is_refused_and_told) {
    static TypeParam* inner = nullptr;
    static refusal seen = refusal::none;
    TypeParam pool(1, {.on_full = on_full::merge, .merge = [](orb&, const orb&) {
                           inner->acquire(orb{});
                           seen = inner->why_refused();
                           return true;
                       }});
    inner = &pool;
    pool.acquire(orb{});
    misuse_watch watch;
    pool.acquire(orb{});
    EXPECT_EQ(seen, refusal::reentrant);
    EXPECT_EQ(watch.count(misuse_kind::reentrant_call), 1u);
    EXPECT_EQ(pool.why_refused(), refusal::merged);
    inner = nullptr;
}

TEST(merges, S3_6_without_a_rule_is_told_and_rejects) {
    misuse_watch watch;
    slot_pool<orb> pool(1, {.on_full = on_full::merge});
    EXPECT_EQ(watch.count(misuse_kind::bad_setting), 1u);
    pool.acquire(orb{});
    EXPECT_FALSE(pool.acquire(orb{}));
    EXPECT_EQ(pool.why_refused(), refusal::full);
}

TEST(merges, S3_6_a_newcomer_whose_constructor_throws_changes_nothing) {
    slot_pool<delicate> pool(1, {.on_full = on_full::merge, .merge = [](delicate&, const delicate&) { return true; }});
    pool.acquire(1);
    delicate::fail_after(0);
    EXPECT_THROW(pool.acquire(2), lido::test::injected_failure);
    delicate::never_fail();
    EXPECT_EQ(pool.stats().merged, 0u);
    EXPECT_TRUE(pool.validate());
}

}  // namespace pool_caps_and_merge_test
