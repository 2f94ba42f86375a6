// S4.7, S4.9, X11: lifetimes and waiting calls, exact to the tick; pauses and time scales.
#include <lido/world/world.hpp>

#include <lido/core/rewind/save.hpp>

#include "core/misuse/misuse_log.hpp"
#include "support/check_death.hpp"
#include "world/scripted.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace world_time_test {

using lido::ref;
using lido::ticks;
using lido::test::hook;

using thing = lido::test::scripted<0>;

struct plain {
    int value = 0;
};

void run(lido::world& world, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) world.tick();
}

class a_lifetime : public testing::Test {
protected:
    a_lifetime() {
        thing::reset();
        world.add<plain>("plain");
        world.add<thing>("thing");
    }
    lido::world world;
};
class a_waiting_call : public a_lifetime {};
class the_time_of_a_class : public a_lifetime {};

class lifetimes : public testing::TestWithParam<std::uint64_t> {};

TEST_P(lifetimes, S4_7_X11_are_exact_to_the_tick) {
    for (const std::uint64_t from : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{63}, std::uint64_t{100}}) {
        lido::world world;
        world.add<plain>("plain", {.max_lifetime = ticks{GetParam()}});
        run(world, from);
        const auto it = world.spawn<plain>();
        EXPECT_EQ(world.lifetime_left(it), ticks{GetParam()});
        run(world, GetParam() - 1);
        EXPECT_TRUE(world.lives(it));
        EXPECT_EQ(world.lifetime_left(it), ticks{1});
        world.tick();
        EXPECT_FALSE(world.lives(it));
        EXPECT_EQ(world.stats<plain>().counters.expired, 1u);
        EXPECT_EQ(world.now(), ticks{from + GetParam()});
        if (GetParam() > 5000) break;
    }
}
INSTANTIATE_TEST_SUITE_P(of, lifetimes, testing::Values(1, 2, 63, 64, 65, 4095, 4096, 4097, 1u << 20));

TEST_F(a_lifetime, S4_7_of_0_is_for_ever) {
    const auto it = world.spawn<plain>();
    EXPECT_EQ(world.lifetime_left(it), ticks{});
    run(world, 10000);
    EXPECT_TRUE(world.lives(it));
    EXPECT_EQ(world.stats<plain>().timers, 0u);
}

TEST_F(a_lifetime, S4_7_can_be_made_shorter_longer_and_endless) {
    const auto it = world.spawn<plain>();
    EXPECT_TRUE(world.set_lifetime(it, ticks{100}));
    EXPECT_TRUE(world.set_lifetime(it, ticks{2}));
    EXPECT_EQ(world.lifetime_left(it), ticks{2});
    world.tick();
    EXPECT_TRUE(world.set_lifetime(it, ticks{200}));
    EXPECT_EQ(world.stats<plain>().timers, 1u) << "one timer a life";
    run(world, 199);
    EXPECT_TRUE(world.lives(it));
    EXPECT_TRUE(world.set_lifetime(it, ticks{}));
    EXPECT_EQ(world.stats<plain>().timers, 0u);
    run(world, 300);
    EXPECT_TRUE(world.lives(it));
    EXPECT_TRUE(world.set_lifetime(it, ticks{1}));
    world.tick();
    EXPECT_FALSE(world.lives(it));
    EXPECT_TRUE(world.validate());
}

TEST_F(a_lifetime, X11_of_the_greatest_number_does_not_come_round) {
    constexpr ticks longest{std::numeric_limits<std::uint64_t>::max()};
    run(world, 10);
    const auto it = world.spawn<plain>();
    EXPECT_TRUE(world.set_lifetime(it, longest));
    world.after(it.reference(), longest, [] { ADD_FAILURE(); });
    run(world, 5000);
    EXPECT_TRUE(world.lives(it));
    EXPECT_TRUE(world.validate());
}

TEST_F(a_lifetime, S4_7_that_is_stale_never_ends_a_later_life_of_the_same_object) {
    const auto first = world.spawn<plain>();
    world.set_lifetime(first, ticks{5});
    run(world, 3);
    plain* const object = first.get();
    world.return_to_pool(first.reference());
    EXPECT_EQ(world.stats<plain>().timers, 0u) << "an old timer is cleared at once";
    const auto second = world.spawn<plain>();
    ASSERT_EQ(second.get(), object);
    run(world, 100);
    EXPECT_TRUE(world.lives(second));
    EXPECT_EQ(world.stats<plain>().counters.expired, 0u);
}

