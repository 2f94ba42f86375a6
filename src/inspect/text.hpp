// Small things with text that several rooms need.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lido::inspect {

[[nodiscard]] inline std::string lower(std::string_view s) {
    std::string out(s);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

/// Digits only, at most 18 of them. False otherwise.
[[nodiscard]] inline bool read_number(std::string_view s, std::uint64_t& out) noexcept {
    if (s.empty() || s.size() > 18) return false;
    std::uint64_t n = 0;
    for (const char c : s) {
        if (c < '0' || c > '9') return false;
        n = n * 10 + static_cast<std::uint64_t>(c - '0');
    }
    out = n;
    return true;
}

[[nodiscard]] inline int hex_digit(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// Undoes %41. False for a percent sign without two digits, and for control characters.
[[nodiscard]] inline bool decode_percent(std::string_view s, std::string& out) {
    out.clear();
    for (std::size_t i = 0; i < s.size(); ++i) {
        char c = s[i];
        if (c == '%') {
            if (i + 2 >= s.size()) return false;
            const int high = hex_digit(s[i + 1]);
            const int low = hex_digit(s[i + 2]);
            if (high < 0 || low < 0) return false;
            c = static_cast<char>(high * 16 + low);
            i += 2;
        }
        const auto u = static_cast<unsigned char>(c);
        if (u < 0x20 || u == 0x7f) return false;
        out.push_back(c);
    }
    return true;
}

}  // namespace lido::inspect
