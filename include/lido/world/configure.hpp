// Applies what a settings file said to the classes of a world: all that can be, or nothing when any of it is wrong.
//
//   before the start   all settings of a class are taken over
//   while it runs      setting by setting (running_changes.hpp); what cannot change is listed, with the reason
//   not there yet      the entry waits for a class of its name (kept_settings.hpp)
#pragma once

#include <lido/world/class_settings.hpp>
#include <lido/world/class_table.hpp>
#include <lido/world/running_changes.hpp>
#include <lido/world/settings_messages.hpp>
#include <lido/world/settings_table.hpp>
#include <lido/world/world_reports.hpp>

#include <string>

namespace lido::world_detail {

/// What is wrong with an entry for its class, or nothing.
[[nodiscard]] inline std::string wrong_with(const world_class& c, const class_settings& code, const std::string& source,
                                            const settings_entry& e) {
    class_settings wanted = code;
    overlay(wanted, e);
    const std::string wrong = c.check(wanted);
    return wrong.empty() ? wrong : at_line(source, line_of(e, wrong)) + printable(e.name) + ": " + wrong;
}

/// One class: what of an entry is applied, and what cannot be.
inline void configure_class(world_class& c, const std::string& source, const settings_entry& e, bool started,
                            bool apply, configure_report& out) {
    if (started) {
        const running_changes changes(c, source, e);
        changes.report(out);
        if (apply) c.change(changes.settings());
        return;
    }
    class_settings wanted = c.settings();
    overlay(wanted, e);
    if (apply) c.set_settings(wanted);
    out.applied.push_back(c.name());
}

/// Without `apply`, what it would do.
[[nodiscard]] inline configure_report configure(const class_table& classes, const settings_table& table, bool started,
                                                bool apply) {
    configure_report out;
    for (const settings_entry& e : table.classes) {
        const world_class* const c = classes.by_name(e.name);
        if (c == nullptr) continue;
        out.error = wrong_with(*c, c->settings(), table.source, e);
        if (!out.error.empty()) return out;
    }
    for (const settings_entry& e : table.classes) {
        if (world_class* const c = classes.by_name(e.name)) {
            configure_class(*c, table.source, e, started, apply, out);
        } else {
            out.unused.push_back(nobody_took(table.source, e, classes));
        }
    }
    return out;
}

}  // namespace lido::world_detail
