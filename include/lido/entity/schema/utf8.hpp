// Which bytes are text: UTF-8 as RFC 3629 has it (no surrogates, no overlong forms, nothing above U+10FFFF), and no NUL.
#pragma once

#include <cstddef>
#include <string_view>

namespace lido::entity_detail {

/// The length of the character at the front of `text`, in bytes; 0 where no valid one begins, or it is a NUL.
[[nodiscard]] constexpr std::size_t character_length(std::string_view text) noexcept {
    const auto at = [text](std::size_t i) -> unsigned {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const auto follows = [&at](std::size_t i) { return (at(i) & 0xc0u) == 0x80u; };
    const unsigned first = at(0);
    if (first == 0) return 0;
    if (first < 0x80) return 1;
    if (first < 0xc2) return 0;  // a byte from the middle of a character, or an overlong form of one byte
    if (first < 0xe0) return follows(1) ? 2 : 0;
    if (first < 0xf0) {
        const bool overlong = first == 0xe0 && at(1) < 0xa0;
        const bool surrogate = first == 0xed && at(1) >= 0xa0;
        return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first > 0xf4) return 0;
    const bool overlong = first == 0xf0 && at(1) < 0x90;
    const bool too_high = first == 0xf4 && at(1) >= 0x90;
    return follows(1) && follows(2) && follows(3) && !overlong && !too_high ? 4 : 0;
}

/// How many bytes at the front of `text` are whole valid characters; at most `limit`.
[[nodiscard]] constexpr std::size_t valid_prefix(std::string_view text, std::size_t limit) noexcept {
    std::size_t n = 0;
    while (n < text.size()) {
        const std::size_t length = character_length(text.substr(n));
        if (length == 0 || n + length > limit) break;
        n += length;
    }
    return n;
}

[[nodiscard]] constexpr bool is_valid_text(std::string_view text) noexcept {
    return valid_prefix(text, text.size()) == text.size();
}

}  // namespace lido::entity_detail
