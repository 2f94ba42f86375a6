// Enemies: waves of them, and a boss now and then. What ends one leaves sparks, shards, smoke and orbs.
#include "simulation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace arena {

namespace {

constexpr std::uint64_t boss_period = 15 * ticks_a_second;

}  // namespace

void simulation::spawn_wave() {
    if (world_.tick % boss_period == 0) begin_boss();
    if (world_.tick % pace_.wave_period != 0) return;
    const std::uint32_t count = pace_.wave_least + world_.dice.below(pace_.wave_choice);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t kind = world_.dice.below(enemy_kinds);
        const fixed x = from_pixels(20 + static_cast<int>(world_.dice.below(field_width - 40)));
        const fixed vx = static_cast<fixed>(world_.dice.below(257)) - 128;
        const fixed vy = 40 + static_cast<fixed>(world_.dice.below(90));
        enemies_.acquire(x, from_pixels(-10), vx, vy, static_cast<std::int32_t>(12 + kind * 24), 5 + kind * 3,
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
    const std::uint32_t shots = from.kind >= 2 ? 24 : from.kind == 1 ? 12 : 3;
    for (std::uint32_t i = 0; i < shots; ++i) {
        const unsigned d = from.aim + from.age / 2 + i * turn / shots;
        const fixed speed = 180 + static_cast<fixed>(from.kind) * 60;
        // Priority 0: above 80 % these are refused, and the game only gets a little easier.
        bullets_.acquire(from.x, from.y, along(direction_x(d), speed), along(direction_y(d), speed), bullet_life, 0u);
    }
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

/// Whom something at this place touches; null for nobody, or for one that the shot has gone through.
lido::handle<enemy> simulation::enemy_at(fixed x, fixed y, const shot* not_again) const {
    const int column = pixel(x);
    const int row = pixel(y);
    if (column < 0 || row < 0 || column >= field_width || row >= field_height) return {};
    const cell_list& c =
        grid_[static_cast<std::size_t>(row / cell) * columns + static_cast<std::size_t>(column / cell)];
    for (std::uint32_t i = 0; i < c.count; ++i) {
        // The grid holds handles: an enemy that another bullet has just ended is simply not found.
        const enemy* const e = enemies_.try_get(c.who[i]);
        if (e == nullptr || !within(e->x - x, e->y - y, static_cast<int>(e->radius))) continue;
        if (not_again != nullptr &&
            std::find(not_again->hit.begin(), not_again->hit.end(), c.who[i]) != not_again->hit.end()) {
            continue;
        }
        return c.who[i];
    }
    return {};
}

void simulation::hurt(lido::handle<enemy> who, std::int32_t damage) {
    enemy* const e = enemies_.get(who);
    if (e == nullptr) return;
    damage *= pace_.strength;
    e->health -= damage;
    show_damage(e->x, e->y, damage);
    if (e->health <= 0) end(*e);
}

void simulation::end(enemy& e) {
    world_.score += 10 * (e.kind + 1);
    burst(e.x, e.y, 24 + e.kind * 24, 2 + e.kind);
    shatter(e);
    show_text(e.x, e.y, static_cast<std::int32_t>(10 * (e.kind + 1)));
    puff(particle_kind::smoke, e.x, e.y, 12);
    if (e.kind == boss_kind) {
        slay_boss(e);
        puff(particle_kind::star, e.x, e.y, 60);
        explode(e.x, e.y, {.radius = 60, .ticks = 48});
        throw_embers(e.x, e.y, pace_.boss_embers);
        drop_orbs(e.x, e.y, pace_.boss_orbs, 5);
    } else {
        explode(e.x, e.y, {.radius = 8 + 4 * e.kind, .ticks = 16 + 4 * e.kind});
        throw_embers(e.x, e.y, 4);
        drop_orbs(e.x, e.y, 3 + 3 * e.kind, 1 + static_cast<std::int32_t>(e.kind));
    }
    enemies_.release(e);
}

}  // namespace arena
