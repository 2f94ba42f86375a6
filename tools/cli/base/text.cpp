#include "text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <utility>

namespace lido::cli {

std::size_t character_at(std::string_view text, std::size_t at, char32_t& code) noexcept {
    const auto byte = [&](std::size_t i) -> char32_t {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
    };
    if (at >= text.size()) return 0;
    const char32_t first = byte(0);
    if (first < 0x80) {
        code = first;
        return 1;
    }
    const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0) return 0;
    code = first & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0u) != 0x80u) return 0;
        code = code << 6 | (byte(i) & 0x3fu);
    }
    const bool shortest = length == 2 || (length == 3 && code >= 0x800) || (length == 4 && code >= 0x10000);
    const bool exists = code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
    return shortest && exists ? length : 0;
}

bool is_utf8(std::string_view text) noexcept {
    char32_t code = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = character_at(text, at, code);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

bool is_control(char32_t code) noexcept {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || (code >= 0x200e && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

const char* wrong_name(std::string_view name) noexcept {
    if (name.empty()) return "is empty";
    if (name.size() > 255) return "has more than 255 bytes";
    char32_t code = 0;
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t length = character_at(name, at, code);
        if (length == 0) return "is not valid UTF-8";
        if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return "has a control character";
        at += length;
    }
    return nullptr;
}

namespace {

/// The escape that stands for what begins there, and how many bytes that is; an empty one where it can stay.
std::pair<std::string, std::size_t> escape_at(std::string_view text, std::size_t at) {
    char32_t code = 0;
    const std::size_t length = character_at(text, at, code);
    std::array<char, 16> buffer{};
    if (length == 0) {
        std::snprintf(buffer.data(), buffer.size(), "\\x%02x",
                      static_cast<unsigned>(static_cast<unsigned char>(text[at])));
        return {buffer.data(), 1};
    }
    if (!is_control(code)) return {{}, length};
    if (code == '\n') return {"\\n", 1};
    if (code == '\t') return {"\\t", 1};
    std::snprintf(buffer.data(), buffer.size(), "\\u{%x}", static_cast<unsigned>(code));
    return {buffer.data(), length};
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto [escape, length] = escape_at(text, at);
        if (escape.empty())
            out += text.substr(at, length);
        else
            out += escape;
        at += length;
    }
    return out;
}

std::string shown(std::string_view name) {
    bool quotes = name.empty();
    std::string out;
    for (std::size_t at = 0; at < name.size();) {
        const auto [escape, length] = escape_at(name, at);
        if (!escape.empty()) {
            out += escape;
            quotes = true;
        } else {
            const char c = name[at];
            if (c == ' ' || c == '"' || c == '\\') quotes = true;
            if (c == '"' || c == '\\') out += '\\';
            out += name.substr(at, length);
        }
        at += length;
    }
    return quotes ? "\"" + out + "\"" : out;
}

std::string json_string(std::string_view text) {
    std::string out = "\"";
    out.reserve(text.size() + 2);
    for (std::size_t at = 0; at < text.size();) {
        char32_t code = 0;
        const std::size_t length = character_at(text, at, code);
        if (length == 0) {
            out += "\xef\xbf\xbd";
            ++at;
            continue;
        }
        if (code == '"' || code == '\\') {
            out += '\\';
            out += static_cast<char>(code);
        } else if (code == '\n') {
            out += "\\n";
        } else if (code == '\t') {
            out += "\\t";
        } else if (is_control(code)) {
            std::array<char, 8> buffer{};
            std::snprintf(buffer.data(), buffer.size(), "\\u%04x", static_cast<unsigned>(code & 0xffff));
            out += buffer.data();
        } else {
            out += text.substr(at, length);
        }
        at += length;
    }
    return out + "\"";
}

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
    return grouped(number) + " " + std::string(number == 1 ? one : many);
}

std::string time_text(std::int64_t milliseconds) {
    std::int64_t seconds = milliseconds / 1000;
    if (milliseconds % 1000 < 0) --seconds;
    const auto time = static_cast<std::time_t>(seconds);
    std::tm parts{};
    if (seconds < -62135596800 || seconds > 253402300799 || ::gmtime_r(&time, &parts) == nullptr)
        return std::to_string(milliseconds) + " ms";
    std::array<char, 32> buffer{};
    const std::size_t length = std::strftime(buffer.data(), buffer.size(), "%Y-%m-%d %H:%M:%S", &parts);
    return {buffer.data(), length};
}

std::string_view nearest(std::string_view wrong, const std::vector<std::string_view>& names) {
    std::string_view best;
    std::size_t least = 3;
    for (const std::string_view name : names) {
        if (wrong.size() >= 2 && name.starts_with(wrong)) return name;
        // How many letters must be put in, taken out or changed.
        std::vector<std::size_t> row(name.size() + 1);
        for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
        for (std::size_t i = 1; i <= wrong.size(); ++i) {
            std::size_t corner = row[0];
            row[0] = i;
            for (std::size_t j = 1; j < row.size(); ++j) {
                const std::size_t changed = corner + (wrong[i - 1] == name[j - 1] ? 0 : 1);
                corner = row[j];
                row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
            }
        }
        if (row.back() < least && row.back() * 2 <= name.size()) {
            least = row.back();
            best = name;
        }
    }
    return best;
}

std::string text_table::text(std::string_view indent) const {
    const auto width_of = [](std::string_view cell) {
        std::size_t width = 0;
        for (const char c : cell) width += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u ? 1 : 0;
        return width;
    };
    std::vector<std::size_t> widths(right_.size());
    for (const auto& cells : lines_) {
        for (std::size_t i = 0; i < cells.size() && i < widths.size(); ++i)
            widths[i] = std::max(widths[i], width_of(cells[i]));
    }
    std::string out;
    for (const auto& cells : lines_) {
        std::string line(indent);
        for (std::size_t i = 0; i < cells.size() && i < widths.size(); ++i) {
            if (i != 0) line += "  ";
            const std::string room(widths[i] - width_of(cells[i]), ' ');
            line += right_[i] == 'r' ? room + cells[i] : cells[i] + room;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

}  // namespace lido::cli
