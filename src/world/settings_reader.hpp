// From a parsed TOML file to a settings_table: every key checked, the first mistake of the file kept.
#pragma once

#include "settings_text.hpp"
#include "tomlpp.hpp"

#include <lido/world/settings_file.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace lido::world_detail {

/// Takes what toml++ made of text that was moved_up().
class settings_reader {
public:
    /// Reads all, even after a mistake: toml++ sorts keys by name, so the first that is met need not be the first of the file.
    explicit settings_reader(const tomlpp::table& file) {
        for (const auto& [key, value] : file) {
            if (key.str() == "class")
                read_classes(key, value);
            else
                reject(key, told(key.str()) + " is not known; a file has tables [class.<name>]" +
                                suggestion(key.str(), std::array{std::string_view{"class"}}, " (", ")"));
        }
    }

    /// Without the source; empty when there was none.
    [[nodiscard]] const std::string& mistake() const noexcept { return mistake_; }
    [[nodiscard]] std::vector<settings_entry>& classes() noexcept { return classes_; }

private:
    using place = tomlpp::source_position;
    template <std::size_t N>
    using words = std::array<std::string_view, N>;

    static constexpr words<11> class_keys{"prewarm",  "max_lifetime", "roles", "capacity", "on_full", "grow_to",
                                          "headroom", "idle_cap",     "trim",  "reserve",  "leaks"};
    static constexpr words<4> leaks_words{"report", "allow", "leave", "abort"};
    static constexpr std::array<lido::leaks, 4> leaks_values{lido::leaks::report, lido::leaks::allow,
                                                             lido::leaks::leave, lido::leaks::abort};
    static constexpr words<2> headroom_keys{"above_percent", "priority"};
    static constexpr words<2> trim_keys{"after", "margin"};
    static constexpr words<4> role_words{"standalone", "client", "listen_server", "dedicated_server"};
    static constexpr std::array<bool role_set::*, 4> role_members{
        &role_set::standalone, &role_set::client, &role_set::listen_server, &role_set::dedicated_server};
    static constexpr words<6> on_full_words{"reject",         "grow",       "replace_oldest",
                                            "replace_lowest", "replace_if", "merge"};
    static constexpr std::array<lido::on_full, 6> on_full_values{
        lido::on_full::reject,         lido::on_full::grow(),     lido::on_full::replace_oldest,
        lido::on_full::replace_lowest, lido::on_full::replace_if, lido::on_full::merge};

    /// A class while it is read; its keys are looked up again by those that depend on each other.
    struct subject {
        settings_entry& entry;
        const tomlpp::table& keys;
        std::string name;  ///< for messages
    };

    // --- mistakes ----------------------------------------------------------------------------------------------------------

    void reject(place where, const std::string& what) {
        if (!mistake_.empty() && !is_before(where, where_)) return;
        where_ = where;
        mistake_ = std::to_string(where.line) + ": " + what;
    }
    void reject(const tomlpp::key& key, const std::string& what) { reject(key.source().begin, what); }

    /// Text of the file in a message.
    [[nodiscard]] static std::string told(std::string_view text) { return shown(moved_back(text)); }

    [[nodiscard]] static bool is_before(place a, place b) noexcept {
        return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    }

    template <std::size_t N>
    [[nodiscard]] static std::string suggestion(std::string_view typed, const words<N>& known, std::string_view before,
                                                std::string_view after) {
        const std::string_view word = nearest(typed, known);
        if (word.empty()) return {};
        return std::string(before) + "did you mean " + std::string(word) + "?" + std::string(after);
    }

    [[nodiscard]] static const char* kind_of(const tomlpp::node& value) noexcept {
        switch (value.type()) {
            case tomlpp::node_type::table: return "a table";
            case tomlpp::node_type::array: return "a list";
            case tomlpp::node_type::string: return "text";
            case tomlpp::node_type::integer: return "a whole number";
            case tomlpp::node_type::floating_point: return "a floating-point number";
            case tomlpp::node_type::boolean: return "true or false";
            default: return "a date or time";
        }
    }

    // --- classes -----------------------------------------------------------------------------------------------------------

