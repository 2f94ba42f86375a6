// S4.4: what a class does when it is full, and what becomes of idle objects it does not need.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace world_full_test {

using lido::on_full;
using lido::ref;
using lido::spawn_refusal;
using lido::ticks;
using lido::test::misuse_log;

struct shot {
    int value = 0;
};

struct sensitive {  ///< counts how it is treated
    static inline int alive = 0;
    static inline int releases = 0;
    bool spare = false;
    int heat = 1;

    sensitive() { ++alive; }
    sensitive(const sensitive& from) : spare(from.spare), heat(from.heat) { ++alive; }
    sensitive& operator=(const sensitive&) = default;
    ~sensitive() { --alive; }
    void on_release() noexcept { ++releases; }
    [[nodiscard]] bool replaceable() const { return spare; }
};

struct heap {  ///< folds newcomers
    static inline int releases = 0;
    using payload_type = int;
    int amount = 0;
    void on_acquire(const int& n) { amount = n; }
    void on_release() noexcept { ++releases; }
    bool merge(const heap& newcomer) {
        if (amount >= 100) return false;
        amount += newcomer.amount;
        return true;
    }
};

struct ranked {
    static constexpr lido::options pool_options = {.tracks = lido::track::priority, .headroom = true};
    int value = 0;
};

struct bare {
    static constexpr lido::options pool_options = {};
    int value = 0;
};

class a_class_that_is_full : public testing::Test {
protected:
    a_class_that_is_full() { sensitive::alive = sensitive::releases = heap::releases = 0; }
    lido::world world;
};

TEST_F(a_class_that_is_full, S4_4_refuses_without_growth) {
    world.add<shot>("shot", {.capacity = 2, .on_full = on_full::reject});
    EXPECT_TRUE(world.spawn<shot>());
    EXPECT_TRUE(world.spawn<shot>());
    EXPECT_EQ(world.spawn<shot>().why(), spawn_refusal::full);
    EXPECT_EQ(world.spawn("shot").why, spawn_refusal::full);
    EXPECT_EQ(world.active<shot>(), 2u);
    EXPECT_EQ(world.stats<shot>().counters.refused, 2u);
}

TEST_F(a_class_that_is_full, S4_4_grows_to_its_cap_and_no_further) {
    world.add<shot>("shot", {.capacity = 1, .on_full = on_full::grow_to(10)});
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(world.spawn<shot>()) << i;
    EXPECT_EQ(world.spawn<shot>().why(), spawn_refusal::full);
    EXPECT_TRUE(world.validate());
}

TEST_F(a_class_that_is_full, S4_4_ends_the_oldest_and_tells_who_listens_for_it) {
    world.add<shot>("shot", {.capacity = 3, .on_full = on_full::replace_oldest});
    const ref<shot> a = world.spawn<shot>(), b = world.spawn<shot>(), c = world.spawn<shot>();
    static int told;
    told = 0;
    world.on_finished(a, [] { ++told; });
    const auto d = world.spawn<shot>();
    EXPECT_TRUE(d);
    EXPECT_EQ(told, 1);
    EXPECT_FALSE(world.lives(a));
    EXPECT_TRUE(world.lives(b) && world.lives(c) && world.lives(d));
    const auto s = world.stats<shot>();
    EXPECT_EQ(s.counters.replaced, 1u);
    EXPECT_EQ(s.counters.returned, 1u);
    EXPECT_EQ(s.counters.refused, 0u);
    EXPECT_EQ(s.pool.size, 3u);
}

TEST_F(a_class_that_is_full, S4_4_grows_first_and_replaces_then) {
    world.add<shot>("shot", {.capacity = 1, .on_full = on_full::grow_to(4).then(on_full::replace_oldest)});
    std::vector<ref<shot>> all;
    for (int i = 0; i < 6; ++i) all.push_back(world.spawn<shot>());
    EXPECT_EQ(world.active<shot>(), 4u);
    EXPECT_FALSE(world.lives(all[0]) || world.lives(all[1]));
    EXPECT_TRUE(world.lives(all[2]) && world.lives(all[5]));
}

