// The four zones of the row permutation, and every step that moves a slot from one to another.
//
//   rows   0            size       size+resting         known-retired        known
//          | live ...... | resting .. | free ............ | retired ......... |
//
//   acquire        the slot of the first free row goes live              release   the slot goes to the front of free, so the
//   release        (with reuse delay: to the front of resting, and the             one released last is used next
//                  one that rested longest to the front of free)
//   fresh          slots that never were in the map are appended to free, 64 at a time
//
// RO1. rows [0, size) hold the live slots, with odd generations; all others are even.
// RO2. resting counts the rows of the queue; without reuse delay it is 0.
// RO3. a retired slot (generation == last) lies in the last zone and nowhere else (rule retire).
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/parts/rows/row_map.hpp>
#include <lido/core/parts/slots/rest_queue.hpp>

#include <cstdint>

namespace lido::detail {

/// The saved state; the arrays come with each call.
template <std::uint32_t Delay>
struct row_order {
    std::uint32_t size = 0;
    std::uint32_t known = 0;
    std::uint32_t retired = 0;
    LIDO_NO_UNIQUE_ADDRESS rest_queue<Delay> rest;

    [[nodiscard]] std::uint32_t first_free() const noexcept { return size + rest.count; }
    [[nodiscard]] std::uint32_t free_rows() const noexcept { return known - retired - rest.count - size; }

    /// Appends the slot `known` to the free zone. Pre: its entries are ready and zero.
    template <class Map>
    void add_fresh(Map& map) noexcept {
        map.link(known, known);
        if (retired != 0) swap_rows(map, known, known - retired);
        ++known;
    }

    /// The slot that the next life takes. Pre: free_rows() != 0.
    template <class Map>
    [[nodiscard]] LIDO_INLINE std::uint32_t next(const Map& map) const noexcept {
        return map.slot(first_free());
    }

    /// Gives row `size` to the next slot, and counts it live.
    template <class Map>
    LIDO_INLINE void go_live(Map& map) noexcept {
        if constexpr (Delay != 0) {
            if (rest.count != 0) swap_rows(map, size, first_free());
        }
        ++size;
    }

    /// Makes `slot`, which is free or resting, the next one.
    template <class Map>
    void bring_forward(Map& map, std::uint32_t* ring, map_word* resting, std::uint32_t slot) noexcept {
        if constexpr (Delay != 0) {
            if (test(resting, slot)) {
                swap_rows(map, map.row(slot), first_free() - 1);
                rest.drop_if(ring, resting, [slot](std::uint32_t s) { return s == slot; });
            }
        }
        static_cast<void>(ring);
        static_cast<void>(resting);
        swap_rows(map, map.row(slot), first_free());
    }

    /// Takes the live slot off its row: the last live slot gets that row, and this one the first after the live.
    /// Returns the row that was the last.
    template <class Map>
    LIDO_INLINE std::uint32_t go_free(Map& map, std::uint32_t slot, std::uint32_t row) noexcept {
        const std::uint32_t last = --size;
        map.link(row, map.slot(last));
        map.link(last, slot);
        return last;
    }

    /// After go_free, with reuse delay: `slot` starts to rest.
    template <class Map>
    void start_rest(Map& map, std::uint32_t* ring, map_word* resting, std::uint32_t slot) noexcept {
        if constexpr (Delay != 0) {
            // The zone has grown by the row in front; if that is one too many, the longest rested goes to its end and out.
            const std::uint32_t rested = rest.push(ring, resting, slot);
            if (rested != no_slot) swap_rows(map, map.row(rested), first_free());
        }
    }

    /// The slot that rested longest is free at once. False when none rests.
    template <class Map>
    [[nodiscard]] bool cut_rest_short(Map& map, const std::uint32_t* ring, map_word* resting) noexcept {
        if constexpr (Delay != 0) {
            const std::uint32_t slot = rest.pop(ring, resting);
            if (slot == no_slot) return false;
            swap_rows(map, map.row(slot), first_free());
            return true;
        }
        return false;
    }

    /// A free slot on row `row` has no generations left: to the last zone. Pre: `row` is the first after the live ones.
    template <class Map>
    void retire(Map& map, std::uint32_t row) noexcept {
        const std::uint32_t end_of_rest = row + rest.count;
        if (end_of_rest != row) swap_rows(map, row, end_of_rest);
        swap_rows(map, end_of_rest, known - retired - 1);
        ++retired;
    }

    /// Which of RM1 and RO1..RO3 does not hold, or nullptr. `last`: the generation at which slots retire, where they do.
    template <class Map>
    [[nodiscard]] const char* broken(const Map& map, [[maybe_unused]] const map_word* resting, bool retires,
                                     std::uint32_t last) const noexcept {
        if (size + rest.count + retired > known) return "RO2: the zones overlap";
        for (std::uint32_t s = 0; s < known; ++s) {
            const std::uint32_t row = map.row(s);
            if (row >= known || map.slot(row) != s) return "RM1: rows and slots disagree";
            const std::uint32_t life = map.generation(s);
            if (((life & 1) != 0) != (row < size)) return "RO1: a generation and a zone disagree";
            if constexpr (Delay != 0) {
                if (test(resting, s) != (row >= size && row < first_free())) {
                    return "RO2: a resting slot lies outside of its zone";
                }
            }
            if (retires && (life == last) != (row >= known - retired)) {
                return "RO3: a retired slot lies outside of its zone";
            }
        }
        return nullptr;
    }
};

}  // namespace lido::detail
