// More of one thing than its pool has room for. All of it comes from the game's own dice, so that it is repeated exactly when a tick is
// played again.
#include "simulation.hpp"

#include <cstdint>

namespace arena {

/// A place in the upper part of the field.
spot simulation::somewhere() {
    const fixed x = from_pixels(20 + static_cast<int>(world_.dice.below(field_width - 40)));
    const fixed y = from_pixels(20 + static_cast<int>(world_.dice.below(field_height / 2)));
    return {x, y};
}

void simulation::overload(crowd what) {
    switch (what) {
        case crowd::bullets:
            for (int i = 0; i < 5000; ++i) {
                const spot at = somewhere();
                const unsigned d = world_.dice.below(turn);
                bullets_.acquire(at.x, at.y, along(direction_x(d), 120), along(direction_y(d), 120), bullet_life, 0u);
            }
            break;
        case crowd::enemies:
            for (int i = 0; i < 120; ++i) {
                const spot at = somewhere();
                enemies_.acquire(at.x, from_pixels(-10), static_cast<fixed>(world_.dice.below(257)) - 128, 60, 12, 5u,
                                 world_.dice.below(turn), 0u, 0u);
            }
            break;
        case crowd::glitter:
            for (std::uint32_t i = 0; i < 8; ++i) {
                const spot at = somewhere();
                burst(at.x, at.y, 128, i);
            }
            break;
        case crowd::player_bullets:
            for (int i = 0; i < 40; ++i) {
                shot from;
                from.x = world_.ship_x;
                from.y = world_.ship_y;
                split(from);
            }
            break;
        case crowd::orbs:
            for (int i = 0; i < 8; ++i) {
                const spot at = somewhere();
                drop_orbs(at.x, at.y, 256, 1);
            }
            break;
        case crowd::particles:
            for (int i = 0; i < 8; ++i) {
                const spot at = somewhere();
                puff(particle_kind::star, at.x, at.y, 75);
            }
            break;
        case crowd::debris:
            for (int i = 0; i < 8; ++i) {
                const spot at = somewhere();
                shatter({at.x, at.y, 0, 0, 0, 12, 0, 0, 0});
            }
            break;
        case crowd::numbers:
            for (std::int32_t i = 0; i < 40; ++i) {
                const spot at = somewhere();
                show_damage(at.x, at.y, i);
            }
            break;
        case crowd::missiles:
            for (int i = 0; i < 64; ++i) {
                launch_missile({.vx = static_cast<fixed>(world_.dice.below(801)) - 400, .vy = -400, .target = {}});
            }
            break;
        case crowd::explosions:
            for (int i = 0; i < 40; ++i) {
                const spot at = somewhere();
                explode(at.x, at.y, {.radius = 24, .ticks = 32});
            }
            break;
        case crowd::embers:
            for (int i = 0; i < 8; ++i) {
                const spot at = somewhere();
                throw_embers(at.x, at.y, 160);
            }
            break;
        case crowd::texts:
            for (std::int32_t i = 0; i < 30; ++i) {
                const spot at = somewhere();
                show_text(at.x, at.y, i);
            }
            break;
    }
}

}  // namespace arena
