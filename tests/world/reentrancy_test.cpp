// S4.6 to S4.9: what hooks, listeners and waiting calls may do to the world they run in, from inside.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"
#include "world/scripted.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace world_reentrancy_test {

using lido::life_state;
using lido::ref;
using lido::spawn_refusal;
using lido::ticks;
using lido::test::all_hooks;
using lido::test::hook;
using lido::test::misuse_log;

using thing = lido::test::scripted<0>;
using other = lido::test::scripted<1>;

struct chain {
    static inline lido::world* in = nullptr;
    using payload_type = int;
    int left = 0;
    void on_acquire(const int& n) {
        left = n;
        if (n > 0) static_cast<void>(in->spawn<chain>({}, n - 1));
    }
};

class reentrancy : public testing::Test {
protected:
    reentrancy() {
        thing::reset();
        other::reset();
        world.add<thing>("thing");
        world.add<other>("other");
    }
    void expect_sound() {
        const lido::verdict v = world.validate();
        EXPECT_TRUE(v) << v.broken;
        for (lido::class_number n = 0; n < world.class_count(); ++n) {
            const auto s = world.stats(n);
            EXPECT_EQ(s.counters.spawned - s.counters.returned, s.pool.size) << s.name;
        }
    }
    lido::world world;
};

class from_each_hook : public reentrancy, public testing::WithParamInterface<hook> {
protected:
    /// One whole life, in which the hook is called once.
    lido::spawned<thing> live(const thing::action& action) {
        thing::once(GetParam()) = action;
        const auto it = world.spawn<thing>();
        if (it) world.return_to_pool(it.reference());
        return it;
    }
    [[nodiscard]] static bool at_the_beginning() { return GetParam() < hook::out_of_use; }
};

TEST_P(from_each_hook, S4_9_an_object_may_return_itself_and_ends_once) {
    world.finished<thing>().connect([](thing&, ref<thing>) { thing::note("told"); });
    bool answer = false;
    const auto it = live([&](thing& me) { answer = me.return_to_pool(); });
    EXPECT_EQ(answer, at_the_beginning()) << "at the end there is nothing left to end";
    EXPECT_EQ(thing::log, "place, on_acquire, in use, out of use, told, on_release");
    EXPECT_EQ(it.why(), at_the_beginning() ? spawn_refusal::ended_at_once : spawn_refusal::none);
    EXPECT_TRUE(it.reference()) << "the answer names the life, be it over";
    EXPECT_FALSE(world.lives(it));
    EXPECT_EQ(world.active<thing>(), 0u);
    EXPECT_EQ(world.stats<thing>().counters.spawned, 1u);
    EXPECT_EQ(world.stats<thing>().counters.returned, 1u);
    expect_sound();
}

TEST_P(from_each_hook, S4_9_who_returned_itself_is_releasing_and_not_given_to_a_newcomer) {
    ref<thing> newcomer;
    thing* mine = nullptr;
    static_cast<void>(live([&](thing& me) {
        mine = &me;
        me.return_to_pool();
        EXPECT_EQ(world.state(me.self()), life_state::releasing);
        EXPECT_FALSE(world.lives(me.self()));
        newcomer = world.spawn<thing>();
        EXPECT_EQ(world.state(me.self()), life_state::releasing);
    }));
    ASSERT_TRUE(newcomer);
    EXPECT_NE(world.get(newcomer), mine);
    EXPECT_TRUE(world.lives(newcomer));
    EXPECT_EQ(world.active<thing>(), 1u);
    expect_sound();
}

TEST_P(from_each_hook, S4_5_others_of_its_own_class_and_of_another_may_be_spawned) {
    std::vector<lido::any_ref> made;
    static_cast<void>(live([&](thing&) {
        for (int i = 0; i < 100; ++i) {  // enough for the pools to grow
            made.push_back(world.spawn<thing>());
            made.push_back(world.spawn<other>());
        }
    }));
    EXPECT_EQ(made.size(), 200u);
    for (const lido::any_ref each : made) EXPECT_TRUE(world.lives(each));
    EXPECT_EQ(world.active<thing>(), 100u);
    EXPECT_EQ(world.active<other>(), 100u);
    expect_sound();
}

