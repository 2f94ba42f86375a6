// S4.3 to S4.9, S4.11: how lives begin and end, whichever way, and who is told.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"
#include "world/scripted.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace world_spawn_test {

using lido::life_state;
using lido::ref;
using lido::spawn_refusal;
using lido::ticks;
using lido::test::hook;
using lido::test::misuse_log;

using thing = lido::test::scripted<0>;
using other = lido::test::scripted<1>;

struct plain {
    int value = 7;
};

class a_spawn : public testing::Test {
protected:
    a_spawn() {
        thing::reset();
        other::reset();
    }
    lido::world world;
};
class a_return : public a_spawn {};
class finished : public a_spawn {};

TEST_F(a_spawn, S4_5_places_it_sets_it_up_and_then_puts_it_into_use) {
    world.add<thing>("thing");
    const auto it = world.spawn<thing>({.x = 1, .y = 2});
    ASSERT_TRUE(it);
    EXPECT_EQ(thing::log, "place, on_acquire, in use");
    EXPECT_EQ(it->at, (lido::transform{.x = 1, .y = 2}));
    EXPECT_EQ(it.why(), spawn_refusal::none);
    EXPECT_EQ(it->self(), lido::any_ref(it));
    EXPECT_EQ(world.get(it.reference()), it.get());
}

TEST_F(a_spawn, S4_5_is_active_for_its_hooks_but_not_in_use_before_the_last) {
    world.add<thing>("thing");
    std::vector<bool> in_use;
    std::vector<life_state> states;
    const auto look = [&](thing& it) {
        in_use.push_back(it.in_use());
        states.push_back(world.state(it.self()));
    };
    thing::once(hook::place) = thing::once(hook::on_acquire) = thing::once(hook::in_use) = look;
    static_cast<void>(world.spawn<thing>());
    EXPECT_EQ(in_use, (std::vector<bool>{false, false, true}));
    EXPECT_EQ(states, std::vector<life_state>(3, life_state::active));
}

TEST_F(a_spawn, S4_7_S4_11_switches_collision_visibility_and_ticking_in_the_parent_first) {
    world.add<thing>("thing");
    bool all_on = false, all_off = false;
    thing::once(hook::in_use) = [&](thing& it) { all_on = it.collides() && it.visible() && it.ticks(); };
    thing::once(hook::out_of_use) = [&](thing& it) {
        all_off = !it.collides() && !it.visible() && !it.ticks() && !it.in_use();
    };
    const auto it = world.spawn<thing>();
    EXPECT_TRUE(all_on);
    it->set_collides(false);
    EXPECT_TRUE(it->visible());
    EXPECT_FALSE(it->collides());
    it->return_to_pool();
    EXPECT_TRUE(all_off);
    const auto again = world.spawn<thing>();
    EXPECT_TRUE(again->collides()) << "a switch that was turned by hand does not outlast its life";
}

TEST_F(a_spawn, S4_4_takes_the_object_that_returned_last) {
    world.add<thing>("thing");
    const auto a = world.spawn<thing>();
    const auto b = world.spawn<thing>();
    thing* const last = b.get();
    world.return_to_pool(a.reference());
    world.return_to_pool(b.reference());
    const auto c = world.spawn<thing>();
    EXPECT_EQ(c.get(), last);
    EXPECT_EQ(c->lives, 2);
    EXPECT_NE(c.reference(), b.reference());
}

TEST_F(a_spawn, S4_4_grows_when_no_idle_one_is_left) {
    world.add<plain>("plain");
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(world.spawn<plain>());
    EXPECT_EQ(world.active<plain>(), 300u);
    EXPECT_EQ(world.stats<plain>().pool.created, 300u);
    EXPECT_TRUE(world.validate());
}

TEST_F(a_spawn, S4_4_of_a_class_without_a_pool_says_so_and_names_those_there_are) {
    world.add<thing>("thing");
    world.add<other>("other");
    misuse_log log;
    EXPECT_EQ(world.spawn<plain>().why(), spawn_refusal::no_class);
    EXPECT_EQ(world.last_error(),
              "there is no class world_spawn_test::plain in this world; add it first. There are: thing, other");
    const auto told = log.only();
    EXPECT_EQ(told.kind, lido::world_misuse::unknown_class);
    EXPECT_EQ(told.what, world.last_error());
    EXPECT_EQ(world.spawn("spark").why, spawn_refusal::no_class);
    EXPECT_EQ(world.last_error(), "there is no class spark in this world; add it first. There are: thing, other");
    EXPECT_EQ(lido::world().spawn("spark").why, spawn_refusal::no_class);
}

