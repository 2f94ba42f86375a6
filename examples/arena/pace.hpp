// How much happens. In normal play no pool is ever full: that is what its capacity was chosen for. Under overload every pool is, and shows
// what it does then.
#pragma once

#include "fixed.hpp"

#include <cstdint>

namespace arena {

struct pace {
    const char* name = "overload";
    std::uint64_t wave_period = 40;  // ticks
    std::uint32_t wave_least = 4;    // enemies
    std::uint32_t wave_choice = 12;
    std::uint64_t ship_period = 3;
    int ship_spread = 2;  // bullets to each side
    std::uint64_t missile_period = 30;
    std::uint64_t cannon_period = 4;
    std::uint32_t splinters = 4;
    std::int32_t strength = 1;       // of every hit
    std::uint32_t number_life = 30;  // ticks
    std::uint32_t boss_orbs = 800;
    std::uint32_t boss_embers = 400;
};

inline constexpr pace overload_play{};

/// What a player meets. The boss still bursts into hundreds of orbs; merging keeps them far from their cap.
inline constexpr pace normal_play{.name = "normal",
                                  .wave_period = 120,
                                  .wave_least = 1,
                                  .wave_choice = 3,
                                  .ship_period = 20,
                                  .ship_spread = 1,
                                  .missile_period = 60,
                                  .cannon_period = 30,
                                  .splinters = 2,
                                  .strength = 8,
                                  .number_life = 16,
                                  .boss_orbs = 500,
                                  .boss_embers = 48};

}  // namespace arena
