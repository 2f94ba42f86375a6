// The cannon: shells that go through three enemies and burst into splinters at each. A recycle_pool with a cap for each kind: shells are
// refused at 80, splinters at 100.
#include "simulation.hpp"

#include <cstdint>

namespace arena {

namespace {

constexpr std::uint32_t shell_life = 110;  // ticks: to the far end of the field
constexpr std::uint32_t splinter_life = 24;
constexpr std::uint32_t enemies_a_shell = 3;

}  // namespace

void simulation::fire_cannon() {
    if (world_.tick % pace_.cannon_period != 0) return;
    for (int i = -1; i <= 1; ++i) {
        const unsigned d = turn * 3 / 4 + static_cast<unsigned>(3 * i + static_cast<int>(turn));
        shots_.acquire_as({.kind = shell_kind}, world_.ship_x, world_.ship_y, along(direction_x(d), 900),
                          along(direction_y(d), 900), shell_life, 0u);
    }
}

void simulation::update_shots() {
    for (shot& s : shots_) {
        s.x += s.vx;
        s.y += s.vy;
        if (--s.ticks_left == 0 || outside(s.x, s.y)) {
            shots_.release(s);  // it waits, as it is, for its next life
            continue;
        }
        const lido::handle<enemy> who = enemy_at(s.x, s.y, &s);
        if (!who) continue;
        puff(particle_kind::spark, s.x, s.y, 3);
        hurt(who, s.splinter != 0 ? 1 : 2);
        if (s.splinter != 0) {
            shots_.release(s);
            continue;
        }
        split(s);
        s.hit[s.hits++] = who;
        if (s.hits == enemies_a_shell) shots_.release(s);
    }
}

/// During the walk over the shots: they stay where they are, and new ones may be made.
void simulation::split(const shot& from) {
    const unsigned first = world_.dice.below(turn);
    for (std::uint32_t i = 0; i < pace_.splinters; ++i) {
        const unsigned d = first + i * turn / pace_.splinters;
        shots_.acquire_as({.kind = splinter_kind}, from.x, from.y, along(direction_x(d), 700),
                          along(direction_y(d), 700), splinter_life, 1u);
    }
}

}  // namespace arena
