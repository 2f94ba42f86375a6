// All that a save of a recycle_pool must bring back, beside the arrays. What acquire and release touch comes first.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/parts/age_order.hpp>
#include <lido/core/parts/slots/finders.hpp>
#include <lido/core/parts/slots/limbo.hpp>
#include <lido/core/parts/slots/rest_queue.hpp>

#include <cstdint>

namespace lido::detail {

/// Trivially copyable.
template <options Options>
struct recycle_state {
    std::uint32_t idle = 0;
    std::uint32_t live = 0;
    std::uint32_t capacity = 0;
    std::uint32_t retired = 0;
    std::uint64_t acquired = 0;
    std::uint32_t peak = 0;
    std::uint32_t known = 0;
    lowest_first finder;
    LIDO_NO_UNIQUE_ADDRESS cache_room<0> cache;
    LIDO_NO_UNIQUE_ADDRESS rest_queue<0> rest;
    LIDO_NO_UNIQUE_ADDRESS age_order<Options.tracks> ages;
    std::uint64_t first_lives = 0;  ///< lives begun by a new object
    std::uint64_t created = 0;
    std::uint64_t destroyed = 0;
    std::uint64_t idle_overflow = 0;
    pool_counters counters;
    bool ages_kept = false;  ///< options::ages_by_setting, and this pool tracks
    LIDO_NO_UNIQUE_ADDRESS limbo_state<Options.confirmed_ends> limbo;

    [[nodiscard]] LIDO_INLINE std::uint32_t size() const noexcept { return live; }
    [[nodiscard]] std::uint64_t changes() const noexcept { return acquired * 2 - live; }

    LIDO_INLINE void one_more() noexcept {
        ++acquired;
        ++live;
    }
    /// Peaks are noted at their end.
    LIDO_INLINE void one_less() noexcept {
        if (live > peak) peak = live;
        --live;
    }

    /// What was counted by a call that failed stays, but for what the failure itself undoes.
    void keep_counts_of(const recycle_state& failed) noexcept {
        const std::uint64_t grown = counters.grown;
        counters = failed.counters;
        counters.grown = grown;
        created = failed.created;
        destroyed = failed.destroyed;
    }
};

}  // namespace lido::detail
