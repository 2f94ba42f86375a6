// Whole-number arithmetic for the arena: positions in 1/256 of a pixel, directions in 1/64 of a turn. Floating point may be
// contracted or widened differently by every compiler; whole numbers are the same everywhere, and so is the arena's hash.
#pragma once

#include <array>
#include <cstdint>

namespace arena {

using fixed = std::int32_t;

inline constexpr int fraction_bits = 8;
inline constexpr unsigned turn = 64;  // directions in a full turn

[[nodiscard]] constexpr fixed from_pixels(int pixels) noexcept { return pixels * (1 << fraction_bits); }

namespace detail {

/// 256 * sin(2 pi i / 64), by Bhaskara's rational approximation: within 0.2 % of it, in whole numbers only.
[[nodiscard]] constexpr fixed sine(unsigned i) noexcept {
    const unsigned half = turn / 2;
    const auto x = static_cast<std::int64_t>(i % half);
    const std::int64_t p = x * (half - x);
    const std::int64_t value = 256 * 16 * p / (5 * static_cast<std::int64_t>(half) * half - 4 * p);
    return static_cast<fixed>(i % turn < half ? value : -value);
}

inline constexpr std::array<fixed, turn> sines = [] {
    std::array<fixed, turn> table{};
    for (unsigned i = 0; i < turn; ++i) table[i] = sine(i);
    return table;
}();

}  // namespace detail

/// The unit vector (length 256) of a direction.
[[nodiscard]] constexpr fixed direction_x(unsigned d) noexcept { return detail::sines[(d + turn / 4) % turn]; }
[[nodiscard]] constexpr fixed direction_y(unsigned d) noexcept { return detail::sines[d % turn]; }

/// Speed in 1/256 of a pixel a tick along a unit vector's part.
[[nodiscard]] constexpr fixed along(fixed unit, fixed speed) noexcept {
    return static_cast<fixed>(static_cast<std::int64_t>(unit) * speed / 256);
}

/// A small generator whose whole state is one number, so that it rewinds like everything else.
struct random {
    std::uint64_t state = 1;

    [[nodiscard]] std::uint32_t next() noexcept {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<std::uint32_t>((state * 0x2545f4914f6cdd1dULL) >> 32);
    }

    /// In [0, n), a little uneven for large n, which a game does not mind.
    [[nodiscard]] std::uint32_t below(std::uint32_t n) noexcept {
        return static_cast<std::uint32_t>((std::uint64_t{next()} * n) >> 32);
    }
};

}  // namespace arena