    void read_classes(const tomlpp::key& key, const tomlpp::node& value) {
        const tomlpp::table* const all = value.as_table();
        if (all == nullptr) {
            reject(key, std::string("class is ") + kind_of(value) + "; a class is a table: [class.<name>]");
            return;
        }
        std::vector<std::pair<const tomlpp::key*, const tomlpp::node*>> in_order;
        for (const auto& [name, settings] : *all) in_order.emplace_back(&name, &settings);
        std::sort(in_order.begin(), in_order.end(), [](const auto& a, const auto& b) {
            return is_before(a.first->source().begin, b.first->source().begin);
        });
        for (const auto& [name, settings] : in_order) read_class(*name, *settings);
    }

    void read_class(const tomlpp::key& name, const tomlpp::node& value) {
        if (name.empty()) {
            reject(name, "a class has an empty name; it must be the name that the program adds it by");
            return;
        }
        const tomlpp::table* const keys = value.as_table();
        if (keys == nullptr) {
            reject(name, "class." + as_key(name.str()) + " is " + kind_of(value) + "; a class is a table: [class." +
                             as_key(name.str()) + "]");
            return;
        }
        settings_entry entry;
        entry.name = moved_back(name.str());
        entry.line = name.source().begin.line;
        const subject of{entry, *keys, told(name.str())};
        for (const auto& [key, setting] : *keys) read_setting(of, key, setting);
        read_on_full(of);
        check_together(of);
        classes_.push_back(std::move(entry));
    }

    void read_setting(const subject& of, const tomlpp::key& key, const tomlpp::node& value) {
        const std::string_view word = key.str();
        class_settings& to = of.entry.settings;
        settings_given& given = of.entry.given;
        settings_lines& lines = of.entry.lines;
        const std::string what = of.name + ": " + told(word);
        const auto took = [&key](bool read, bool& is_given, std::uint32_t& line) {
            if (!read) return;
            is_given = true;
            line = key.source().begin.line;
        };
        if (word == "prewarm") {
            took(read_objects(what, key, value, to.prewarm), given.prewarm, lines.prewarm);
        } else if (word == "max_lifetime") {
            took(read_ticks(what, key, value, to.max_lifetime), given.max_lifetime, lines.max_lifetime);
        } else if (word == "roles") {
            took(read_roles(what, key, value, to.roles), given.roles, lines.roles);
        } else if (word == "capacity") {
            took(read_objects(what, key, value, to.capacity), given.capacity, lines.capacity);
        } else if (word == "headroom") {
            took(read_headroom(what, key, value, to.headroom), given.headroom, lines.headroom);
        } else if (word == "idle_cap") {
            took(read_objects(what, key, value, to.idle_cap), given.idle_cap, lines.idle_cap);
        } else if (word == "trim") {
            took(read_trim(what, key, value, to.trim), given.trim, lines.trim);
        } else if (word == "reserve") {
            took(read_objects(what, key, value, to.reserve), given.reserve, lines.reserve);
        } else if (word == "leaks") {
            took(read_word(what, key, value, leaks_words, leaks_values, to.leaks), given.leaks, lines.leaks);
        } else if (word != "on_full" && word != "grow_to") {
            reject_unknown(of, key, value);
        }
    }

    void reject_unknown(const subject& of, const tomlpp::key& key, const tomlpp::node& value) {
        const std::string what = of.name + ": " + told(key.str()) + " is not a setting; ";
        if (const std::string hint = suggestion(key.str(), class_keys, "", ""); !hint.empty())
            reject(key, what + hint);
        else if (value.is_table())  // [class.game.explosion]
            reject(key, what + "a name with dots is quoted: [class.\"" + of.name + "." + told(key.str()) + "\"]");
        else
            reject(key, what + "a class has " + listed(class_keys, "and"));
    }

    // --- values ------------------------------------------------------------------------------------------------------------

