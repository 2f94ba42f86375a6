// The O(n) check of a recycle_pool's invariants, by the numbers they have in recycle_pool.hpp and its parts.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/options.hpp>

#include <cstdint>

namespace lido::detail {

struct recycle_validation {
    /// Which invariant does not hold; null when all do.
    template <class Pool>
    [[nodiscard]] static const char* broken(const Pool& pool) noexcept {
        const auto& st = pool.state_;
        if (st.capacity > pool.max_capacity()) return "RC4: the capacity is past its maximum";
        if (pool.used() > pool.ready()) return "RC2: used slots are not ready";
        if (pool.used() > st.known) return "RC2: a used slot is not known";
        if (const char* b = slots(pool)) return b;
        if (const char* b = idle(pool)) return b;
        if (const char* b = st.finder.validate(pool.maps(), pool.slots())) return b;
        if constexpr (Pool::tracks) {
            return st.ages.validate(pool.aged(), pool.ageing() ? pool.size() : 0, [&pool](std::uint32_t slot) {
                return slot < pool.used() && test(pool.occupied(), slot);
            });
        }
        return nullptr;
    }

private:
    [[nodiscard]] static constexpr std::uint64_t scrambled(std::uint64_t x) noexcept {
        x = (x + 1) * 0x9e3779b97f4a7c15u;
        return (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    }

    template <class Pool>
    [[nodiscard]] static const char* slots(const Pool& pool) noexcept {
        const auto& st = pool.state_;
        std::uint64_t live = 0;
        std::uint64_t held = 0;
        std::uint32_t retired = 0;
        for (std::uint32_t s = 0; s < st.known; ++s) {
            if (pool.maps().retired(s) && Pool::pool_options.generations == generation_rule::retire) ++retired;
            const bool odd = (pool.generations()[s] & 1) != 0;
            if (s >= pool.used()) {
                if (odd) return "RC1: an object lives outside of the used slots";
                continue;
            }
            if (odd != test(pool.occupied(), s)) return "RC1: generation and occupancy disagree";
            live += odd ? 1u : 0u;
            held += test(pool.held(), s) ? 1u : 0u;
            if (odd && !test(pool.held(), s)) return "RC2: an active slot is not held";
            if (odd && !test(pool.built(), s)) return "RC3: an active slot has no object";
            if (!test(pool.held(), s) && test(pool.built(), s)) return "RC3: a vacant slot has an object";
            if (pool.maps().retired(s) && test(pool.held(), s)) return "RC2: a retired slot is held";
        }
        if (live != pool.size()) return "RC4: the size is not the number of occupied slots";
        if (live + st.retired > st.capacity) return "RC4: more active and retired slots than the capacity";
        if (held != live + st.idle) return "RC2: held slots are not the active and the idle ones";
        if (retired != st.retired) return "RC5: the retired count is wrong";
        return nullptr;
    }

    template <class Pool>
    [[nodiscard]] static const char* idle(const Pool& pool) noexcept {
        // Sums of scrambled numbers tell whether two sets are the same without memory for a third.
        std::uint32_t hollow = 0;
        std::uint64_t queued = 0;
        std::uint64_t waiting = 0;
        for (std::uint32_t i = 0; i < pool.state_.idle; ++i) {
            const std::uint32_t s = pool.stack()[i];
            if (s >= pool.used() || !test(pool.held(), s)) return "RC2: the idle stack names a slot that is not held";
            if (test(pool.occupied(), s)) return "RC2: the idle stack names an active slot";
            queued += scrambled(s);
            hollow += test(pool.built(), s) ? 0u : 1u;
        }
        for (std::uint32_t s = 0; s < pool.used(); ++s) {
            if (test(pool.held(), s) && !test(pool.occupied(), s)) waiting += scrambled(s);
        }
        if (queued != waiting) return "RC2: the idle stack names a slot twice";
        return hollow == pool.hollow_ ? nullptr : "RC3: the count of idle slots without an object is wrong";
    }
};

}  // namespace lido::detail
