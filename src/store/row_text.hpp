// Which texts any database of a store takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace lido::store_detail {

inline constexpr std::size_t longest_key = 255;

/// Bytes of the character that begins there; 0 where none does. NUL is none.
[[nodiscard]] inline std::size_t character_at(std::string_view text, std::size_t at) noexcept {
    const auto byte = [&](std::size_t i) {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : static_cast<unsigned char>(0);
    };
    const unsigned first = byte(0);
    const auto tail = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
    if (first == 0) return 0;
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first < 0xe0) return tail(1) ? 2 : 0;
    if (first >= 0xe0 && first < 0xf0) {
        const unsigned second = byte(1);
        const bool shortest = first != 0xe0 || second >= 0xa0;
        const bool surrogate = first == 0xed && second >= 0xa0;
        return tail(1) && tail(2) && shortest && !surrogate ? 3 : 0;
    }
    if (first >= 0xf0 && first < 0xf5) {
        const unsigned second = byte(1);
        const bool in_range = (first != 0xf0 || second >= 0x90) && (first != 0xf4 || second < 0x90);
        return tail(1) && tail(2) && tail(3) && in_range ? 4 : 0;
    }
    return 0;
}

/// UTF-8 without NUL.
[[nodiscard]] inline bool is_text(std::string_view text) noexcept {
    std::size_t at = 0;
    while (at < text.size()) {
        if (text.size() - at >= 8) {
            // Eight characters of ASCII at once: no high bit, and no byte that is zero.
            std::uint64_t word = 0;
            std::memcpy(&word, text.data() + at, 8);
            constexpr std::uint64_t ones = 0x0101010101010101u;
            constexpr std::uint64_t high = 0x8080808080808080u;
            if ((word & high) == 0 && ((word - ones) & high) == 0) {
                at += 8;
                continue;
            }
        }
        const std::size_t length = character_at(text, at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

/// What is wrong with the name of a row, in words; null where nothing is. Class and key alike.
[[nodiscard]] inline const char* wrong_name(std::string_view name) noexcept {
    if (name.empty()) return "is empty";
    if (name.size() > longest_key) return "has more than 255 bytes";
    if (!is_text(name)) return "is not valid UTF-8";
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto c = static_cast<unsigned char>(name[i]);
        const bool c1 = c == 0xc2 && i + 1 < name.size() && static_cast<unsigned char>(name[i + 1]) < 0xa0;
        if (c < 0x20 || c == 0x7f || c1) return "has a control character";
    }
    return nullptr;
}

/// Numbers that a signed column of 64 bits holds.
[[nodiscard]] constexpr bool is_countable(std::uint64_t number) noexcept { return number >> 63 == 0; }

}  // namespace lido::store_detail
