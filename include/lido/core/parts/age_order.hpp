// The order in which live objects were acquired, kept only where a full pool may choose one of them to end.
//
//   track::age       links[slot]                                   one list, oldest first             8 bytes a slot
//   track::priority  links[slot], birth[slot], priority[slot]      one list a level, oldest first    17 bytes a slot
//
// AO1. Every live slot is in exactly one list: that of its priority (of 0 with track::age).
// AO2. links[s].after of one is links[t].before of the next; the ends are no_slot.
// AO3. Within a list births rise.
//
// Lists rather than a birth stamp alone: with a stamp, ending the oldest is a scan of all, and a pool that replaces is full on
// every acquire.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>

#include <cstdint>
#include <type_traits>

namespace lido::detail {

struct age_links {
    std::uint32_t before;
    std::uint32_t after;
};
static_assert(sizeof(age_links) == 8);

/// The per-slot arrays, as the pool's storage holds them.
struct age_arrays {
    age_links* links = nullptr;
    std::uint64_t* birth = nullptr;
    std::uint8_t* priority = nullptr;
};

template <track Tracks>
struct age_order {
    static constexpr unsigned levels = Tracks == track::priority ? max_priority + 1u : 1u;

    std::uint32_t first[levels];
    std::uint32_t last[levels];
    std::uint64_t births;

    age_order() noexcept { reset(); }

    void reset() noexcept {
        for (unsigned i = 0; i < levels; ++i) first[i] = last[i] = no_slot;
        births = 0;
    }

    [[nodiscard]] static unsigned level_of(age_arrays a, std::uint32_t slot) noexcept {
        if constexpr (Tracks == track::priority) return a.priority[slot];
        return 0;
    }

    void enter(age_arrays a, std::uint32_t slot, std::uint8_t priority) noexcept {
        unsigned level = 0;
        if constexpr (Tracks == track::priority) {
            level = priority < levels ? priority : levels - 1;
            a.priority[slot] = static_cast<std::uint8_t>(level);
            a.birth[slot] = births;
        }
        ++births;
        append(a, slot, level);
    }

    /// Puts `slot` at the young end of a level. Used by enter() and by a loader that has set birth and priority itself.
    void append(age_arrays a, std::uint32_t slot, unsigned level) noexcept {
        a.links[slot] = {last[level], no_slot};
        if (last[level] != no_slot) {
            a.links[last[level]].after = slot;
        } else {
            first[level] = slot;
        }
        last[level] = slot;
    }

    void leave(age_arrays a, std::uint32_t slot) noexcept {
        const unsigned level = level_of(a, slot);
        const age_links gone = a.links[slot];
        if (gone.before != no_slot) {
            a.links[gone.before].after = gone.after;
        } else {
            first[level] = gone.after;
        }
        if (gone.after != no_slot) {
            a.links[gone.after].before = gone.before;
        } else {
            last[level] = gone.before;
        }
    }

    /// no_slot when nothing is live.
    [[nodiscard]] std::uint32_t oldest(age_arrays a) const noexcept {
        std::uint32_t best = first[0];
        if constexpr (Tracks == track::priority) {
            for (unsigned i = 1; i < levels; ++i) {
                if (first[i] != no_slot && (best == no_slot || a.birth[first[i]] < a.birth[best])) best = first[i];
            }
        }
        return best;
    }

    /// The oldest of the lowest priority in use, if that is not above `priority`; else no_slot.
    [[nodiscard]] std::uint32_t lowest(std::uint8_t priority) const noexcept {
        for (unsigned i = 0; i < levels && i <= priority; ++i) {
            if (first[i] != no_slot) return first[i];
        }
        return no_slot;
    }

    /// Checks AO1 to AO3; `live(slot)` says whether a slot may be here at all.
    template <class Live>
    [[nodiscard]] const char* validate(age_arrays a, std::uint64_t size, Live&& live) const {
        std::uint64_t seen = 0;
        for (unsigned level = 0; level < levels; ++level) {
            std::uint32_t before = no_slot;
            for (std::uint32_t s = first[level]; s != no_slot; s = a.links[s].after) {
                if (++seen > size || !live(s)) return "AO1: the age order holds a slot that is not live";
                if (level_of(a, s) != level) return "AO1: a slot is in the list of another priority";
                if (a.links[s].before != before) return "AO2: the age links disagree";
                if constexpr (Tracks == track::priority) {
                    if (a.birth[s] >= births) return "AO3: a birth lies in the future";
                    if (before != no_slot && a.birth[before] >= a.birth[s]) return "AO3: births fall";
                }
                before = s;
            }
            if (last[level] != before) return "AO2: the age order does not end where it says";
        }
        return seen == size ? nullptr : "AO1: a live slot has no age";
    }

    /// Calls `f(slot, level)` for every tracked slot, level by level, oldest first.
    template <class F>
    void walk(age_arrays a, F&& f) const {
        for (unsigned level = 0; level < levels; ++level) {
            for (std::uint32_t s = first[level]; s != no_slot; s = a.links[s].after) f(s, level);
        }
    }
};

template <>
struct age_order<track::nothing> {
    void reset() noexcept {}
    void enter(age_arrays, std::uint32_t, std::uint8_t) noexcept {}
    void leave(age_arrays, std::uint32_t) noexcept {}
    template <class F>
    void walk(age_arrays, F&&) const {}
};

}  // namespace lido::detail
