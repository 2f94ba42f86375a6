// Who plays: the identity that a connection has proved, and that entities are owned by.
#pragma once

#include <compare>
#include <cstdint>

namespace lido {

/// Zero is nobody.
struct player {
    std::uint64_t id = 0;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return id != 0; }
    friend constexpr auto operator<=>(player, player) noexcept = default;
};

/// What becomes of an entity whose owner leaves.
enum class without_owner : std::uint8_t {
    keep,     ///< it stays, and is nobody's
    pool,     ///< it is pooled
    destroy,  ///< it is destroyed
};

}  // namespace lido
