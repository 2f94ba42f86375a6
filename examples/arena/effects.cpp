// What is only seen: glitter, where the oldest makes room, and particles, where what matters less is refused first.
#include "simulation.hpp"

#include <cstdint>

namespace arena {

void simulation::burst(fixed x, fixed y, std::uint32_t count, std::uint32_t colour) {
    for (std::uint32_t i = 0; i < count; ++i) {
        const unsigned d = world_.dice.below(turn);
        const fixed speed = 60 + static_cast<fixed>(world_.dice.below(400));
        glitter_.acquire(x, y, along(direction_x(d), speed), along(direction_y(d), speed), 20 + world_.dice.below(60),
                         colour);
    }
}

void simulation::update_glitter() {
    for (glint& p : glitter_) {
        p.x += p.vx;
        p.y += p.vy;
        p.vx -= p.vx / 32;
        p.vy -= p.vy / 32 - 4;  // drag, and a little gravity
        --p.ticks_left;
    }
    glitter_.release_if([](const glint& p) { return p.ticks_left == 0; });
}

void simulation::puff(particle_kind kind, fixed x, fixed y, std::uint32_t count) {
    const bool matters = kind == particle_kind::exhaust || kind == particle_kind::star;
    const lido::request wish{.priority = matters ? particle_that_matters : std::uint8_t{0}};
    for (std::uint32_t i = 0; i < count; ++i) {
        const unsigned d = world_.dice.below(turn);
        const fixed speed = static_cast<fixed>(world_.dice.below(kind == particle_kind::smoke ? 100 : 500));
        particles_.acquire_as(wish, kind, x, y, along(direction_x(d), speed), along(direction_y(d), speed),
                              20 + world_.dice.below(kind == particle_kind::smoke ? 90 : 30));
    }
}

void simulation::update_particles() {
    for (particle& e : particles_) {
        e.x += e.vx;
        e.y += e.vy;
        switch (e.kind) {
            case particle_kind::spark: e.vy += 6; break;
            case particle_kind::smoke: ++e.size; break;
            case particle_kind::exhaust: e.vy += 20; break;
            case particle_kind::star: e.colour = e.colour * 5 + 1; break;
        }
        if (--e.ticks_left == 0) particles_.release(e);
    }
}

}  // namespace arena
