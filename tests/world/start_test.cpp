// S4.2: a start builds every class, whatever the constructors of the objects do meanwhile: throw, or spawn.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace world_start_test {

using lido::on_full;
using lido::ref;
using lido::spawn_refusal;
using lido::ticks;
using lido::test::misuse_log;

/// Its constructor throws while `fuses` says so: for so many calls, after so many more.
struct fragile {
    static inline int sound = 0;
    static inline int fails = 0;
    fragile() {
        if (sound > 0) {
            --sound;
        } else if (fails > 0) {
            --fails;
            throw std::runtime_error("broken");
        }
    }
    int value = 0;
};
struct sturdy {
    int value = 1;
};
struct ticking {
    int value = 2;
};

void break_after(int sound, int fails) {
    fragile::sound = sound;
    fragile::fails = fails;
}

TEST(a_constructor_that_throws, S4_2_in_a_start_leaves_no_class_unbuilt) {
    lido::world world;
    world.add<ticking>("first", {.prewarm = 2});
    world.add<fragile>("fragile", {.prewarm = 4});
    world.add<sturdy>("last", {.prewarm = 3});
    break_after(2, 1);
    EXPECT_THROW(world.start(), std::runtime_error);
    EXPECT_TRUE(world.started());
    EXPECT_EQ(world.stats("first").pool.idle, 2u);
    EXPECT_EQ(world.stats("fragile").pool.idle, 2u) << "those made before stay";
    EXPECT_EQ(world.stats("last").pool.idle, 3u);
    EXPECT_TRUE(world.spawn<sturdy>());
    EXPECT_TRUE(world.spawn<fragile>());
    world.tick();
    EXPECT_EQ(world.stats("fragile").pool.idle, 3u) << "the next tick made the others";
    EXPECT_TRUE(world.progress().done());
    EXPECT_TRUE(world.validate());
    world.end();
}

TEST(a_constructor_that_throws, S4_2_in_a_sliced_start_skips_nobodys_tick) {
    lido::world world;
    world.add<fragile>("fragile", {.prewarm = 4});
    world.add<sturdy>("sturdy", {.prewarm = 1, .max_lifetime = ticks{2}});
    break_after(0, 0);
    world.start({.objects_a_tick = 1});
    const auto mortal = world.spawn<sturdy>();
    ASSERT_TRUE(mortal);
    break_after(1, 2);
    world.tick();
    EXPECT_THROW(world.tick(), std::runtime_error);
    EXPECT_FALSE(world.lives(mortal)) << "its class had its tick, too";
    EXPECT_EQ(world.now(), ticks{2});
    EXPECT_THROW(world.tick(), std::runtime_error);
    for (int i = 0; i < 10; ++i) world.tick();
    EXPECT_TRUE(world.progress().done());
    EXPECT_EQ(world.stats("fragile").pool.idle, 4u);
    EXPECT_TRUE(world.validate());
}

TEST(a_constructor_that_throws, S4_2_in_the_start_by_a_spawn_of_another_class_is_left_to_the_next_tick) {
    lido::world world;
    world.add<fragile>("fragile", {.prewarm = 2});
    world.add<sturdy>("sturdy", {.prewarm = 1});
    break_after(0, 2);
    EXPECT_TRUE(world.spawn<sturdy>());
    EXPECT_THROW(world.tick(), std::runtime_error);
    EXPECT_EQ(world.now(), ticks{1});
    world.tick();
    EXPECT_EQ(world.stats("fragile").pool.idle, 2u);
    world.end();
}

TEST(a_constructor_that_throws, S4_2_in_a_late_add_leaves_the_world_without_the_class) {
    lido::world world;
    world.add<sturdy>("sturdy");
    world.start();
    break_after(1, 1);
    EXPECT_THROW(world.add<fragile>("fragile", {.prewarm = 3}), std::runtime_error);
    EXPECT_EQ(world.class_count(), 1u);
    const lido::added_class again = world.add<fragile>("fragile", {.prewarm = 3});
    EXPECT_TRUE(again) << again.why;
    EXPECT_EQ(again.number, 1u);
    EXPECT_EQ(world.stats("fragile").pool.idle, 3u);
    world.tick();
    EXPECT_TRUE(world.validate());
}

/// Spawns one of its own class, or of another, as it is made.
struct breeder {
    static inline lido::world* in = nullptr;
    static inline int children = 0;
    static inline std::vector<spawn_refusal> answers = {};
    static inline bool of_others = false;
    breeder() {
        if (children == 0) return;
        --children;
        answers.push_back(of_others ? in->spawn<sturdy>().why() : in->spawn<breeder>().why());
    }
    static void reset(lido::world& w, int n) {
        in = &w;
        children = n;
        answers.clear();
        of_others = false;
    }
    int value = 0;
};

