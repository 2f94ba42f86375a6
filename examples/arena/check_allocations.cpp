// Ten thousand ticks of the arena, each saved and some rolled back and played again, allocate nothing after the start; and end where
// ten thousand ticks without any of that end.
#include "simulation.hpp"

#include "support/allocation_counter.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace {

constexpr std::uint64_t ticks = 10'000;
constexpr std::uint64_t seed = 7;

int failures = 0;

void expect(bool holds, const char* what, std::size_t number) {
    if (holds) return;
    std::fprintf(stderr, "arena: %s: %zu\n", what, number);
    ++failures;
}

void play(arena::simulation& game, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        game.step();
        game.save();
        if (game.world().tick % 64 != 0) continue;
        const std::uint64_t now = game.world().tick;
        if (!game.rewind_to(now - 7)) ++failures;
        while (game.world().tick < now) {
            game.step();
            game.save();
        }
    }
}

}  // namespace

int main() {
    const lido::test::allocation_watch all;
    arena::simulation plain(seed);
    arena::simulation saved(seed);
    expect(all.allocations() != 0, "the counter counts nothing, not even the start", all.allocations());

    const lido::test::allocation_watch watch;
    for (std::uint64_t i = 0; i < ticks; ++i) plain.step();
    expect(watch.quiet(), "allocations in ten thousand ticks", watch.allocations());
    play(saved, ticks);
    expect(watch.quiet(), "allocations in ten thousand ticks with saves and rollbacks", watch.allocations());
    expect(saved.hash() == plain.hash(), "rollbacks changed the game; tick", saved.world().tick);

    // That was a game in which every pool was used to its end, or the count would say little.
    for (const lido::pool_stats& s : {plain.particles().stats(), plain.shots().stats(), plain.orbs().stats(),
                                      plain.debris().stats(), plain.numbers().stats()}) {
        expect(s.peak == s.capacity, s.shape, s.peak);
    }
    expect(plain.effects().stats().refused_headroom != 0, "effects kept from the last fifth", 0);
    expect(plain.shots().stats().refused_kind_cap != 0, "player bullets at the cap of their kind", 0);
    expect(plain.orbs().stats().merged != 0, "orbs merged on a full pool", 0);
    expect(plain.world().merged_on_screen != 0, "orbs merged on screen", 0);
    expect(plain.world().merged_off_screen != 0, "orbs merged off screen", 0);
    return failures == 0 ? 0 : 1;
}
