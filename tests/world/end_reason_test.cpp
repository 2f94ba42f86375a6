// S4.6, S4.8: who listens hears why a life ended, and that one began.
#include <lido/world/world.hpp>

#include <lido/core/rewind/save.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace world_end_reason_test {

using lido::end_reason;
using lido::ref;
using lido::ticks;

struct rock : lido::pooled {
    int weight = 0;
    static inline std::vector<end_reason> released;
    void on_release(end_reason why) noexcept { released.push_back(why); }
};
struct mute {
    int weight = 0;
};
struct shy {
    int weight = 0;
    static inline bool throws = false;
    static inline bool leaves = false;
    lido::life mine;
    void set_life(lido::life of) { mine = of; }
    void on_acquire() {
        if (throws) throw std::runtime_error("not today");
        if (leaves) mine.end();
    }
};

class a_life : public testing::Test {
protected:
    a_life() {
        rock::released.clear();
        world.add<rock>("rock", {.on_full = lido::on_full::grow_to(3).then(lido::on_full::replace_oldest)});
        world.finished<rock>().connect([this](rock&, ref<rock>, end_reason why) { told.push_back(why); });
    }
    /// The reason that listeners, on_release and a listener of the one life were given.
    void expect(end_reason why) {
        EXPECT_EQ(told, std::vector{why}) << to_string(why);
        EXPECT_EQ(rock::released, std::vector{why}) << to_string(why);
        told.clear();
        rock::released.clear();
    }
    std::vector<end_reason> told;
    lido::world world;  // the last: what lives at its end is told, too
};

TEST_F(a_life, S4_6_that_ends_says_why) {
    world.spawn<rock>()->return_to_pool();
    expect(end_reason::itself);
    world.return_to_pool(world.spawn<rock>().reference());
    expect(end_reason::reference);
    world.return_to_pool(lido::any_ref(world.spawn<rock>()));
    expect(end_reason::reference);
    world.return_to_pool(*world.spawn<rock>());
    expect(end_reason::reference);
    world.set_lifetime(world.spawn<rock>(), ticks{1});
    world.tick();
    expect(end_reason::lifetime);
    for (int i = 0; i < 4; ++i) world.spawn<rock>();
    expect(end_reason::replaced);
    world.return_all<rock>();
    told.resize(1);
    rock::released.resize(1);
    expect(end_reason::its_class);
    world.spawn("rock");
    world.return_all("rock");
    expect(end_reason::its_class);
    world.spawn("rock");
    world.return_all();
    expect(end_reason::its_world);
    world.spawn("rock");
    world.remove<rock>();
    expect(end_reason::its_class);
}

TEST_F(a_life, S4_12_that_ends_with_its_world_says_so) {
    world.spawn("rock");
    world.end();
    expect(end_reason::its_world);
}

TEST_F(a_life, X1_that_a_restore_undoes_lets_go_and_is_not_told) {
    world.start();
    lido::snapshot before;
    ASSERT_TRUE(lido::save(before, world));
    world.spawn<rock>();
    ASSERT_TRUE(lido::restore(before, world));
    EXPECT_TRUE(told.empty());
    EXPECT_EQ(rock::released, std::vector{end_reason::undone});
}

TEST_F(a_life, S4_9_that_is_ended_from_inside_keeps_the_reason_of_who_came_first) {
    const auto one = world.spawn<rock>();
    world.after(one.reference(), ticks{1}, [this](rock& r, ref<rock> self) {
        r.return_to_pool();
        EXPECT_FALSE(world.return_to_pool(self));
    });
    world.tick();
    expect(end_reason::itself);
}

TEST_F(a_life, S4_8_tells_the_reason_to_those_who_listen_to_it_alone) {
    const auto one = world.spawn<rock>();
    std::vector<end_reason> seen;
    int others = 0;
    world.on_finished(one.reference(), [&seen](rock&, ref<rock>, end_reason why) { seen.push_back(why); });
    world.on_finished(one.reference(), [&others](rock&, ref<rock>) { ++others; });
    world.on_finished(one.reference(), [&others](rock&) { ++others; });
    world.on_finished(one.reference(), [&others] { ++others; });
    world.set_lifetime(one, ticks{1});
    world.tick();
    EXPECT_EQ(seen, std::vector{end_reason::lifetime});
    EXPECT_EQ(others, 3);
}

TEST_F(a_life, S4_5_that_begins_is_told_with_its_reference_however_it_was_spawned) {
    world.add<mute>("mute");
    std::vector<lido::any_ref> born;
    int rocks = 0;
    world.begun<rock>().connect([&](rock& r, ref<rock> which) {
        EXPECT_TRUE(r.in_use());
        EXPECT_TRUE(world.lives(which));
        born.push_back(which);
    });
    world.begun<rock>().connect([&rocks] { ++rocks; });
    world.begun<mute>("mute").connect([&](mute&, ref<mute> which) { born.push_back(which); });
    const std::vector<lido::any_ref> expected{world.spawn<rock>(), world.spawn<mute>(), world.spawn("mute").reference(),
                                              world.spawn("rock").reference()};
    EXPECT_EQ(born, expected);
    EXPECT_EQ(rocks, 2);
}

TEST_F(a_life, S4_5_that_never_was_in_use_is_not_told_of) {
    world.add<shy>("shy");
    int told_of = 0;
    world.begun<shy>().connect([&told_of] { ++told_of; });
    shy::throws = true;
    EXPECT_THROW(world.spawn<shy>(), std::runtime_error);
    shy::throws = false;
    shy::leaves = true;
    EXPECT_EQ(world.spawn<shy>().why(), lido::spawn_refusal::ended_at_once);
    shy::leaves = false;
    EXPECT_EQ(told_of, 0);
    EXPECT_TRUE(world.spawn<shy>());
    EXPECT_EQ(told_of, 1);
}

TEST_F(a_life, S4_9_that_a_listener_of_its_beginning_ends_was_a_life) {
    world.begun<rock>().connect([this](rock&, ref<rock> which) { world.return_to_pool(which); });
    EXPECT_EQ(world.spawn<rock>().why(), lido::spawn_refusal::ended_at_once);
    expect(end_reason::reference);
    EXPECT_TRUE(world.validate());
}

TEST_F(a_life, S4_5_is_called_off_by_a_listener_that_throws) {
    const lido::connection bad = world.begun<rock>().connect([] { throw std::runtime_error("no"); });
    EXPECT_THROW(world.spawn<rock>(), std::runtime_error);
    EXPECT_EQ(rock::released, std::vector{end_reason::called_off});
    EXPECT_EQ(world.stats<rock>().pool.size, 0u);
    EXPECT_TRUE(world.begun<rock>().disconnect(bad));
    EXPECT_TRUE(world.spawn<rock>());
    EXPECT_TRUE(world.validate());
}

TEST_F(a_life, S4_10_of_a_class_that_is_not_there_begins_for_nobody_and_is_reported) {
    lido::test::misuse_log log;
    world.begun<mute>().connect([] { ADD_FAILURE(); });
    EXPECT_EQ(log.only().kind, lido::world_misuse::unknown_class);
    world.add<mute>("mute");
    EXPECT_TRUE(world.spawn<mute>());
}

}  // namespace world_end_reason_test
