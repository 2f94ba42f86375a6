// Settings that a world was configured with, for classes that are added later.
//
// By source: what a file said is replaced as a whole when it is read again, so that nothing stays of what it no longer says. Sources are
// laid over each other in the order in which each came last. A table without a source replaces what one before it said of the same class.
#pragma once

#include <lido/world/class_settings.hpp>
#include <lido/world/class_table.hpp>
#include <lido/world/configure.hpp>
#include <lido/world/settings_messages.hpp>
#include <lido/world/settings_table.hpp>

#include <string>
#include <vector>

namespace lido::world_detail {

class kept_settings {
public:
    /// Pre: configure() has found nothing wrong with it.
    void keep(const settings_table& table, const class_table& classes) {
        std::erase_if(all_, [&](const kept& k) {
            return k.source == table.source && (!table.source.empty() || names(table, k.entry.name));
        });
        for (const settings_entry& e : table.classes)
            all_.push_back({table.source, e, classes.by_name(e.name) != nullptr});
    }

    /// Lays over `settings`, which are those of the code, what is kept for a class that is being added. Returns what is wrong with that,
    /// in which case nothing of it is applied.
    [[nodiscard]] std::string overlay_onto(const world_class& c, class_settings& settings) {
        class_settings all = settings;
        for (kept& k : all_) {
            if (k.entry.name != c.name()) continue;
            k.taken = true;
            if (std::string wrong = wrong_with(c, all, k.source, k.entry); !wrong.empty()) return wrong;
            overlay(all, k.entry);
        }
        settings = all;
        return {};
    }

    /// A line for each entry whose class was never added.
    [[nodiscard]] std::vector<std::string> unused(const class_table& classes) const {
        std::vector<std::string> lines;
        for (const kept& k : all_) {
            if (!k.taken) lines.push_back(nobody_took(k.source, k.entry, classes));
        }
        return lines;
    }

private:
    struct kept {
        std::string source;
        settings_entry entry;
        bool taken;
    };
    [[nodiscard]] static bool names(const settings_table& table, const std::string& name) {
        for (const settings_entry& e : table.classes) {
            if (e.name == name) return true;
        }
        return false;
    }

    std::vector<kept> all_;
};

}  // namespace lido::world_detail
