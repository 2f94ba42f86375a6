// X1, incremental: a history restores exactly what a full save would, in both directions, whatever happened in between.
#include <lido/core/dense_pool.hpp>
#include <lido/core/flag_pool.hpp>
#include <lido/core/rewind/history.hpp>
#include <lido/core/slot_pool.hpp>

#include "support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace lido::test {
namespace rewind_history_test {

struct orb {
    int amount;
    float pull;
};

struct dice {
    std::uint32_t state = 1;
    std::uint32_t operator()() noexcept {
        state = state * 1664525u + 1013904223u;
        return state >> 8;
    }
};

using slots = slot_pool<orb, options{.mark_changes = true}>;
using slots_lowest = slot_pool<orb, options{.order = reuse::lowest, .mark_changes = true}>;
using slots_last = slot_pool<orb, options{.order = reuse::last, .reuse_delay = 3, .mark_changes = true}>;
using slots_worn = slot_pool<orb, options{.handle_bits = 32, .index_bits = 26, .mark_changes = true}>;
using slots_busy = slot_pool<orb, options{.tracks = track::priority, .reuse_delay = 9, .mark_changes = true}>;
using flags = flag_pool<orb, 100, options{.mark_changes = true}>;
using rows = dense_pool<orb, options{.mark_changes = true}>;
using rows_worn = dense_pool<orb, options{.handle_bits = 32, .index_bits = 26, .reuse_delay = 3, .mark_changes = true}>;
using rows_busy = dense_pool<orb, options{.tracks = track::priority, .reuse_delay = 9, .mark_changes = true}>;
using rows_wide = dense_pool<orb, options{.tracks = track::age, .mark_changes = true, .max_rows = 1u << 22}>;

template <class Pool>
[[nodiscard]] Pool make() {
    typename Pool::settings_type settings;
    if constexpr (Pool::pool_options.tracks != track::nothing) {
        settings.on_full = on_full::grow_to(300).then(on_full::replace_oldest);
    }
    if constexpr (requires { Pool(settings); }) {
        return Pool(settings);
    } else {
        return Pool(200, settings);
    }
}

template <class Pool>
using handles = std::vector<typename Pool::handle_type>;

/// One tick of a game that uses every way to change a pool.
template <class Pool>
void play(Pool& pool, dice& roll, handles<Pool>& held) {
    const std::uint32_t count = roll() % 20;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t what = roll() % 8;
        if (what < 3) {
            held.push_back(pool.acquire_as({static_cast<std::uint8_t>(roll() % 16)}, static_cast<int>(roll()), 0.f));
        } else if (held.empty()) {
            continue;
        } else if (what < 5) {
            auto& one = held[roll() % held.size()];
            if (pool.contains(one)) pool.release(one);
            one = held.back();
            held.pop_back();
        } else if (orb* const found = pool.get(held[roll() % held.size()])) {
            ++found->amount;
        }
    }
    switch (roll() % 40) {
        case 0: pool.clear(); break;
        case 1: static_cast<void>(pool.trim()); break;
        case 2:
            for (orb& o : pool) ++o.amount;
            break;
        case 3: pool.release_if([](const orb& o) { return o.amount % 7 == 0; }); break;
        case 4: pool.release_if([](orb& o) { return ++o.amount % 7 == 0; }); break;
        case 5:
            for (auto [handle, o] : pool.each()) o.pull += 1;
            break;
        case 6: pool.for_each([](orb& o) { o.pull += 1; }); break;
        case 7:
            if constexpr (requires { pool.backward(); }) {
                for (orb& o : pool.backward()) o.pull -= 1;
            }
            break;
        case 8:
            if constexpr (requires { pool.values(); }) {
                for (orb& o : pool.values()) o.pull -= 2;
            }
            break;
        case 9:
            static_cast<void>(pool.reserve(Pool::handle_type::of(roll() % 90, 1 + 2 * (roll() % 12)), 5, 5.f));
            break;
        default: break;
    }
}

template <class Pool>
class history_of : public testing::Test {};
using pools = testing::Types<slots, slots_lowest, slots_last, slots_worn, slots_busy, flags, rows, rows_worn, rows_busy,
                             rows_wide>;
TYPED_TEST_SUITE(history_of, pools);