TEST_F(a_class_that_is_full, S4_4_ends_who_says_that_it_may_be) {
    world.add<sensitive>("sensitive", {.capacity = 3, .on_full = on_full::replace_if});
    const auto a = world.spawn<sensitive>(), b = world.spawn<sensitive>(), c = world.spawn<sensitive>();
    EXPECT_EQ(world.spawn<sensitive>().why(), spawn_refusal::full) << "nobody may be";
    EXPECT_EQ(sensitive::releases, 0);
    b->spare = true;
    EXPECT_TRUE(world.spawn<sensitive>());
    EXPECT_TRUE(world.lives(a) && world.lives(c));
    EXPECT_FALSE(world.lives(b));
    EXPECT_EQ(sensitive::releases, 1);
}

TEST_F(a_class_that_is_full, S4_4_folds_a_newcomer_into_one_that_takes_it) {
    world.add<heap>("heap", {.capacity = 2, .on_full = on_full::merge});
    const auto a = world.spawn<heap>({}, 100);
    const auto b = world.spawn<heap>({}, 5);
    const auto c = world.spawn<heap>({}, 7);
    EXPECT_FALSE(c);
    EXPECT_EQ(c.why(), spawn_refusal::merged);
    EXPECT_EQ(c.reference(), b.reference()) << "the answer names who took it";
    EXPECT_EQ(a->amount, 100);
    EXPECT_EQ(b->amount, 12);
    EXPECT_EQ(heap::releases, 1) << "what the newcomer's on_acquire did is undone";
    EXPECT_EQ(world.stats<heap>().counters.merged, 1u);
    EXPECT_EQ(world.stats<heap>().counters.refused, 0u);
    EXPECT_EQ(world.stats<heap>().counters.spawned, 2u);
    b->amount = 100;
    EXPECT_EQ(world.spawn<heap>({}, 1).why(), spawn_refusal::full) << "nobody takes it";
    EXPECT_EQ(heap::releases, 2);
    EXPECT_EQ(world.stats<heap>().counters.refused, 1u);
    EXPECT_TRUE(world.validate());
}

TEST_F(a_class_that_is_full, S4_4_ends_the_lowest_priority_that_is_not_above_the_request) {
    world.add<ranked>("ranked", {.capacity = 3, .on_full = on_full::replace_lowest});
    const ref<ranked> high = world.spawn_as<ranked>({.priority = 9});
    const ref<ranked> low = world.spawn_as<ranked>({.priority = 1});
    const ref<ranked> middle = world.spawn_as<ranked>({.priority = 5});
    EXPECT_EQ(world.spawn_as<ranked>({.priority = 0}).why(), spawn_refusal::full);
    EXPECT_TRUE(world.spawn_as<ranked>({.priority = 5}));
    EXPECT_FALSE(world.lives(low));
    EXPECT_TRUE(world.lives(high) && world.lives(middle));
}

TEST_F(a_class_that_is_full, S4_4_keeps_headroom_and_ends_nobody_for_who_may_not_have_it) {
    world.add<ranked>(
        "ranked",
        {.capacity = 10, .on_full = on_full::replace_lowest, .headroom = {.above_percent = 80, .priority = 5}});
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(world.spawn<ranked>());
    EXPECT_EQ(world.spawn<ranked>().why(), spawn_refusal::headroom);
    EXPECT_EQ(world.active<ranked>(), 8u);
    EXPECT_EQ(world.stats<ranked>().counters.replaced, 0u);
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(world.spawn_as<ranked>({.priority = 5}));
    EXPECT_TRUE(world.spawn_as<ranked>({.priority = 6})) << "full now: one of the lowest goes";
    EXPECT_EQ(world.stats<ranked>().counters.replaced, 1u);
    EXPECT_EQ(world.spawn("ranked", {}, {}, {.priority = 1}).why, spawn_refusal::headroom);
}

