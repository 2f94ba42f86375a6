// The O(n) check of a recycle_pool's invariants, by the numbers they have in recycle_pool.hpp and its parts.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/parts/slots/limbo.hpp>

#include <cstdint>

namespace lido::detail {

struct recycle_validation {
    /// Which invariant does not hold; null when all do.
    template <class Table>
    [[nodiscard]] static const char* broken(const Table& table) noexcept {
        const auto& st = table.now();
        if (st.capacity > table.max_capacity()) return "RC4: the capacity is past its maximum";
        if (table.used() > table.ready()) return "RC2: used slots are not ready";
        if (table.used() > st.known) return "RC2: a used slot is not known";
        if (const char* b = slots(table)) return b;
        if (const char* b = idle(table)) return b;
        if constexpr (Table::confirms) {
            if (const char* b = limbo::broken(table)) return b;
        }
        if (const char* b = st.finder.validate(table.maps(), table.slots())) return b;
        if constexpr (Table::tracks) {
            return st.ages.validate(table.aged(), table.ageing() ? table.size() : 0, [&table](std::uint32_t slot) {
                return slot < table.used() && test(table.occupied(), slot);
            });
        }
        return nullptr;
    }

private:
    [[nodiscard]] static constexpr std::uint64_t scrambled(std::uint64_t x) noexcept {
        x = (x + 1) * 0x9e3779b97f4a7c15u;
        return (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    }

    template <class Table>
    [[nodiscard]] static bool waits([[maybe_unused]] const Table& table, [[maybe_unused]] std::uint32_t slot) noexcept {
        if constexpr (Table::confirms) return limbo::holds(table, slot);
        return false;
    }

    template <class Table>
    [[nodiscard]] static const char* slots(const Table& table) noexcept {
        const auto& st = table.now();
        std::uint64_t live = 0;
        std::uint64_t held = 0;
        std::uint32_t retired = 0;
        for (std::uint32_t s = 0; s < st.known; ++s) {
            const bool worn = table.maps().retired(s) && !waits(table, s);
            if (worn && Table::pool_options.generations == generation_rule::retire) ++retired;
            const bool odd = (table.generations()[s] & 1) != 0;
            if (s >= table.used()) {
                if (odd) return "RC1: an object lives outside of the used slots";
                continue;
            }
            if (odd != test(table.occupied(), s)) return "RC1: generation and occupancy disagree";
            live += odd ? 1u : 0u;
            held += test(table.held(), s) ? 1u : 0u;
            if (odd && !test(table.held(), s)) return "RC2: an active slot is not held";
            if (odd && !test(table.built(), s)) return "RC3: an active slot has no object";
            if (!test(table.held(), s) && test(table.built(), s)) return "RC3: a vacant slot has an object";
            if (worn && test(table.held(), s)) return "RC2: a retired slot is held";
        }
        if (live != table.size()) return "RC4: the size is not the number of occupied slots";
        if (live + st.retired > st.capacity) return "RC4: more active and retired slots than the capacity";
        if (held != live + st.idle + st.limbo.count) return "RC2: held slots are not the active, idle and waiting ones";
        if (retired != st.retired) return "RC5: the retired count is wrong";
        return nullptr;
    }

    template <class Table>
    [[nodiscard]] static const char* idle(const Table& table) noexcept {
        // Sums of scrambled numbers tell whether two sets are the same without memory for a third.
        std::uint32_t hollow = 0;
        std::uint64_t queued = 0;
        std::uint64_t waiting = 0;
        for (std::uint32_t i = 0; i < table.now().idle; ++i) {
            const std::uint32_t s = table.stack()[i];
            if (s >= table.used() || !test(table.held(), s)) return "RC2: the idle stack names a slot that is not held";
            if (test(table.occupied(), s)) return "RC2: the idle stack names an active slot";
            queued += scrambled(s);
            hollow += test(table.built(), s) ? 0u : 1u;
        }
        if constexpr (Table::confirms) {
            for (std::uint32_t i = 0; i < table.now().limbo.count; ++i) queued += scrambled(table.ends()[i].slot);
        }
        for (std::uint32_t s = 0; s < table.used(); ++s) {
            if (test(table.held(), s) && !test(table.occupied(), s)) waiting += scrambled(s);
        }
        if (queued != waiting) return "RC2: the idle stack and the queue of ends name a slot twice";
        return hollow == table.hollow() ? nullptr : "RC3: the count of idle slots without an object is wrong";
    }
};

}  // namespace lido::detail
