// Slots that were released and must rest before they are used again: a ring of the last `Delay` released ones.
//
// RQ1. A resting slot is free, has its bit in the resting map, and is queued nowhere else.
// RQ2. count <= Delay; the oldest sits at ring[head].
#pragma once

#include <lido/core/base/bits.hpp>

#include <cstdint>

namespace lido::detail {

template <std::uint32_t Delay>
struct rest_queue {
    std::uint32_t head = 0;
    std::uint32_t count = 0;

    [[nodiscard]] static std::uint32_t wrap(std::uint32_t i) noexcept { return i >= Delay ? i - Delay : i; }

    /// Queues `slot`; returns the slot whose rest is over, or no_slot.
    std::uint32_t push(std::uint32_t* ring, map_word* resting, std::uint32_t slot) noexcept {
        const std::uint32_t rested = count == Delay ? pop(ring, resting) : no_slot;
        ring[wrap(head + count)] = slot;
        set(resting, slot);
        ++count;
        return rested;
    }

    /// The slot that rested longest, or no_slot.
    std::uint32_t pop(const std::uint32_t* ring, map_word* resting) noexcept {
        if (count == 0) return no_slot;
        const std::uint32_t slot = ring[head];
        clear(resting, slot);
        head = wrap(head + 1);
        --count;
        return slot;
    }

    /// Takes out every queued slot that `gone` accepts and keeps the order of the others.
    template <class F>
    void drop_if(std::uint32_t* ring, map_word* resting, F&& gone) noexcept {
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t slot = ring[wrap(head + i)];
            if (gone(slot)) {
                clear(resting, slot);
            } else {
                ring[wrap(head + kept++)] = slot;
            }
        }
        count = kept;
    }

    /// Takes `slot` out, wherever it is in the queue. Returns its place, or `count` when it does not rest.
    std::uint32_t take_out(std::uint32_t* ring, map_word* resting, std::uint32_t slot) noexcept {
        std::uint32_t place = 0;
        while (place < count && ring[wrap(head + place)] != slot) ++place;
        if (place == count) return place;
        for (std::uint32_t i = place; i + 1 < count; ++i) ring[wrap(head + i)] = ring[wrap(head + i + 1)];
        clear(resting, slot);
        --count;
        return place;
    }

    /// Undoes take_out().
    void put_in(std::uint32_t* ring, map_word* resting, std::uint32_t slot, std::uint32_t place) noexcept {
        for (std::uint32_t i = count; i > place; --i) ring[wrap(head + i)] = ring[wrap(head + i - 1)];
        ring[wrap(head + place)] = slot;
        set(resting, slot);
        ++count;
    }

    /// Calls `f(slot)` from the longest rested on.
    template <class F>
    void walk(const std::uint32_t* ring, F&& f) const {
        for (std::uint32_t i = 0; i < count; ++i) f(ring[wrap(head + i)]);
    }
};

template <>
struct rest_queue<0> {
    static constexpr std::uint32_t count = 0;
    template <class F>
    void drop_if(std::uint32_t*, map_word*, F&&) noexcept {}
    std::uint32_t take_out(std::uint32_t*, map_word*, std::uint32_t) noexcept { return 0; }
    void put_in(std::uint32_t*, map_word*, std::uint32_t, std::uint32_t) noexcept {}
    template <class F>
    void walk(const std::uint32_t*, F&&) const {}
};

}  // namespace lido::detail
