// Promise (X4): a full column pool does what its settings say; victims and merge rules see rows.
#include "orb.hpp"

#include <lido/core/flag_column_pool.hpp>

#include <vector>

namespace columns_exhaustion_test {

using namespace lido;
using namespace lido::test;

TEST(column_exhaustion, rejects_by_default) {
    column_pool<orb> pool(2);
    EXPECT_TRUE(pool.acquire(orb_of(1)) && pool.acquire(orb_of(2)));
    EXPECT_FALSE(pool.acquire(orb_of(3)));
    EXPECT_EQ(pool.why_refused(), refusal::full);
    EXPECT_EQ(pool.stats().refused, 1u);
}

TEST(column_exhaustion, a_refused_struct_is_not_moved_from) {
    column_pool<mixed> pool(1);
    pool.acquire(mixed_of(1));
    mixed mine = mixed_of(2);
    EXPECT_FALSE(pool.acquire(std::move(mine)));
    EXPECT_EQ(mine, mixed_of(2));  // NOLINT(bugprone-use-after-move): that is the promise
}

TEST(column_exhaustion, replaces_the_oldest_and_shows_it_first) {
    using pool_type = column_pool<mixed, options{.tracks = track::age}>;
    std::vector<mixed> ended;
    pool_type pool(3,
                   {.on_full = on_full::replace_oldest,
                    .on_evict = [&ended](pool_type::handle_type, pool_type::reference row) { ended.push_back(row); }});
    const auto first = pool.acquire(mixed_of(0)).handle();
    for (int i = 1; i < 5; ++i) EXPECT_TRUE(pool.acquire(mixed_of(i)));
    EXPECT_EQ(ended, (std::vector{mixed_of(0), mixed_of(1)}));
    EXPECT_FALSE(pool.contains(first));
    EXPECT_EQ(pool.size(), 3u);
    EXPECT_EQ(pool.stats().replaced, 2u);
    EXPECT_TRUE(valid(pool));
}

TEST(column_exhaustion, replaces_the_lowest_priority_not_above_the_request) {
    using pool_type = column_pool<orb, options{.tracks = track::priority}>;
    pool_type pool(3, {.on_full = on_full::replace_lowest});
    const auto high = pool.acquire_as({.priority = 9}, orb_of(1)).handle();
    const auto low = pool.acquire_as({.priority = 2}, orb_of(2)).handle();
    const auto middle = pool.acquire_as({.priority = 5}, orb_of(3)).handle();
    EXPECT_FALSE(pool.acquire_as({.priority = 1}, orb_of(4)));
    EXPECT_TRUE(pool.acquire_as({.priority = 5}, orb_of(5)));
    EXPECT_TRUE(pool.contains(high) && pool.contains(middle) && !pool.contains(low));
    EXPECT_EQ(orb(pool.row(middle)), orb_of(3));
}

TEST(column_exhaustion, replaces_what_the_rule_accepts_and_arguments_may_be_its_own_fields) {
    using pool_type = column_pool<mixed>;
    pool_type pool(3, {.on_full = on_full::replace_if,
                       .victim = [](pool_type::const_reference row) { return row.get<&mixed::kind>() == 1; }});
    for (int i = 0; i < 3; ++i) pool.acquire(mixed_of(i));
    // The newcomer is built from the row that it will replace.
    const auto made = pool.acquire(std::uint8_t{9}, pool.row(1).get<&mixed::name>());
    ASSERT_TRUE(made);
    EXPECT_EQ(made->get<&mixed::name>(), mixed_of(1).name);
    EXPECT_FALSE(pool.acquire(mixed_of(5)));
    EXPECT_EQ(pool.why_refused(), refusal::full);
    EXPECT_TRUE(valid(pool));
}

TEST(column_exhaustion, merges_the_newcomer_into_the_row_that_the_rule_accepts) {
    using pool_type = column_pool<orb>;
    pool_type pool(3, {.on_full = on_full::merge, .merge = [](pool_type::reference row, const orb& fresh) {
                           const float dx = row.get<&orb::x>() - fresh.x;
                           if (dx * dx > 4.0f) return false;
                           row.get<&orb::amount>() += fresh.amount;
                           return true;
                       }});
    for (int i = 0; i < 3; ++i) pool.acquire(orb_of(i * 10));
    const auto ten = pool.handle_of_row(1);
    EXPECT_FALSE(pool.acquire(orb_of(11)));
    EXPECT_EQ(pool.why_refused(), refusal::merged);
    EXPECT_EQ(pool.merged_into(), ten);
    EXPECT_EQ(pool.row(ten).get<&orb::amount>(), 30 + 33);
    EXPECT_FALSE(pool.acquire(orb_of(500)));
    EXPECT_EQ(pool.why_refused(), refusal::full);
    EXPECT_EQ(pool.stats().merged, 1u);
    EXPECT_EQ(pool.stats().refused, 1u);
    EXPECT_EQ(pool.size(), 3u);
}

TEST(column_exhaustion, headroom_and_kinds_keep_rows_for_others) {
    using pool_type = column_pool<orb, options{.headroom = true, .kinds = 2}>;
    pool_type pool(10, {.headroom = {.above_percent = 80, .priority = 3}, .kind_caps = {0, 5}});
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(pool.acquire_as({.kind = 1}, orb_of(i)));
    EXPECT_FALSE(pool.acquire_as({.kind = 1}, orb_of(5)));
    EXPECT_EQ(pool.why_refused(), refusal::kind_cap);
    for (int i = 5; i < 8; ++i) EXPECT_TRUE(pool.acquire(orb_of(i)));
    EXPECT_FALSE(pool.acquire(orb_of(8)));
    EXPECT_EQ(pool.why_refused(), refusal::headroom);
    EXPECT_TRUE(pool.acquire_as({.priority = 3}, orb_of(8)));
}

TEST(column_exhaustion, grows_and_then_replaces) {
    using pool_type = column_pool<mixed, options{.tracks = track::age}>;
    pool_type pool(2, {.on_full = on_full::grow_to(70).then(on_full::replace_oldest)});
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(pool.acquire(mixed_of(i)));
    EXPECT_EQ(pool.capacity(), 70u);
    EXPECT_EQ(pool.stats().replaced, 30u);
    int least = 100;
    for (auto row : pool) least = std::min<int>(least, row.get<&mixed::kind>());
    EXPECT_EQ(least, 30);
    EXPECT_TRUE(valid(pool));
}

TEST(column_exhaustion, an_acquire_from_inside_a_callback_is_refused) {
    using pool_type = column_pool<orb, options{.tracks = track::age}>;
    const misuse_watch watch;
    struct spot {
        pool_type* pool = nullptr;
        bool inner = true;
    } at;
    pool_type pool(1, {.on_full = on_full::replace_oldest, .on_evict = [&at](pool_type::handle_type, auto) {
                           at.inner = static_cast<bool>(at.pool->acquire(orb_of(9)));
                       }});
    at.pool = &pool;
    pool.acquire(orb_of(1));
    EXPECT_TRUE(pool.acquire(orb_of(2)));
    EXPECT_FALSE(at.inner);
    EXPECT_EQ(pool.why_refused(), refusal::reentrant);
    EXPECT_EQ(orb(pool.row(0)), orb_of(2));
    EXPECT_EQ(watch.count(misuse_kind::reentrant_call), 1u);
}

TEST(column_exhaustion, a_slot_at_its_last_generation_is_retired_with_its_row) {
    column_pool<orb, options{.handle_bits = 32, .index_bits = 28}> pool(2);
    for (int life = 0; life < 7; ++life) {
        const auto one = pool.acquire(orb_of(life));
        ASSERT_TRUE(one);
        pool.release(one);
    }
    EXPECT_EQ(pool.stats().retired, 1u);
    const auto kept = pool.acquire(orb_of(1));
    EXPECT_TRUE(kept);
    EXPECT_TRUE(pool.full());
    EXPECT_FALSE(pool.acquire(orb_of(2)));
    EXPECT_TRUE(valid(pool));
}

TEST(flag_column_exhaustion, replaces_what_the_rule_accepts_and_arguments_may_be_its_own_fields) {
    using pool_type = flag_column_pool<mixed>;
    pool_type pool(3, {.on_full = on_full::replace_if,
                       .victim = [](pool_type::const_reference row) { return row.get<&mixed::kind>() == 1; }});
    for (int i = 0; i < 3; ++i) pool.acquire(mixed_of(i));
    const auto made = pool.acquire(std::uint8_t{9}, pool.row(1).get<&mixed::name>());
    ASSERT_TRUE(made);
    EXPECT_EQ(made.handle().index(), 1u);
    EXPECT_EQ(made->get<&mixed::name>(), mixed_of(1).name);
    EXPECT_FALSE(pool.acquire(mixed_of(5))) << "nobody is left whom the rule accepts";
    EXPECT_EQ(mixed(pool.row(0)), mixed_of(0));
    EXPECT_EQ(mixed(pool.row(2)), mixed_of(2));
    EXPECT_EQ(pool.stats().replaced, 1u);
    EXPECT_TRUE(valid(pool));
}

TEST(flag_column_exhaustion, folds_a_newcomer_into_the_first_row_that_takes_it) {
    using pool_type = flag_column_pool<orb>;
    pool_type pool(
        2, {.on_full = on_full::merge, .leaks = leaks::allow, .merge = [](pool_type::reference into, const orb& fresh) {
                if (into.get<&orb::amount>() == orb_of(1).amount) return false;
                into.get<&orb::amount>() += fresh.amount;
                return true;
            }});
    pool.acquire(orb_of(1));
    const auto second = pool.acquire(orb_of(2)).handle();
    EXPECT_FALSE(pool.acquire(orb_of(5)));
    EXPECT_EQ(pool.why_refused(), refusal::merged);
    EXPECT_EQ(pool.merged_into(), second);
    EXPECT_EQ(pool.row(second).get<&orb::amount>(), orb_of(2).amount + orb_of(5).amount);
}

TEST(flag_column_exhaustion, keeps_headroom_and_lowest_priorities) {
    using pool_type = flag_column_pool<orb, options{.tracks = track::priority, .headroom = true}>;
    pool_type pool(
        5,
        {.on_full = on_full::replace_lowest, .headroom = {.above_percent = 80, .priority = 3}, .leaks = leaks::allow});
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(pool.acquire_as({.priority = static_cast<std::uint8_t>(i)}, orb_of(i)));
    EXPECT_FALSE(pool.acquire(orb_of(4)));
    EXPECT_EQ(pool.why_refused(), refusal::headroom);
    EXPECT_TRUE(pool.acquire_as({.priority = 9}, orb_of(4)));
    EXPECT_EQ(pool.acquire_as({.priority = 9}, orb_of(5)).handle().index(), 0u) << "the lowest gave way";
    EXPECT_TRUE(valid(pool));
}

}  // namespace columns_exhaustion_test