TEST_F(a_spawn, S4_4_in_a_world_without_classes_says_that_there_are_none) {
    misuse_log log;
    EXPECT_FALSE(world.spawn<plain>());
    EXPECT_EQ(world.last_error(),
              "there is no class world_spawn_test::plain in this world; add it first. There are: none");
}

TEST_F(a_spawn, S4_3_by_name_and_by_type_come_from_the_same_pool) {
    world.add<thing>("thing");
    const auto a = world.spawn("thing", {.z = 3});
    ASSERT_TRUE(a);
    const ref<thing> typed = world.as<thing>(a);
    ASSERT_TRUE(typed);
    EXPECT_EQ(world.get(typed)->at.z, 3);
    EXPECT_FALSE(world.as<other>(a)) << "of another type";
    EXPECT_EQ(world.active<thing>(), 1u);
    EXPECT_EQ(world.stats("thing").pool.size, 1u);
}

TEST_F(a_spawn, S4_3_one_type_under_two_names_is_two_pools) {
    const auto first = world.add<thing>("first").key();
    world.add<thing>("second");
    const auto a = world.spawn(first);
    const auto b = world.spawn("second");
    EXPECT_EQ(lido::any_ref(a).class_of(), 0u);
    EXPECT_EQ(b.which.class_of(), 1u);
    EXPECT_EQ(world.active<thing>(), 2u);
    EXPECT_EQ(world.ref_of(*world.get(world.as<thing>(b))), world.as<thing>(b));
    int seen = 0;
    world.for_each<thing>([&](thing&) { ++seen; });
    EXPECT_EQ(seen, 2);
    EXPECT_EQ(world.return_all<thing>(), 2u);
    EXPECT_EQ(world.active<thing>(), 0u);
}

TEST_F(a_spawn, S4_5_that_was_refused_is_an_empty_answer) {
    world.add<plain>("plain", {.capacity = 1, .on_full = lido::on_full::reject});
    static_cast<void>(world.spawn<plain>());
    const auto no = world.spawn<plain>();
    EXPECT_FALSE(no);
    EXPECT_EQ(no.get(), nullptr);
    EXPECT_FALSE(no.reference());
    EXPECT_EQ(no.why(), spawn_refusal::full);
    EXPECT_STREQ(to_string(no.why()), "full");
    EXPECT_EQ(world.stats<plain>().counters.refused, 1u);
}

TEST_F(a_return, S4_6_takes_it_out_of_use_tells_who_listens_and_lets_go) {
    world.add<thing>("thing");
    world.finished<thing>().connect([](thing&, ref<thing>) { thing::note("all told"); });
    const auto it = world.spawn<thing>();
    world.on_finished(it.reference(), [](thing&) { thing::note("one told"); });
    static_cast<void>(thing::taken());
    EXPECT_TRUE(world.return_to_pool(it.reference()));
    EXPECT_EQ(thing::log, "out of use, one told, all told, on_release");
    EXPECT_EQ(world.active<thing>(), 0u);
    EXPECT_EQ(world.stats<thing>().pool.idle, 1u);
    EXPECT_TRUE(world.validate());
}

/// Whichever way a life ends, the same happens, once.
class every_way_out : public a_spawn, public testing::WithParamInterface<int> {};

TEST_P(every_way_out, S4_6_S4_8_S4_9_is_the_same_path_and_is_gone_once) {
    world.add<thing>("thing");
    world.finished<thing>().connect([](thing&, ref<thing>) { thing::note("all told"); });
    const auto it = world.spawn<thing>();
    const ref<thing> which = it;
    thing& object = *it;
    world.on_finished(which, [] { thing::note("one told"); });
    static_cast<void>(thing::taken());
    switch (GetParam()) {
        case 0: EXPECT_TRUE(object.return_to_pool()); break;
        case 1: EXPECT_TRUE(world.return_to_pool(which)); break;
        case 2: EXPECT_TRUE(world.return_to_pool(lido::any_ref(which))); break;
        case 3: EXPECT_TRUE(world.return_to_pool(object)); break;
        case 4: EXPECT_TRUE(world.return_to_pool(it)); break;
        case 5: EXPECT_EQ(world.return_all<thing>(), 1u); break;
        case 6: EXPECT_EQ(world.return_all("thing"), 1u); break;
        case 7: EXPECT_EQ(world.return_all(), 1u); break;
        case 8:
            EXPECT_TRUE(world.set_lifetime(which, ticks{1}));
            world.tick();
            break;
        case 9: EXPECT_EQ(world.remove<thing>().active(), 1u); break;
        case 10: EXPECT_EQ(world.end().active(), 1u); break;
        default: world.for_each<thing>([](thing& each) { each.return_to_pool(); });
    }
    EXPECT_EQ(thing::taken(), "out of use, one told, all told, on_release");
    EXPECT_FALSE(world.return_to_pool(which));
    EXPECT_FALSE(world.lives(which));
    EXPECT_EQ(world.get(which), nullptr);
    EXPECT_EQ(world.return_all(), 0u);
    EXPECT_EQ(thing::taken(), "");
}
INSTANTIATE_TEST_SUITE_P(ways, every_way_out, testing::Range(0, 12));

