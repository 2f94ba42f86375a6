// Bullets of both sides.
#include "simulation.hpp"

namespace arena {

void simulation::update_bullets() {
    bullets_.for_each([](bullet& b) {
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
        puff(particle_kind::spark, b.x, b.y, 2);
        hurt(who, 1);
        return true;
    });
}

}  // namespace arena
