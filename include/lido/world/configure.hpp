// Applies what a settings file said to the classes of a world: all of it, or nothing.
#pragma once

#include <lido/world/class_settings.hpp>
#include <lido/world/class_table.hpp>
#include <lido/world/settings_table.hpp>
#include <lido/world/world_reports.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lido::world_detail {

/// "pools.toml:12: "
[[nodiscard]] inline std::string at_line(const settings_table& table, std::uint32_t line) {
    return table.source + ":" + std::to_string(line) + ": ";
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

/// What is wrong with the table for these classes, or nothing.
[[nodiscard]] inline std::string wrong_with(const class_table& classes, const settings_table& table) {
    for (const settings_entry& e : table.classes) {
        const world_class* const c = classes.by_name(e.name);
        if (c == nullptr) {
            return at_line(table, e.line) + "there is no class " + printable(e.name) +
                   " in this world; there are: " + classes.names();
        }
        class_settings wanted = c->settings();
        overlay(wanted, e);
        if (const std::string wrong = c->check(wanted); !wrong.empty())
            return at_line(table, line_of(e, wrong)) + printable(e.name) + ": " + wrong;
    }
    return {};
}

/// One class of a world that runs: what can change does, the rest is said.
inline void change_running(world_class& c, const settings_table& table, const settings_entry& e,
                           configure_report& out) {
    class_settings now = c.settings();
    const auto line = [&](const char* key) { return c.shown_name() + "." + key; };
    const auto applied = [&](const char* key, std::uint64_t value) {
        out.applied.push_back(line(key) + " is " + std::to_string(value) + " now");
    };
    const auto cannot = [&](const char* key, std::uint32_t at, const char* why) {
        out.cannot.push_back(at_line(table, at) + line(key) + " cannot change while the world runs: " + why);
    };
    const class_settings& want = e.settings;
    if (e.given.max_lifetime && now.max_lifetime != want.max_lifetime) {
        now.max_lifetime = want.max_lifetime;
        applied("max_lifetime", want.max_lifetime.count);
    }
    if (e.given.trim) {
        const trim_rule before = std::exchange(now.trim, want.trim);
        if (before.after != want.trim.after) applied("trim.after", want.trim.after.count);
        if (before.margin != want.trim.margin) applied("trim.margin", want.trim.margin);
        if (before.most_a_tick != want.trim.most_a_tick) applied("trim.most_a_tick", want.trim.most_a_tick);
    }
    const std::uint32_t room = c.stats().pool.capacity;
    if (e.given.prewarm && now.prewarm != want.prewarm && c.built() && want.prewarm > room) {
        cannot("prewarm", e.lines.prewarm, "it is more than the pool has room for now");
    } else if (e.given.prewarm && now.prewarm != want.prewarm) {
        if (c.built() && want.prewarm > now.prewarm) c.ask_prewarm(want.prewarm);
        now.prewarm = want.prewarm;
        applied("prewarm", want.prewarm);
    }
    constexpr const char* layout = "it decides the memory of the pool; it holds from the next start on";
    if (e.given.capacity && now.capacity != want.capacity) cannot("capacity", e.lines.capacity, layout);
    if (e.given.on_full && now.on_full != want.on_full) cannot("on_full", e.lines.on_full, layout);
    if (e.given.idle_cap && now.idle_cap != want.idle_cap) cannot("idle_cap", e.lines.idle_cap, layout);
    if (e.given.headroom && (now.headroom.above_percent != want.headroom.above_percent ||
                             now.headroom.priority != want.headroom.priority)) {
        cannot("headroom", e.lines.headroom, layout);
    }
    if (e.given.roles && now.roles != want.roles) {
        cannot("roles", e.lines.roles, "a class is built, or not, when the world starts");
    }
    c.set_settings(now);
}

[[nodiscard]] inline configure_report configure(class_table& classes, const settings_table& table, bool running) {
    configure_report out;
    out.error = wrong_with(classes, table);
    if (!out.error.empty()) return out;
    for (const settings_entry& e : table.classes) {
        world_class& c = *classes.by_name(e.name);
        if (running) {
            change_running(c, table, e, out);
        } else {
            class_settings wanted = c.settings();
            overlay(wanted, e);
            c.set_settings(wanted);
            out.applied.push_back(c.name());
        }
    }
    return out;
}

}  // namespace lido::world_detail
