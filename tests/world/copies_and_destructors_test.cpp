// What code of the program that is no hook may ask of its world: copies and hashes of objects in a save, a restore or a hash, and
// destructors while a class goes. Everything is refused that would pull the ground from under the caller.
#include <lido/world/world.hpp>

#include <lido/core/rewind/save.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

namespace world_copies_and_destructors_test {

using lido::ref;

struct early {
    std::uint32_t value = 1;
};
struct late {
    std::uint32_t value = 2;
};

enum class ask { nothing, tick, remove, end, save, restore, spawn, return_all, return_one, add };

std::string name_of(const testing::TestParamInfo<ask>& each) {
    constexpr const char* names[] = {"nothing", "tick",  "remove",     "end",        "save",
                                     "restore", "spawn", "return_all", "return_one", "add"};
    return names[static_cast<int>(each.param)];
}

/// Asks its world for something from wherever it is told to, once.
struct nosy {
    static inline lido::world* in = nullptr;
    static inline lido::snapshot* older = nullptr;
    static inline ref<early> friend_of_all = {};
    static inline ask in_copy = ask::nothing;
    static inline ask in_destructor = ask::nothing;
    static inline ask in_hash = ask::nothing;
    static inline int done = 0;     ///< calls that were not refused
    static inline int refused = 0;  ///< and those that were
    static inline bool found = false;

    std::string text = "long enough to own memory of its own, so that a copy that is read too late is seen";

    nosy() = default;
    nosy(const nosy& other) : text(other.text) { ask_for(std::exchange(in_copy, ask::nothing)); }
    nosy(nosy&& other) noexcept : text(std::move(other.text)) {}
    nosy& operator=(const nosy&) = default;
    nosy& operator=(nosy&&) noexcept = default;
    ~nosy() { ask_for(std::exchange(in_destructor, ask::nothing)); }
    void hash(lido::hasher& h) const {
        h.add(text);
        ask_for(std::exchange(in_hash, ask::nothing));
    }

    static void ask_for(ask what) {
        if (what == ask::nothing) return;
        found = in->get(friend_of_all) != nullptr;
        const std::uint64_t before = in->now().count;
        bool did = false;
        lido::snapshot other;
        switch (what) {
            case ask::nothing: break;
            case ask::tick:
                in->tick();
                did = in->now().count != before;
                break;
            case ask::remove: did = !in->remove<early>().refused; break;
            case ask::end: did = !in->end().refused; break;
            case ask::save: did = in->save(other); break;
            case ask::restore: did = static_cast<bool>(in->restore(*older)); break;
            case ask::spawn: did = static_cast<bool>(in->spawn<early>()); break;
            case ask::return_all: did = in->return_all() != 0; break;
            case ask::return_one: did = in->return_to_pool(friend_of_all); break;
            case ask::add: did = static_cast<bool>(in->add<late>("another")); break;
        }
        ++(did ? done : refused);
    }
};

class a_world_whose_objects_are_nosy : public testing::TestWithParam<ask> {
protected:
    a_world_whose_objects_are_nosy() {
        nosy::in = &world;
        nosy::older = &older;
        nosy::in_copy = nosy::in_destructor = nosy::in_hash = ask::nothing;
        nosy::done = nosy::refused = 0;
        nosy::found = false;
        world.add<early>("early");
        world.add<nosy>("nosy", {.idle_cap = 0});
        world.add<late>("late");
        world.start();
        nosy::friend_of_all = world.spawn<early>();
        for (int i = 0; i < 5; ++i) world.spawn<nosy>();
        EXPECT_TRUE(world.save(older));
    }
    ~a_world_whose_objects_are_nosy() override { nosy::in_copy = nosy::in_destructor = nosy::in_hash = ask::nothing; }
    void expect_refused() {
        EXPECT_EQ(nosy::done, 0);
        EXPECT_EQ(nosy::refused, 1) << "nothing was asked, so nothing is shown";
        EXPECT_TRUE(world.validate()) << world.validate().broken;
    }

    lido::test::misuse_log quiet;
    lido::snapshot older;
    lido::world world;
};

TEST_P(a_world_whose_objects_are_nosy, X1_refuses_what_a_copy_asks_in_a_save) {
    lido::snapshot saved;
    const auto hash = world.state_hash();
    nosy::in_copy = GetParam();
    EXPECT_TRUE(world.save(saved));
    expect_refused();
    EXPECT_TRUE(nosy::found) << "looking is no change";
    EXPECT_EQ(world.state_hash(), hash);
    EXPECT_TRUE(world.restore(saved));
    EXPECT_EQ(world.state_hash(), hash);
}

TEST_P(a_world_whose_objects_are_nosy, X1_refuses_what_a_copy_asks_in_a_restore) {
    const auto hash = world.state_hash();
    world.return_all<nosy>();
    nosy::in_copy = GetParam();
    EXPECT_TRUE(world.restore(older));
    expect_refused();
    EXPECT_EQ(world.state_hash(), hash);
}

TEST_P(a_world_whose_objects_are_nosy, X1_refuses_what_a_destructor_asks_in_a_restore) {
    const auto hash = world.state_hash();
    world.spawn<nosy>();
    nosy::in_destructor = GetParam();
    EXPECT_TRUE(world.restore(older));
    expect_refused();
    EXPECT_EQ(world.state_hash(), hash);
}

TEST_P(a_world_whose_objects_are_nosy, X1_refuses_what_the_last_destructor_of_a_restore_asks) {
    const auto hash = world.state_hash();
    world.return_all<nosy>();
    // No object is destroyed but the copies that the restore made ready.
    nosy::in_destructor = GetParam();
    EXPECT_TRUE(world.restore(older));
    expect_refused();
    EXPECT_EQ(world.state_hash(), hash);
}

TEST_P(a_world_whose_objects_are_nosy, X1_refuses_what_a_hash_asks) {
    const auto hash = world.state_hash();
    nosy::in_hash = GetParam();
    EXPECT_EQ(world.state_hash(), hash);
    expect_refused();
    EXPECT_TRUE(nosy::found);
    EXPECT_EQ(world.state_hash(), hash);
}

INSTANTIATE_TEST_SUITE_P(each_call, a_world_whose_objects_are_nosy,
                         testing::Values(ask::tick, ask::remove, ask::end, ask::save, ask::restore, ask::spawn,
                                         ask::return_all, ask::return_one, ask::add),
                         name_of);

class a_class_that_goes : public a_world_whose_objects_are_nosy {};

TEST_P(a_class_that_goes, S4_12_refuses_what_the_destructors_of_its_idle_objects_ask) {
    lido::world other;
    nosy::in = &other;
    other.add<early>("early");
    other.add<nosy>("nosy");
    nosy::friend_of_all = other.spawn<early>();
    other.spawn<nosy>();
    other.return_all<nosy>();
    nosy::in_destructor = GetParam();
    EXPECT_FALSE(other.remove<nosy>().refused);
    EXPECT_EQ(nosy::done, 0);
    EXPECT_EQ(nosy::refused, 1);
    EXPECT_TRUE(other.validate());
    nosy::in = &world;
}

INSTANTIATE_TEST_SUITE_P(each_call, a_class_that_goes,
                         testing::Values(ask::tick, ask::remove, ask::end, ask::save, ask::restore, ask::add), name_of);

}  // namespace world_copies_and_destructors_test