TEST_F(a_return, S4_6_counts_each_life_once_whichever_way_it_ended) {
    world.add<thing>("thing", {.max_lifetime = ticks{5}});
    for (int i = 0; i < 4; ++i) static_cast<void>(world.spawn<thing>());
    const auto it = world.spawn<thing>();
    EXPECT_TRUE(it->return_to_pool());
    EXPECT_FALSE(world.return_to_pool(it.reference()));
    for (int i = 0; i < 5; ++i) world.tick();
    const auto c = world.stats<thing>().counters;
    EXPECT_EQ(c.spawned, 5u);
    EXPECT_EQ(c.returned, 5u);
    EXPECT_EQ(c.expired, 4u);
    EXPECT_EQ(c.stale_ends, 1u);
    EXPECT_EQ(c.replaced, 0u);
    EXPECT_EQ(c.refused, 0u);
}

TEST_F(a_return, S4_6_of_an_object_that_is_no_object_of_the_world_does_nothing) {
    world.add<thing>("thing");
    const thing stranger;
    EXPECT_FALSE(world.return_to_pool(stranger));
    EXPECT_FALSE(stranger.return_to_pool());
    EXPECT_FALSE(stranger.self());
    EXPECT_FALSE(world.ref_of(stranger));
    const plain unknown;
    EXPECT_FALSE(world.return_to_pool(unknown));
    const auto it = world.spawn<thing>();
    const thing copy = *it;
    EXPECT_FALSE(world.return_to_pool(copy)) << "a copy is not the object";
    EXPECT_TRUE(world.lives(it));
}

TEST_F(a_return, S4_9_of_an_idle_object_by_itself_does_nothing_and_is_counted) {
    world.add<thing>("thing");
    const auto it = world.spawn<thing>();
    thing& object = *it;
    object.return_to_pool();
    static_cast<void>(thing::taken());
    EXPECT_FALSE(object.return_to_pool());
    EXPECT_EQ(thing::taken(), "");
    EXPECT_EQ(world.stats<thing>().counters.stale_ends, 1u);
    EXPECT_TRUE(world.validate());
}

TEST_F(a_return, S4_6_of_all_is_of_those_that_are_active_now) {
    world.add<thing>("thing");
    for (int i = 0; i < 3; ++i) static_cast<void>(world.spawn<thing>());
    world.finished<thing>().connect([this](thing&, ref<thing>) { static_cast<void>(world.spawn<thing>()); });
    EXPECT_EQ(world.return_all<thing>(), 3u);
    EXPECT_EQ(world.active<thing>(), 3u) << "one newcomer each";
    EXPECT_TRUE(world.validate());
}

TEST_F(finished, S4_8_is_told_while_the_object_can_still_be_looked_at) {
    world.add<thing>("thing");
    static ref<thing> told;
    static life_state state;
    static const thing* got;
    static bool lived;
    world.finished<thing>().connect([this](thing&, ref<thing> which) {
        told = which;
        state = world.state(which);
        got = world.get(which);
        lived = world.lives(which);
    });
    const auto it = world.spawn<thing>();
    world.return_to_pool(it.reference());
    EXPECT_EQ(told, it.reference());
    EXPECT_EQ(state, life_state::releasing);
    EXPECT_EQ(got, it.get());
    EXPECT_FALSE(lived);
    EXPECT_EQ(world.state(it), life_state::idle);
}

