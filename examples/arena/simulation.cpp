#include "simulation.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

namespace arena {
namespace {

constexpr std::uint32_t most_bullets = 4096;
constexpr std::uint32_t most_particles = 512;
constexpr std::uint8_t ship_priority = 4;

constexpr std::uint32_t bullet_life = 6 * ticks_a_second;
constexpr std::uint32_t enemy_kinds = 3;

[[nodiscard]] bool outside(fixed x, fixed y) noexcept {
    constexpr fixed margin = from_pixels(16);
    return x < -margin || y < -margin || x > from_pixels(field_width) + margin ||
           y > from_pixels(field_height) + margin;
}

[[nodiscard]] int pixel(fixed v) noexcept { return v >> fraction_bits; }

[[nodiscard]] bool within(fixed dx, fixed dy, int pixels) noexcept {
    const std::int64_t reach = std::int64_t{from_pixels(pixels)} * from_pixels(pixels);
    return std::int64_t{dx} * dx + std::int64_t{dy} * dy <= reach;
}

}  // namespace

simulation::simulation(std::uint64_t seed)
    : bullets_(most_bullets, {.name = "bullets", .headroom = {.above_percent = 80, .priority = ship_priority}}),
      enemies_({.name = "enemies"}),
      particles_(most_particles, {.name = "particles", .on_full = lido::on_full::replace_oldest}) {
    world_.dice.state = seed * 2 + 1;  // never zero, which would stay zero
    for (int i = 0; i < 16; ++i) static_cast<void>(world_.dice.next());
}

void simulation::step() {
    ++world_.tick;
    move_ship();
    spawn_wave();
    update_enemies();
    fire_ship();
    update_bullets();
    map_enemies();
    hit_enemies();
    hit_ship();
    update_particles();
}

void simulation::save() { past_.save(world_.tick, bullets_, enemies_, particles_, world_); }

bool simulation::rewind_to(std::uint64_t tick) {
    return static_cast<bool>(past_.restore(tick, bullets_, enemies_, particles_, world_));
}

void simulation::move_ship() {
    // A slow sweep over the field, with a shake that keeps patterns from repeating.
    const auto phase = static_cast<unsigned>(world_.tick / 8);
    world_.ship_x = from_pixels(field_width / 2) + direction_x(phase) * (field_width / 2 - 40);
    world_.ship_x += from_pixels(static_cast<int>(world_.dice.below(5)) - 2);
}

void simulation::spawn_wave() {
    if (world_.tick % 45 != 0) return;
    const std::uint32_t count = 4 + world_.dice.below(12);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t kind = world_.dice.below(enemy_kinds);
        const fixed x = from_pixels(20 + static_cast<int>(world_.dice.below(field_width - 40)));
        const fixed vx = static_cast<fixed>(world_.dice.below(257)) - 128;
        const fixed vy = 40 + static_cast<fixed>(world_.dice.below(90));
        enemies_.acquire(x, from_pixels(-10), vx, vy, static_cast<std::int32_t>(6 + kind * 14), 5 + kind * 3,
                         world_.dice.below(turn), 0u, kind);  // a full pool drops the rest of the wave
    }
}

void simulation::update_enemies() {
    for (enemy& e : enemies_) {
        e.x += e.vx;
        e.y += e.vy;
        ++e.age;
        if (e.x < from_pixels(10) || e.x > from_pixels(field_width - 10)) e.vx = -e.vx;
        if (e.y > from_pixels(field_height / 2)) e.vy = -e.vy;
        if (e.y < from_pixels(-20) && e.vy < 0) {
            enemies_.release(e);  // releasing the one we are at is allowed in a slot pool
            continue;
        }
        fire(e);
    }
}

void simulation::fire(const enemy& from) {
    const std::uint32_t period = 48 + from.kind * 24;
    if (from.age % period != 0) return;
    const std::uint32_t shots = from.kind == 2 ? 24 : from.kind == 1 ? 12 : 3;
    for (std::uint32_t i = 0; i < shots; ++i) {
        const unsigned d = from.aim + from.age / 2 + i * turn / shots;
        const fixed speed = 180 + static_cast<fixed>(from.kind) * 60;
        // Priority 0: above 80 % these are refused, and the game only gets a little easier.
        bullets_.acquire(from.x, from.y, along(direction_x(d), speed), along(direction_y(d), speed), bullet_life, 0u);
    }
}

void simulation::fire_ship() {
    if (world_.tick % 3 != 0) return;
    constexpr int spread = 2;
    for (int i = -spread; i <= spread; ++i) {
        const unsigned d = turn * 3 / 4 + static_cast<unsigned>(i + static_cast<int>(turn));
        bullets_.acquire_as({.priority = ship_priority}, world_.ship_x, world_.ship_y, along(direction_x(d), 1200),
                            along(direction_y(d), 1200), bullet_life, 1u);
    }
    if (world_.tick % 30 != 0) return;
    for (auto [handle, e] : enemies_.each()) {
        if (e.age % 7 != 0) continue;
        bullets_.acquire_as({.priority = ship_priority}, world_.ship_x, world_.ship_y, 0, -400, bullet_life, 1u,
                            handle);
    }
}

void simulation::update_bullets() {
    bullets_.for_each([this](bullet& b) {
        if (b.target) {
            if (const enemy* e = enemies_.get(b.target)) {
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

void simulation::map_enemies() {
    for (cell_list& c : grid_) c.count = 0;
    for (auto [handle, e] : enemies_.each()) {
        const int r = static_cast<int>(e.radius);
        const int left = std::max(0, (pixel(e.x) - r) / cell);
        const int top = std::max(0, (pixel(e.y) - r) / cell);
        const int right = std::min(static_cast<int>(columns) - 1, (pixel(e.x) + r) / cell);
        const int bottom = std::min(static_cast<int>(rows) - 1, (pixel(e.y) + r) / cell);
        for (int y = top; y <= bottom; ++y) {
            for (int x = left; x <= right; ++x) {
                cell_list& c = grid_[static_cast<std::size_t>(y) * columns + static_cast<std::size_t>(x)];
                if (c.count < c.who.size()) c.who[c.count++] = handle;
            }
        }
    }
}

void simulation::hit_enemies() {
    bullets_.release_if([this](const bullet& b) {
        if (b.from_ship == 0) return false;
        const int x = pixel(b.x);
        const int y = pixel(b.y);
        if (x < 0 || y < 0 || x >= field_width || y >= field_height) return false;
        const cell_list& c = grid_[static_cast<std::size_t>(y / cell) * columns + static_cast<std::size_t>(x / cell)];
        for (std::uint32_t i = 0; i < c.count; ++i) {
            // The grid holds handles: an enemy that another bullet has just ended is simply not found.
            enemy* const e = enemies_.get(c.who[i]);
            if (e == nullptr || !within(e->x - b.x, e->y - b.y, static_cast<int>(e->radius))) continue;
            burst(b.x, b.y, 2, 1);
            if (--e->health <= 0) {
                world_.score += 10 * (e->kind + 1);
                burst(e->x, e->y, 24 + e->kind * 24, 2 + e->kind);
                enemies_.release(*e);
            }
            return true;
        }
        return false;
    });
}

void simulation::hit_ship() {
    world_.hits_taken += bullets_.release_if(
        [this](const bullet& b) { return b.from_ship == 0 && within(b.x - world_.ship_x, b.y - world_.ship_y, 4); });
}

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

}  // namespace arena