TEST_P(from_each_hook, S4_6_all_others_of_its_class_and_of_another_may_be_returned) {
    for (int i = 0; i < 70; ++i) {
        static_cast<void>(world.spawn<thing>());
        static_cast<void>(world.spawn<other>());
    }
    std::uint32_t own = 0, others = 0;
    static_cast<void>(live([&](thing&) {
        own = world.return_all<thing>();
        others = world.return_all<other>();
    }));
    EXPECT_EQ(own, at_the_beginning() ? 71u : 70u) << "itself, too, while it lives";
    EXPECT_EQ(others, 70u);
    EXPECT_EQ(world.active<thing>(), 0u);
    EXPECT_EQ(world.active<other>(), 0u);
    expect_sound();
}

TEST_P(from_each_hook, S4_6_what_would_pull_the_ground_away_is_refused_and_says_so) {
    const auto bystander = world.spawn<other>();
    lido::snapshot then;
    ASSERT_TRUE(world.save(then));
    misuse_log log;
    bool ran = false;
    static_cast<void>(live([&](thing&) {
        ran = true;
        world.tick();
        EXPECT_EQ(world.last_error(), "tick() was called from inside a hook, listener or timer; it did nothing");
        EXPECT_TRUE(world.remove<other>().refused);
        EXPECT_EQ(world.last_error(),
                  "remove() was called from inside a hook, listener or timer: call it between ticks");
        EXPECT_TRUE(world.remove("thing").refused);
        EXPECT_TRUE(world.end().refused);
        EXPECT_EQ(world.last_error(), "end() was called from inside a hook, listener or timer: call it between ticks");
        EXPECT_EQ(log.count(lido::misuse_kind::reentrant_call), 4u);
        lido::snapshot now;
        EXPECT_FALSE(world.save(now));
        EXPECT_EQ(log.count(lido::misuse_kind::reentrant_call), 5u);
        const auto restored = world.restore(then);
        EXPECT_FALSE(restored);
        EXPECT_NE(std::string(restored.what()).find("from inside a hook, listener or timer"), std::string::npos);
        const auto started = world.start();
        EXPECT_TRUE(started.built.empty() && started.skipped.empty()) << "a world starts once";
    }));
    EXPECT_TRUE(ran);
    EXPECT_EQ(world.now(), ticks{});
    EXPECT_TRUE(world.lives(bystander));
    EXPECT_EQ(world.stats("thing").name, "thing");
    world.tick();
    EXPECT_EQ(world.now(), ticks{1}) << "afterwards everything is allowed again";
    EXPECT_EQ(world.end().active(), 1u);
}

TEST_P(from_each_hook, S4_2_a_class_may_be_added_and_used_at_once) {
    struct late {};
    lido::spawned<late> made;
    static_cast<void>(live([&](thing&) {
        for (int i = 0; i < 20; ++i) EXPECT_TRUE(world.add<late>("late" + std::to_string(i)));
        made = world.spawn(world.key<late>("late7"));
    }));
    EXPECT_TRUE(made);
    EXPECT_EQ(world.active<late>(), 1u);
    expect_sound();
}

TEST_P(from_each_hook, S4_8_only_a_life_that_is_not_ending_can_be_listened_to) {
    static int told;
    told = 0;
    lido::life_connection listening;
    lido::waiting_call waiting;
    bool timed = false;
    const auto it = live([&](thing& me) {
        const ref<thing> self = world.as<thing>(me.self());
        listening = world.on_finished(self, [] { ++told; });
        waiting = world.after(self, ticks{1}, [] { ADD_FAILURE() << "its life is over by then"; });
        timed = world.set_lifetime(self, ticks{1});
    });
    EXPECT_EQ(static_cast<bool>(listening), at_the_beginning());
    EXPECT_EQ(static_cast<bool>(waiting), at_the_beginning());
    EXPECT_EQ(timed, at_the_beginning());
    EXPECT_EQ(told, at_the_beginning() ? 1 : 0);
    world.tick();
    EXPECT_EQ(world.stats<thing>().timers, 0u);
    EXPECT_EQ(world.stats<thing>().listeners, 0u);
    EXPECT_FALSE(world.lives(it));
}

TEST_P(from_each_hook, S4_4_idle_objects_may_be_trimmed_away) {
    for (int i = 0; i < 200; ++i) static_cast<void>(world.spawn<thing>());
    world.return_all<thing>();
    static_cast<void>(live([&](thing& me) {
        world.trim<thing>();
        EXPECT_GT(me.lives, 0) << "itself it is there still";
        static_cast<void>(world.spawn<thing>());
    }));
    expect_sound();
}

