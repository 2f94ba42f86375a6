// X1: calls that have a name wait and listen as lambdas do, and say what is wrong where they cannot.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace world_named_calls {

struct door {
    bool open = true;
    int pushed = 0;
};
struct crate {
    int hits = 0;
};
struct push {
    std::int32_t by = 1;
    float force = 2.0f;
};

struct a_named_call : testing::Test {
    lido::world world;
    int score = 0;

    a_named_call() {
        world.add<door>("door", {.leaks = lido::leaks::allow});
        world.add<crate>("crate", {.leaks = lido::leaks::allow});
    }
};

TEST_F(a_named_call, waits_for_its_tick_as_a_lambda_does) {
    EXPECT_TRUE(world.name_call<door>("close", [](door& d) { d.open = false; }));
    const lido::ref<door> d = world.spawn<door>();
    EXPECT_TRUE(world.after(d, lido::ticks{2}, lido::named{"close"}));
    world.tick();
    EXPECT_TRUE(world.get(d)->open);
    world.tick();
    EXPECT_FALSE(world.get(d)->open);
}

TEST_F(a_named_call, listens_for_the_end_of_a_life) {
    EXPECT_TRUE(world.name_call<door>("score", [this](door&, lido::ref<door>, lido::end_reason why) {
        score += why == lido::end_reason::reference ? 10 : 1;
    }));
    const auto d = world.spawn<door>();
    EXPECT_TRUE(world.on_finished(d, lido::named{"score"}));
    world.return_to_pool(d.reference());
    EXPECT_EQ(score, 10);
}

TEST_F(a_named_call, is_handed_what_it_was_bound_to) {
    EXPECT_TRUE((world.name_call<door, push>("push", [](door& d, const push& with) { d.pushed += with.by; })));
    const lido::ref<door> d = world.spawn<door>();
    world.after(d, lido::ticks{1}, lido::named{"push", push{.by = 3}});
    world.after(d, lido::ticks{1}, lido::named{"push", push{.by = 40}});
    world.tick();
    EXPECT_EQ(world.get(d)->pushed, 43);
}

TEST_F(a_named_call, may_be_bound_to_a_reference) {
    EXPECT_TRUE((world.name_call<door, lido::ref<crate>>("hit", [this](door&, const lido::ref<crate>& other) {
        if (crate* const c = world.get(other)) ++c->hits;
    })));
    const lido::ref<crate> c = world.spawn<crate>();
    const lido::ref<door> d = world.spawn<door>();
    world.on_finished(d, lido::named{"hit", c});
    world.return_to_pool(d);
    EXPECT_EQ(world.get(c)->hits, 1);
}

TEST_F(a_named_call, may_be_the_worlds_own) {
    EXPECT_TRUE((world.name_call<lido::world, push>("wave", [](lido::world& w, const push& with) {
        for (int i = 0; i < with.by; ++i) static_cast<void>(w.spawn<crate>());
    })));
    EXPECT_TRUE(world.name_call<lido::world>("round ends", [this] { ++score; }));
    EXPECT_TRUE(world.after(lido::ticks{1}, lido::named{"wave", push{.by = 5}}));
    EXPECT_TRUE(world.after(lido::ticks{2}, lido::named{"round ends"}));
    world.tick();
    EXPECT_EQ(world.active<crate>(), 5u);
    EXPECT_EQ(score, 0);
    world.tick();
    EXPECT_EQ(score, 1);
}

TEST_F(a_named_call, is_cancelled_and_disconnected_as_any_is) {
    EXPECT_TRUE(world.name_call<door>("close", [](door& d) { d.open = false; }));
    EXPECT_TRUE(world.name_call<lido::world>("round ends", [this] { ++score; }));
    const lido::ref<door> d = world.spawn<door>();
    EXPECT_TRUE(world.cancel(world.after(d, lido::ticks{1}, lido::named{"close"})));
    EXPECT_TRUE(world.cancel(world.after(lido::ticks{1}, lido::named{"round ends"})));
    EXPECT_TRUE(world.disconnect(world.on_finished(d, lido::named{"close"})));
    world.tick();
    EXPECT_TRUE(world.get(d)->open);
    EXPECT_EQ(score, 0);
}

TEST_F(a_named_call, comes_back_with_a_rewind_and_outlives_the_world_that_named_it) {
    lido::snapshot s;
    auto first = std::make_unique<lido::world>();
    first->add<door>("door", {.leaks = lido::leaks::allow});
    static_cast<void>(first->name_call<door, push>("push", [](door& d, const push& with) { d.pushed += with.by; }));
    const lido::any_ref d = first->spawn<door>();
    first->after(d, lido::ticks{1}, lido::named{"push", push{.by = 6}});
    ASSERT_TRUE(first->save(s));
    lido::world second;
    second.add<door>("door", {.leaks = lido::leaks::allow});
    ASSERT_TRUE(second.restore(s));
    first.reset();
    second.tick();
    EXPECT_EQ(second.get(second.as<door>(d))->pushed, 6);
}

