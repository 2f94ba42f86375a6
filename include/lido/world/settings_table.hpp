// What a file said of a world's classes, before any world has seen it.
#pragma once

#include <lido/world/class_settings.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lido {

/// What a file may say. The bounds catch a slip of the finger; they are far above what a game needs.
struct settings_limits {
    static constexpr std::uint32_t objects = std::uint32_t{1} << 24;
    static constexpr std::uint64_t ticks = std::uint64_t{1} << 40;  ///< 580 years of 60 a second
    /// A file with every setting of a class has some 300 bytes for it. A wrong path (a save, a video) is refused before it is read.
    static constexpr std::size_t file_bytes = std::size_t{1} << 20;
};

/// Which settings a file gave for a class; what it did not give stays as the program said it.
struct settings_given {
    bool prewarm = false;
    bool max_lifetime = false;
    bool roles = false;
    bool capacity = false;
    bool on_full = false;  ///< also by `grow_to` alone
    bool headroom = false;
    bool idle_cap = false;
    bool trim = false;
    bool reserve = false;
    bool leaks = false;

    friend constexpr bool operator==(settings_given, settings_given) noexcept = default;
};

/// The line of each setting that was given, from 1, so that a later message can name it; 0 for the others.
struct settings_lines {
    std::uint32_t prewarm = 0;
    std::uint32_t max_lifetime = 0;
    std::uint32_t roles = 0;
    std::uint32_t capacity = 0;
    std::uint32_t on_full = 0;  ///< of `grow_to` where there is no `on_full`
    std::uint32_t headroom = 0;
    std::uint32_t idle_cap = 0;
    std::uint32_t trim = 0;
    std::uint32_t reserve = 0;
    std::uint32_t leaks = 0;

    friend constexpr bool operator==(settings_lines, settings_lines) noexcept = default;
};

struct settings_entry {
    std::string name;         ///< the class, by the name under which the program adds it
    class_settings settings;  ///< what was not given has its default here
    settings_given given;
    settings_lines lines;
    std::uint32_t line = 0;  ///< where the file names the class first
};

struct settings_table {
    std::string source;                   ///< the file, as it was named
    std::vector<settings_entry> classes;  ///< in file order, each name once
};

/// Takes over what the file gave, and leaves the rest.
constexpr void overlay(class_settings& onto, const class_settings& from, const settings_given& given) noexcept {
    if (given.prewarm) onto.prewarm = from.prewarm;
    if (given.max_lifetime) onto.max_lifetime = from.max_lifetime;
    if (given.roles) onto.roles = from.roles;
    if (given.capacity) onto.capacity = from.capacity;
    if (given.on_full) onto.on_full = from.on_full;
    if (given.headroom) onto.headroom = from.headroom;
    if (given.idle_cap) onto.idle_cap = from.idle_cap;
    if (given.trim) onto.trim = from.trim;
    if (given.reserve) onto.reserve = from.reserve;
    if (given.leaks) onto.leaks = from.leaks;
}
constexpr void overlay(class_settings& onto, const settings_entry& from) noexcept {
    overlay(onto, from.settings, from.given);
}

}  // namespace lido
