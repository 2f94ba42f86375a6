// How likely the handles of a bytemap_pool are to repeat themselves.
//
// In one turn of the seeds each slot that lives are begun in shows 2^seed_bits different handles, and a slot that stays busy shows
// one. So a turn shows `free * 2^seed_bits + busy` different handles, and a handle met at random in it is a given one of them
// with odds of one in so many. These are the formulas of the document that bytemap_pool follows; docs/guide/bytemap_pool.md says
// what was simulated to check them. lido's own handles (handle.hpp) have odds of 0: a slot out of generations is retired.
#pragma once

#include <lido/core/base/config.hpp>

#include <cstdint>

namespace lido {

/// `free_slots`: those in which objects come and go; `busy_slots`: those whose object stays. Pre: not both are 0; seed_bits < 64.
[[nodiscard]] constexpr double alias_odds(std::uint32_t free_slots, std::uint32_t busy_slots,
                                          unsigned seed_bits = 7) noexcept {
    LIDO_ASSERT(free_slots != 0 || busy_slots != 0, "alias_odds: a pool without slots has no handles");
    LIDO_ASSERT(seed_bits < 64, "alias_odds: a seed has fewer than 64 bits");
    const double seeds = static_cast<double>(std::uint64_t{1} << seed_bits);
    return 1.0 / (static_cast<double>(free_slots) * seeds + static_cast<double>(busy_slots));
}

/// The last object of a full pool of `slots` is released and acquired again and again. Pre: slots != 0.
[[nodiscard]] constexpr double worst_alias_odds(std::uint32_t slots, unsigned seed_bits = 7) noexcept {
    return alias_odds(1, slots - 1, seed_bits);
}

/// An empty pool of `slots` is filled and nothing is released. Pre: slots != 0.
[[nodiscard]] constexpr double best_alias_odds(std::uint32_t slots, unsigned seed_bits = 7) noexcept {
    return alias_odds(slots, 0, seed_bits);
}

}  // namespace lido
