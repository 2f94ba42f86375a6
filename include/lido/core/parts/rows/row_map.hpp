// Slots (what handles name) to rows (where values lie packed) and back, with the slots' generations.
//
// The map is a permutation of [0, known): live slots own rows [0, size), free ones own the rest, so the free list is the tail of
// the permutation itself and costs nothing.
//
// Two layouts of the same thing; the maximum number of rows chooses:
//
//   packed, up to 2^20 rows: 9 bytes a row
//     word[i]   63          32 31       12 11      0          high[i]  7      0
//              +--------------+-----------+---------+                 +--------+
//              | generation   | row of    | slot of |                 | slot of|
//              | of slot i    | slot i    | row i,  |                 | row i, |
//              |              |           | low 12  |                 | high 8 |
//              +--------------+-----------+---------+                 +--------+
//
//   plain, any number: word[i] = generation of slot i | row of slot i;  back[i] = slot of row i
//     12 bytes a row with 64-bit handles, 8 with 32-bit ones
//
// One load of word[slot] is all that get() needs: the generation to compare and the row to go to.
// RM1. slot(row(s)) == s for every s < known.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lido::detail {

/// Where the map's two arrays lie. Copied freely; the pool's storage owns them.
template <class Word, class Back>
struct row_arrays {
    using word_type = Word;
    using back_type = Back;
    Word* words;
    Back* backs;
};

struct packed_rows : row_arrays<std::uint64_t, std::uint8_t> {
    static constexpr std::uint32_t max_rows = std::uint32_t{1} << 20;
    static_assert(32 + 20 + 12 == 64 && 12 + 8 == 20, "the drawing above");

    [[nodiscard]] LIDO_INLINE std::uint32_t generation(std::size_t slot) const noexcept {
        return static_cast<std::uint32_t>(words[slot] >> 32);
    }
    [[nodiscard]] LIDO_INLINE std::uint32_t row(std::size_t slot) const noexcept { return row_in(words[slot]); }
    [[nodiscard]] LIDO_INLINE std::uint32_t slot(std::size_t row) const noexcept {
        return static_cast<std::uint32_t>(words[row] & 0xfff) | static_cast<std::uint32_t>(backs[row]) << 12;
    }

    // get() reads the word once and takes both parts from it
    [[nodiscard]] LIDO_INLINE std::uint64_t entry(std::size_t slot) const noexcept { return words[slot]; }
    [[nodiscard]] static LIDO_INLINE std::uint32_t generation_in(std::uint64_t entry) noexcept {
        return static_cast<std::uint32_t>(entry >> 32);
    }
    [[nodiscard]] static LIDO_INLINE std::uint32_t row_in(std::uint64_t entry) noexcept {
        return static_cast<std::uint32_t>(entry) >> 12;
    }

    LIDO_INLINE void add_to_generation(std::size_t slot) noexcept { words[slot] += std::uint64_t{1} << 32; }
    void set_generation(std::size_t slot, std::uint32_t life) noexcept {
        words[slot] = (words[slot] & 0xffffffffu) | std::uint64_t{life} << 32;
    }

    /// Puts `slot` on `row`, in both directions.
    LIDO_INLINE void link(std::uint32_t row, std::uint32_t slot) noexcept {
        words[slot] = (words[slot] & ~(std::uint64_t{0xfffff} << 12)) | std::uint64_t{row} << 12;
        words[row] = (words[row] & ~std::uint64_t{0xfff}) | (slot & 0xfff);
        backs[row] = static_cast<std::uint8_t>(slot >> 12);
    }

    /// Ends the life of every slot below `known` that has one. Returns how many are at generation `last` then.
    std::uint32_t end_all(std::size_t known, std::uint32_t last) noexcept {
        constexpr std::uint64_t one = std::uint64_t{1} << 32;
        std::uint32_t worn = 0;
        for (std::size_t s = 0; s < known; ++s) {
            words[s] = (words[s] + one) & ~one;
            worn += generation_in(words[s]) == last ? 1u : 0u;
        }
        return worn;
    }
};

