// Crowds: far too many of one thing at once, to see what its pool does then.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace arena {

/// One for each pool and each class of the world, in the order of the report.
enum class crowd : std::uint8_t {
    bullets,
    enemies,
    glitter,
    player_bullets,
    orbs,
    particles,
    debris,
    numbers,
    missiles,
    explosions,
    embers,
    texts,
};

/// What a player reads and asks for.
inline constexpr std::array<std::string_view, 12> crowd_names{
    "bullets",      "enemies",        "glitter",  "player bullets", "xp orbs", "particles",
    "death debris", "damage numbers", "missiles", "explosions",     "embers",  "damage texts"};

inline constexpr std::size_t crowd_kinds = crowd_names.size();

[[nodiscard]] constexpr std::optional<crowd> crowd_named(std::string_view name) noexcept {
    for (std::size_t i = 0; i < crowd_kinds; ++i) {
        if (crowd_names[i] == name) return static_cast<crowd>(i);
    }
    return {};
}

}  // namespace arena
