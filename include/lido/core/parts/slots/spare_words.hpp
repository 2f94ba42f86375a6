// Which words of the occupancy map have free slots worth looking at: two levels of bits over it.
//
//   slots      0 ............ 63 | 64 .......... 127 | ...        one word of occupancy
//   first      bit w:  word w may have a free slot that is queued nowhere else
//   second     bit j:  first[j] is not zero
//
// 1/64 + 1/4096 bit a slot. The second level and a hint below which it is empty make "the lowest such word" a few loads at any
// size; one level alone would read up to 245 words at a million slots.
#pragma once

#include <lido/core/base/bits.hpp>

#include <cstddef>
#include <cstdint>

namespace lido::detail {

struct spare_words {
    static constexpr std::size_t none = ~std::size_t{0};

    [[nodiscard]] static constexpr std::size_t first_words(std::size_t slots) noexcept {
        return words_for(words_for(slots));
    }
    [[nodiscard]] static constexpr std::size_t second_words(std::size_t slots) noexcept {
        return words_for(first_words(slots));
    }

    map_word* first;
    map_word* second;
    std::uint32_t& hint;  ///< second[0, hint) is zero

    void mark(std::size_t w) noexcept {
        const std::size_t j = w >> 6;
        set(first, w);
        set(second, j);
        if ((j >> 6) < hint) hint = static_cast<std::uint32_t>(j >> 6);
    }

    void unmark(std::size_t w) noexcept {
        const std::size_t j = w >> 6;
        clear(first, w);
        if (first[j] == 0) clear(second, j);
    }

    /// The lowest marked word of a pool that uses `slots` slots, or none.
    [[nodiscard]] std::size_t lowest_marked(std::size_t slots) noexcept {
        const auto end = static_cast<std::uint32_t>(second_words(slots));
        for (; hint < end; ++hint) {
            if (second[hint] == 0) continue;
            const std::size_t j = std::size_t{hint} * 64 + lowest(second[hint]);
            return j * 64 + lowest(first[j]);
        }
        return none;
    }

    /// Unmarks every word from `w` on, of a pool that uses `slots` slots.
    void unmark_from(std::size_t w, std::size_t slots) noexcept {
        for (std::size_t j = w >> 6; j < first_words(slots); ++j) {
            first[j] &= below(j, w);
            if (first[j] == 0) clear(second, j);
        }
    }
};

}  // namespace lido::detail
