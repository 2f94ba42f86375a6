// What is only seen: particles, where the oldest makes room, and effects, where what matters less is refused first.
#include "simulation.hpp"

#include <cstdint>

namespace arena {

void simulation::burst(fixed x, fixed y, std::uint32_t count, std::uint32_t colour) {
    for (std::uint32_t i = 0; i < count; ++i) {
        const unsigned d = world_.dice.below(turn);
        const fixed speed = 60 + static_cast<fixed>(world_.dice.below(400));
        particles_.acquire(x, y, along(direction_x(d), speed), along(direction_y(d), speed), 20 + world_.dice.below(60),
                           colour);
    }
}

void simulation::update_particles() {
    for (particle& p : particles_) {
        p.x += p.vx;
        p.y += p.vy;
        p.vx -= p.vx / 32;
        p.vy -= p.vy / 32 - 4;  // drag, and a little gravity
        --p.ticks_left;
    }
    particles_.release_if([](const particle& p) { return p.ticks_left == 0; });
}

void simulation::puff(effect_kind kind, fixed x, fixed y, std::uint32_t count) {
    const bool matters = kind == effect_kind::exhaust || kind == effect_kind::star;
    const lido::request wish{.priority = matters ? effect_that_matters : std::uint8_t{0}};
    for (std::uint32_t i = 0; i < count; ++i) {
        const unsigned d = world_.dice.below(turn);
        const fixed speed = static_cast<fixed>(world_.dice.below(kind == effect_kind::smoke ? 100 : 500));
        effects_.acquire_as(wish, kind, x, y, along(direction_x(d), speed), along(direction_y(d), speed),
                            20 + world_.dice.below(kind == effect_kind::smoke ? 90 : 30));
    }
}

void simulation::update_effects() {
    for (effect& e : effects_) {
        e.x += e.vx;
        e.y += e.vy;
        switch (e.kind) {
            case effect_kind::spark: e.vy += 6; break;
            case effect_kind::smoke: ++e.size; break;
            case effect_kind::exhaust: e.vy += 20; break;
            case effect_kind::star: e.colour = e.colour * 5 + 1; break;
        }
        if (--e.ticks_left == 0) effects_.release(e);
    }
}

}  // namespace arena
