// What is said of settings: where they stand, and what they are, in words.
#pragma once

#include <lido/core/options.hpp>
#include <lido/world/class_table.hpp>
#include <lido/world/settings_table.hpp>
#include <lido/world/world_reports.hpp>

#include <cstdint>
#include <string>

namespace lido::world_detail {

/// "pools.toml:12: ", and nothing for a table that a program made without a source.
[[nodiscard]] inline std::string at_line(const std::string& source, std::uint32_t line) {
    return source.empty() && line == 0 ? std::string() : source + ":" + std::to_string(line) + ": ";
}

/// The line of the setting that a complaint of check() begins with, or of the class.
[[nodiscard]] inline std::uint32_t line_of(const settings_entry& e, const std::string& wrong) {
    const struct {
        const char* key;
        std::uint32_t line;
    } all[] = {{"on_full", e.lines.on_full},
               {"grow_to", e.lines.on_full},
               {"headroom", e.lines.headroom},
               {"prewarm", e.lines.prewarm},
               {"idle_cap", e.lines.idle_cap}};
    for (const auto& [key, line] : all) {
        if (line != 0 && wrong.starts_with(key)) return line;
    }
    return e.line;
}

[[nodiscard]] inline std::string nobody_took(const std::string& source, const settings_entry& e,
                                             const class_table& classes) {
    return at_line(source, e.line) + "there is no class " + printable(e.name) +
           " in this world; the settings wait until it is added. There are: " + classes.names();
}

/// "grow_to 64, then replace_oldest"
[[nodiscard]] inline std::string in_words(on_full rule) {
    using ending = on_full::ending;
    const char* last = "reject";
    switch (rule.at_the_end()) {
        case ending::reject: break;
        case ending::replace_oldest: last = "replace_oldest"; break;
        case ending::replace_lowest: last = "replace_lowest"; break;
        case ending::replace_if: last = "replace_if"; break;
        case ending::merge: last = "merge"; break;
    }
    if (rule.cap() == on_full::no_growth) return last;
    const std::string growth = rule.cap() == on_full::unlimited ? "grow" : "grow_to " + std::to_string(rule.cap());
    return rule == on_full::grow() ? growth : growth + ", then " + last;
}

[[nodiscard]] inline const char* in_words(leaks policy) noexcept {
    switch (policy) {
        case leaks::report: return "report";
        case leaks::allow: return "allow";
        case leaks::leave: return "leave";
        case leaks::abort: return "abort";
    }
    return "unknown";
}

}  // namespace lido::world_detail