TEST_F(a_lifetime, S4_7_may_be_set_from_inside_the_hooks_that_begin_a_life) {
    for (const hook h : {hook::place, hook::on_acquire, hook::in_use}) {
        thing::once(h) = [this](thing& me) { EXPECT_TRUE(world.set_lifetime(me.self(), ticks{2})); };
        const auto it = world.spawn<thing>();
        world.tick();
        EXPECT_TRUE(world.lives(it));
        world.tick();
        EXPECT_FALSE(world.lives(it));
    }
}

TEST_F(a_lifetime, S4_9_that_runs_out_in_one_tick_ends_lives_in_the_order_in_which_it_was_set) {
    static std::vector<int> order;
    order.clear();
    world.finished<plain>().connect([](plain& p, ref<plain>) { order.push_back(p.value); });
    std::vector<lido::spawned<plain>> all;
    for (int i = 0; i < 5; ++i) {
        all.push_back(world.spawn<plain>());
        all.back()->value = i;
    }
    for (const int i : {3, 1, 4, 0, 2}) world.set_lifetime(all[static_cast<std::size_t>(i)], ticks{10});
    run(world, 9);
    EXPECT_TRUE(order.empty());
    world.tick();
    EXPECT_EQ(order, (std::vector<int>{3, 1, 4, 0, 2}));
}

TEST_F(a_waiting_call, X11_comes_at_its_tick_in_the_order_asked_for) {
    static std::string order;
    order.clear();
    const auto it = world.spawn<plain>();
    world.after(it.reference(), ticks{2}, [] { order += "c"; });
    world.after(it.reference(), ticks{1}, [](plain&) { order += "a"; });
    world.after(it.reference(), ticks{2}, [](plain&, ref<plain>) { order += "d"; });
    world.after(it.reference(), ticks{0}, [] { order += "b"; });
    EXPECT_EQ(world.stats<plain>().timers, 4u);
    EXPECT_EQ(order, "");
    world.tick();
    EXPECT_EQ(order, "ab") << "0 ticks is the next one";
    world.tick();
    EXPECT_EQ(order, "abcd");
    EXPECT_EQ(world.stats<plain>().timers, 0u);
    EXPECT_EQ(world.stats<plain>().listeners, 0u);
}

TEST_F(a_waiting_call, X11_can_be_cancelled_once_and_not_after_it_was_made) {
    static int made;
    made = 0;
    const auto it = world.spawn<plain>();
    const auto a = world.after(it.reference(), ticks{3}, [] { ++made; });
    const auto b = world.after(it.reference(), ticks{3}, [] { ++made; });
    EXPECT_TRUE(world.cancel(a));
    EXPECT_FALSE(world.cancel(a));
    run(world, 3);
    EXPECT_EQ(made, 1);
    EXPECT_FALSE(world.cancel(b));
    EXPECT_FALSE(world.cancel({}));
    EXPECT_EQ(world.stats<plain>().listeners, 0u);
}

TEST_F(a_waiting_call, X11_may_cancel_another_of_the_same_tick) {
    static lido::world* in;
    static lido::waiting_call second;
    static int made;
    in = &world;
    made = 0;
    const auto it = world.spawn<plain>();
    world.after(it.reference(), ticks{1}, [] { made += in->cancel(second) ? 1 : 100; });
    second = world.after(it.reference(), ticks{1}, [] { made += 1000; });
    world.tick();
    EXPECT_EQ(made, 1);
    EXPECT_TRUE(world.validate());
}

TEST_F(a_waiting_call, S4_7_is_not_made_for_a_life_that_is_over_nor_for_the_next_of_its_object) {
    const auto first = world.spawn<plain>();
    world.after(first.reference(), ticks{2}, [] { ADD_FAILURE(); });
    world.return_to_pool(first.reference());
    const auto second = world.spawn<plain>();
    ASSERT_EQ(second.get(), first.get());
    run(world, 5);
    EXPECT_TRUE(world.lives(second));
    EXPECT_EQ(world.stats<plain>().timers, 0u);
}

TEST_F(a_waiting_call, X11_cannot_be_mistaken_for_a_lifetime) {
    const auto it = world.spawn<plain>();
    world.set_lifetime(it, ticks{3});
    for (std::uint64_t slot = 0; slot < 4; ++slot) {
        for (std::uint64_t generation = 0; generation < 4; ++generation)
            EXPECT_FALSE(world.cancel({0, generation << 32 | slot}));
    }
    run(world, 3);
    EXPECT_FALSE(world.lives(it));
}