TEST(a_constructor_that_spawns_its_own_class, S4_5_makes_the_class_grow) {
    lido::world world;
    world.add<breeder>("breeder");
    breeder::reset(world, 100);
    const auto outer = world.spawn<breeder>();
    EXPECT_TRUE(outer) << to_string(outer.why());
    EXPECT_EQ(breeder::answers, std::vector<spawn_refusal>(100, spawn_refusal::none));
    EXPECT_EQ(world.active<breeder>(), 101u);
    EXPECT_TRUE(world.validate());
    breeder::reset(world, 0);
    world.end();
}

TEST(a_constructor_that_spawns_its_own_class, S4_5_is_refused_where_there_is_no_room) {
    for (const std::uint32_t idle_cap : {0u, 10u}) {
        lido::world world;
        world.add<breeder>("breeder", {.capacity = 2, .on_full = on_full::reject, .idle_cap = idle_cap});
        breeder::reset(world, 3);
        static_cast<void>(world.spawn<breeder>());
        EXPECT_LE(world.active<breeder>(), 2u);
        const lido::verdict v = world.validate();
        EXPECT_TRUE(v) << v.broken << " with idle_cap " << idle_cap;
        breeder::reset(world, 0);
        world.return_all();
        EXPECT_TRUE(world.spawn<breeder>() && world.spawn<breeder>());
        EXPECT_FALSE(world.spawn<breeder>());
        EXPECT_TRUE(world.validate());
        world.end();
    }
}

/// Trims its class as it is made.
struct trimmer {
    static inline lido::world* in = nullptr;
    static inline bool trims = false;
    trimmer() {
        if (trims) in->trim<trimmer>();
    }
    int value = 0;
};

TEST(a_constructor_that_trims_its_class, S4_5_leaves_no_more_active_than_there_is_room_for) {
    lido::world world;
    trimmer::in = &world;
    trimmer::trims = false;
    world.add<trimmer>("trimmer", {.capacity = 1, .on_full = on_full::grow_to(20), .idle_cap = 10});
    static_cast<void>(world.spawn<trimmer>());
    trimmer::trims = true;
    for (int i = 0; i < 20; ++i) {
        static_cast<void>(world.spawn<trimmer>());
        const lido::verdict v = world.validate();
        ASSERT_TRUE(v) << v.broken << " after " << i;
    }
    EXPECT_GT(world.active<trimmer>(), 1u);
    world.end();
}

TEST(a_constructor_that_spawns_its_own_class, S4_5_may_do_so_in_a_start) {
    lido::world world;
    world.add<breeder>("breeder", {.prewarm = 4});
    breeder::reset(world, 3);
    world.start();
    EXPECT_EQ(breeder::answers, std::vector<spawn_refusal>(3, spawn_refusal::none));
    EXPECT_EQ(world.active<breeder>(), 3u);
    EXPECT_TRUE(world.validate());
    for (int i = 0; i < 3; ++i) world.tick();
    EXPECT_EQ(world.active<breeder>() + world.stats<breeder>().pool.idle, 4u);
    EXPECT_TRUE(world.progress().done());
    world.end();
}

TEST(a_constructor_that_spawns_its_own_class, S4_5_may_do_so_where_a_restore_has_left_objects_to_make) {
    lido::world world;
    world.add<breeder>("breeder", {.prewarm = 4});
    breeder::reset(world, 0);
    world.start();
    for (int i = 0; i < 4; ++i) static_cast<void>(world.spawn<breeder>());
    world.return_all();
    lido::snapshot past;
    ASSERT_TRUE(world.save(past));
    lido::world second;
    second.add<breeder>("breeder", {.prewarm = 4});
    ASSERT_TRUE(second.restore(past));
    ASSERT_EQ(second.stats<breeder>().pool.idle, 0u) << "four slots wait, without objects";
    breeder::reset(second, 2);
    second.add<sturdy>("sturdy");
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(second.spawn<breeder>());
    EXPECT_EQ(second.active<breeder>(), 6u);
    EXPECT_TRUE(second.validate());
    second.end();
}

TEST(a_constructor_that_spawns_another_class, S4_2_finds_it_built_in_a_start) {
    lido::world world;
    world.add<breeder>("breeder", {.prewarm = 2});
    world.add<sturdy>("sturdy");
    breeder::reset(world, 2);
    breeder::of_others = true;
    world.start();
    EXPECT_EQ(breeder::answers, std::vector<spawn_refusal>(2, spawn_refusal::none));
    EXPECT_EQ(world.active<sturdy>(), 2u);
    world.end();
}

}  // namespace world_start_test
