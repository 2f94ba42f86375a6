// S4.12: a world ends what is in it, with its hooks and a report; what ends unasked is a leak, and said so.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"
#include "support/reporting.hpp"
#include "world/scripted.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace world_end_test {

using lido::misuse_kind;
using lido::ref;
using lido::spawn_refusal;
using lido::test::hook;
using lido::test::misuse_log;

using thing = lido::test::scripted<0>;
using other = lido::test::scripted<1>;

struct counted {
    static inline int alive = 0;
    counted() { ++alive; }
    counted(const counted&) { ++alive; }
    counted& operator=(const counted&) = default;
    ~counted() { --alive; }
};

class the_end : public testing::Test {
protected:
    the_end() {
        thing::reset();
        other::reset();
        counted::alive = 0;
    }
};

TEST_F(the_end, S4_12_returns_everything_with_its_hooks_and_answers_what_was_active) {
    lido::world world;
    world.add<thing>("thing");
    world.add<other>("other");
    world.add<counted>("counted");
    for (int i = 0; i < 3; ++i) static_cast<void>(world.spawn<thing>());
    static_cast<void>(world.spawn<counted>());
    static_cast<void>(thing::taken());
    static int told;
    told = 0;
    world.finished<thing>().connect([](thing&, ref<thing>) { ++told; });
    const auto report = world.end();
    EXPECT_FALSE(report.refused);
    ASSERT_EQ(report.classes.size(), 2u) << "only those with active objects";
    EXPECT_EQ(report.classes[0].name, "thing");
    EXPECT_EQ(report.classes[0].active, 3u);
    EXPECT_EQ(report.classes[1].name, "counted");
    EXPECT_EQ(report.active(), 4u);
    EXPECT_EQ(told, 3);
    EXPECT_EQ(thing::taken(), "out of use, on_release, out of use, on_release, out of use, on_release");
    EXPECT_EQ(counted::alive, 0);
    EXPECT_EQ(world.stats("thing").name, "");
    EXPECT_EQ(world.end().active(), 0u) << "once";
}

TEST_F(the_end, S4_12_lets_listeners_look_at_objects_of_every_class) {
    lido::world world;
    world.add<thing>("thing");
    world.add<other>("other");
    static ref<other> neighbour;
    static bool seen;
    seen = false;
    neighbour = world.spawn<other>();
    const auto first = world.spawn<thing>();
    world.return_to_pool(neighbour);
    neighbour = world.spawn<other>();
    world.on_finished(first.reference(), [&world] { seen = world.get(neighbour) != nullptr; });
    world.end();
    EXPECT_TRUE(seen);
}

TEST_F(the_end, S4_12_refuses_what_hooks_and_listeners_spawn_meanwhile) {
    lido::world world;
    world.add<thing>("thing");
    world.add<other>("other");
    static std::vector<spawn_refusal> why;
    why.clear();
    static_cast<void>(world.spawn<thing>());
    world.finished<thing>().connect([&world](thing&, ref<thing>) {
        why.push_back(world.spawn<thing>().why());
        why.push_back(world.spawn<other>().why());
        why.push_back(world.spawn("other").why);
    });
    thing::once(hook::on_release) = [&](thing&) { why.push_back(world.spawn<other>().why()); };
    EXPECT_EQ(world.end().active(), 1u);
    EXPECT_EQ(why, std::vector<spawn_refusal>(4, spawn_refusal::ending));
    EXPECT_STREQ(to_string(spawn_refusal::ending), "the class is being ended");
}

TEST_F(the_end, S4_12_of_one_class_leaves_the_others) {
    lido::world world;
    world.add<thing>("thing");
    world.add<other>("other");
    const auto gone = world.spawn<thing>();
    const auto stays = world.spawn<other>();
    static spawn_refusal same, else_where;
    world.finished<thing>().connect([&world](thing&, ref<thing>) {
        same = world.spawn<thing>().why();
        else_where = world.spawn<other>().why();
    });
    const auto report = world.remove<thing>();
    EXPECT_EQ(report.active(), 1u);
    EXPECT_EQ(report.classes[0].name, "thing");
    EXPECT_EQ(same, spawn_refusal::ending);
    EXPECT_EQ(else_where, spawn_refusal::none);
    EXPECT_FALSE(world.lives(gone));
    EXPECT_TRUE(world.lives(stays));
    EXPECT_EQ(world.active<other>(), 2u);
    EXPECT_TRUE(world.validate());
}

TEST_F(the_end, S4_12_of_a_class_that_is_not_there_says_so) {
    lido::world world;
    world.add<other>("other");
    misuse_log log;
    EXPECT_EQ(world.remove("thing").active(), 0u);
    EXPECT_EQ(world.last_error(), "there is no class thing in this world; add it first. There are: other");
    EXPECT_EQ(world.remove<thing>().active(), 0u);
    EXPECT_EQ(log.count(lido::world_misuse::unknown_class), 2u);
}

TEST_F(the_end, S4_12_leaves_a_world_that_can_be_filled_again) {
    lido::world world;
    world.add<thing>("thing");
    const auto old = world.spawn<thing>();
    world.end();
    EXPECT_TRUE(world.add<thing>("thing"));
    EXPECT_TRUE(world.spawn<thing>());
    EXPECT_FALSE(world.lives(old));
    EXPECT_TRUE(world.validate());
}