std::string name_of(const testing::TestParamInfo<hook>& of) {
    std::string name = lido::test::to_string(of.param);
    for (char& c : name) c = c == ' ' ? '_' : c;
    return name;
}
INSTANTIATE_TEST_SUITE_P(hooks, from_each_hook, testing::ValuesIn(all_hooks), name_of);

TEST_F(reentrancy, S4_5_hooks_may_spawn_a_thousand_deep) {
    chain::in = &world;
    world.add<chain>("chain");
    const auto it = world.spawn<chain>({}, 1000);
    ASSERT_TRUE(it);
    EXPECT_EQ(it->left, 1000) << "it stayed where it was while the pool grew";
    EXPECT_EQ(world.active<chain>(), 1001u);
    expect_sound();
}

TEST_F(reentrancy, S4_8_ends_may_end_others_a_thousand_deep) {
    static std::vector<ref<thing>> all;
    static std::size_t told;
    all.clear();
    told = 0;
    for (int i = 0; i < 1000; ++i) all.push_back(world.spawn<thing>());
    world.finished<thing>().connect([this](thing&, ref<thing>) {
        ++told;
        if (told < all.size()) world.return_to_pool(all[told]);
    });
    world.return_to_pool(all[0]);
    EXPECT_EQ(told, 1000u);
    EXPECT_EQ(world.active<thing>(), 0u);
    expect_sound();
}

TEST_F(reentrancy, S4_8_a_life_that_replaces_itself_for_ever_does_so_once_an_end) {
    static int told;
    told = 0;
    world.finished<thing>().connect([this](thing&, ref<thing>) {
        ++told;
        static_cast<void>(world.spawn<thing>());
    });
    static_cast<void>(world.spawn<thing>());
    for (int i = 1; i <= 50; ++i) {
        EXPECT_EQ(world.return_all<thing>(), 1u);
        EXPECT_EQ(told, i);
    }
    expect_sound();
    world.finished<thing>().disconnect_all();
}

TEST_F(reentrancy, S4_8_a_listener_may_disconnect_those_after_it_and_itself_and_the_rest_are_told) {
    struct wiring {
        lido::world* world;
        lido::life_connection a, b, c;
    } w{&world, {}, {}, {}};
    const auto it = world.spawn<thing>();
    static_cast<void>(thing::taken());
    w.a = world.on_finished(it.reference(), [&w] {
        thing::note("a");
        EXPECT_FALSE(w.world->disconnect(w.a)) << "who is being told has left already";
        EXPECT_TRUE(w.world->disconnect(w.b));
        EXPECT_FALSE(w.world->disconnect(w.b));
    });
    w.b = world.on_finished(it.reference(), [] { thing::note("b"); });
    w.c = world.on_finished(it.reference(), [] { thing::note("c"); });
    world.return_to_pool(it.reference());
    EXPECT_EQ(thing::taken(), "out of use, a, c, on_release");
    EXPECT_EQ(world.stats<thing>().listeners, 0u);
}

TEST_F(reentrancy, S4_8_a_listener_may_disconnect_all_that_come_after_it) {
    struct wiring {
        lido::world* world;
        lido::life_connection b, c;
    } w{&world, {}, {}};
    const auto it = world.spawn<thing>();
    static_cast<void>(thing::taken());
    world.on_finished(it.reference(), [&w] {
        EXPECT_TRUE(w.world->disconnect(w.c));
        EXPECT_TRUE(w.world->disconnect(w.b));
    });
    w.b = world.on_finished(it.reference(), [] { thing::note("b"); });
    w.c = world.on_finished(it.reference(), [] { thing::note("c"); });
    world.return_to_pool(it.reference());
    EXPECT_EQ(thing::taken(), "out of use, on_release");
}

TEST_F(reentrancy, S4_8_a_listener_may_connect_to_lives_that_it_begins) {
    static lido::world* in;
    static int told;
    in = &world;
    told = 0;
    const auto it = world.spawn<thing>();
    world.on_finished(it.reference(), [](thing&, ref<thing> ending) {
        EXPECT_FALSE(in->on_finished(ending, [] { ADD_FAILURE(); }));
        EXPECT_FALSE(in->after(ending, ticks{1}, [] { ADD_FAILURE(); }));
        const auto next = in->spawn<thing>();
        EXPECT_TRUE(in->on_finished(next.reference(), [] { ++told; }));
    });
    world.return_to_pool(it.reference());
    EXPECT_EQ(told, 0);
    world.return_all();
    EXPECT_EQ(told, 1);
}

