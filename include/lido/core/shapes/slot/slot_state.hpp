// All that a save of a slot pool must bring back, beside the arrays.
//
// The size is kept as its distance below the peak: then the peak costs the fast paths one instruction and no compare.
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
template <options Options, class Finder, bool HasCache>
struct slot_state {
    std::int64_t slack = 0;  ///< peak - size; signed, so that "below zero" is the sign of the subtraction
    std::uint32_t peak = 0;
    std::uint32_t retired = 0;
    std::uint64_t acquired =
        0;  ///< not beside slack: Clang would count both in one vector and stall on the next release
    Finder finder;
    LIDO_NO_UNIQUE_ADDRESS cache_room<HasCache ? Finder::cache_size : 0> cache;  ///< where it is not in the storage
    LIDO_NO_UNIQUE_ADDRESS rest_queue<Options.reuse_delay> rest;
    LIDO_NO_UNIQUE_ADDRESS age_order<Options.tracks> ages;
    std::uint32_t capacity = 0;
    std::uint32_t known = 0;
    pool_counters counters;
    LIDO_NO_UNIQUE_ADDRESS limbo_state<Options.confirmed_ends> limbo;

    [[nodiscard]] LIDO_INLINE std::uint32_t size() const noexcept { return peak - static_cast<std::uint32_t>(slack); }
    [[nodiscard]] std::uint64_t released() const noexcept { return acquired - size(); }
    [[nodiscard]] std::uint64_t changes() const noexcept { return acquired + released(); }

    LIDO_INLINE void one_more() noexcept {
        ++acquired;
        if (--slack < 0) [[unlikely]] {
            slack = 0;
            ++peak;
        }
    }
    void more(std::uint32_t n) noexcept {
        acquired += n;
        slack -= n;
        if (slack < 0) {
            peak += static_cast<std::uint32_t>(-slack);
            slack = 0;
        }
    }
    LIDO_INLINE void one_less() noexcept { ++slack; }
    void none_left() noexcept { slack = peak; }

    /// What was counted by a call that failed stays, but for what the failure itself undoes.
    void keep_counts_of(const slot_state& failed) noexcept {
        const pool_counters before = counters;
        counters = failed.counters;
        counters.grown = before.grown;
        counters.rests_cut_short = before.rests_cut_short;
    }
};

}  // namespace lido::detail
