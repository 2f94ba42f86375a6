// Experience orbs: eleven columns, of which each pass reads what it needs. They drift, are pulled in by the ship, and merge where they
// crowd: close ones on the screen, far ones off it. What still does not fit is taken up by another orb.
#include "simulation.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace arena {

namespace {

constexpr std::int32_t orb_life = 20 * ticks_a_second;
constexpr int magnet_reach = 70;                              // pixels
constexpr std::uint64_t vacuum_period = 25 * ticks_a_second;  // now and then every orb is pulled in
constexpr std::uint64_t vacuum_ticks = 2;
constexpr fixed most_pull = 2000;
constexpr std::uint64_t merge_period = 8;  // ticks
constexpr fixed merge_on_screen = from_pixels(5);
constexpr fixed merge_off_screen = from_pixels(40);
constexpr std::int32_t most_amount = 200;
constexpr fixed least_radius = from_pixels(3);
constexpr fixed most_radius = from_pixels(12);

[[nodiscard]] bool on_screen(orb_pool::const_reference o) noexcept {
    const fixed x = o.get<&orb::x>();
    const fixed y = o.get<&orb::y>();
    return x >= 0 && y >= 0 && x < from_pixels(field_width) && y < from_pixels(field_height);
}

[[nodiscard]] bool is_free(orb_pool::const_reference o) noexcept { return (o.get<&orb::flags>() & orb_pulled) == 0; }

[[nodiscard]] auto position(orb_pool::const_reference o) noexcept {
    return std::pair{o.get<&orb::x>(), o.get<&orb::y>()};
}

[[nodiscard]] bool fold(const orb_pool::reference& into, orb_pool::const_reference from) noexcept {
    const std::int32_t sum = into.get<&orb::amount>() + from.get<&orb::amount>();
    if (sum > most_amount) return false;
    into.get<&orb::amount>() = sum;
    into.get<&orb::radius>() = std::min(most_radius, into.get<&orb::radius>() + from.get<&orb::radius>() / 8);
    into.get<&orb::life>() = std::max(into.get<&orb::life>(), from.get<&orb::life>());
    return true;
}

}  // namespace

void simulation::drop_orbs(fixed x, fixed y, std::uint32_t count, std::int32_t amount) {
    for (std::uint32_t i = 0; i < count; ++i) {
        const unsigned d = world_.dice.below(turn);
        const fixed speed = static_cast<fixed>(world_.dice.below(1600));
        orbs_.acquire(orb{.x = x,
                          .y = y,
                          .vx = along(direction_x(d), speed),
                          .vy = along(direction_y(d), speed),
                          .amount = amount,
                          .radius = least_radius,
                          .spawn_age = 0,
                          .pull = 0,
                          .magnet_time = 0,
                          .life = orb_life,
                          .flags = 0});
    }
}

void simulation::update_orbs() {
    orbs_.for_each<&orb::x, &orb::vx>([](fixed& x, fixed& vx) {
        x += vx;
        vx -= vx / 32;
    });
    orbs_.for_each<&orb::y, &orb::vy>([](fixed& y, fixed& vy) {
        y += vy;
        vy -= vy / 32 - 1;  // drag, and they sink
    });
    for (std::int32_t& age : orbs_.column<&orb::spawn_age>()) ++age;
    for (std::int32_t& life : orbs_.column<&orb::life>()) --life;
    pull_orbs();
    collect_orbs();
    orbs_.release_if<&orb::life>([](std::int32_t life) { return life <= 0; });
    if (world_.tick % merge_period == 0) merge_orbs();
}

void simulation::pull_orbs() {
    const bool vacuum = world_.tick % vacuum_period < vacuum_ticks;
    const fixed ship_x = world_.ship_x;
    const fixed ship_y = world_.ship_y;
    orbs_.for_each<&orb::x, &orb::y, &orb::flags>([=](fixed x, fixed y, std::uint8_t& flags) {
        if (vacuum || within(ship_x - x, ship_y - y, magnet_reach)) {
            flags = static_cast<std::uint8_t>(flags | orb_pulled);
        }
    });
    orbs_.for_each<&orb::flags, &orb::pull, &orb::magnet_time>([](std::uint8_t flags, fixed& pull, std::int32_t& time) {
        if ((flags & orb_pulled) == 0) return;
        pull = std::min(pull + 40, most_pull);
        ++time;
    });
    orbs_.for_each<&orb::x, &orb::vx, &orb::pull>([=](fixed x, fixed& vx, fixed pull) {
        if (pull != 0) vx = std::clamp((ship_x - x) / 8, -pull, pull);
    });
    orbs_.for_each<&orb::y, &orb::vy, &orb::pull>([=](fixed y, fixed& vy, fixed pull) {
        if (pull != 0) vy = std::clamp((ship_y - y) / 8, -pull, pull);
    });
}

/// Backward, so that the orb which moves to a row that is collected has been visited.
void simulation::collect_orbs() {
    for (const auto& row : orbs_.backward()) {
        const int reach = 8 + pixel(row.get<&orb::radius>());
        if (!within(world_.ship_x - row.get<&orb::x>(), world_.ship_y - row.get<&orb::y>(), reach)) continue;
        world_.xp += static_cast<std::uint64_t>(row.get<&orb::amount>());
        orbs_.release(row);
    }
}

void simulation::merge_orbs() {
    world_.merged_on_screen += merging_.run(orbs_, merge_on_screen, position, fold,
                                            [](orb_pool::const_reference o) { return is_free(o) && on_screen(o); });
    world_.merged_off_screen += merging_.run(orbs_, merge_off_screen, position, fold,
                                             [](orb_pool::const_reference o) { return is_free(o) && !on_screen(o); });
}

}  // namespace arena