TEST_F(reentrancy, S4_9_a_waiting_call_may_return_its_own_object_and_go_on_with_it) {
    static lido::world* in;
    in = &world;
    struct frail {
        int value = 1;
        ~frail() { value = -1; }
    };
    world.add<frail>("frail", {.idle_cap = 0});
    static int seen;
    static bool newcomer_elsewhere;
    const auto it = world.spawn<frail>();
    world.after(it.reference(), ticks{1}, [](frail& me, ref<frail> self) {
        EXPECT_TRUE(in->return_to_pool(self));
        EXPECT_FALSE(in->lives(self));
        const auto next = in->spawn<frail>();
        newcomer_elsewhere = next.get() != &me;
        seen = me.value;
    });
    world.tick();
    EXPECT_TRUE(newcomer_elsewhere) << "its place is not given away under its feet";
    EXPECT_EQ(seen, 1) << "and it is not destroyed";
    EXPECT_FALSE(world.lives(it));
    EXPECT_EQ(world.active<frail>(), 1u);
    expect_sound();
}

TEST_F(reentrancy, S4_9_a_waiting_call_may_return_all_spawn_and_start_more_calls) {
    static lido::world* in;
    static std::string order;
    in = &world;
    order.clear();
    const auto a = world.spawn<thing>();
    const auto b = world.spawn<thing>();
    world.after(a.reference(), ticks{2}, [](thing&, ref<thing> self) {
        order += "a";
        in->after(self, ticks{1}, [] { ADD_FAILURE() << "a has been returned"; });
        in->return_all<thing>();
        const auto next = in->spawn<thing>();
        in->after(next.reference(), ticks{1}, [] { order += "n"; });
    });
    world.after(b.reference(), ticks{2}, [] { ADD_FAILURE() << "returned by the call before it"; });
    for (int i = 0; i < 5; ++i) world.tick();
    EXPECT_EQ(order, "an");
    EXPECT_EQ(world.active<thing>(), 1u);
    expect_sound();
}

TEST_F(reentrancy, S4_6_tick_and_end_are_refused_in_listeners_and_waiting_calls_too) {
    static lido::world* in;
    static int refused;
    in = &world;
    refused = 0;
    misuse_log log;
    const auto it = world.spawn<thing>();
    world.on_finished(it.reference(), [] { refused += in->end().refused ? 1 : 0; });
    world.finished<thing>().connect([](thing&, ref<thing>) { refused += in->remove<other>().refused ? 1 : 0; });
    world.after(it.reference(), ticks{1}, [](thing&, ref<thing> self) {
        in->tick();
        refused += in->end().refused ? 1 : 0;
        in->return_to_pool(self);
    });
    world.tick();
    EXPECT_EQ(refused, 3);
    EXPECT_EQ(world.now(), ticks{1});
    EXPECT_EQ(log.count(lido::misuse_kind::reentrant_call), 4u);
}

/// Does what a test says while it is made, or destroyed.
struct maker {
    static inline std::function<void()> inside;
    static inline std::function<void()> at_end;
    static void play(std::function<void()>& what) {
        if (const auto now = std::exchange(what, nullptr)) now();
    }
    int value = 7;
    maker() { play(inside); }
    maker(const maker& other) = default;
    maker& operator=(const maker&) = default;
    ~maker() { play(at_end); }
    bool merge(const maker&) { return false; }
};

TEST_F(reentrancy, S4_6_constructors_and_destructors_cannot_change_the_world_as_a_whole) {
    misuse_log log;
    int asked = 0;
    lido::snapshot before, during;
    const auto ask = [&] {
        ++asked;
        EXPECT_FALSE(world.restore(before)) << "from inside";
        EXPECT_FALSE(world.save(during));
        const ticks now = world.now();
        world.tick();
        EXPECT_EQ(world.now(), now);
        EXPECT_TRUE(world.end().refused);
        EXPECT_TRUE(world.remove<thing>().refused);
        EXPECT_TRUE(world.spawn<thing>()) << "others may be spawned";
    };
    const auto makers = world.add<maker>("maker", {.prewarm = 2, .idle_cap = 2}).key();
    world.add<maker>("full", {.capacity = 1, .on_full = lido::on_full::merge});
    const auto other_life = world.spawn<other>();
    ASSERT_TRUE(world.save(before));

    maker::inside = ask;  // an object that is made for a spawn
    for (int i = 0; i < 5; ++i) static_cast<void>(world.spawn(makers));
    EXPECT_EQ(asked, 1);
    static_cast<void>(world.spawn("full"));
    maker::inside = ask;  // one that is only offered to the others
    static_cast<void>(world.spawn("full"));
    EXPECT_EQ(asked, 2);
    maker::inside = ask;  // one that is made ahead
    world.add<maker>("ahead", {.prewarm = 1});
    EXPECT_EQ(asked, 3);
    maker::at_end = ask;  // one that may not wait
    world.return_all<maker>();
    EXPECT_EQ(asked, 4);
    maker::at_end = ask;
    world.trim<maker>();
    EXPECT_EQ(asked, 5);
    EXPECT_TRUE(world.lives(other_life));
    EXPECT_EQ(log.count(lido::misuse_kind::reentrant_call), 25u);
    expect_sound();
}

