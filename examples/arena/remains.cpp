// Shards of what was destroyed, and numbers of what was hurt. The cap of each list is its throttle, and drops are counted.
#include "simulation.hpp"

#include <cstdint>

namespace arena {

void simulation::shatter(const enemy& e) {
    for (std::uint32_t i = 0; i < e.radius; ++i) {
        const unsigned d = world_.dice.below(turn);
        debris_.push(e.x, e.y, along(direction_x(d), 300) + e.vx, along(direction_y(d), 300) + e.vy, d,
                     30 + world_.dice.below(40));
    }
}

void simulation::show_damage(fixed x, fixed y, std::int32_t damage) { numbers_.push(x, y, damage, pace_.number_life); }

void simulation::update_remains() {
    for (shard& s : debris_.backward()) {
        s.x += s.vx;
        s.y += s.vy;
        s.vy += 8;
        ++s.spin;
        if (--s.ticks_left == 0) debris_.release(s);
    }
    for (damage_number& n : numbers_.backward()) {
        n.y -= 128;
        if (--n.ticks_left == 0) numbers_.release(n);
    }
}

}  // namespace arena