TEST_F(the_time_of_a_class, X11_stands_still_while_it_is_paused) {
    const auto a = world.spawn<plain>();
    const auto b = world.spawn<thing>();
    world.set_lifetime(a, ticks{5});
    world.set_lifetime(b, ticks{5});
    run(world, 2);
    world.pause<plain>();
    EXPECT_TRUE(world.stats<plain>().paused);
    run(world, 100);
    EXPECT_TRUE(world.lives(a));
    EXPECT_FALSE(world.lives(b)) << "another class goes on";
    EXPECT_EQ(world.lifetime_left(a), ticks{3});
    world.pause("plain", false);
    run(world, 2);
    EXPECT_TRUE(world.lives(a));
    world.tick();
    EXPECT_FALSE(world.lives(a));
}

TEST_F(the_time_of_a_class, X11_goes_at_a_quarter_of_the_worlds) {
    const auto it = world.spawn<plain>();
    world.set_lifetime(it, ticks{3});
    world.set_time_scale<plain>({1, 4});
    EXPECT_EQ(world.stats<plain>().scale, (lido::time_scale{1, 4}));
    run(world, 11);
    EXPECT_TRUE(world.lives(it));
    world.tick();
    EXPECT_FALSE(world.lives(it));
}

TEST_F(the_time_of_a_class, X11_goes_three_times_as_fast) {
    static std::string order;
    order.clear();
    world.set_time_scale("plain", {3, 1});
    const auto it = world.spawn<plain>();
    world.after(it.reference(), ticks{4}, [] { order += "b"; });
    world.after(it.reference(), ticks{3}, [] { order += "a"; });
    world.set_lifetime(it, ticks{7});
    world.tick();
    EXPECT_EQ(order, "a");
    world.tick();
    EXPECT_EQ(order, "ab");
    EXPECT_TRUE(world.lives(it));
    EXPECT_EQ(world.lifetime_left(it), ticks{1}) << "in ticks of its class";
    world.tick();
    EXPECT_FALSE(world.lives(it));
}

TEST_F(the_time_of_a_class, X11_of_scale_0_stands_still) {
    const auto it = world.spawn<plain>();
    world.set_lifetime(it, ticks{1});
    world.set_time_scale<plain>({0, 1});
    run(world, 50);
    EXPECT_TRUE(world.lives(it));
    world.set_time_scale<plain>({1, 1});
    world.tick();
    EXPECT_FALSE(world.lives(it));
}

TEST_F(the_time_of_a_class, X11_may_change_its_scale_in_the_middle_of_a_life_and_loses_nothing) {
    const auto it = world.spawn<plain>();
    world.set_lifetime(it, ticks{10});
    world.set_time_scale<plain>({1, 4});
    run(world, 8);
    EXPECT_EQ(world.lifetime_left(it), ticks{8});
    world.set_time_scale<plain>({2, 1});
    run(world, 3);
    EXPECT_EQ(world.lifetime_left(it), ticks{2});
    world.set_time_scale<plain>({2, 3});
    run(world, 2);
    EXPECT_EQ(world.lifetime_left(it), ticks{1});
    world.tick();
    EXPECT_FALSE(world.lives(it));
}

TEST_F(the_time_of_a_class, X11_of_no_ticks_in_no_ticks_is_a_mistake_of_the_program) {
    EXPECT_CHECK_DEATH(world.set_time_scale<plain>({1, 0}), "steps per 0 ticks");
}

TEST_F(the_time_of_a_class, S4_2_ends_with_it_and_what_waited_is_not_called) {
    const auto it = world.spawn<plain>();
    world.set_lifetime(it, ticks{2});
    world.after(it.reference(), ticks{1}, [] { ADD_FAILURE(); });
    const auto stays = world.spawn<thing>();
    world.set_lifetime(stays, ticks{3});
    EXPECT_EQ(world.remove<plain>().active(), 1u);
    run(world, 2);
    EXPECT_TRUE(world.lives(stays));
    world.tick();
    EXPECT_FALSE(world.lives(stays));
    EXPECT_EQ(world.stats(0).name, "") << "its number stays empty";
}