TEST_F(reentrancy, S4_6_for_each_may_return_anyone_and_spawn) {
    std::vector<ref<thing>> all;
    for (int i = 0; i < 130; ++i) all.push_back(world.spawn<thing>());
    int visited = 0;
    world.for_each<thing>([&](thing& each, ref<thing> which) {
        ++visited;
        EXPECT_TRUE(world.lives(which)) << "who was returned is not visited";
        each.return_to_pool();
        const std::size_t next = which.life().index() + 1;
        if (next < all.size()) world.return_to_pool(all[next]);
        static_cast<void>(world.spawn<other>());
    });
    EXPECT_EQ(visited, 65);
    EXPECT_EQ(world.active<thing>(), 0u);
    EXPECT_EQ(world.active<other>(), 65u);
    expect_sound();
}

TEST_F(reentrancy, S4_6_for_each_refuses_what_would_take_its_class_away) {
    for (int i = 0; i < 3; ++i) static_cast<void>(world.spawn<thing>());
    misuse_log log;
    int refused = 0;
    world.for_each<thing>([&](thing&) {
        refused += world.remove<thing>().refused ? 1 : 0;
        refused += world.end().refused ? 1 : 0;
    });
    EXPECT_EQ(refused, 6);
    EXPECT_EQ(world.active<thing>(), 3u);
    EXPECT_EQ(world.end().active(), 3u);
}

TEST_F(reentrancy, S4_4_for_each_survives_a_return_of_all_and_a_trim) {
    struct many {
        int value = 0;
    };
    world.add<many>("many");
    for (int i = 0; i < 200000; ++i) static_cast<void>(world.spawn<many>());
    int visited = 0;
    world.for_each<many>([&](many&, ref<many> which) {
        ++visited;
        if (which.life().index() != 150000) return;
        world.return_all<many>();
        world.trim<many>();
    });
    EXPECT_EQ(visited, 150001);
    EXPECT_EQ(world.stats<many>().pool.idle, 0u);
    expect_sound();
}

struct folder {  ///< takes newcomers in, and does what a test tells it to as it does
    static inline lido::world* in = nullptr;
    static inline bool takes = true;
    static inline bool trims = false;
    static inline bool spawns = false;
    static inline lido::any_ref spawned_inside = {};
    static inline int ends = 0;
    std::string text = "a text that is too long to lie inside of the string";
    bool merge(const folder&) {
        in->return_to_pool(*this);
        if (trims) in->trim<folder>();
        if (spawns) {
            const auto another = in->spawn<folder>();
            spawned_inside = another;
            if (another) another->text = "of another life";
        }
        EXPECT_EQ(text, "a text that is too long to lie inside of the string");
        return takes;
    }
    void on_release() noexcept { ++ends; }
    static void reset(lido::world& world) {
        in = &world;
        takes = true;
        trims = spawns = false;
        spawned_inside = {};
        ends = 0;
    }
};

class a_merge : public testing::TestWithParam<std::tuple<bool, bool, bool, std::uint32_t>> {};

TEST_P(a_merge, S4_6_that_returns_its_own_object_ends_it_when_it_is_done) {
    lido::world world;
    folder::reset(world);
    const auto [takes, trims, spawns, idle_cap] = GetParam();
    folder::takes = takes;
    folder::trims = trims;
    folder::spawns = spawns;
    world.add<folder>("folder", {.capacity = 1, .on_full = lido::on_full::merge, .idle_cap = idle_cap});
    const ref<folder> first = world.spawn<folder>();
    const auto second = world.spawn<folder>();
    EXPECT_FALSE(world.lives(first));
    EXPECT_FALSE(folder::spawned_inside) << "the class is full until the merge is done";
    if (takes) {
        EXPECT_EQ(second.why(), spawn_refusal::merged);
        EXPECT_EQ(second.reference(), first) << "the life that took it in, which has ended since";
    } else {
        EXPECT_TRUE(second) << to_string(second.why()) << ": who refused it has left its place";
    }
    EXPECT_EQ(world.active<folder>(), takes ? 0u : 1u);
    EXPECT_EQ(folder::ends, 2) << "that of the life, and that of the newcomer which never lived";
    const lido::verdict v = world.validate();
    EXPECT_TRUE(v) << v.broken;
    world.end();
}