TEST_F(a_class_that_is_full, S4_4_that_is_making_room_refuses_the_hooks_of_who_goes_and_serves_who_asked) {
    world.add<shot>("shot", {.capacity = 2, .on_full = on_full::replace_oldest});
    static std::vector<spawn_refusal> inside;
    inside.clear();
    world.finished<shot>().connect([this](shot&, ref<shot>) { inside.push_back(world.spawn<shot>().why()); });
    const ref<shot> a = world.spawn<shot>(), b = world.spawn<shot>();
    const auto c = world.spawn<shot>();
    EXPECT_TRUE(c);
    EXPECT_EQ(inside, std::vector<spawn_refusal>{spawn_refusal::making_room});
    EXPECT_FALSE(world.lives(a));
    EXPECT_TRUE(world.lives(b));
    EXPECT_TRUE(world.validate());
    world.finished<shot>().disconnect_all();
    EXPECT_TRUE(world.spawn<shot>()) << "it is over when it is over";
}

TEST_F(a_class_that_is_full, S4_4_gives_a_listener_the_place_of_another_that_it_returned) {
    world.add<shot>("shot", {.capacity = 2, .on_full = on_full::replace_oldest});
    static ref<shot> second;
    static lido::spawned<shot> inside;
    const ref<shot> first = world.spawn<shot>();
    second = world.spawn<shot>();
    world.on_finished(first, [this] {
        world.return_to_pool(second);
        inside = world.spawn<shot>();
    });
    const auto c = world.spawn<shot>();
    EXPECT_TRUE(c);
    EXPECT_TRUE(inside);
    EXPECT_EQ(world.active<shot>(), 2u);
    EXPECT_TRUE(world.validate());
}

struct greedy {  ///< spawns another of its own class as it begins
    static inline lido::world* in = nullptr;
    static inline std::vector<spawn_refusal> inner = {};
    static inline int depth = 0;
    void on_acquire() {
        if (++depth == 1) inner.push_back(in->spawn<greedy>().why());
        --depth;
    }
};

TEST_F(a_class_that_is_full, S4_4_does_not_end_who_is_just_beginning_for_a_newcomer_that_it_cannot_serve) {
    greedy::in = &world;
    greedy::inner.clear();
    world.add<greedy>("greedy", {.capacity = 1, .on_full = on_full::replace_oldest});
    const auto it = world.spawn<greedy>();
    EXPECT_EQ(greedy::inner, std::vector<spawn_refusal>{spawn_refusal::full});
    EXPECT_TRUE(it) << to_string(it.why());
    EXPECT_EQ(world.stats<greedy>().counters.stale_ends, 0u);
    EXPECT_TRUE(world.validate());
}

TEST_F(a_class_that_is_full, S4_4_needs_what_its_rule_asks_of_the_type_and_says_so) {
    const auto why = [](const lido::added_class& a) { return a.why; };
    EXPECT_EQ(why(world.add<shot>("a", {.on_full = on_full::merge})),
              "a: on_full merge needs `bool merge(const T& newcomer)` in the class");
    EXPECT_EQ(why(world.add<shot>("b", {.on_full = on_full::replace_if})),
              "b: on_full replace_if needs `bool replaceable() const` in the class");
    EXPECT_EQ(why(world.add<bare>("c", {.on_full = on_full::replace_lowest})),
              "c: on_full replace_lowest needs pool_options with track::priority in the class");
    EXPECT_EQ(why(world.add<bare>("d", {.on_full = on_full::replace_oldest})),
              "d: on_full replace_oldest needs pool_options that track ages in the class");
    EXPECT_EQ(why(world.add<bare>("e", {.on_full = on_full::reject, .headroom = {.above_percent = 50, .priority = 1}})),
              "e: headroom needs pool_options with headroom in the class");
    EXPECT_EQ(why(world.add<shot>("f", {.headroom = {.above_percent = 50, .priority = 1}})),
              "f: headroom is a share of the most objects, which on_full grow does not bound; use grow_to");
    EXPECT_EQ(why(world.add<shot>("g", {.prewarm = 5, .idle_cap = 4})),
              "g: prewarm is more than idle_cap, so the last of them could not wait");
    EXPECT_EQ(why(world.add<shot>("h", {.prewarm = 20, .on_full = on_full::grow_to(19)})),
              "h: grow_to is less than the capacity or the prewarm");
    EXPECT_EQ(why(world.add<shot>("i", {.capacity = 20, .on_full = on_full::grow_to(19)})),
              "i: grow_to is less than the capacity or the prewarm");
    EXPECT_EQ(world.class_count(), 0u) << "none of them is there";
    EXPECT_TRUE(world.add<shot>("a"));
}

