// Promise (S3.2): idle objects keep what they own; both caps hold; hooks run when they should; a hook that throws changes nothing.
#include "core/pool/pool_cases.hpp"
#include "support/allocation_counter.hpp"

#include <lido/core/recycle_pool.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace lido::test {
namespace recycle_pool_test {

struct trail {
    int id = 0;
    std::vector<float> points;
    void on_acquire(int number) noexcept {
        id = number;
        points.clear();
    }
};
static_assert(lido::pool<recycle_pool<trail>> && acquires<recycle_pool<trail>, int> && acquires<recycle_pool<trail>>);
static_assert(!acquires<recycle_pool<trail>, const char*> && !acquires<recycle_pool<trail>, int, int>);
static_assert(std::is_nothrow_move_constructible_v<recycle_pool<trail>>);
static_assert(recycle_pool<trail>::stable_addresses && recycle_pool<trail>::can_grow);

/// Writes down what happens to it. May throw on request.
struct noted {
    static inline std::string log;
    static inline bool fails = false;
    int id = 0;
    noted() { log += 'c'; }
    noted(noted&& other) noexcept : id(other.id) { log += 'm'; }
    noted& operator=(noted&&) noexcept = default;
    ~noted() { log += 'd'; }
    void on_acquire(int number) {
        if (fails) throw injected_failure{};
        id = number;
        log += 'a';
    }
    void on_release() noexcept { log += 'r'; }
};

class recycled : public ::testing::Test {
protected:
    recycled() {
        noted::log.clear();
        noted::fails = false;
    }
    ~recycled() override { noted::fails = false; }
    static std::string said() { return std::exchange(noted::log, {}); }
    misuse_watch misuses_;
};

TEST_F(recycled, an_idle_object_keeps_the_memory_it_owns_and_the_one_released_last_comes_first) {
    recycle_pool<trail> pool{4};
    const auto a = pool.acquire(1);
    const auto b = pool.acquire(2);
    a->points.resize(64);
    b->points.resize(100);
    const float* const memory = b->points.data();
    pool.release(a);
    pool.release(b);
    EXPECT_EQ(pool.idle(), 2u);
    const auto again = pool.acquire(3);
    EXPECT_EQ(again.get(), b.get());
    EXPECT_EQ(again.handle().generation(), 3u);
    EXPECT_EQ(again->id, 3);
    EXPECT_TRUE(again->points.empty());
    again->points.push_back(1);
    EXPECT_EQ(again->points.data(), memory);
    EXPECT_EQ(pool.acquire(4).get(), a.get());
    EXPECT_EQ(pool.acquire(5).handle().index(), 2u);  // nothing idle: the lowest slot that holds nothing
    const pool_stats s = pool.stats();
    EXPECT_EQ(s.created, 3u);
    EXPECT_EQ(s.reused, 2u);
    EXPECT_EQ(s.destroyed + s.idle + s.idle_overflow, 0u);
    EXPECT_TRUE(valid(pool));
}

TEST_F(recycled, the_steady_state_allocates_nothing) {
    recycle_pool<trail> pool{400, {.idle_cap = 600}};
    EXPECT_EQ(pool.prewarm(600), 600u);
    std::vector<handle<trail>> all(400);
    const auto life = [&] {
        EXPECT_EQ(pool.acquire_n(all, 1), 400u);
        for (trail& t : pool) t.points.resize(64);
        EXPECT_EQ(pool.release_n(all), 400u);
    };
    life();
    const allocation_watch watch;
    for (int i = 0; i < 5; ++i) life();
    EXPECT_TRUE(watch.quiet());
}

TEST_F(recycled, caps_of_400_active_and_600_idle_hold) {
    recycle_pool<trail> pool{400, {.idle_cap = 600}};
    EXPECT_EQ(pool.prewarm(10'000), 600u);
    std::vector<handle<trail>> all(500);
    EXPECT_EQ(pool.acquire_n(all, 1), 400u);
    EXPECT_EQ(pool.why_refused(), refusal::full);
    EXPECT_EQ(pool.idle(), 200u);
    EXPECT_EQ(pool.stats().created, 600u);
    EXPECT_EQ(pool.release_if([](const trail&) { return true; }), 400u);
    EXPECT_EQ(pool.idle(), 600u);
    EXPECT_EQ(pool.stats().idle_overflow, 0u);
    EXPECT_TRUE(valid(pool));
}

TEST_F(recycled, a_release_above_the_idle_cap_destroys_its_object_and_is_counted) {
    static int destroyed;
    destroyed = 0;
    recycle_pool<noted> pool{5, {.idle_cap = 2, .destroy = [](noted&) { ++destroyed; }}};
    std::array<recycle_pool<noted>::handle_type, 5> all;
    EXPECT_EQ(pool.acquire_n(all, 1), 5u);
    said();
    EXPECT_EQ(pool.release_n(all), 5u);
    EXPECT_EQ(said(), "rrrdrdrd");
    EXPECT_EQ(destroyed, 3);
    EXPECT_EQ(pool.idle(), 2u);
    EXPECT_EQ(pool.stats().idle_overflow, 3u);
    EXPECT_EQ(pool.stats().destroyed, 3u);
    EXPECT_TRUE(valid(pool));
    EXPECT_EQ(pool.acquire_n(all, 2), 5u);  // two again, three anew
    EXPECT_EQ(pool.stats().created, 8u);
    EXPECT_EQ(pool.stats().reused, 2u);
}

TEST_F(recycled, hooks_of_the_element_and_of_the_pool_run_in_order) {
    recycle_pool<noted> pool{2,
                             {.create =
                                  [] {
                                      noted::log += 'C';
                                      return noted();
                                  },
                              .get = [](noted&) { noted::log += 'G'; },
                              .release = [](noted&) { noted::log += 'R'; },
                              .destroy = [](noted&) { noted::log += 'D'; }}};
    const auto a = pool.acquire(1);
    EXPECT_EQ(said(), "CcaG");
    pool.release(a);
    EXPECT_EQ(said(), "Rr");
    static_cast<void>(pool.acquire(2));
    EXPECT_EQ(said(), "aG");
    pool.clear();
    EXPECT_EQ(said(), "Rr");
    static_cast<void>(pool.trim());
    EXPECT_EQ(said(), "Dd");
    { const auto lease = pool.lease(3); }
    EXPECT_EQ(said(), "CcaGRr");
}

TEST_F(recycled, the_end_of_a_pool_ends_lives_and_destroys_all) {
    {
        recycle_pool<noted> pool{3, {.destroy = [](noted&) { noted::log += 'D'; }}};
        static_cast<void>(pool.acquire(1));
        pool.release(pool.acquire(2));
        said();
    }
    EXPECT_EQ(said(), "rDdDd");
}

TEST_F(recycled, acquire_without_arguments_gives_an_idle_object_as_it_was_left) {
    struct sheet {
        std::string text;
    };
    recycle_pool<sheet> pool{2};
    const auto a = pool.acquire();
    a->text = "as it was left, in a string that is long";
    pool.release(a);
    EXPECT_EQ(pool.acquire()->text, "as it was left, in a string that is long");
    EXPECT_EQ(pool.acquire()->text, "");
}

TEST_F(recycled, an_element_that_owns_nothing_is_built_anew_from_the_arguments) {
    recycle_pool<trivial16> pool{2};
    pool.release(pool.acquire(7));
    EXPECT_EQ(pool.acquire(8)->read(), 8);
    EXPECT_EQ(pool.stats().reused, 1u);
}

TEST_F(recycled, without_a_default_constructor_the_arguments_build_a_new_object) {
    struct named {
        std::string text;
        int renewals = 0;
        explicit named(const char* t) : text(t) {}
        void on_acquire(const char* t) {
            text = t;
            ++renewals;
        }
    };
    recycle_pool<named> pool{2};
    EXPECT_EQ(pool.prewarm(2), 0u);  // nothing says how
    EXPECT_EQ(misuses_.count(misuse_kind::bad_setting), 1u);
    const auto a = pool.acquire("one");
    EXPECT_EQ(a->renewals, 0);
    pool.release(a);
    EXPECT_EQ(pool.acquire("two")->renewals, 1);
    EXPECT_FALSE(pool.acquire());
    EXPECT_EQ(pool.why_refused(), refusal::no_creator);
    recycle_pool<named> made{2, {.create = [] { return named("made"); }}};
    EXPECT_EQ(made.prewarm(2), 2u);
    EXPECT_EQ(made.acquire()->text, "made");
    EXPECT_TRUE(valid(pool) && valid(made));
}

// --- hooks that throw -------------------------------------------------------------------------------------------------------

TEST_F(recycled, a_throwing_on_acquire_leaves_an_idle_object_idle_and_destroys_a_new_one) {
    recycle_pool<noted> pool{3};
    const auto kept = pool.acquire(1);
    noted::fails = true;
    said();
    EXPECT_THROW(static_cast<void>(pool.acquire(2)), injected_failure);
    EXPECT_EQ(said(), "cd");
    EXPECT_EQ(pool.idle(), 0u);
    EXPECT_TRUE(valid(pool));
    noted::fails = false;
    const auto next = pool.acquire(2);
    EXPECT_EQ(next.handle().index(), 1u);
    EXPECT_EQ(next.handle().generation(), 1u);  // as if nothing had been tried
    pool.release(kept);
    pool.release(next);
    noted::fails = true;
    said();
    EXPECT_THROW(static_cast<void>(pool.acquire(3)), injected_failure);
    EXPECT_EQ(said(), "");
    EXPECT_EQ(pool.idle(), 2u);
    const auto wanted = recycle_pool<noted>::handle_type::of(0, 9);  // from the bottom of the stack
    EXPECT_THROW(static_cast<void>(pool.reserve(wanted, 3)), injected_failure);
    EXPECT_EQ(pool.idle(), 2u);
    EXPECT_TRUE(valid(pool));
    noted::fails = false;
    EXPECT_EQ(pool.acquire(3).handle().index(), 1u);
    EXPECT_EQ(pool.acquire(3).handle(), recycle_pool<noted>::handle_type::of(0, 3));
}

TEST_F(recycled, a_throwing_create_or_get_leaves_the_pool_as_it_was) {
    static bool fails;
    fails = false;
    const auto maybe = [] {
        if (fails) throw injected_failure{};
    };
    recycle_pool<noted> pool{3,
                             {.create =
                                  [maybe] {
                                      maybe();
                                      return noted();
                                  },
                              .get = [maybe](noted&) { maybe(); }}};
    fails = true;
    EXPECT_THROW(static_cast<void>(pool.acquire(1)), injected_failure);
    EXPECT_THROW(pool.prewarm(2), injected_failure);
    EXPECT_TRUE(pool.empty() && pool.idle() == 0 && valid(pool));
    fails = false;
    EXPECT_EQ(pool.prewarm(2), 2u);
    fails = true;
    EXPECT_THROW(static_cast<void>(pool.acquire(1)), injected_failure);
    EXPECT_TRUE(pool.empty() && pool.idle() == 2 && valid(pool));
}

TEST_F(recycled, a_throwing_newcomer_costs_nobodys_life) {
    recycle_pool<noted, options{.tracks = track::age}> pool{2, {.on_full = on_full::replace_oldest}};
    const auto a = pool.acquire(1).handle();
    const auto b = pool.acquire(2).handle();
    noted::fails = true;
    EXPECT_THROW(static_cast<void>(pool.acquire(3)), injected_failure);
    EXPECT_TRUE(pool.contains(a) && pool.contains(b) && valid(pool));
    noted::fails = false;
    const auto c = pool.acquire(4);
    EXPECT_EQ(c->id, 4);
    EXPECT_TRUE(!pool.contains(a) && pool.contains(b) && pool.size() == 2 && valid(pool));
    EXPECT_EQ(pool.stats().replaced, 1u);
}

struct brittle {
    static inline bool fails = false;
    int value;
    explicit brittle(int v) : value(v) {
        if (fails) throw injected_failure{};
    }
};
static_assert(std::is_trivially_destructible_v<brittle>);

TEST_F(recycled, an_idle_object_that_could_not_be_built_over_is_gone_and_its_slot_is_still_next) {
    recycle_pool<brittle> pool{3};
    pool.release(pool.acquire(1));
    brittle::fails = true;
    EXPECT_THROW(static_cast<void>(pool.acquire(2)), injected_failure);
    brittle::fails = false;
    EXPECT_EQ(pool.idle(), 0u);
    EXPECT_TRUE(valid(pool));
    const auto next = pool.acquire(3);
    EXPECT_EQ(next.handle(), handle<brittle>::of(0, 3));
    EXPECT_EQ(next->value, 3);
    EXPECT_EQ(pool.stats().created, 2u);
    EXPECT_TRUE(valid(pool));
}

// --- full pools (X4) --------------------------------------------------------------------------------------------------------

TEST_F(recycled, a_full_pool_that_replaces_uses_the_object_that_it_ended_whatever_the_idle_cap) {
    recycle_pool<trail, options{.tracks = track::age}> pool{2, {.on_full = on_full::replace_oldest, .idle_cap = 0}};
    const auto first = pool.acquire(1);
    first->points.resize(50);
    const std::size_t kept = first->points.capacity();
    static_cast<void>(pool.acquire(2));
    const auto third = pool.acquire(3);
    EXPECT_EQ(third.get(), first.get());
    EXPECT_GE(third->points.capacity(), kept);
    EXPECT_EQ(pool.stats().destroyed, 0u);
    EXPECT_TRUE(valid(pool));
}

TEST_F(recycled, a_full_pool_replaces_also_while_others_wait_and_every_object_made_is_destroyed) {
    static int alive;
    alive = 0;
    {
        recycle_pool<noted, options{.tracks = track::age}> pool{2,
                                                                {.on_full = on_full::replace_oldest,
                                                                 .idle_cap = 5,
                                                                 .create =
                                                                     [] {
                                                                         ++alive;
                                                                         return noted();
                                                                     },
                                                                 .destroy = [](noted&) { --alive; }}};
        EXPECT_EQ(pool.prewarm(5), 5u);
        for (int i = 0; i < 6; ++i) {
            const auto one = pool.acquire(i);
            ASSERT_TRUE(one);
            EXPECT_EQ(one->id, i);
            EXPECT_EQ(pool.idle(), i == 0 ? 4u : 3u);
            EXPECT_TRUE(valid(pool));
            EXPECT_EQ(alive, 5);
        }
        EXPECT_EQ(pool.stats().replaced, 4u);
    }
    EXPECT_EQ(alive, 0);
}

TEST_F(recycled, bookkeeping_is_8_4_bytes_a_slot_and_6_4_with_short_handles) {
    EXPECT_NEAR(recycle_pool<trail>(1u << 18).stats().bookkeeping_per_slot, 8.38, 0.01);
    constexpr options short_handles{.handle_bits = 32};
    EXPECT_NEAR((recycle_pool<trail, short_handles>(1u << 18).stats().bookkeeping_per_slot), 6.38, 0.01);
}

TEST_F(recycled, merge_folds_the_newcomer_and_growth_comes_first) {
    recycle_pool<trail> pool{
        1, {.on_full = on_full::grow_to(2).then(on_full::merge), .merge = [](trail& old, const trail& add) {
                if (old.id != 2) return false;
                old.id += add.id;
                return true;
            }}};
    static_cast<void>(pool.acquire(1));
    const auto two = pool.acquire(2);
    EXPECT_EQ(pool.capacity(), 2u);
    EXPECT_FALSE(pool.acquire(10));
    EXPECT_EQ(pool.why_refused(), refusal::merged);
    EXPECT_EQ(pool.merged_into(), two.handle());
    EXPECT_EQ(two->id, 12);
    EXPECT_FALSE(pool.acquire(10));
    EXPECT_EQ(pool.why_refused(), refusal::full);
}

TEST_F(recycled, kinds_and_headroom_are_asked_before_idle_objects) {
    recycle_pool<trail, options{.headroom = true, .kinds = 2}> pool{
        10, {.headroom = {.above_percent = 80, .priority = 1}, .kind_caps = {0, 4}}};
    pool.prewarm(10);
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(pool.acquire_as({.kind = 1}, i));
    EXPECT_FALSE(pool.acquire_as({.kind = 1}, 5));
    EXPECT_EQ(pool.why_refused(), refusal::kind_cap);
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(pool.acquire(i));
    EXPECT_FALSE(pool.acquire(9));
    EXPECT_EQ(pool.why_refused(), refusal::headroom);
    EXPECT_TRUE(pool.acquire_as({.priority = 1}, 9));
    EXPECT_EQ(pool.idle(), 1u);
}

TEST_F(recycled, growth_keeps_every_address) {
    recycle_pool<trail> pool{2, {.on_full = on_full::grow_to(5000)}};
    std::vector<std::pair<handle<trail>, trail*>> all;
    for (int i = 0; i < 5000; ++i) {
        const auto one = pool.acquire(i);
        all.emplace_back(one.handle(), one.get());
    }
    for (const auto& [h, place] : all) ASSERT_EQ(pool.get(h), place);
    EXPECT_FALSE(pool.acquire(1));
}

// --- prewarm, trim, adopt ---------------------------------------------------------------------------------------------------

TEST_F(recycled, prewarm_in_slices_says_what_is_left_and_ends) {
    recycle_pool<trail> pool{100, {.idle_cap = 50}};
    EXPECT_EQ(pool.prewarm_some(80, 20), 30u);  // 50 are all that may wait
    EXPECT_EQ(pool.idle(), 20u);
    EXPECT_EQ(pool.prewarm_some(80, 0), 30u);
    EXPECT_EQ(pool.prewarm_some(80, 29), 1u);
    int ticks = 5;
    EXPECT_EQ(pool.prewarm_while(80, [&] { return ticks-- > 0; }), 0u);
    EXPECT_EQ(pool.idle(), 50u);
    EXPECT_EQ(pool.prewarm_some(80, 10), 0u);
}

TEST_F(recycled, slices_give_the_same_handles_as_one_prewarm) {
    recycle_pool<trail> once{20};
    recycle_pool<trail> sliced{20};
    once.prewarm(15);
    while (sliced.prewarm_some(15, 4) != 0) {
    }
    for (int i = 0; i < 20; ++i) EXPECT_EQ(once.acquire(i).handle(), sliced.acquire(i).handle());
}

TEST_F(recycled, trim_destroys_those_that_wait_longest_and_keeps_what_is_asked) {
    recycle_pool<trail> pool{10};
    std::vector<handle<trail>> all(6);
    EXPECT_EQ(pool.acquire_n(all, 1), 6u);
    for (const auto h : all) pool.release(h);
    static_cast<void>(pool.trim(2));
    EXPECT_EQ(pool.idle(), 2u);
    EXPECT_EQ(pool.stats().destroyed, 4u);
    EXPECT_EQ(pool.acquire(1).handle().index(), 5u);
    EXPECT_EQ(pool.acquire(1).handle().index(), 4u);
    EXPECT_EQ(pool.acquire(1).handle(), handle<trail>::of(0, 3));  // stale handles of slot 0 stay stale
    EXPECT_TRUE(valid(pool));
    static_cast<void>(pool.trim());
    EXPECT_EQ(pool.size(), 3u);
    EXPECT_TRUE(valid(pool));
}

TEST_F(recycled, an_adopted_object_brings_its_memory_and_is_next) {
    recycle_pool<trail> pool{3, {.idle_cap = 2}};
    trail made;
    made.points.resize(70);
    const float* const memory = made.points.data();
    EXPECT_TRUE(pool.adopt(std::move(made)));
    const auto a = pool.acquire(1);
    a->points.push_back(0);
    EXPECT_EQ(a->points.data(), memory);
    EXPECT_TRUE(pool.adopt({}));
    EXPECT_TRUE(pool.adopt({}));
    EXPECT_FALSE(pool.adopt({}));  // as many wait as may
    const auto b = pool.adopt_active(trail{.id = 9, .points = {}});
    ASSERT_TRUE(b);
    EXPECT_EQ(b->id, 9);
    EXPECT_TRUE(pool.adopt_active({}));
    EXPECT_FALSE(pool.adopt_active({}));
    EXPECT_EQ(pool.why_refused(), refusal::full);
    EXPECT_TRUE(valid(pool));
}

// --- re-entrancy ------------------------------------------------------------------------------------------------------------

struct parent {
    static inline recycle_pool<parent>* pool = nullptr;
    handle<parent> child;
    std::vector<int> owned;
    void on_acquire(int depth) {
        child = {};
        if (depth > 0) child = pool->acquire(depth - 1).handle();
    }
    void on_release() noexcept {
        if (child) pool->release(child);
    }
};

TEST_F(recycled, hooks_may_acquire_from_and_release_to_their_pool) {
    recycle_pool<parent> pool{10, {.idle_cap = 2}};
    parent::pool = &pool;
    const auto a = pool.acquire(4);
    EXPECT_EQ(pool.size(), 5u);
    EXPECT_TRUE(valid(pool));
    pool.release(a);
    EXPECT_TRUE(pool.empty());
    EXPECT_EQ(pool.idle(), 2u);
    EXPECT_TRUE(valid(pool));
    static_cast<void>(pool.acquire(3));
    pool.clear();
    EXPECT_TRUE(pool.empty() && valid(pool));
}

}  // namespace recycle_pool_test
}  // namespace lido::test
