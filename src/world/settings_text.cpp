#include "settings_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace lido::detail {
namespace {

struct code_point {
    std::uint32_t value = 0;
    std::size_t bytes = 0;  ///< 0: not UTF-8
};

/// Pre: at < text.size().
code_point code_point_at(std::string_view text, std::size_t at) noexcept {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::uint32_t first = byte(at);
    if (first < 0x80) return {first, 1};
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() - at < bytes) return {};
    std::uint32_t value = first & (0x7fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(at + i) & 0xc0) != 0x80) return {};
        value = value << 6 | (byte(at + i) & 0x3fu);
    }
    // Longer than needed, half of a pair, past the last.
    constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    if (value < least[bytes] || (value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) return {};
    return {value, bytes};
}

/// Controls, line separators, and what changes the direction of the text after it.
bool acts_on_a_terminal(std::uint32_t c) noexcept {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

/// How many letters must be changed, added or left out.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::uint32_t line_that_is_not_utf8(std::string_view text) noexcept {
    std::uint32_t line = 1;
    for (std::size_t at = 0; at < text.size();) {
        const code_point c = code_point_at(text, at);
        if (c.bytes == 0) return line;
        if (c.value == '\n') ++line;
        at += c.bytes;
    }
    return 0;
}

std::uint32_t line_with_too_many_dots(std::string_view text, std::size_t most) noexcept {
    std::uint32_t number = 0;
    while (!text.empty()) {
        ++number;
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string_view::npos || line[first] == '#') continue;
        std::size_t dots = 0;
        for (std::size_t i = first; i < line.size(); ++i) dots += line[i] == '.' && (i == 0 || line[i - 1] != '.');
        if (dots > most) return number;
    }
    return 0;
}

std::string_view line_of(std::string_view text, std::uint32_t number) noexcept {
    for (; number > 1; --number) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::string shown(std::string_view text, std::size_t most) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if (out.size() >= most) return out + "...";
        const code_point c = code_point_at(text, at);
        if (c.bytes == 0 || acts_on_a_terminal(c.value)) {
            std::array<char, 12> spelled{};
            if (c.bytes == 0)
                std::snprintf(spelled.data(), spelled.size(), "\\x%02X", static_cast<unsigned char>(text[at]));
            else
                std::snprintf(spelled.data(), spelled.size(), "\\u%04X", static_cast<unsigned>(c.value));
            out += spelled.data();
        } else {
            out += text.substr(at, c.bytes);
        }
        at += std::max<std::size_t>(c.bytes, 1);
    }
    return out;
}

std::string_view nearest(std::string_view typed, std::span<const std::string_view> words) {
    std::string_view best;
    std::size_t least = 0;
    for (const std::string_view word : words) {
        // A stranger's key may be as long as the file.
        if (typed.size() > 2 * word.size()) continue;
        const std::size_t d = distance(typed, word);
        if (d > std::max<std::size_t>(word.size() / 3, 1)) continue;
        if (best.empty() || d < least) {
            best = word;
            least = d;
        }
    }
    return best;
}

std::string listed(std::span<const std::string_view> words, std::string_view last) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i != 0 && i + 1 == words.size())
            out.append(" ").append(last).append(" ");
        else if (i != 0)
            out += ", ";
        out += words[i];
    }
    return out;
}

}  // namespace lido::detail
