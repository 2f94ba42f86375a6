// An overloaded pool (S4.4, S4.11): more is asked for than was made ahead. It grows while the fight lasts, up to a cap, and gives up
// what it no longer needs by itself, a few objects a tick.
#include <lido/world/ticks.hpp>
#include <lido/world/world.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

namespace {

struct spark {
    lido::transform transform;
    std::array<float, 32> trail{};
};

void show(const lido::world& world, int tick) {
    const lido::class_stats s = world.stats<spark>();
    std::printf("tick %2d: %2u active, %2u wait, of %2u made and %2u given up; refused so far: %u\n", tick,
                static_cast<unsigned>(s.pool.size), static_cast<unsigned>(s.pool.idle),
                static_cast<unsigned>(s.pool.created), static_cast<unsigned>(s.pool.destroyed),
                static_cast<unsigned>(s.counters.refused));
}

}  // namespace

int main() {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 8,
                               .max_lifetime = lido::ticks{4},
                               .on_full = lido::on_full::grow_to(48),  // and then: reject
                               .trim = {.after = lido::ticks{6}, .margin = 4, .most_a_tick = 10}});
    world.start();

    const std::array<int, 24> fight = {2, 2, 2, 12, 20, 30, 12, 2, 2};  // sparks a tick; then it is quiet
    int tick = 0;
    lido::spawn_refusal why = lido::spawn_refusal::none;
    for (const int asked : fight) {
        ++tick;
        for (int i = 0; i < asked; ++i) {
            const auto made = world.spawn<spark>({.x = static_cast<float>(i)});
            if (!made) why = made.why();
        }
        if (tick <= 8 || tick % 4 == 0) show(world, tick);
        world.tick();
    }
    std::printf("refused, because: %s\n", to_string(why));
    std::printf("grown: %s; never more than %u at once\n", world.stats<spark>().pool.grown != 0 ? "yes" : "no",
                static_cast<unsigned>(world.stats<spark>().pool.peak));

    // The next peak finds what was kept, and grows again.
    for (int i = 0; i < 12; ++i) world.spawn<spark>();
    show(world, tick);
    world.end();
}

/* Output:
tick  1:  2 active,  6 wait, of  8 made and  0 given up; refused so far: 0
tick  2:  4 active,  4 wait, of  8 made and  0 given up; refused so far: 0
tick  3:  6 active,  2 wait, of  8 made and  0 given up; refused so far: 0
tick  4: 18 active,  0 wait, of 18 made and  0 given up; refused so far: 0
tick  5: 36 active,  0 wait, of 36 made and  0 given up; refused so far: 0
tick  6: 48 active,  0 wait, of 48 made and  0 given up; refused so far: 16
tick  7: 48 active,  0 wait, of 48 made and  0 given up; refused so far: 26
tick  8: 38 active, 10 wait, of 48 made and  0 given up; refused so far: 26
tick 12:  2 active, 46 wait, of 48 made and  0 given up; refused so far: 26
tick 16:  0 active, 48 wait, of 48 made and  0 given up; refused so far: 26
tick 20:  0 active, 28 wait, of 48 made and 20 given up; refused so far: 26
tick 24:  0 active,  8 wait, of 48 made and 40 given up; refused so far: 26
refused, because: full
grown: yes; never more than 48 at once
tick 24: 12 active,  0 wait, of 52 made and 40 given up; refused so far: 26
*/
