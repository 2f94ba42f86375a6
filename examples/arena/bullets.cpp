// Bullets of both sides, and the missiles among them that follow an enemy by its handle.
#include "simulation.hpp"

#include <algorithm>
#include <cstdint>

namespace arena {

void simulation::update_bullets() {
    bullets_.for_each([this](bullet& b) {
        if (b.target) {
            if (const enemy* e = enemies_.try_get(b.target)) {
                // Turn a little towards it: whole numbers, no square root.
                b.vx += std::clamp((e->x - b.x) / 64, -40, 40);
                b.vy += std::clamp((e->y - b.y) / 64, -40, 40);
                b.vx = std::clamp(b.vx, -1500, 1500);
                b.vy = std::clamp(b.vy, -1500, 1500);
            } else {
                b.target = {};
                ++world_.targets_lost;
            }
        }
        b.x += b.vx;
        b.y += b.vy;
        --b.ticks_left;
    });
    bullets_.release_if([](const bullet& b) { return b.ticks_left == 0 || outside(b.x, b.y); });
}

void simulation::hit_enemies() {
    bullets_.release_if([this](const bullet& b) {
        if (b.from_ship == 0) return false;
        const lido::handle<enemy> who = enemy_at(b.x, b.y);
        if (!who) return false;
        burst(b.x, b.y, 2, 1);
        puff(effect_kind::spark, b.x, b.y, 2);
        hurt(who, 1);
        return true;
    });
}

}  // namespace arena
