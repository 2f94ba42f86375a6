// Found by the arena: what a class does by itself, its trims and its sliced start, is played again exactly after a rewind.
#include <lido/core.hpp>
#include <lido/world/world.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace world_arena_found_trim_rewind_test {

struct ember {
    int heat = 0;
    void on_acquire() noexcept { heat = 1; }
};

void play(lido::world& world, std::uint64_t until) {
    while (world.now().count < until) {
        const std::uint64_t tick = world.now().count;
        const int asked = tick == 2 ? 100 : tick % 3 == 0 ? 2 : 0;
        for (int i = 0; i < asked; ++i) world.spawn<ember>();
        world.tick();
    }
}

/// Goes `depth` ticks back from each tick in turn, plays again, and answers the ticks at which that led elsewhere.
std::vector<std::uint64_t> inexact(lido::world& world, std::uint64_t ticks, std::uint64_t depth) {
    std::vector<std::uint64_t> wrong;
    lido::rewind<16> past;
    for (std::uint64_t tick = 1; tick <= ticks; ++tick) {
        play(world, tick);
        EXPECT_TRUE(past.save(tick, world));
        if (tick <= depth) continue;
        const std::uint64_t expected = world.state_hash();
        EXPECT_TRUE(past.restore(tick - depth, world));
        for (std::uint64_t t = tick - depth + 1; t <= tick; ++t) {
            play(world, t);
            EXPECT_TRUE(past.save(t, world));
        }
        if (world.state_hash() != expected) wrong.push_back(tick);
        EXPECT_EQ(world.validate().broken, nullptr);
    }
    return wrong;
}

TEST(a_rewound_world, S4_4_trims_by_itself_as_it_did_the_first_time) {
    lido::world world;
    world.add<ember>("ember", {.prewarm = 4,
                               .max_lifetime = lido::ticks{5},
                               .trim = {.after = lido::ticks{8}, .margin = 2, .most_a_tick = 7},
                               .leaks = lido::leaks::allow});
    world.start();
    EXPECT_EQ(inexact(world, 60, 6), std::vector<std::uint64_t>{});
    EXPECT_LT(world.stats<ember>().pool.idle, 20u);  // of 100
}

TEST(a_rewound_world, S4_2_goes_on_with_a_start_in_slices_from_where_it_was) {
    lido::world world;
    world.add<ember>("ember", {.prewarm = 40, .max_lifetime = lido::ticks{5}, .leaks = lido::leaks::allow});
    world.start({.objects_a_tick = 3});
    EXPECT_EQ(inexact(world, 30, 6), std::vector<std::uint64_t>{});
    EXPECT_TRUE(world.progress().done());
}

}  // namespace world_arena_found_trim_rewind_test
