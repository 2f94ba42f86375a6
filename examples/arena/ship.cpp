// The ship: it sweeps over the field and fires without pause.
#include "simulation.hpp"

#include <cstdint>

namespace arena {

namespace {

constexpr std::uint8_t ship_priority = 4;

}  // namespace

void simulation::move_ship() {
    // A slow sweep over the field, with a shake that keeps patterns from repeating.
    const auto phase = static_cast<unsigned>(world_.tick / 8);
    world_.ship_x = from_pixels(field_width / 2) + direction_x(phase) * (field_width / 2 - 40);
    world_.ship_x += from_pixels(static_cast<int>(world_.dice.below(5)) - 2);
    puff(particle_kind::exhaust, world_.ship_x, world_.ship_y + from_pixels(8), 2);
}

void simulation::fire_ship() {
    if (world_.tick % pace_.ship_period != 0) return;
    const int spread = pace_.ship_spread;
    for (int i = -spread; i <= spread; ++i) {
        const unsigned d = turn * 3 / 4 + static_cast<unsigned>(i + static_cast<int>(turn));
        bullets_.acquire_as({.priority = ship_priority}, world_.ship_x, world_.ship_y, along(direction_x(d), 1200),
                            along(direction_y(d), 1200), bullet_life, 1u);
    }
    if (world_.tick % pace_.missile_period != 0) return;
    for (auto [handle, e] : enemies_.each()) {
        if (e.age % 7 != 0) continue;
        launch_missile({.vx = 0, .vy = -400, .target = handle});
    }
}

void simulation::hit_ship() {
    world_.hits_taken += bullets_.release_if(
        [this](const bullet& b) { return b.from_ship == 0 && within(b.x - world_.ship_x, b.y - world_.ship_y, 4); });
}

}  // namespace arena