TEST_F(a_class_that_is_full, S4_4_an_idle_cap_destroys_who_may_not_wait) {
    world.add<sensitive>("sensitive", {.idle_cap = 2});
    for (int i = 0; i < 5; ++i) static_cast<void>(world.spawn<sensitive>());
    EXPECT_EQ(sensitive::alive, 5);
    EXPECT_EQ(world.return_all<sensitive>(), 5u);
    EXPECT_EQ(sensitive::alive, 2);
    EXPECT_EQ(sensitive::releases, 5);
    EXPECT_EQ(world.stats<sensitive>().pool.idle, 2u);
    EXPECT_EQ(world.stats<sensitive>().pool.idle_overflow, 3u);
    world.end();
    EXPECT_EQ(sensitive::alive, 0);
}

TEST_F(a_class_that_is_full, S4_4_trim_by_hand_keeps_as_many_as_it_is_told) {
    world.add<sensitive>("sensitive");
    std::vector<ref<sensitive>> all;
    for (int i = 0; i < 100; ++i) all.push_back(world.spawn<sensitive>());
    for (int i = 0; i < 90; ++i) world.return_to_pool(all[static_cast<std::size_t>(i)]);
    world.trim<sensitive>(7);
    EXPECT_EQ(world.stats<sensitive>().pool.idle, 7u);
    EXPECT_EQ(sensitive::alive, 17);
    world.trim("sensitive");
    EXPECT_EQ(sensitive::alive, 10);
    EXPECT_EQ(world.trim("nobody"), 0u);
    EXPECT_EQ(world.active<sensitive>(), 10u);
    EXPECT_TRUE(world.lives(all[99]));
    EXPECT_TRUE(world.validate());
}

/// Spawns to `peak`, returns all.
void burst(lido::world& world, int peak) {
    for (int i = 0; i < peak; ++i) static_cast<void>(world.spawn<shot>());
    world.return_all<shot>();
}

TEST_F(a_class_that_is_full, X11_trims_by_itself_to_the_peak_and_a_margin_when_the_window_has_passed) {
    world.add<shot>("shot", {.trim = {.after = ticks{10}, .margin = 5, .most_a_tick = 1000}});
    burst(world, 100);
    for (int i = 0; i < 9; ++i) {
        burst(world, 20);
        world.tick();
        ASSERT_EQ(world.stats<shot>().pool.idle, 100u) << "within the window nothing goes, tick " << i;
    }
    for (int i = 0; i < 11; ++i) {
        ASSERT_EQ(world.stats<shot>().pool.idle, 100u) << "the peak is remembered for one more window, tick " << i;
        burst(world, 20);
        world.tick();
    }
    EXPECT_EQ(world.stats<shot>().pool.idle, 25u);
    for (int i = 0; i < 30; ++i) world.tick();
    EXPECT_EQ(world.stats<shot>().pool.idle, 5u) << "and with nobody active, the margin";
    EXPECT_TRUE(world.validate());
}