    template <std::unsigned_integral Number>
    bool read_whole(const std::string& what, const tomlpp::key& key, const tomlpp::node& value, std::uint64_t low,
                    std::uint64_t high, Number& to) {
        const std::string range = std::to_string(low) + " to " + std::to_string(high);
        const auto* const number = value.as_integer();
        if (number == nullptr) {
            reject(key, what + " is " + kind_of(value) + "; it must be a whole number, " + range);
            return false;
        }
        const std::int64_t n = number->get();
        if (n < 0 || static_cast<std::uint64_t>(n) < low || static_cast<std::uint64_t>(n) > high) {
            reject(key, what + " is " + std::to_string(n) + "; it must be " + range);
            return false;
        }
        to = static_cast<Number>(n);
        return true;
    }

    bool read_objects(const std::string& what, const tomlpp::key& key, const tomlpp::node& value, std::uint32_t& to) {
        return read_whole(what, key, value, 0, settings_limits::objects, to);
    }

    bool read_ticks(const std::string& what, const tomlpp::key& key, const tomlpp::node& value, ticks& to) {
        return read_whole(what, key, value, 0, settings_limits::ticks, to.count);
    }

    /// One of a few words, and what it stands for.
    template <class Value, std::size_t N>
    bool read_word(const std::string& what, const tomlpp::key& key, const tomlpp::node& value, const words<N>& known,
                   const std::array<Value, N>& values, Value& to) {
        const auto* const word = value.as_string();
        const auto at = word == nullptr ? known.end() : std::find(known.begin(), known.end(), word->get());
        if (at == known.end()) {
            reject(key, what + " is " + (word == nullptr ? kind_of(value) : "\"" + told(word->get()) + "\"") +
                            "; it must be " + listed(known, "or"));
            return false;
        }
        to = values[static_cast<std::size_t>(at - known.begin())];
        return true;
    }

    bool read_roles(const std::string& what, const tomlpp::key& key, const tomlpp::node& value, role_set& to) {
        const std::string known = listed(role_words, "or");
        const tomlpp::array* const list = value.as_array();
        if (list == nullptr || list->empty()) {
            reject(key, what + " is " + (list == nullptr ? kind_of(value) : "empty") + "; it must be a list of " +
                            listed(role_words, "and") + ", one at least");
            return false;
        }
        role_set read{false, false, false, false};
        for (const tomlpp::node& element : *list) {
            const auto* const word = element.as_string();
            const auto at =
                word == nullptr ? role_words.end() : std::find(role_words.begin(), role_words.end(), word->get());
            if (at == role_words.end()) {
                reject(element.source().begin,
                       what + " has " + (word == nullptr ? kind_of(element) : "\"" + told(word->get()) + "\"") +
                           "; a role is " + known);
                return false;
            }
            bool& has = read.*role_members[static_cast<std::size_t>(at - role_words.begin())];
            if (has) {
                reject(element.source().begin, what + " has \"" + std::string(*at) + "\" twice; once is enough");
                return false;
            }
            has = true;
        }
        to = read;
        return true;
    }

    /// Whether `value` is a table with no other keys than `known` and with the first `needed` of them.
    template <std::size_t N>
    bool is_group(const std::string& what, const tomlpp::key& key, const tomlpp::node& value, const words<N>& known,
                  std::size_t needed) {
        const tomlpp::table* const group = value.as_table();
        if (group == nullptr) {
            reject(key, what + " is " + kind_of(value) + "; it must be a table of " + listed(known, "and"));
            return false;
        }
        bool sound = true;
        for (const auto& [part, unused] : *group) {
            static_cast<void>(unused);
            if (std::find(known.begin(), known.end(), part.str()) != known.end()) continue;
            const std::string hint = suggestion(part.str(), known, "", "");
            reject(part, what + "." + told(part.str()) + " is not a setting; " +
                             (hint.empty() ? "there are " + listed(known, "and") : hint));
            sound = false;
        }
        for (std::size_t i = 0; sound && i < needed; ++i) {
            if (group->contains(known[i])) continue;
            reject(key, what + " has no " + std::string(known[i]));
            sound = false;
        }
        return sound;
    }

    /// Both keys are needed: with the default of either, nothing is kept for anyone.
    bool read_headroom(const std::string& what, const tomlpp::key& key, const tomlpp::node& value, headroom& to) {
        if (!is_group(what, key, value, headroom_keys, 2)) return false;
        bool sound = true;
        for (const auto& [part, number] : *value.as_table()) {
            if (part.str() == "above_percent")
                sound &= read_whole(what + ".above_percent", part, number, 1, 100, to.above_percent);
            else
                sound &= read_whole(what + ".priority", part, number, 0, max_priority, to.priority);
        }
        return sound;
    }

