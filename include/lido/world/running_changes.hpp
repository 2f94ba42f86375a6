// Which settings of a class can change while its world runs, and why others cannot.
//
// Settings depend on each other: a prewarm needs an idle_cap that lets its objects wait, a capacity a cap that is not below it. So each
// is tried on top of those that were taken before, again and again until none is taken any more. What is left cannot change, or needs
// one that cannot.
#pragma once

#include <lido/core/options.hpp>
#include <lido/world/class_room.hpp>
#include <lido/world/class_settings.hpp>
#include <lido/world/settings_messages.hpp>
#include <lido/world/settings_table.hpp>
#include <lido/world/world_class.hpp>
#include <lido/world/world_reports.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace lido::world_detail {

class running_changes {
public:
    running_changes(const world_class& c, const std::string& source, const settings_entry& e)
        : class_(c), source_(source), before_(c.settings()), now_(before_) {
        std::vector<wish> open;
        for (const part& p : parts) {
            if (e.given.*p.given) open.push_back({p, e.lines.*p.line, {}});
        }
        for (bool more = true; more;) {
            more = false;
            for (auto it = open.begin(); it != open.end();) {
                class_settings to = now_;
                settings_given one;
                one.*(it->what.given) = true;
                overlay(to, e.settings, one);
                it->why = why_not(to);
                if (!it->why.empty()) {
                    ++it;
                    continue;
                }
                now_ = to;
                more = true;
                it = open.erase(it);
            }
        }
        left_ = std::move(open);
    }

    /// Those of the class, with all that can change.
    [[nodiscard]] const class_settings& settings() const noexcept { return now_; }

    void report(configure_report& out) const {
        report_applied(out);
        for (const wish& w : left_) {
            out.cannot.push_back(at_line(source_, w.line) + named(w.what.key) +
                                 " cannot change while the world runs: " + w.why);
        }
    }

private:
    struct part {
        const char* key;
        bool settings_given::*given;
        std::uint32_t settings_lines::*line;
    };
    /// In the order in which they are reported.
    static constexpr part parts[] = {
        {"max_lifetime", &settings_given::max_lifetime, &settings_lines::max_lifetime},
        {"trim", &settings_given::trim, &settings_lines::trim},
        {"prewarm", &settings_given::prewarm, &settings_lines::prewarm},
        {"capacity", &settings_given::capacity, &settings_lines::capacity},
        {"on_full", &settings_given::on_full, &settings_lines::on_full},
        {"headroom", &settings_given::headroom, &settings_lines::headroom},
        {"idle_cap", &settings_given::idle_cap, &settings_lines::idle_cap},
        {"leaks", &settings_given::leaks, &settings_lines::leaks},
        {"reserve", &settings_given::reserve, &settings_lines::reserve},
        {"roles", &settings_given::roles, &settings_lines::roles},
    };

    struct wish {
        part what;
        std::uint32_t line;
        std::string why;  ///< it was not taken
    };

    /// Why the settings of now cannot become these, which differ in one of them. Empty when they can.
    [[nodiscard]] std::string why_not(const class_settings& to) const {
        if (to.roles != now_.roles) return "a class is built, or not, when the world starts";
        if (std::string wrong = class_.check(to); !wrong.empty()) return wrong;
        if (!class_.built()) return {};
        const world_class::running_room room = class_.room();
        if (to.reserve != now_.reserve)
            return "address space is reserved when the class is built; it holds from the next start on";
        if (to.capacity < now_.capacity) return "it can only be raised; a lower one holds from the next start on";
        const bool grown = to.on_full.cap() != now_.on_full.cap();
        if (const std::uint32_t most = most_of(to, room); grown && most < room.most) {
            return "the class may have " + count(room.most) +
                   " objects, and that can only be raised; fewer hold from the next start on";
        }
        std::uint32_t needed = (std::max)(first_capacity(to), grows_unbounded(to) ? 0 : to.on_full.cap());
        if (to.idle_cap != class_settings::no_cap && to.idle_cap > now_.idle_cap)
            needed = (std::max)(needed, to.idle_cap);
        if (needed > room.reserved) {
            return "it needs address space for " + count(needed) + " objects, and the class has reserved it for " +
                   count(room.reserved) + "; reserve = " + count(needed) + " does so from the next start on";
        }
        return {};
    }

    /// The most objects that a class with these settings may have.
    [[nodiscard]] static std::uint32_t most_of(const class_settings& s,
                                               const world_class::running_room& room) noexcept {
        if (grows_unbounded(s)) return room.reserved;
        return s.on_full.cap() == on_full::no_growth ? (std::max)(first_capacity(s), room.first) : s.on_full.cap();
    }

    void report_applied(configure_report& out) const {
        const auto applied = [&](const char* key, const std::string& value) {
            out.applied.push_back(named(key) + " is " + value + " now");
        };
        const auto number = [&](const char* key, std::uint64_t before, std::uint64_t now) {
            if (before != now) applied(key, std::to_string(now));
        };
        const class_settings& b = before_;
        number("max_lifetime", b.max_lifetime.count, now_.max_lifetime.count);
        number("trim.after", b.trim.after.count, now_.trim.after.count);
        number("trim.margin", b.trim.margin, now_.trim.margin);
        number("trim.most_a_tick", b.trim.most_a_tick, now_.trim.most_a_tick);
        number("prewarm", b.prewarm, now_.prewarm);
        number("capacity", b.capacity, now_.capacity);
        if (b.on_full != now_.on_full) applied("on_full", in_words(now_.on_full));
        number("headroom.above_percent", b.headroom.above_percent, now_.headroom.above_percent);
        number("headroom.priority", b.headroom.priority, now_.headroom.priority);
        if (b.idle_cap != now_.idle_cap) {
            applied("idle_cap", now_.idle_cap == class_settings::no_cap ? "none" : count(now_.idle_cap));
        }
        if (b.leaks != now_.leaks) applied("leaks", in_words(now_.leaks));
        number("reserve", b.reserve, now_.reserve);
    }

    [[nodiscard]] std::string named(const char* key) const { return class_.shown_name() + "." + key; }
    [[nodiscard]] static std::string count(std::uint32_t n) { return std::to_string(n); }

    const world_class& class_;
    const std::string& source_;
    const class_settings before_;
    class_settings now_;
    std::vector<wish> left_;
};

}  // namespace lido::world_detail
