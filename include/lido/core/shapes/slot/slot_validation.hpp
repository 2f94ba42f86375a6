// The O(n) check of a slot pool's invariants, by the numbers they have in slot_pool.hpp and its parts.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/options.hpp>

#include <cstdint>

namespace lido::detail {

struct slot_validation {
    /// Which invariant does not hold; null when all do.
    template <class Pool>
    [[nodiscard]] static const char* broken(const Pool& pool) noexcept {
        const auto& st = pool.state_;
        if (st.capacity > pool.max_capacity()) return "SP3: the capacity is past its maximum";
        if (pool.used() > pool.ready()) return "SP3: used slots are not ready";
        if (pool.used() > st.known) return "SP3: a used slot is not known";
        if (const char* b = lives(pool)) return b;
        if (const char* b = st.finder.validate(pool.maps(), st.capacity)) return b;
        if (const char* b = rest(pool)) return b;
        if constexpr (Pool::tracks) {
            return st.ages.validate(pool.aged(), pool.size(), [&pool](std::uint32_t slot) {
                return slot < pool.used() && test(pool.occupied(), slot);
            });
        }
        return nullptr;
    }

private:
    template <class Pool>
    [[nodiscard]] static const char* lives(const Pool& pool) noexcept {
        std::uint64_t live = 0;
        std::uint32_t retired = 0;
        for (std::uint32_t s = 0; s < pool.used(); ++s) {
            const bool taken = test(pool.occupied(), s);
            if (taken) ++live;
            if constexpr (Pool::has_generations) {
                if (((pool.generations()[s] & 1) != 0) != taken) return "SP1/SP2: generation and occupancy disagree";
            }
        }
        if (live != pool.size()) return "SP4: the size is not the number of occupied slots";
        if constexpr (Pool::pool_options.generations == generation_rule::retire) {
            for (std::uint32_t s = 0; s < pool.state_.known; ++s) retired += pool.maps().retired(s) ? 1u : 0u;
            if (retired != pool.state_.retired) return "SP5: the retired count is wrong";
        }
        return nullptr;
    }

    template <class Pool>
    [[nodiscard]] static const char* rest(const Pool& pool) noexcept {
        if constexpr (Pool::delays) {
            bool all_free = true;
            std::uint32_t seen = 0;
            pool.state_.rest.walk(pool.ring(), [&](std::uint32_t s) {
                ++seen;
                all_free = all_free && s < pool.used() && !test(pool.occupied(), s) && test(pool.resting(), s);
            });
            if (!all_free) return "RQ1: a resting slot is not free";
            if (seen > Pool::pool_options.reuse_delay) return "RQ2: more slots rest than the delay is long";
            for (std::uint32_t s = 0; s < pool.used(); ++s) seen -= test(pool.resting(), s) ? 1u : 0u;
            if (seen != 0) return "RQ1: the resting map and the queue disagree";
        }
        return nullptr;
    }
};

}  // namespace lido::detail