    bool read_trim(const std::string& what, const tomlpp::key& key, const tomlpp::node& value, trim_rule& to) {
        if (!is_group(what, key, value, trim_keys, 1)) return false;
        bool sound = true;
        for (const auto& [part, number] : *value.as_table()) {
            if (part.str() == "after")
                sound &= read_ticks(what + ".after", part, number, to.after);
            else
                sound &= read_objects(what + ".margin", part, number, to.margin);
        }
        return sound;
    }

    // --- keys that depend on each other --------------------------------------------------------------------------------------

    /// `on_full` says what ends, `grow_to` what comes before; "grow" has no end of its own.
    void read_on_full(const subject& of) {
        settings_entry& e = of.entry;
        lido::on_full to = lido::on_full::reject;
        bool sound = true;
        std::uint32_t cap = 0;
        const auto word = of.keys.find("on_full");
        const auto growth = of.keys.find("grow_to");
        if (growth != of.keys.end()) {
            sound = read_whole(of.name + ": grow_to", growth->first, growth->second, 1, settings_limits::objects, cap);
            e.lines.on_full = growth->first.source().begin.line;
        }
        if (word != of.keys.end()) {
            sound &= read_word(of.name + ": on_full", word->first, word->second, on_full_words, on_full_values, to);
            e.lines.on_full = word->first.source().begin.line;
        }
        if (!sound) return;
        e.given.on_full = e.lines.on_full != 0;
        if (cap != 0) to = lido::on_full::grow_to(cap).then(to);
        if (e.given.on_full) e.settings.on_full = to;
    }

    /// Only what the file itself says against itself; what it says against the program is found when the two meet.
    ///
    /// Prewarmed objects wait, so they need as many slots, and idle_cap must let them. A pool has as many slots as the larger of
    /// capacity and a given idle_cap (recycle_settings.hpp), and it grows for active objects only. So more may be prewarmed than
    /// are ever active, but the file must say so with an idle_cap. A capacity of 0 follows the prewarm.
    void check_together(const subject& of) {
        const settings_entry& e = of.entry;
        const class_settings& s = e.settings;
        const auto number = [](std::uint32_t n) { return std::to_string(n); };
        const auto where = [&of](std::string_view key) { return of.keys.find(key)->first.source().begin; };
        const std::string prewarm = of.name + ": prewarm is " + number(s.prewarm);
        if (e.given.prewarm && e.given.idle_cap && s.prewarm > s.idle_cap) {
            reject(where("prewarm"),
                   prewarm + " and idle_cap " + number(s.idle_cap) + "; as many must be allowed to wait");
        }
        if (e.given.prewarm && e.given.capacity && !e.given.idle_cap && s.capacity != 0 && s.prewarm > s.capacity) {
            reject(where("prewarm"), prewarm + " and capacity " + number(s.capacity) +
                                         "; for more than can be active, give an idle_cap of " + number(s.prewarm) +
                                         " or more");
        }
        if (!e.given.on_full || !of.keys.contains("grow_to")) return;
        const std::string growth = of.name + ": grow_to is " + number(s.on_full.cap());
        if (e.given.capacity && s.on_full.cap() < s.capacity)
            reject(where("grow_to"), growth + " and capacity " + number(s.capacity) + "; it must not be below it");
        else if (e.given.prewarm && s.on_full.cap() < s.prewarm)
            reject(where("grow_to"), growth + " and prewarm " + number(s.prewarm) + "; it must not be below it");
    }

    /// As it would be written after a dot.
    [[nodiscard]] static std::string as_key(std::string_view name) {
        const bool bare = std::all_of(name.begin(), name.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        });
        return bare ? told(name) : "\"" + told(name) + "\"";
    }

    std::vector<settings_entry> classes_;
    std::string mistake_;
    place where_{};  ///< of mistake_
};

}  // namespace lido::world_detail
