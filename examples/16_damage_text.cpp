// Damage text (S4.11): the pool is built at the start, before the first hit, and from then on the same few objects are reused all the
// time. Nobody returns them: their time runs out.
#include <lido/world/ticks.hpp>
#include <lido/world/world.hpp>

#include <cstdint>
#include <cstdio>

namespace {

struct hit {
    int damage = 0;
};

/// A class of a world needs no base. It has a place because it has a member `transform`.
struct damage_text {
    using payload_type = hit;
    void on_acquire(const hit& with) { value = with.damage; }  // every life begins with all of its own

    lido::transform transform;
    int value = 0;
};

}  // namespace

int main() {
    lido::world world;
    world.add<damage_text>("damage text", {.prewarm = 6,
                                           .max_lifetime = lido::ticks{3},
                                           .on_full = lido::on_full::replace_oldest});  // new hits are what is read
    const lido::start_report start = world.start();
    std::printf("%s: %u objects wait before the first hit\n", start.built.front().c_str(),
                static_cast<unsigned>(world.stats<damage_text>().pool.idle));

    lido::ref<damage_text> critical;
    for (int tick = 1; tick <= 12; ++tick) {
        const int hits = tick == 11 ? 7 : tick % 3;
        for (int i = 0; i < hits; ++i) {
            world.spawn<damage_text>({.x = static_cast<float>(i)}, hit{10 * tick + i});
        }
        if (tick == 2) {
            critical = world.spawn<damage_text>({}, hit{999});
            world.set_lifetime(critical, lido::ticks{8});  // this one should be seen for longer
        }
        std::printf("tick %2d:", tick);
        world.for_each<damage_text>([](damage_text& text) {
            text.transform.y += 0.5f;  // it floats up
            std::printf(" %d", text.value);
        });
        std::printf("\n");
        world.tick();
    }
    std::printf("the critical hit is %s\n", world.lives(critical) ? "shown" : "gone");

    const lido::class_stats s = world.stats<damage_text>();
    std::printf("%u texts by %u objects: %u ran out, %u made room for newer ones\n",
                static_cast<unsigned>(s.counters.spawned), static_cast<unsigned>(s.pool.created),
                static_cast<unsigned>(s.counters.expired), static_cast<unsigned>(s.counters.replaced));
    const lido::end_report end = world.end();
    std::printf("still shown at the end: %u\n", static_cast<unsigned>(end.active()));
}

/* Output:
damage text: 6 objects wait before the first hit
tick  1: 10
tick  2: 999 21 20 10
tick  3: 999 21 20 10
tick  4: 999 21 20 40
tick  5: 999 50 51 40
tick  6: 999 50 51 40
tick  7: 999 50 51 70
tick  8: 999 81 80 70
tick  9: 999 81 80 70
tick 10: 81 80 100
tick 11: 114 113 112 116 111 115
tick 12: 114 113 112 116 111 115
the critical hit is gone
18 texts by 6 objects: 10 ran out, 2 made room for newer ones
still shown at the end: 6
*/