TEST_F(the_end, S4_12_of_a_world_that_nobody_ended_runs_the_hooks) {
    {
        lido::world world;
        world.add<thing>("thing");
        world.add<counted>("counted");
        static_cast<void>(world.spawn<thing>());
        static_cast<void>(world.spawn<counted>());
        static_cast<void>(thing::taken());
    }
    EXPECT_EQ(thing::taken(), "out of use, on_release");
    EXPECT_EQ(counted::alive, 0);
}

TEST_F(the_end, S4_12_of_a_world_that_never_started_is_quiet) {
    lido::test::reporting told;
    {
        lido::world world;
        world.add<thing>("thing", {.prewarm = 10});
    }
    EXPECT_EQ(told.log.count(), 0u);
}

TEST_F(the_end, S4_12_unasked_reports_what_was_active_by_class_and_number) {
    if (!lido::forensics) GTEST_SKIP() << "needs LIDO_FORENSICS";
    lido::test::reporting told;
    {
        lido::world world;
        world.add<counted>("counted");
        world.add<other>("other");
        world.add<thing>("thing", {.leaks = lido::leaks::allow});
        for (int i = 0; i < 2; ++i) static_cast<void>(world.spawn<counted>());
        static_cast<void>(world.spawn<thing>());
    }
    ASSERT_EQ(told.log.count(), 1u) << "only of the class that has not said that it may";
    const auto e = told.log.only();
    EXPECT_EQ(e.kind, misuse_kind::leak);
    EXPECT_EQ(e.pool, "counted");
    EXPECT_NE(e.story.find("2 objects"), std::string::npos) << e.story;
    EXPECT_NE(e.story.find("end_test.cpp"), std::string::npos) << "where they were spawned: " << e.story;
}

TEST_F(the_end, S4_12_that_was_asked_for_is_no_leak) {
    lido::test::reporting told;
    {
        lido::world world;
        world.add<counted>("counted");
        world.add<other>("other");
        static_cast<void>(world.spawn<counted>());
        static_cast<void>(world.spawn<other>());
        world.remove<other>();
        world.end();
    }
    EXPECT_EQ(told.log.count(), 0u);
}

TEST_F(the_end, S4_12_that_may_not_leak_stops_the_program) {
    EXPECT_DEATH(
        {
            lido::world world;
            world.add<counted>("counted", {.leaks = lido::leaks::abort});
            static_cast<void>(world.spawn<counted>());
        },
        "counted");
}

struct last_words {
    static inline lido::world* in = nullptr;
    static inline int spoken = 0;
    ~last_words() {
        if (in == nullptr) return;
        ++spoken;
        static_cast<void>(in->spawn<last_words>());
        static_cast<void>(in->spawn<counted>());
        static_cast<void>(in->active<last_words>());
    }
};

TEST_F(the_end, S4_12_is_survived_by_destructors_that_ask_the_world) {
    misuse_log log;
    lido::world world;
    last_words::in = &world;
    last_words::spoken = 0;
    world.add<last_words>("last_words");
    world.add<counted>("counted");
    for (int i = 0; i < 3; ++i) static_cast<void>(world.spawn<last_words>());
    world.remove<last_words>();
    EXPECT_EQ(last_words::spoken, 3);
    EXPECT_EQ(world.active<counted>(), 3u);
    last_words::in = nullptr;
    EXPECT_TRUE(world.validate());
}

TEST(finished_by_name, S4_8_of_a_type_with_two_names_is_told_apart_by_name) {
    lido::world world;
    struct shell {
        int size = 0;
    };
    world.add<shell>("small");
    world.add<shell>("large");
    int small = 0;
    int large = 0;
    world.finished<shell>("small").connect([&small](shell&, lido::ref<shell>) { ++small; });
    world.finished<shell>("large").connect([&large](shell&, lido::ref<shell>) { ++large; });
    world.return_to_pool(world.spawn("small"));
    world.return_to_pool(world.spawn("large"));
    world.return_to_pool(world.spawn("large"));
    EXPECT_EQ(small, 1);
    EXPECT_EQ(large, 2);
}

TEST(finished_of_what_is_not_there, S4_10_is_reported_and_calls_nobody) {
    struct known {};
    struct unknown {};
    lido::world world;
    lido::test::misuse_log log;
    world.add<known>("known");
    EXPECT_TRUE(world.has<known>() && world.has("known"));
    EXPECT_FALSE(world.has<unknown>() || world.has("knwon"));
    static int calls;
    calls = 0;
    world.finished<unknown>().connect([](unknown&, lido::ref<unknown>) { ++calls; });
    EXPECT_EQ(log.only().kind, lido::world_misuse::unknown_class);
    world.finished<known>("knwon").connect([](known&, lido::ref<known>) { ++calls; });
    EXPECT_EQ(log.only().what, "there is no class knwon in this world; add it first. There are: known");
    world.finished<unknown>("known").connect([](unknown&, lido::ref<unknown>) { ++calls; });
    EXPECT_NE(log.only().what.find("the class known is of the type"), std::string::npos);
    EXPECT_TRUE(world.finished<unknown>().empty()) << "nobody is kept";
    log.clear();
    world.return_to_pool(world.spawn<known>().reference());
    world.end();
    EXPECT_FALSE(world.has<known>());
    world.finished<known>().connect([](known&, lido::ref<known>) { ++calls; });
    EXPECT_EQ(log.only().kind, lido::world_misuse::unknown_class);
    EXPECT_EQ(calls, 0);
}

}  // namespace world_end_test
