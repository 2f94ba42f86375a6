// The O(n) check of a slot pool's invariants, by the numbers they have in slot_pool.hpp and its parts.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/parts/slots/limbo.hpp>

#include <cstdint>

namespace lido::detail {

struct slot_validation {
    /// Which invariant does not hold; null when all do.
    template <class Table>
    [[nodiscard]] static const char* broken(const Table& table) noexcept {
        const auto& st = table.now();
        if (st.capacity > table.max_capacity()) return "SP3: the capacity is past its maximum";
        if (table.used() > table.ready()) return "SP3: used slots are not ready";
        if (table.used() > st.known) return "SP3: a used slot is not known";
        if (const char* b = lives(table)) return b;
        if (const char* b = st.finder.validate(table.maps(), st.capacity)) return b;
        if (const char* b = rest(table)) return b;
        if constexpr (Table::confirms) {
            if (const char* b = limbo::broken(table)) return b;
            if (const char* b = taken(table)) return b;
        }
        if constexpr (Table::tracks) {
            return st.ages.validate(table.aged(), table.size(), [&table](std::uint32_t slot) {
                return slot < table.used() && test(table.occupied(), slot);
            });
        }
        return nullptr;
    }

private:
    template <class Table>
    [[nodiscard]] static const char* lives(const Table& table) noexcept {
        std::uint64_t live = 0;
        std::uint32_t retired = 0;
        for (std::uint32_t s = 0; s < table.used(); ++s) {
            const bool taken = test(table.occupied(), s);
            if (taken) ++live;
            if constexpr (Table::has_generations) {
                if (((table.generations()[s] & 1) != 0) != taken) return "SP1/SP2: generation and occupancy disagree";
            }
        }
        if (live != table.size()) return "SP4: the size is not the number of occupied slots";
        if constexpr (Table::pool_options.generations == generation_rule::retire) {
            for (std::uint32_t s = 0; s < table.now().known; ++s) {
                if (!table.maps().retired(s)) continue;
                if constexpr (Table::confirms) {
                    if (limbo::holds(table, s)) continue;
                }
                ++retired;
            }
            if (retired != table.now().retired) return "SP5: the retired count is wrong";
        }
        return nullptr;
    }

    /// Each slot that is taken is occupied, or in the queue of ends once. Sums of scrambled numbers tell that two sets are the same.
    template <class Table>
    [[nodiscard]] static const char* taken(const Table& table) noexcept {
        const auto scrambled = [](std::uint64_t slot) {
            slot = (slot + 1) * 0x9e3779b97f4a7c15u;
            return (slot ^ (slot >> 29)) * 0xbf58476d1ce4e5b9u;
        };
        std::uint64_t waiting = 0;
        for (std::uint32_t i = 0; i < table.now().limbo.count; ++i) waiting += scrambled(table.ends()[i].slot);
        for (std::uint32_t s = 0; s < table.used(); ++s) {
            if (test(table.occupied(), s) && !test(table.taken(), s)) return "SP2: an occupied slot is not taken";
            if (test(table.taken(), s) && !test(table.occupied(), s)) waiting -= scrambled(s);
        }
        return waiting == 0 ? nullptr : "SP2: a slot is taken, and neither occupied nor waiting, or waits twice";
    }

    template <class Table>
    [[nodiscard]] static const char* rest(const Table& table) noexcept {
        if constexpr (Table::delays) {
            bool all_free = true;
            std::uint32_t seen = 0;
            table.now().rest.walk(table.ring(), [&](std::uint32_t s) {
                ++seen;
                all_free = all_free && s < table.used() && !test(table.occupied(), s) && test(table.resting(), s);
            });
            if (!all_free) return "RQ1: a resting slot is not free";
            if (seen > Table::pool_options.reuse_delay) return "RQ2: more slots rest than the delay is long";
            for (std::uint32_t s = 0; s < table.used(); ++s) seen -= test(table.resting(), s) ? 1u : 0u;
            if (seen != 0) return "RQ1: the resting map and the queue disagree";
        }
        return nullptr;
    }
};

}  // namespace lido::detail
