// What lives in the arena, and the pool that each kind lives in. Nothing here owns memory, so a tick that is saved allocates nothing.
#pragma once

#include "fixed.hpp"

#include <lido/core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace arena {

inline constexpr int field_width = 640;   // pixels
inline constexpr int field_height = 360;  // pixels
inline constexpr int ticks_a_second = 60;

// --- the bullet hell ---------------------------------------------------------------------------------------------------------

struct enemy {
    fixed x, y, vx, vy;
    std::int32_t health;
    std::uint32_t radius;  // pixels
    std::uint32_t aim;     // direction of the next shot
    std::uint32_t age;     // ticks
    std::uint32_t kind;
};

inline constexpr std::uint32_t enemy_kinds = 3;
inline constexpr std::uint32_t boss_kind = enemy_kinds;  // and this one, now and then

/// Never many, and a fixed number of them: in the object itself. The last few places are for bosses.
using enemy_pool = lido::flag_pool<enemy, 96, lido::options{.headroom = true}>;

struct bullet {
    fixed x, y, vx, vy;
    std::uint32_t ticks_left;
    std::uint32_t from_ship;  // 1: hurts enemies, 0: hurts the ship
};

inline constexpr std::uint32_t bullet_life = 6 * ticks_a_second;

/// Bullets of the ship must not be lost to a wall of enemy fire: the last fifth of the pool is theirs.
using bullet_pool = lido::slot_pool<bullet, lido::options{.headroom = true}>;

struct glint {
    fixed x, y, vx, vy;
    std::uint32_t ticks_left;
    std::uint32_t colour;
};

/// Decoration: updated all at once, and when there are too many the oldest goes.
using glitter_pool = lido::dense_pool<glint, lido::options{.tracks = lido::track::age}>;

// --- what an engine has beside it: five pools, each of the shape that its use asks for ------------------------------------------

/// A shell of the ship's cannon, or a splinter of one. Recycled: many fields, few of them used by each life.
struct shot {
    fixed x = 0, y = 0, vx = 0, vy = 0;
    std::uint32_t ticks_left = 0;
    std::uint32_t splinter = 0;  // 1: does not split again
    std::uint32_t hits = 0;
    std::array<lido::handle<enemy>, 4> hit{};  // whom it went through, and does not hit again

    /// Sets everything, `hit` too: what the last life left is no part of a save, and a replay would find something else there.
    void on_acquire(fixed at_x, fixed at_y, fixed by_x, fixed by_y, std::uint32_t ticks,
                    std::uint32_t is_splinter) noexcept {
        *this = {at_x, at_y, by_x, by_y, ticks, is_splinter, 0, {}};
    }
};

/// Kinds of request, each with a cap of its own: 80 for shells, 100 for splinters, so that a full screen still bursts.
inline constexpr std::uint8_t shell_kind = 0;
inline constexpr std::uint8_t splinter_kind = 1;
inline constexpr std::uint32_t most_shells = 80;
inline constexpr std::uint32_t most_shots = 100;
using shot_pool = lido::recycle_pool<shot, lido::options{.kinds = 2}>;

/// Experience. Every pass over them uses two or three fields of eleven: a column each.
struct orb {
    fixed x, y, vx, vy;
    std::int32_t amount;
    fixed radius;
    std::int32_t spawn_age;    // ticks
    fixed pull;                // speed towards the ship, gathered while pulled
    std::int32_t magnet_time;  // ticks that it has been pulled
    std::int32_t life;         // ticks left
    std::uint8_t flags;
};
inline constexpr std::uint8_t orb_pulled = 1;
inline constexpr std::uint32_t most_orbs = 1024;
using orb_pool = lido::column_pool<orb>;

/// Effects of four kinds. At most 400 are seen; 600 wait, made while the game loads.
enum class particle_kind : std::uint32_t { spark, smoke, exhaust, star };
struct particle {
    fixed x = 0, y = 0, vx = 0, vy = 0;
    std::uint32_t ticks_left = 0;
    std::uint32_t ticks = 0;
    std::uint32_t size = 0;
    std::uint32_t colour = 0;
    particle_kind kind = particle_kind::spark;

    void on_acquire(particle_kind k, fixed at_x, fixed at_y, fixed by_x, fixed by_y, std::uint32_t life) noexcept {
        *this = {at_x, at_y, by_x, by_y, life, life, 4, 0xffffff, k};
    }
};
inline constexpr std::uint32_t most_particles = 400;
inline constexpr std::uint32_t idle_particles = 600;
inline constexpr std::uint8_t particle_that_matters = 1;  // sparks and smoke do not: above 80 % they are refused
using particle_pool = lido::recycle_pool<particle, lido::options{.headroom = true}>;

/// What is left of an enemy. So few of them that the cap is all there is.
struct shard {
    fixed x, y, vx, vy;
    std::uint32_t spin;
    std::uint32_t ticks_left;
};
using debris_list = lido::capped_list<shard, 60>;

struct damage_number {
    fixed x, y;
    std::int32_t value;
    std::uint32_t ticks_left;
};
using number_list = lido::capped_list<damage_number, 15>;

// --- the rest ------------------------------------------------------------------------------------------------------------------

[[nodiscard]] inline bool outside(fixed x, fixed y) noexcept {
    constexpr fixed margin = from_pixels(16);
    return x < -margin || y < -margin || x > from_pixels(field_width) + margin ||
           y > from_pixels(field_height) + margin;
}

[[nodiscard]] inline int pixel(fixed v) noexcept { return v >> fraction_bits; }

[[nodiscard]] inline bool within(fixed dx, fixed dy, int pixels) noexcept {
    const std::int64_t reach = std::int64_t{from_pixels(pixels)} * from_pixels(pixels);
    return std::int64_t{dx} * dx + std::int64_t{dy} * dy <= reach;
}

}  // namespace arena