TYPED_TEST(history_of, X1_every_kept_tick_comes_back_exactly_whichever_way_one_walks) {
    constexpr std::size_t kept = 8;
    struct entry {
        std::uint64_t tick;
        std::uint64_t hash;
        handles<TypeParam> held;
    };
    TypeParam pool = make<TypeParam>();
    dice roll;
    dice choice{99};
    handles<TypeParam> held;
    history<kept, TypeParam, dice> past;
    std::deque<entry> expected;
    std::uint64_t tick = 0;
    int restores = 0;
    for (int round = 0; round < 1500; ++round) {
        ++tick;
        play(pool, roll, held);
        past.save(tick, pool, roll);
        while (!expected.empty() && expected.back().tick >= tick) expected.pop_back();
        expected.push_back({tick, state_hash(pool, roll), held});
        if (expected.size() > kept) expected.pop_front();
        ASSERT_EQ(past.oldest(), std::optional(expected.front().tick));
        ASSERT_EQ(past.newest(), std::optional(expected.back().tick));
        if (choice() % 4 != 0) continue;

        if (choice() % 2 != 0) play(pool, roll, held);  // changes that no save has seen
        for (std::uint32_t jump = 0; jump < 1 + choice() % 3; ++jump) {
            const entry& to = expected[choice() % expected.size()];
            ASSERT_TRUE(past.restore(to.tick, pool, roll));
            const verdict whole = pool.validate();
            ASSERT_TRUE(whole) << whole.broken << " in round " << round;
            ASSERT_EQ(state_hash(pool, roll), to.hash) << "in round " << round;
            held = to.held;
            tick = to.tick;
            ++restores;
        }
    }
    EXPECT_GT(restores, 300);
}

TYPED_TEST(history_of, X1_a_restore_in_another_way_makes_the_next_save_start_afresh) {
    TypeParam pool = make<TypeParam>();
    dice roll;
    handles<TypeParam> held;
    history<4, TypeParam> past;
    snapshot other;
    for (int i = 0; i < 30; ++i) play(pool, roll, held);
    ASSERT_TRUE(pool.save(other));
    const std::uint64_t other_hash = pool.state_hash();
    past.save(1, pool);
    play(pool, roll, held);
    past.save(2, pool);
    const std::uint64_t second = pool.state_hash();
    ASSERT_TRUE(pool.restore(other));

    // What was kept is still exact ...
    ASSERT_TRUE(past.restore(2, pool));
    EXPECT_EQ(pool.state_hash(), second);
    EXPECT_TRUE(pool.validate());
    // ... and a save over foreign content keeps that content, and nothing older.
    ASSERT_TRUE(pool.restore(other));
    past.save(3, pool);
    EXPECT_FALSE(past.has(2));
    play(pool, roll, held);
    ASSERT_TRUE(past.restore(3, pool));
    EXPECT_EQ(pool.state_hash(), other_hash);
    EXPECT_TRUE(pool.validate());
}

TYPED_TEST(history_of, X1_two_histories_of_one_pool_do_not_spoil_each_other) {
    TypeParam pool = make<TypeParam>();
    dice roll;
    handles<TypeParam> held;
    history<4, TypeParam> one;
    history<4, TypeParam> two;
    for (int i = 0; i < 20; ++i) play(pool, roll, held);
    one.save(1, pool);
    play(pool, roll, held);
    two.save(1, pool);  // takes the marks
    const std::uint64_t then = pool.state_hash();
    play(pool, roll, held);
    one.save(2, pool);  // must not believe the marks that are left
    const std::uint64_t now = pool.state_hash();
    play(pool, roll, held);
    ASSERT_TRUE(one.restore(2, pool));
    EXPECT_EQ(pool.state_hash(), now);
    ASSERT_TRUE(two.restore(1, pool));
    EXPECT_EQ(pool.state_hash(), then);
    EXPECT_TRUE(pool.validate());
}

TEST(history, X1_a_tick_that_is_not_kept_is_refused_and_changes_nothing) {
    slots pool(10);
    history<2, slots> past;
    EXPECT_EQ(past.restore(1, pool).error, restore_error::not_kept);
    past.save(1, pool);
    past.save(2, pool);
    past.save(3, pool);
    const handle<orb> late = pool.acquire(1, 1.f);
    EXPECT_EQ(past.restore(1, pool).error, restore_error::not_kept);
    EXPECT_TRUE(pool.contains(late));
    ASSERT_TRUE(past.restore(2, pool));
    EXPECT_FALSE(pool.contains(late)) << "made after the saved tick";
    past.clear();
    EXPECT_FALSE(past.has(2));
}

