#include "settings_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace lido::world_detail {
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

constexpr std::uint32_t last_plane = 0x100000;
constexpr std::string_view escape_of_last_plane = "\\U0010";

void append(std::string& out, std::uint32_t c) {
    const auto part = [c](unsigned shift) { return static_cast<char>(0x80 | (c >> shift & 0x3f)); };
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += {static_cast<char>(0xc0 | c >> 6), part(0)};
    } else if (c < 0x10000) {
        out += {static_cast<char>(0xe0 | c >> 12), part(6), part(0)};
    } else {
        out += {static_cast<char>(0xf0 | c >> 18), part(12), part(6), part(0)};
    }
}

/// `change` of each character; bytes that are not UTF-8 as they are.
template <class Change>
std::string each_changed(std::string_view text, Change change) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const code_point c = code_point_at(text, at);
        if (c.bytes == 0)
            out += text[at];
        else
            append(out, change(c.value));
        at += std::max<std::size_t>(c.bytes, 1);
    }
    return out;
}

std::uint32_t line_at(std::string_view text, std::size_t at) noexcept {
    return static_cast<std::uint32_t>(1 + std::count(text.data(), text.data() + at, '\n'));
}

/// Controls, the blank that looks like a space, line separators, and what changes the direction of the text after it.
bool must_be_spelled(std::uint32_t c) noexcept {
    return c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
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
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t bytes = code_point_at(text, at).bytes;
        if (bytes == 0) return line_at(text, at);
        at += bytes;
    }
    return 0;
}

std::uint32_t line_that_uses_the_last_plane(std::string_view text) noexcept {
    // The bytes F4 begin the characters of that plane and no others.
    const std::size_t at = std::min(text.find('\xf4'), text.find(escape_of_last_plane));
    return at == std::string_view::npos ? 0 : line_at(text, at);
}

std::string moved_up(std::string_view text) {
    return each_changed(text, [](std::uint32_t c) { return c < 0x80 || c > 0xfeff ? c : c + last_plane; });
}

std::string moved_back(std::string_view text) {
    return each_changed(text, [](std::uint32_t c) { return c < last_plane ? c : c - last_plane; });
}

std::string reason_moved_back(std::string_view reason) {
    std::string out = moved_back(reason);
    for (std::size_t at; (at = out.find(escape_of_last_plane)) != std::string::npos;)
        out.replace(at, escape_of_last_plane.size(), "\\u");
    return out;
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
        if (c.bytes == 0 || must_be_spelled(c.value)) {
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

}  // namespace lido::world_detail
