// A fourth way to find the next free slot (finders.hpp): all free slots on one stack, the one released last on top.
//
//                     take                               give                     extra a slot      used by
//   last_first        pop                                push                     4 bytes           slot_pool, reuse::last
//
// The rules FI1, FI2, FI3 and FI5 of finders.hpp, and
// FS1. A free slot below fresh is on the stack, once, or resting, or retired.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/parts/slots/finders.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace lido::detail {

struct last_first {
    static constexpr std::uint32_t cache_size = 0;
    static constexpr bool uses_spare_words = true;  // not flag_scan

    std::uint32_t fresh = 0;
    std::uint32_t count = 0;             ///< of slots on the stack: the maps' `cache` up to here
    std::uint32_t removed_at = no_slot;  ///< where the latest remove() took a slot out, for take_back()

    [[nodiscard]] std::uint32_t used(std::uint32_t) const noexcept { return fresh; }
    [[nodiscard]] bool fresh_left(std::uint32_t capacity) const noexcept { return fresh < capacity; }
    [[nodiscard]] std::uint32_t fresh_need(std::uint32_t) const noexcept { return fresh + 1; }
    [[nodiscard]] static constexpr bool quick() noexcept { return false; }
    [[nodiscard]] static constexpr std::uint32_t take_quick(const std::uint32_t*) noexcept { return no_slot; }
    [[nodiscard]] bool give_quick(const std::uint32_t*, std::uint32_t) noexcept { return false; }

    template <class Maps>
    [[nodiscard]] std::uint32_t take_known(const Maps& m) noexcept {
        return count != 0 ? m.cache[--count] : no_slot;
    }

    template <class Maps>
    [[nodiscard]] std::uint32_t take_fresh(const Maps& m, std::uint32_t) noexcept {
        const std::uint32_t slot = fresh++;
        return m.retired(slot) ? no_slot : slot;
    }

    template <class Maps>
    void give(const Maps& m, std::uint32_t slot) noexcept {
        m.cache[count++] = slot;
    }

    /// Undoes the latest take: what was popped lies where it is pushed again.
    template <class Maps>
    void put_back(const Maps& m, std::uint32_t slot) noexcept {
        give(m, slot);
    }

    /// Makes `slot`, which is free, no longer given by take. The slots that it jumps over count as released now, the lowest last.
    /// Complexity: O(free slots).
    template <class Maps>
    void remove(const Maps& m, std::uint32_t slot) noexcept {
        removed_at = no_slot;
        if (slot >= fresh) {
            for (std::uint32_t s = slot; s-- > fresh;) {
                if (!m.retired(s)) give(m, s);
            }
            fresh = slot + 1;
            return;
        }
        std::uint32_t* const end = m.cache + count;
        std::uint32_t* const at = std::find(m.cache, end, slot);
        if (at == end) return;  // it rests
        removed_at = static_cast<std::uint32_t>(at - m.cache);
        std::rotate(at, at + 1, end);
        --count;
    }

    /// Undoes the latest remove() in the array; who asks brings back the state itself. Pre: nothing was taken or given since, but for
    /// what was undone.
    template <class Maps>
    void take_back(const Maps& m, std::uint32_t before) noexcept {
        if (removed_at == no_slot) return;
        std::uint32_t* const at = m.cache + removed_at;
        std::rotate(at, m.cache + before - 1, m.cache + before);
    }

    /// Forgets the slots at and above `limit`, which are all free.
    template <class Maps>
    void trim_to(const Maps& m, std::uint32_t limit, std::uint32_t) noexcept {
        if (limit >= fresh) return;
        count = static_cast<std::uint32_t>(
            std::remove_if(m.cache, m.cache + count, [limit](std::uint32_t s) { return s >= limit; }) - m.cache);
        fresh = limit;
    }

    /// Every slot is free: hand out from 0 again.
    template <class Maps>
    void reset(const Maps&, std::uint32_t) noexcept {
        count = 0;
        fresh = 0;
    }

    /// Makes FS1 hold again: what does not belong on the stack goes, and what is missing comes on top, the lowest last. Something is
    /// missing in a save from inside of a constructor or destructor, where their objects are left out; and a constructor that trims
    /// and then throws has changed the array that its undo takes up again.
    template <class Maps>
    void rebuild(const Maps& m) noexcept {
        if (broken(m) == nullptr) return;
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t s = m.cache[i];
            if (s >= fresh || (m.usable(s >> 6, fresh) & bit(s)) == 0 || m.retired(s)) continue;
            set(m.occupied, s);  // for the moment, so that each is seen once
            m.cache[kept++] = s;
        }
        count = kept;
        for (std::size_t w = words_for(fresh); w-- != 0;) {
            for (map_word free = m.usable(w, fresh); free != 0;) {
                const auto highest = static_cast<std::uint32_t>(63 - std::countl_zero(free));
                const auto slot = static_cast<std::uint32_t>(w * 64 + highest);
                free &= ~bit(highest);
                if (m.retired(slot)) continue;
                set(m.occupied, slot);
                give(m, slot);
            }
        }
        for (std::uint32_t i = 0; i < count; ++i) clear(m.occupied, m.cache[i]);
    }

    template <class Maps>
    [[nodiscard]] const char* validate(const Maps& m, std::uint32_t capacity) const noexcept {
        return fresh > capacity ? "FI3: fresh is past the capacity" : broken(m);
    }

private:
    template <class Maps>
    [[nodiscard]] const char* broken(const Maps& m) const noexcept {
        if (count > fresh) return "FS1: more slots on the stack than are used";
        std::uint64_t stacked = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t s = m.cache[i];
            if (s >= fresh) return "FI3: the stack holds a slot that was never used";
            if ((m.usable(s >> 6, fresh) & bit(s)) == 0) return "FI1: the stack holds a slot that is taken or resting";
            if (m.retired(s)) return "FI2: the stack holds a retired slot";
            stacked += mixed(s);
        }
        // As many as there are free ones, and the same ones: the sums tell, without memory for a set.
        std::uint64_t free = 0;
        if (free_below_fresh(m, [&](std::uint32_t s) { free += mixed(s); }) != count || free != stacked)
            return "FS1: a free slot is not on the stack, or twice";
        return nullptr;
    }

    [[nodiscard]] static std::uint64_t mixed(std::uint64_t slot) noexcept {
        slot = (slot + 1) * 0x9e3779b97f4a7c15u;
        return (slot ^ slot >> 29) * 0xbf58476d1ce4e5b9u;
    }

    template <class Maps, class Each>
    [[nodiscard]] std::uint32_t free_below_fresh(const Maps& m, Each&& each) const noexcept {
        std::uint32_t found = 0;
        for (std::size_t w = 0; w < words_for(fresh); ++w) {
            for (map_word free = m.usable(w, fresh); free != 0; free &= free - 1) {
                const auto slot = static_cast<std::uint32_t>(w * 64 + lowest(free));
                if (m.retired(slot)) continue;
                each(slot);
                ++found;
            }
        }
        return found;
    }
};

}  // namespace lido::detail