TEST(history, X1_the_same_handles_come_after_a_restore) {
    slots pool(1000);
    history<3, slots> past;
    for (int i = 0; i < 100; ++i) pool.acquire(i, 0.f);
    past.save(1, pool);
    pool.release_if([](const orb& o) { return o.amount % 3 == 0; });
    past.save(2, pool);
    std::vector<handle<orb>> first;
    first.reserve(50);
    for (int i = 0; i < 50; ++i) first.push_back(pool.acquire(i, 1.f));
    ASSERT_TRUE(past.restore(2, pool));
    for (const handle<orb> expected : first) EXPECT_EQ(pool.acquire(0, 0.f).handle(), expected);
}

TEST(history, X1_a_lease_from_an_undone_future_becomes_empty) {
    slots pool(10);
    history<3, slots> past;
    past.save(1, pool);
    auto lease = pool.lease(1, 1.f);
    ASSERT_TRUE(past.restore(1, pool));
    EXPECT_FALSE(lease);
    const handle<orb> again = pool.acquire(2, 2.f);
    lease.reset();
    EXPECT_TRUE(pool.contains(again)) << "the old lease must not end the new life";
}

template <class Pool>
void release_under_a_lease_and_go_back() {
    Pool pool(10);
    history<3, Pool> past;
    auto lease = pool.lease(1, 1.f);
    const handle<orb> object = lease.handle();
    past.save(1, pool);
    ASSERT_TRUE(pool.release(object));
    past.save(2, pool);
    ASSERT_TRUE(past.restore(1, pool));
    ASSERT_TRUE(pool.contains(object));
    EXPECT_FALSE(lease);
    lease.reset();
    EXPECT_TRUE(pool.contains(object)) << "it came back, and is nobody's";
}

TEST(history, X1_a_lease_whose_object_was_released_stays_empty_though_the_object_comes_back) {
    release_under_a_lease_and_go_back<slots>();
    release_under_a_lease_and_go_back<rows>();
}

TEST(history, X1_only_what_changed_is_kept) {
    // Asking, const access and a predicate that takes a const object leave no marks; each of these changes one.
    slots pool(10'000);
    std::vector<handle<orb>> held(10'000);
    ASSERT_EQ(pool.acquire_n(held, 1, 1.f), held.size());
    history<2, slots> past;
    past.save(1, pool);
    using at = detail::slot_rewind::changes<slots>;
    const auto marked = [&pool] {
        std::size_t count = 0;
        for (std::size_t i = 0; i < at::known(pool); ++i) count += detail::test(at::marks(pool), i) ? 1 : 0;
        return count;
    };
    EXPECT_EQ(marked(), 0u);
    std::as_const(pool).for_each([](const orb&) {});
    for (const orb& o : std::as_const(pool)) static_cast<void>(o);
    pool.release_if([](const orb& o) { return o.amount == 2; });
    static_cast<void>(std::as_const(pool).get(held[3]));
    EXPECT_EQ(marked(), 0u);
    pool.get(held[77])->amount = 5;
    pool.release(held[5000]);
    EXPECT_EQ(marked(), 2u);
    pool.for_each([](orb& o) { ++o.amount; });
    EXPECT_EQ(marked(), 10'000u);
}

TEST(history, S3_7_a_warm_history_allocates_nothing) {
    slots pool(2000);
    std::vector<handle<orb>> held(1000);
    ASSERT_EQ(pool.acquire_n(held, 1, 1.f), held.size());
    history<4, slots> past;
    std::uint64_t tick = 0;
    const auto churn = [&] {
        for (std::size_t i = 0; i < 40; ++i) {
            auto& one = held[(tick * 37 + i * 11) % held.size()];
            pool.release(one);
            one = pool.acquire(static_cast<int>(i), 0.f);
        }
        past.save(++tick, pool);
    };
    for (int i = 0; i < 50; ++i) churn();
    const allocation_watch watch;
    for (int i = 0; i < 500; ++i) churn();
    ASSERT_TRUE(past.restore(tick - 2, pool));
    EXPECT_EQ(watch.allocations(), 0u);
}

#if LIDO_CHECKS && defined(GTEST_HAS_DEATH_TEST)
TEST(history_death_test, a_write_through_an_old_pointer_is_caught) {
    slots pool(10);
    orb* const kept = pool.acquire(1, 1.f).get();
    history<2, slots> past;
    past.save(1, pool);
    kept->amount = 2;
    EXPECT_DEATH(past.save(2, pool), "pointer from before the latest save");
}
#endif

}  // namespace rewind_history_test
}  // namespace lido::test