TEST_F(a_waiting_call, S4_9_goes_with_its_life) {
    static int called;
    called = 0;
    for (int i = 0; i < 100'000; ++i) {
        const auto it = world.spawn<plain>();
        ASSERT_TRUE(world.after(it.reference(), ticks{36000}, [] { ++called; }));
        world.return_to_pool(it.reference());
    }
    EXPECT_EQ(world.stats<plain>().timers, 0u);
    EXPECT_EQ(world.stats<plain>().listeners, 0u);
    lido::snapshot s;
    ASSERT_TRUE(world.save(s));
    EXPECT_LT(s.bytes(), 10'000u);

    // Among listeners and other calls, in any order.
    static std::string told;
    told.clear();
    const auto it = world.spawn<plain>();
    const auto first = world.after(it.reference(), ticks{1}, [] { told += "1"; });
    world.on_finished(it.reference(), [] { told += "a"; });
    const auto second = world.after(it.reference(), ticks{2}, [] { told += "2"; });
    const auto b = world.on_finished(it.reference(), [] { told += "b"; });
    world.after(it.reference(), ticks{2}, [] { told += "3"; });
    world.on_finished(it.reference(), [] { told += "c"; });
    EXPECT_FALSE(world.disconnect({first.of, first.timer}));
    world.tick();
    EXPECT_TRUE(world.cancel(second));
    EXPECT_FALSE(world.cancel(second));
    EXPECT_TRUE(world.disconnect(b));
    world.after(it.reference(), ticks{70}, [] { told += "4"; });
    EXPECT_TRUE(world.validate());
    world.tick();
    world.return_to_pool(it.reference());
    EXPECT_EQ(told, "13ac");
    EXPECT_EQ(world.stats<plain>().timers + world.stats<plain>().listeners, 0u);
    for (int i = 0; i < 100; ++i) world.tick();
    EXPECT_EQ(told, "13ac");
    EXPECT_EQ(called, 0);
    EXPECT_TRUE(world.validate());
}

TEST_F(a_waiting_call, S4_9_that_its_own_life_ends_takes_the_others_with_it) {
    const auto it = world.spawn<plain>();
    const auto other = world.spawn<plain>();
    static lido::world* in;
    static ref<plain> neighbour;
    in = &world;
    neighbour = other;
    world.after(it.reference(), ticks{1}, [](plain&, ref<plain> self) {
        in->return_to_pool(self);
        in->return_to_pool(neighbour);
        EXPECT_EQ(in->stats<plain>().timers, 2u) << "its own go when it has come back";
    });
    for (const auto which : {it.reference(), other.reference()}) {
        world.after(which, ticks{1}, [] { ADD_FAILURE(); });
        world.after(which, ticks{3}, [] { ADD_FAILURE(); });
    }
    world.tick();
    EXPECT_EQ(world.stats<plain>().timers, 0u);
    world.tick();
    EXPECT_TRUE(world.validate());
}

TEST(a_call_of_the_world, X11_is_made_at_its_tick_whatever_lives_and_before_the_calls_of_lives) {
    lido::world world;
    world.add<plain>("plain");
    std::vector<int> made;
    const auto one = world.spawn<plain>();
    world.after(one.reference(), ticks{2}, [&made] { made.push_back(2); });
    ASSERT_TRUE(world.after(ticks{2}, [&made] { made.push_back(1); }));
    ASSERT_TRUE(world.after(ticks{3}, [&made, &world] {
        made.push_back(3);
        world.spawn<plain>();
        world.after(ticks{0}, [&made] { made.push_back(4); });
    }));
    run(world, 3);
    EXPECT_EQ(made, (std::vector{1, 2, 3}));
    EXPECT_EQ(world.active<plain>(), 2u);
    world.tick();
    EXPECT_EQ(made, (std::vector{1, 2, 3, 4}));
    EXPECT_TRUE(world.validate());
}

TEST(a_call_of_the_world, X11_can_be_cancelled_once) {
    lido::world world;
    const lido::waiting_call call = world.after(ticks{1}, [] { ADD_FAILURE(); });
    EXPECT_TRUE(world.cancel(call));
    EXPECT_FALSE(world.cancel(call));
    world.tick();
}

TEST(a_call_of_the_world, X1_is_rewound_with_it) {
    lido::world world;
    int made = 0;
    world.start();
    world.after(ticks{5}, [&made] { ++made; });
    world.tick();
    lido::snapshot saved;
    ASSERT_TRUE(lido::save(saved, world));
    const auto hash = lido::state_hash(world);
    const lido::waiting_call later = world.after(ticks{2}, [&made] { made += 100; });
    EXPECT_NE(lido::state_hash(world), hash);
    run(world, 4);
    EXPECT_EQ(made, 101);
    ASSERT_TRUE(lido::restore(saved, world));
    EXPECT_EQ(lido::state_hash(world), hash);
    EXPECT_FALSE(world.cancel(later)) << "it was started in a future that never was";
    made = 0;
    run(world, 4);
    EXPECT_EQ(made, 1);
}

TEST(a_call_of_the_world, X11_may_not_tick_or_end_its_world_and_goes_with_it) {
    const lido::test::misuse_log log;
    static int refused;
    refused = 0;
    lido::world world;
    world.after(ticks{1}, [&world] {
        world.tick();
        refused += world.end().refused ? 1 : 0;
    });
    world.after(ticks{9}, [] { ADD_FAILURE(); });
    world.tick();
    EXPECT_EQ(world.now(), ticks{1});
    EXPECT_EQ(refused, 1);
    EXPECT_EQ(log.count(), 2u);
    world.end();
    run(world, 20);
}

}  // namespace world_time_test
