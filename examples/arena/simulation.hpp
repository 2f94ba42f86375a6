// The game: a ship, waves of enemies, far too many bullets. One step is one tick; the same seed gives the same game anywhere.
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

struct enemy {
    fixed x, y, vx, vy;
    std::int32_t health;
    std::uint32_t radius;  // pixels
    std::uint32_t aim;     // direction of the next shot
    std::uint32_t age;     // ticks
    std::uint32_t kind;
};

struct bullet {
    fixed x, y, vx, vy;
    std::uint32_t ticks_left;
    std::uint32_t from_ship;       // 1: hurts enemies, 0: hurts the ship
    lido::handle<enemy> target{};  // a missile follows it while it lives; a stale handle means: fly straight on
};

struct particle {
    fixed x, y, vx, vy;
    std::uint32_t ticks_left;
    std::uint32_t colour;
};

/// Bullets of the ship must not be lost to a wall of enemy fire: the last fifth of the pool is theirs.
using bullet_pool = lido::slot_pool<bullet, lido::options{.headroom = true}>;

/// Never many, and a fixed number of them: in the object itself.
using enemy_pool = lido::flag_pool<enemy, 96>;

/// Decoration: updated all at once, and when there are too many the oldest goes.
using particle_pool = lido::dense_pool<particle, lido::options{.tracks = lido::track::age}>;

/// What is neither in a pool nor constant. Saved and restored with the pools.
struct world_state {
    random dice;
    std::uint64_t tick = 0;
    std::uint64_t score = 0;
    std::uint64_t hits_taken = 0;
    std::uint64_t targets_lost = 0;  // missiles whose enemy died first
    fixed ship_x = from_pixels(field_width / 2);
    fixed ship_y = from_pixels(field_height - 30);
};

class simulation {
public:
    static constexpr std::size_t kept_ticks = 8;

    explicit simulation(std::uint64_t seed);

    void step();

    /// Remembers this tick for rewind().
    void save();

    /// Back to a tick of the last `kept_ticks`. False when it is not kept.
    [[nodiscard]] bool rewind_to(std::uint64_t tick);

    [[nodiscard]] std::uint64_t hash() const { return lido::state_hash(bullets_, enemies_, particles_, world_); }

    [[nodiscard]] const world_state& world() const noexcept { return world_; }
    [[nodiscard]] const bullet_pool& bullets() const noexcept { return bullets_; }
    [[nodiscard]] const enemy_pool& enemies() const noexcept { return enemies_; }
    [[nodiscard]] const particle_pool& particles() const noexcept { return particles_; }

private:
    void move_ship();
    void spawn_wave();
    void update_enemies();
    void fire(const enemy& from);
    void fire_ship();
    void update_bullets();
    void map_enemies();
    void hit_enemies();
    void hit_ship();
    void burst(fixed x, fixed y, std::uint32_t count, std::uint32_t colour);
    void update_particles();

    bullet_pool bullets_;
    enemy_pool enemies_;
    particle_pool particles_;
    world_state world_;
    lido::rewind<kept_ticks> past_;

    // A grid of who is where, rebuilt every tick, so it is not part of the state.
    static constexpr int cell = 16;  // pixels
    static constexpr std::size_t columns = field_width / cell;
    static constexpr std::size_t rows = (field_height + cell - 1) / cell;
    struct cell_list {
        std::uint32_t count = 0;
        std::array<lido::handle<enemy>, 8> who{};
    };
    std::array<cell_list, columns * rows> grid_{};
};

}  // namespace arena