/// `GenerationBits` of `Word` are the generation, the rest is the row.
template <class Word, unsigned GenerationBits>
struct plain_rows : row_arrays<Word, std::uint32_t> {
    using row_arrays<Word, std::uint32_t>::words;
    using row_arrays<Word, std::uint32_t>::backs;

    static constexpr unsigned row_bits = sizeof(Word) * 8 - GenerationBits;
    static constexpr Word row_mask = static_cast<Word>((Word{1} << row_bits) - 1);
    static constexpr Word one_life = static_cast<Word>(Word{1} << row_bits);
    static constexpr std::uint32_t max_rows = static_cast<std::uint32_t>(row_mask);

    [[nodiscard]] LIDO_INLINE std::uint32_t generation(std::size_t slot) const noexcept {
        return generation_in(words[slot]);
    }
    [[nodiscard]] LIDO_INLINE std::uint32_t row(std::size_t slot) const noexcept { return row_in(words[slot]); }
    [[nodiscard]] LIDO_INLINE std::uint32_t slot(std::size_t row) const noexcept { return backs[row]; }

    [[nodiscard]] LIDO_INLINE Word entry(std::size_t slot) const noexcept { return words[slot]; }
    [[nodiscard]] static LIDO_INLINE std::uint32_t generation_in(Word entry) noexcept {
        return static_cast<std::uint32_t>(entry >> row_bits);
    }
    [[nodiscard]] static LIDO_INLINE std::uint32_t row_in(Word entry) noexcept {
        return static_cast<std::uint32_t>(entry & row_mask);
    }

    LIDO_INLINE void add_to_generation(std::size_t slot) noexcept {
        words[slot] = static_cast<Word>(words[slot] + one_life);
    }
    void set_generation(std::size_t slot, std::uint32_t life) noexcept {
        words[slot] = static_cast<Word>((words[slot] & row_mask) | static_cast<Word>(life) << row_bits);
    }

    LIDO_INLINE void link(std::uint32_t row, std::uint32_t slot) noexcept {
        words[slot] = static_cast<Word>((words[slot] & ~row_mask) | row);
        backs[row] = slot;
    }

    std::uint32_t end_all(std::size_t known, std::uint32_t last) noexcept {
        std::uint32_t worn = 0;
        for (std::size_t s = 0; s < known; ++s) {
            words[s] = static_cast<Word>((words[s] + one_life) & ~one_life);
            worn += generation_in(words[s]) == last ? 1u : 0u;
        }
        return worn;
    }
};

/// The same map, marking every index whose entries it changes.
template <class Map>
struct marked_rows : Map {
    map_word* changed;

    LIDO_INLINE void add_to_generation(std::size_t slot) noexcept {
        set(changed, slot);
        Map::add_to_generation(slot);
    }
    void set_generation(std::size_t slot, std::uint32_t life) noexcept {
        set(changed, slot);
        Map::set_generation(slot, life);
    }
    LIDO_INLINE void link(std::uint32_t row, std::uint32_t slot) noexcept {
        set(changed, row);
        set(changed, slot);
        Map::link(row, slot);
    }
    std::uint32_t end_all(std::size_t known, std::uint32_t last) noexcept {
        for (std::size_t i = 0; i < known; ++i) set(changed, i);
        return Map::end_all(known, last);
    }
};

/// The map for handles of this split and at most `MaxRows` rows.
template <class Handle, std::uint32_t MaxRows>
using row_map_for = std::conditional_t<(sizeof(typename Handle::bits_type) == 8 && Handle::generation_bits == 32 &&
                                        MaxRows <= packed_rows::max_rows),
                                       packed_rows, plain_rows<typename Handle::bits_type, Handle::generation_bits>>;

template <class Map>
void swap_rows(Map& map, std::uint32_t a, std::uint32_t b) noexcept {
    const std::uint32_t slot_a = map.slot(a);
    const std::uint32_t slot_b = map.slot(b);
    map.link(a, slot_b);
    map.link(b, slot_a);
}

}  // namespace lido::detail