INSTANTIATE_TEST_SUITE_P(all, a_merge,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Bool(), testing::Values(0u, 4u)));

struct modest {  ///< returns itself when it is asked whether it may be replaced
    static inline lido::world* in = nullptr;
    static inline bool says = true;
    std::string text = "a text that is too long to lie inside of the string";
    [[nodiscard]] bool replaceable() const {
        in->return_to_pool(*this);
        EXPECT_EQ(text, "a text that is too long to lie inside of the string");
        return says;
    }
};

TEST(a_question, S4_6_that_its_own_object_answers_by_returning_itself_makes_room_once) {
    for (const bool says : {true, false}) {
        lido::world world;
        modest::in = &world;
        modest::says = says;
        world.add<modest>("modest", {.capacity = 2, .on_full = lido::on_full::replace_if, .idle_cap = 0});
        const ref<modest> first = world.spawn<modest>(), second = world.spawn<modest>();
        const auto third = world.spawn<modest>();
        EXPECT_TRUE(third) << to_string(third.why());
        EXPECT_FALSE(world.lives(first) || world.lives(second)) << "both were asked";
        EXPECT_EQ(world.active<modest>(), 1u);
        EXPECT_EQ(world.stats<modest>().counters.replaced, 0u) << "they went by themselves";
        EXPECT_TRUE(world.validate());
        world.end();
    }
}

struct plain_thing {
    int value = 0;
};

TEST(a_full_class, S4_4_asked_from_a_call_of_its_oldest_ends_the_next_oldest) {
    using lido::on_full;
    for (const bool by_priority : {false, true}) {
        lido::world world;
        world.add<plain_thing>(
            "plain", {.capacity = 3,
                      .on_full = by_priority ? on_full(on_full::replace_lowest) : on_full(on_full::replace_oldest)});
        const ref<plain_thing> oldest = world.spawn<plain_thing>();
        const ref<plain_thing> next = world.spawn_as<plain_thing>({.priority = 2});
        const ref<plain_thing> last = world.spawn_as<plain_thing>({.priority = 1});
        static lido::spawned<plain_thing> inside;
        inside = {};
        world.after(oldest, ticks{1}, [&world] { inside = world.spawn_as<plain_thing>({.priority = 3}); });
        world.tick();
        EXPECT_TRUE(inside) << to_string(inside.why());
        EXPECT_TRUE(world.lives(oldest));
        EXPECT_FALSE(world.lives(by_priority ? last : next));
        EXPECT_TRUE(world.lives(by_priority ? next : last));
        EXPECT_TRUE(world.validate());
        world.end();
    }
}

TEST(a_full_class, S4_4_asked_from_a_call_of_its_only_object_refuses) {
    lido::world world;
    world.add<plain_thing>("plain", {.capacity = 1, .on_full = lido::on_full::replace_oldest});
    static spawn_refusal why;
    world.after(world.spawn<plain_thing>().reference(), ticks{1}, [&world] { why = world.spawn<plain_thing>().why(); });
    world.tick();
    EXPECT_EQ(why, spawn_refusal::full);
    world.end();
}

struct unwilling {  ///< ends its life as it is told of it
    static inline bool ends = true;
    void set_life(lido::life mine) {
        if (ends) mine.end();
    }
};

TEST(set_life, S4_6_that_ends_its_life_makes_the_spawn_say_so) {
    lido::world world;
    world.add<unwilling>("unwilling");
    unwilling::ends = true;
    const auto got = world.spawn<unwilling>();
    EXPECT_FALSE(got);
    EXPECT_EQ(got.why(), spawn_refusal::ended_at_once);
    EXPECT_FALSE(world.lives(got));
    EXPECT_EQ(world.active<unwilling>(), 0u);
    EXPECT_FALSE(world.spawn("unwilling"));
    unwilling::ends = false;
    EXPECT_TRUE(world.spawn<unwilling>());
    EXPECT_TRUE(world.validate());
    world.end();
}

}  // namespace world_reentrancy_test
