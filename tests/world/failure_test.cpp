// S4.5: what throws, or cannot be made, as a life begins leaves the class as it was, and nobody is told of a life that never was.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace world_failure_test {

using lido::on_full;
using lido::ref;
using lido::spawn_refusal;
using lido::ticks;
using lido::test::misuse_log;

enum class step { nowhere, constructor, place, on_acquire, in_use };

struct brittle {
    static inline step breaks = step::nowhere;
    static inline int alive = 0;
    static inline std::string log = {};

    static void at(step s) {
        if (breaks == s) throw std::runtime_error("broken");
    }
    static void reset() {
        breaks = step::nowhere;
        alive = 0;
        log.clear();
    }

    brittle() {
        at(step::constructor);
        ++alive;
    }
    brittle(const brittle&) = delete;
    brittle& operator=(const brittle&) = delete;
    ~brittle() { --alive; }

    void place(const lido::transform&) { at(step::place); }
    void on_acquire() {
        at(step::on_acquire);
        log += "A";
    }
    void set_in_use(bool in_use) {
        log += in_use ? "U" : "u";
        if (in_use) at(step::in_use);
    }
    void on_release() noexcept { log += "R"; }
};

class a_life_that_fails : public testing::TestWithParam<step> {
protected:
    a_life_that_fails() { brittle::reset(); }
    lido::world world;
};

TEST_P(a_life_that_fails, S4_5_to_begin_never_was) {
    world.add<brittle>("brittle", {.max_lifetime = ticks{3}});
    world.finished<brittle>().connect([](brittle&, ref<brittle>) { ADD_FAILURE() << "of a life that never was"; });
    const auto before = world.spawn<brittle>();
    ASSERT_TRUE(before);
    brittle::log.clear();
    brittle::breaks = GetParam();
    EXPECT_THROW(static_cast<void>(world.spawn<brittle>()), std::runtime_error);
    EXPECT_THROW(static_cast<void>(world.spawn("brittle")), std::runtime_error);
    EXPECT_EQ(brittle::log, GetParam() == step::in_use ? "AUuRAUuR" : "") << "only what was done is undone";
    const auto s = world.stats<brittle>();
    EXPECT_EQ(s.pool.size, 1u);
    EXPECT_EQ(s.counters.spawned, 1u);
    EXPECT_EQ(s.counters.returned, 0u);
    EXPECT_EQ(s.counters.called_off, GetParam() == step::constructor ? 0u : 2u);
    EXPECT_EQ(s.timers, 1u) << "only of the one that lives";
    EXPECT_EQ(s.listeners, 0u);
    const lido::verdict v = world.validate();
    EXPECT_TRUE(v) << v.broken;
    brittle::breaks = step::nowhere;
    world.finished<brittle>().disconnect_all();
    const auto after = world.spawn<brittle>();
    EXPECT_TRUE(after);
    EXPECT_EQ(brittle::alive, 2);
    world.tick();
    world.tick();
    world.tick();
    EXPECT_EQ(world.active<brittle>(), 0u);
    EXPECT_EQ(world.stats<brittle>().counters.expired, 2u);
}

TEST_P(a_life_that_fails, S4_6_leaves_the_world_open_for_what_is_refused_inside_hooks) {
    world.add<brittle>("brittle");
    brittle::breaks = GetParam();
    EXPECT_THROW(static_cast<void>(world.spawn<brittle>()), std::runtime_error);
    misuse_log log;
    world.tick();
    EXPECT_EQ(world.now(), ticks{1});
    EXPECT_FALSE(world.end().refused);
    EXPECT_EQ(log.count(), 0u);
    EXPECT_EQ(brittle::alive, 0);
}

TEST_P(a_life_that_fails, S4_4_on_a_full_class_leaves_it_able_to_make_room_again) {
    world.add<brittle>("brittle", {.capacity = 1, .on_full = on_full::replace_oldest, .idle_cap = 0});
    const auto first = world.spawn<brittle>();
    brittle::breaks = GetParam();
    EXPECT_THROW(static_cast<void>(world.spawn<brittle>()), std::runtime_error);
    EXPECT_TRUE(world.validate());
    brittle::breaks = step::nowhere;
    const auto second = world.spawn<brittle>();
    EXPECT_TRUE(second) << to_string(second.why());
    const auto third = world.spawn<brittle>();
    EXPECT_TRUE(third) << to_string(third.why());
    EXPECT_EQ(world.active<brittle>(), 1u);
    EXPECT_FALSE(world.lives(first) || world.lives(second));
}

INSTANTIATE_TEST_SUITE_P(steps, a_life_that_fails,
                         testing::Values(step::constructor, step::place, step::on_acquire, step::in_use));

struct listened_to : lido::pooled {
    static inline lido::world* in = nullptr;
    static inline bool breaks = false;
    void set_in_use(bool in_use) {
        pooled::set_in_use(in_use);
        if (!in_use) return;
        const auto me = in->as<listened_to>(self());
        in->on_finished(me, [] { ADD_FAILURE() << "its life never was"; });
        in->after(me, lido::ticks{1}, [] { ADD_FAILURE() << "its life never was"; });
        in->set_lifetime(me, lido::ticks{1});
        if (breaks) throw std::runtime_error("broken");
    }
};

