// Sets of slots as words of 64 bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace lido::bits {

using map_word = std::uint64_t;

/// No slot has this number.
inline constexpr std::uint32_t no_slot = 0xffffffffu;

inline constexpr map_word full_word = ~map_word{0};

[[nodiscard]] constexpr std::size_t words_for(std::size_t bits) noexcept { return (bits + 63) / 64; }

[[nodiscard]] constexpr map_word bit(std::size_t i) noexcept { return map_word{1} << (i & 63); }

[[nodiscard]] constexpr bool test(const map_word* words, std::size_t i) noexcept {
    return (words[i >> 6] & bit(i)) != 0;
}

constexpr void set(map_word* words, std::size_t i) noexcept { words[i >> 6] |= bit(i); }

constexpr void clear(map_word* words, std::size_t i) noexcept { words[i >> 6] &= ~bit(i); }

/// The bits of word `w` that stand for indexes below `limit`.
[[nodiscard]] constexpr map_word below(std::size_t w, std::size_t limit) noexcept {
    if (limit >= (w + 1) * 64) return full_word;
    return limit <= w * 64 ? 0 : (map_word{1} << (limit - w * 64)) - 1;
}

[[nodiscard]] constexpr unsigned lowest(map_word bits) noexcept {
    return static_cast<unsigned>(std::countr_zero(bits));
}

[[nodiscard]] constexpr unsigned highest(map_word bits) noexcept {
    return 63u - static_cast<unsigned>(std::countl_zero(bits));
}

}  // namespace lido::bits

namespace lido::detail {
using bits::below;
using bits::bit;
using bits::clear;
using bits::full_word;
using bits::highest;
using bits::lowest;
using bits::map_word;
using bits::no_slot;
using bits::set;
using bits::test;
using bits::words_for;
}  // namespace lido::detail