TEST_F(a_named_call, is_that_of_the_world_in_which_a_snapshot_is_restored) {
    lido::world other;
    other.add<door>("door", {.leaks = lido::leaks::allow});
    other.add<crate>("crate", {.leaks = lido::leaks::allow});
    int elsewhere = 0;
    static_cast<void>(world.name_call<door>("score", [this] { ++score; }));
    static_cast<void>(other.name_call<door>("score", [&elsewhere] { ++elsewhere; }));
    static_cast<void>(world.name_call<lido::world>("round ends", [this] { ++score; }));
    static_cast<void>(other.name_call<lido::world>("round ends", [&elsewhere] { ++elsewhere; }));
    const lido::ref<door> d = world.spawn<door>();
    world.after(d, lido::ticks{1}, lido::named{"score"});
    world.after(lido::ticks{1}, lido::named{"round ends"});
    lido::snapshot s;
    ASSERT_TRUE(world.save(s));
    ASSERT_TRUE(other.restore(s));
    other.tick();
    EXPECT_EQ(score, 0);
    EXPECT_EQ(elsewhere, 2);
}

TEST_F(a_named_call, of_a_life_that_has_ended_is_nobodys_and_nothing_is_told) {
    const lido::test::misuse_log told(false);
    static_cast<void>(world.name_call<door>("close", [](door& d) { d.open = false; }));
    const lido::ref<door> d = world.spawn<door>();
    world.return_to_pool(d);
    EXPECT_FALSE(world.after(d, lido::ticks{1}, lido::named{"close"}));
    EXPECT_FALSE(world.on_finished(d, lido::named{"close"}));
    EXPECT_FALSE(world.on_finished(lido::any_ref{}, lido::named{"close"}));
    EXPECT_FALSE(world.after(lido::any_ref(7, 1), lido::ticks{1}, lido::named{"close"}));
    EXPECT_EQ(told.count(), 0u);
}

TEST_F(a_named_call, that_cannot_be_says_why_and_nobody_is_called) {
    const lido::test::misuse_log told(false);
    static_cast<void>(world.name_call<door>("close", [](door& d) { d.open = false; }));
    static_cast<void>(world.name_call<lido::world>("round ends", [] {}));
    const lido::ref<door> d = world.spawn<door>();
    const lido::ref<crate> c = world.spawn<crate>();

    EXPECT_FALSE(world.after(d, lido::ticks{1}, lido::named{"open"}));
    EXPECT_EQ(world.last_error(), "there is no call open in this world; give it that name with name_call() first");
    EXPECT_FALSE(world.on_finished(c, lido::named{"close"}));
    EXPECT_EQ(world.last_error(),
              "the call close is of world_named_calls::door, and was to be called for a life of "
              "crate, which is of the type world_named_calls::crate");
    EXPECT_FALSE(world.after(lido::ticks{1}, lido::named{"close"}));
    EXPECT_EQ(world.last_error(), "the call close is of world_named_calls::door, and was to be called for the world");
    EXPECT_FALSE(world.after(d, lido::ticks{1}, lido::named{"round ends"}));
    EXPECT_EQ(world.last_error(),
              "the call round ends is of the world, and was to be called for a life of door, which "
              "is of the type world_named_calls::door");
    EXPECT_FALSE(world.after(d, lido::ticks{1}, lido::named{"close", push{}}));
    EXPECT_EQ(world.last_error(),
              "the call close is bound to another type, or to nothing; lido::named{name, what} "
              "binds what name_call<class, type of what>() says");
    EXPECT_EQ(told.count(lido::world_misuse::unknown_call), 5u);
    EXPECT_EQ(world.stats<door>().timers + world.stats<crate>().listeners, 0u);
}

TEST_F(a_named_call, takes_a_name_once) {
    EXPECT_TRUE(world.name_call<door>("close", [](door& d) { d.open = false; }));
    const lido::named_call_result again = world.name_call<crate>("close", [](crate&) {});
    EXPECT_FALSE(again);
    EXPECT_EQ(again.why, "there is a call close already");
    EXPECT_EQ(world.name_call<door>("", [](door&) {}).why, "a call needs a name");
    EXPECT_EQ(world.name_call<door>(std::string(256, 'x'), [](door&) {}).why,
              "the name of a call has at most 255 bytes");
}

TEST_F(a_named_call, is_found_among_many) {
    for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE((world.name_call<door, std::int32_t>("call " + std::to_string(i),
                                                         [](door& d, const std::int32_t& with) { d.pushed += with; })));
    }
    const lido::ref<door> d = world.spawn<door>();
    for (int i = 0; i < 200; ++i)
        ASSERT_TRUE(world.after(d, lido::ticks{1}, lido::named{"call " + std::to_string(i), std::int32_t{i}}));
    world.tick();
    EXPECT_EQ(world.get(d)->pushed, 199 * 100);
}

}  // namespace world_named_calls