TEST(a_life_that_fails_late, S4_5_forgets_who_listened_and_what_waited_for_it) {
    lido::world world;
    listened_to::in = &world;
    listened_to::breaks = true;
    world.add<listened_to>("listened_to");
    EXPECT_THROW(static_cast<void>(world.spawn<listened_to>()), std::runtime_error);
    for (int i = 0; i < 3; ++i) world.tick();
    EXPECT_EQ(world.stats<listened_to>().timers, 0u);
    EXPECT_EQ(world.stats<listened_to>().listeners, 0u);
    EXPECT_EQ(world.stats<listened_to>().counters.expired, 0u);
    EXPECT_TRUE(world.validate());
}

struct stack {                     ///< folds newcomers, and fails on request
    static inline int breaks = 0;  ///< 1: in on_acquire, 2: in merge
    static inline int acquired = 0;
    static inline int released = 0;
    static inline lido::world* in = nullptr;
    static inline bool hostile = false;
    void on_acquire() {
        if (breaks == 1) throw std::runtime_error("broken");
        ++acquired;
        if (hostile) {
            in->tick();
            EXPECT_TRUE(in->remove<stack>().refused);
            EXPECT_TRUE(in->end().refused);
        }
    }
    void on_release() noexcept { ++released; }
    bool merge(const stack&) const {
        if (breaks == 2) throw std::runtime_error("broken");
        return !hostile || in->remove<stack>().refused;
    }
};

class a_merge : public testing::Test {
protected:
    a_merge() {
        stack::breaks = stack::acquired = stack::released = 0;
        stack::hostile = false;
        stack::in = &world;
        world.add<stack>("stack", {.capacity = 1, .on_full = on_full::merge});
        static_cast<void>(world.spawn<stack>());
    }
    lido::world world;
};

TEST_F(a_merge, S4_4_that_fails_undoes_what_the_newcomer_did_and_the_next_is_served) {
    stack::breaks = 1;
    EXPECT_THROW(static_cast<void>(world.spawn<stack>()), std::runtime_error);
    EXPECT_EQ(stack::released, 0);
    stack::breaks = 2;
    EXPECT_THROW(static_cast<void>(world.spawn<stack>()), std::runtime_error);
    EXPECT_EQ(stack::acquired, 2);
    EXPECT_EQ(stack::released, 1) << "its on_acquire had come to its end";
    stack::breaks = 0;
    EXPECT_EQ(world.spawn<stack>().why(), spawn_refusal::merged);
    misuse_log log;
    world.tick();
    EXPECT_EQ(log.count(), 0u);
}

TEST_F(a_merge, S4_6_refuses_in_the_newcomers_hooks_what_is_refused_in_all_hooks) {
    misuse_log log;
    stack::hostile = true;
    EXPECT_EQ(world.spawn<stack>().why(), spawn_refusal::merged);
    stack::hostile = false;
    EXPECT_EQ(log.count(lido::misuse_kind::reentrant_call), 4u);
    EXPECT_EQ(world.now(), ticks{});
    EXPECT_EQ(world.active<stack>(), 1u);
}

struct made_elsewhere {
    explicit made_elsewhere(int v) : value(v) {}
    made_elsewhere(const made_elsewhere&) = delete;
    made_elsewhere& operator=(const made_elsewhere&) = delete;
    int value;
};

TEST(a_class_without_a_default_constructor, S4_4_is_made_by_its_code) {
    lido::world world;
    static int made;
    made = 0;
    world.add<made_elsewhere>("made", {.prewarm = 2}, {.create = [] { return made_elsewhere(++made); }});
    world.start();
    EXPECT_EQ(made, 2);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(world.spawn<made_elsewhere>());
    EXPECT_EQ(made, 3);
    int sum = 0;
    world.for_each<made_elsewhere>([&](made_elsewhere& m) { sum += m.value; });
    EXPECT_EQ(sum, 6);
}

TEST(a_class_without_a_default_constructor, S4_4_and_without_code_says_so) {
    lido::world world;
    EXPECT_EQ(world.add<made_elsewhere>("made", {.prewarm = 1}).why,
              "made: prewarm needs a default constructor or `create`");
    EXPECT_TRUE(world.add<made_elsewhere>("made"));
    EXPECT_EQ(world.spawn<made_elsewhere>().why(), spawn_refusal::no_creator);
    EXPECT_EQ(world.stats<made_elsewhere>().counters.refused, 1u);
    EXPECT_TRUE(world.validate());
}

struct vast {
    std::unique_ptr<int> owner;
    char bytes[1 << 20];
};

TEST(a_class_that_there_is_no_memory_for, S4_2_is_skipped_with_the_reason_and_refuses_for_it) {
    lido::world world;
    misuse_log log;
    world.add<vast>("vast", {.capacity = 0xfffffff0, .on_full = on_full::reject});
    const auto report = world.start();
    ASSERT_EQ(report.skipped.size(), 1u);
    EXPECT_EQ(report.skipped[0].why, "there is no memory for its pool; a smaller capacity reserves less");
    EXPECT_EQ(world.spawn<vast>().why(), spawn_refusal::no_memory);
    world.tick();
    EXPECT_EQ(world.end().active(), 0u);
}

TEST(a_waiting_call_that_throws, S4_9_ends_the_program) {
    EXPECT_DEATH(
        {
            struct plain {};
            lido::world world;
            world.add<plain>("plain");
            const auto it = world.spawn<plain>();
            world.after(it.reference(), ticks{1}, [] { throw std::runtime_error("broken"); });
            world.tick();
        },
        "");
}

}  // namespace world_failure_test
