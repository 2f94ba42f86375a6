#include "metrics_writer.hpp"

#include <array>
#include <cstdint>

namespace lido::inspect {

namespace {

/// Backslash, quote and new line are escaped in a label.
[[nodiscard]] std::string label(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\' || c == '"') out.push_back('\\');
        if (c == '\n') {
            out += "\\n";
        } else if (static_cast<unsigned char>(c) >= 0x20) {
            out.push_back(c);
        }
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