TEST_F(finished, S4_8_of_one_life_is_of_that_life_alone_and_in_the_order_they_came) {
    world.add<thing>("thing");
    const auto a = world.spawn<thing>();
    const auto b = world.spawn<thing>();
    world.on_finished(a.reference(), [] { thing::note("1"); });
    world.on_finished(a.reference(), [](thing&) { thing::note("2"); });
    world.on_finished(a.reference(), [](thing&, ref<thing>) { thing::note("3"); });
    EXPECT_EQ(world.stats<thing>().listeners, 3u);
    world.return_to_pool(b.reference());
    static_cast<void>(thing::taken());
    world.return_to_pool(a.reference());
    EXPECT_EQ(thing::taken(), "out of use, 1, 2, 3, on_release");
    EXPECT_EQ(world.stats<thing>().listeners, 0u);
    const auto c = world.spawn<thing>();
    const auto d = world.spawn<thing>();
    static_cast<void>(thing::taken());
    world.return_all<thing>();
    EXPECT_EQ(thing::taken(), "out of use, on_release, out of use, on_release") << "a later life has no listeners";
    EXPECT_FALSE(world.lives(c) || world.lives(d));
}

TEST_F(finished, S4_8_who_disconnects_is_not_told) {
    world.add<thing>("thing");
    const auto it = world.spawn<thing>();
    const auto first = world.on_finished(it.reference(), [] { thing::note("1"); });
    const auto second = world.on_finished(it.reference(), [] { thing::note("2"); });
    const auto third = world.on_finished(it.reference(), [] { thing::note("3"); });
    EXPECT_TRUE(world.disconnect(second));
    EXPECT_FALSE(world.disconnect(second));
    EXPECT_TRUE(world.disconnect(third));
    const auto fourth = world.on_finished(it.reference(), [] { thing::note("4"); });
    EXPECT_TRUE(first && fourth);
    static_cast<void>(thing::taken());
    world.return_to_pool(it.reference());
    EXPECT_EQ(thing::taken(), "out of use, 1, 4, on_release");
    EXPECT_FALSE(world.disconnect(first));
    EXPECT_FALSE(world.disconnect({}));
}

TEST_F(finished, S4_8_the_only_listener_may_leave_and_another_come) {
    world.add<thing>("thing");
    const auto it = world.spawn<thing>();
    for (int i = 0; i < 100; ++i) {
        const auto c = world.on_finished(it.reference(), [] { thing::note("never"); });
        ASSERT_TRUE(world.disconnect(c));
    }
    world.on_finished(it.reference(), [] { thing::note("told"); });
    static_cast<void>(thing::taken());
    world.return_to_pool(it.reference());
    EXPECT_EQ(thing::taken(), "out of use, told, on_release");
}

TEST_F(finished, S4_8_of_a_class_that_has_no_hooks_at_all_is_told_too) {
    world.add<plain>("plain");
    static int told;
    told = 0;
    const auto a = world.spawn<plain>();
    world.on_finished(a.reference(), [](plain& p) { told += p.value; });
    world.return_to_pool(a.reference());
    EXPECT_EQ(told, 7);
    world.finished<plain>().connect([](plain&, ref<plain>) { ++told; });
    const auto b = world.spawn<plain>();
    world.return_to_pool(b.reference());
    EXPECT_EQ(told, 8);
}

TEST_F(a_spawn, S4_3_for_each_visits_the_active_ones_with_their_references) {
    world.add<plain>("plain");
    std::vector<ref<plain>> made, seen;
    for (int i = 0; i < 5; ++i) made.push_back(world.spawn<plain>());
    world.return_to_pool(made[2]);
    made.erase(made.begin() + 2);
    world.for_each<plain>([&](plain& p, ref<plain> which) {
        EXPECT_EQ(world.get(which), &p);
        seen.push_back(which);
    });
    EXPECT_EQ(seen, made);
}

TEST(why, S4_5_is_asked_in_one_form_by_type_and_by_name) {
    lido::world world;
    struct spark {};
    misuse_log log;
    const lido::any_spawned by_name = world.spawn("nobody");
    const lido::spawned<spark> by_type = world.spawn<spark>();
    EXPECT_EQ(by_name.why(), by_type.why());
    EXPECT_EQ(by_name.why(), spawn_refusal::no_class);
    EXPECT_EQ(by_name.why, spawn_refusal::no_class) << "as it was written in 0.1.0";
    EXPECT_EQ(by_name.reference(), lido::any_ref());
    EXPECT_STREQ(to_string(by_name.why), to_string(by_name.why()));
}

}  // namespace world_spawn_test
