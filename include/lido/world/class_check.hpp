// Whether a class can have these settings. Of its type only a few facts matter.
#pragma once

#include <lido/core/options.hpp>
#include <lido/world/class_room.hpp>
#include <lido/world/class_settings.hpp>
#include <lido/world/settings_table.hpp>

#include <cstdint>
#include <string>

namespace lido::world_detail {

struct class_facts {
    bool merges;            ///< has `bool merge(const T& newcomer)`
    bool says_replaceable;  ///< has `bool replaceable() const`
    bool makes_objects;     ///< from nothing
    bool waits;             ///< releases on confirm
    bool headroom;          ///< its pool can keep some
    track tracks;
};

/// Empty, or what is wrong: one sentence that begins with the setting.
[[nodiscard]] inline std::string check_settings(const class_settings& s, const class_facts& c) {
    using ending = on_full::ending;
    const ending e = s.on_full.at_the_end();
    if (c.waits && (e == ending::replace_if || e == ending::replace_lowest || e == ending::replace_oldest))
        return "on_full cannot replace in a class that releases on confirm: whoever is ended keeps its place until "
               "that is "
               "certain; use grow or reject";
    if (e == ending::merge && !c.merges) return "on_full merge needs `bool merge(const T& newcomer)` in the class";
    if (e == ending::replace_if && !c.says_replaceable)
        return "on_full replace_if needs `bool replaceable() const` in the class";
    if (e == ending::replace_lowest && c.tracks != track::priority)
        return "on_full replace_lowest needs pool_options with track::priority in the class";
    if (e == ending::replace_oldest && c.tracks == track::nothing)
        return "on_full replace_oldest needs pool_options that track ages in the class";
    if (s.references == references::given && e != ending::reject)
        return "references that are given elsewhere leave nobody to be replaced here; on_full may grow, and then "
               "reject";
    if (s.headroom.priority != 0) {
        if (!c.headroom) return "headroom needs pool_options with headroom in the class";
        if (s.on_full.cap() == on_full::unlimited)
            return "headroom is a share of the most objects, which on_full grow does not bound; use grow_to";
    }
    if (s.prewarm != 0 && !c.makes_objects) return "prewarm needs a default constructor or `create`";
    if (s.prewarm > settings_limits::objects)
        return "prewarm is " + std::to_string(s.prewarm) + "; it must be 0 to " +
               std::to_string(settings_limits::objects);
    if (s.prewarm > s.idle_cap) return "prewarm is more than idle_cap, so the last of them could not wait";
    const std::uint32_t cap = s.on_full.cap();
    if (cap != on_full::no_growth && cap < first_capacity(s)) return "grow_to is less than the capacity or the prewarm";
    return {};
}

}  // namespace lido::world_detail