TEST_F(a_class_that_is_full, X11_trims_no_more_a_tick_than_it_may) {
    world.add<shot>("shot", {.trim = {.after = ticks{2}, .margin = 0, .most_a_tick = 8}});
    burst(world, 100);
    std::uint32_t before = 100;
    for (int i = 0; i < 40; ++i) {
        world.tick();
        const std::uint32_t now = world.stats<shot>().pool.idle;
        EXPECT_LE(before - now, 8u);
        before = now;
    }
    EXPECT_EQ(before, 0u);
}

TEST_F(a_class_that_is_full, X11_that_swings_within_a_window_never_trims) {
    world.add<shot>("shot", {.trim = {.after = ticks{16}, .margin = 0, .most_a_tick = 1000}});
    burst(world, 200);
    for (int i = 0; i < 500; ++i) {
        if (i % 15 == 14) burst(world, 200);
        world.tick();
    }
    EXPECT_EQ(world.stats<shot>().pool.destroyed, 0u);
    EXPECT_EQ(world.stats<shot>().pool.created, 200u);
}

TEST_F(a_class_that_is_full, X11_does_not_trim_what_its_own_start_is_still_making) {
    world.add<shot>("shot", {.prewarm = 100, .trim = {.after = ticks{2}, .margin = 0, .most_a_tick = 64}});
    world.start({.objects_a_tick = 10});
    for (int i = 0; i < 10; ++i) world.tick();
    EXPECT_TRUE(world.progress().done());
    EXPECT_EQ(world.stats<shot>().pool.created, 100u);
    for (int i = 0; i < 10; ++i) world.tick();
    EXPECT_EQ(world.stats<shot>().pool.created, 100u) << "and then it is over";
}

TEST_F(a_class_that_is_full, X11_is_not_trimmed_below_what_was_asked_for_ahead) {
    world.add<shot>("shot", {.prewarm = 20, .trim = {.after = ticks{2}, .margin = 0, .most_a_tick = 64}});
    world.start();
    for (int i = 0; i < 50; ++i) static_cast<void>(world.spawn<shot>());
    world.return_all();
    for (int i = 0; i < 20; ++i) world.tick();
    EXPECT_EQ(world.stats<shot>().pool.idle, 20u);
    for (int i = 0; i < 8; ++i) static_cast<void>(world.spawn<shot>());
    for (int i = 0; i < 20; ++i) world.tick();
    EXPECT_EQ(world.stats<shot>().pool.idle, 12u) << "those that live count, too";
    world.return_all();
    world.trim<shot>(5);
    EXPECT_EQ(world.stats<shot>().pool.idle, 5u) << "by hand it goes as far as it is told";
}

struct load {
    std::string text;
};
/// Lets go of what it carries when its life ends, and of its place.
struct carrier {
    using payload_type = load;
    load carried;
    lido::transform at;
    void place(const lido::transform& where) { at = where; }
    void on_acquire(const load& with) { carried = with; }
    void on_release() noexcept {
        carried.text.clear();
        at = {};
    }
};

TEST(a_newcomer, S4_5_may_be_spawned_with_parts_of_the_object_that_makes_room_for_it) {
    lido::world world;
    world.add<carrier>("carrier", {.capacity = 1, .on_full = lido::on_full::replace_oldest});
    const std::string text = "a text that is too long to lie inside of the string";
    const auto first = world.spawn<carrier>({.x = 7}, load{text});
    const auto second = world.spawn<carrier>(first->at, first->carried);
    ASSERT_TRUE(second);
    EXPECT_FALSE(world.lives(first));
    EXPECT_EQ(second->carried.text, text);
    EXPECT_EQ(second->at.x, 7);
    const auto third = world.spawn("carrier", second->at, lido::payload(second->carried));
    ASSERT_TRUE(third);
    const carrier* const last = world.get(world.as<carrier>(third.reference()));
    ASSERT_NE(last, nullptr);
    EXPECT_EQ(last->carried.text, text);
    EXPECT_EQ(last->at.x, 7);
}

}  // namespace world_full_test
