#include "metrics_writer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lido::inspect {

namespace {

/// Bytes of the UTF-8 character that `text` begins with; 0 where it begins with none.
[[nodiscard]] std::size_t character(std::string_view text) {
    const auto at = [&text](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
    const unsigned char first = at(0);
    const std::size_t bytes = first < 0x80   ? 1
                              : first < 0xc2 ? 0
                              : first < 0xe0 ? 2
                              : first < 0xf0 ? 3
                              : first < 0xf5 ? 4
                                             : 0;
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((at(i) & 0xc0) != 0x80) return 0;
    }
    const bool overlong = (first == 0xe0 && at(1) < 0xa0) || (first == 0xf0 && at(1) < 0x90);
    const bool no_character = (first == 0xed && at(1) >= 0xa0) || (first == 0xf4 && at(1) >= 0x90);
    return overlong || no_character ? 0 : bytes;
}

/// Backslash, quote and new line are escaped in a label. What is no text is spelled out as \xNN: a reader refuses all figures for one
/// bad byte, and two names must stay two.
[[nodiscard]] std::string label(std::string_view text) {
    constexpr const char* digits = "0123456789abcdef";
    std::string out;
    while (!text.empty()) {
        const char c = text.front();
        const std::size_t bytes = character(text);
        if (c == '\n') {
            out += "\\n";
        } else if (bytes == 0 || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            const auto byte = static_cast<unsigned char>(c);
            out += {'\\', '\\', 'x', digits[byte >> 4], digits[byte & 15]};
        } else {
            if (c == '\\' || c == '"') out.push_back('\\');
            out.append(text.substr(0, bytes));
        }
        text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    return out;
}

struct family {
    std::string_view name;
    bool counter;
    std::string_view help;
    std::uint64_t (*value)(const pool_stats&);
};

constexpr std::array families = {
    family{"lido_pool_live", false, "Objects that live.", [](const pool_stats& s) -> std::uint64_t { return s.size; }},
    family{"lido_pool_peak", false, "The most objects that lived at once.",
           [](const pool_stats& s) -> std::uint64_t { return s.peak; }},
    family{"lido_pool_capacity", false, "Slots that there are now.",
           [](const pool_stats& s) -> std::uint64_t { return s.capacity; }},
    family{"lido_pool_max_capacity", false, "Slots that growth may reach.",
           [](const pool_stats& s) -> std::uint64_t { return s.max_capacity; }},
    family{"lido_pool_idle", false, "Built objects that wait.",
           [](const pool_stats& s) -> std::uint64_t { return s.idle; }},
    family{"lido_pool_waiting_ends", false, "Objects whose end waits to be confirmed.",
           [](const pool_stats& s) -> std::uint64_t { return s.waiting_ends; }},
    family{"lido_pool_retired", false, "Slots that are out of generations.",
           [](const pool_stats& s) -> std::uint64_t { return s.retired; }},
    family{"lido_pool_bytes", false, "Memory that the pool holds.",
           [](const pool_stats& s) -> std::uint64_t { return s.bytes; }},
    family{"lido_pool_acquired", true, "Lives begun.", [](const pool_stats& s) { return s.acquired; }},
    family{"lido_pool_released", true, "Lives ended.", [](const pool_stats& s) { return s.released; }},
    family{"lido_pool_refused", true, "Requests without an object.", [](const pool_stats& s) { return s.refused; }},
    family{"lido_pool_replaced", true, "Lives ended to make room.", [](const pool_stats& s) { return s.replaced; }},
    family{"lido_pool_merged", true, "Newcomers folded into a live object.",
           [](const pool_stats& s) { return s.merged; }},
    family{"lido_pool_grown", true, "Times that the capacity was raised.", [](const pool_stats& s) { return s.grown; }},
    family{"lido_pool_bad_releases", true, "Stale, double, wild and foreign releases.",
           [](const pool_stats& s) { return s.bad_releases; }},
};

}  // namespace

std::string write_metrics(const moment& now) {
    std::string out;
    for (const family& f : families) {
        out.append("# TYPE ").append(f.name).append(f.counter ? " counter\n" : " gauge\n");
        out.append("# HELP ").append(f.name).append(" ").append(f.help).append("\n");
        for (const pool_figures& p : now.pools) {
            if (p.gone) continue;
            out.append(f.name).append(f.counter ? "_total" : "");
            out.append("{pool=\"")
                .append(label(p.name))
                .append("\",shape=\"")
                .append(label(p.stats.shape))
                .append("\"} ");
            out.append(std::to_string(f.value(p.stats))).append("\n");
        }
    }
    out += "# EOF\n";
    return out;
}

}  // namespace lido::inspect
