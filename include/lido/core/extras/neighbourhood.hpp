// Where things are and which of them are near each other: the arithmetic of merge_pass.
//
// Every coordinate is kept as a double, which holds each float and each whole number of 32 bits exactly. Near means: the distance is
// at most the radius. The answer is the same on every compiler, whatever it contracts into fused operations:
//   whole numbers   differences, squares and sums are exact in 64 bits
//   real numbers    a difference is rounded to a float; squares of floats are exact in a double, so that a sum of two is rounded once,
//                   fused or not
#pragma once

#include <lido/core/base/compat.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/meta/hash.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct point {
    double x, y;
};

template <class P>
concept has_x_and_y = requires(const P& p) {
    { p.x } -> std::convertible_to<double>;
    { p.y } -> std::convertible_to<double>;
};
template <class P>
concept has_two_parts = requires(const P& p) {
    { std::get<0>(p) } -> std::convertible_to<double>;
    { std::get<1>(p) } -> std::convertible_to<double>;
} && std::tuple_size<std::remove_cvref_t<P>>::value == 2;

template <class P>
[[nodiscard]] LIDO_INLINE auto x_of(const P& p) noexcept {
    if constexpr (has_x_and_y<P>) {
        return p.x;
    } else {
        return std::get<0>(p);
    }
}
template <class P>
[[nodiscard]] LIDO_INLINE auto y_of(const P& p) noexcept {
    if constexpr (has_x_and_y<P>) {
        return p.y;
    } else {
        return std::get<1>(p);
    }
}

/// Whole numbers of 32 bits, or floats and doubles: what neighbourhoods are computed in.
template <class N>
concept coordinate = (std::integral<N> && sizeof(N) <= 4) || std::same_as<N, float> || std::same_as<N, double>;

/// By its bits, so that -ffast-math does not compute it away.
[[nodiscard]] LIDO_INLINE bool is_finite(double v) noexcept {
    constexpr std::uint64_t exponent = 0x7ff0000000000000U;
    return (bits_as<std::uint64_t>(v) & exponent) != exponent;
}

/// Positions in whole numbers.
struct near_in_whole_numbers {
    std::int64_t reach = 0;  ///< at most 2^31 - 1, so that two squares fit

    template <class R>
    explicit near_in_whole_numbers(R radius) noexcept {
        static_assert(
            std::integral<R>,
            "lido: merge_pass: positions are whole numbers, so the radius is one, too: distances are then exact");
        constexpr std::int32_t most = (std::numeric_limits<std::int32_t>::max)();
        if (std::cmp_greater(radius, 0)) {
            reach = std::cmp_less(radius, most) ? static_cast<std::int64_t>(radius) : std::int64_t{most};
        }
    }
    [[nodiscard]] double radius() const noexcept { return static_cast<double>(reach); }
    [[nodiscard]] LIDO_INLINE bool operator()(point a, point b) const noexcept {
        const auto dx = static_cast<std::int64_t>(a.x - b.x);
        const auto dy = static_cast<std::int64_t>(a.y - b.y);
        if (dx > reach || dx < -reach || dy > reach || dy < -reach) return false;
        return dx * dx + dy * dy <= reach * reach;
    }
};

/// Positions in real numbers; the radius counts as a float.
struct near_in_real_numbers {
    float reach = 0;

    template <class R>
    explicit near_in_real_numbers(R radius) noexcept {
        static_assert(std::is_arithmetic_v<R>, "lido: merge_pass: the radius is a number");
        constexpr float most = (std::numeric_limits<float>::max)();
        const auto r = static_cast<double>(radius);
        if (r > 0) reach = r < static_cast<double>(most) ? static_cast<float>(r) : most;  // not a number: stays 0
    }
    [[nodiscard]] double radius() const noexcept { return static_cast<double>(reach); }
    [[nodiscard]] LIDO_INLINE bool operator()(point a, point b) const noexcept {
        const double r = radius();
        const double wide_x = a.x - b.x;
        const double wide_y = a.y - b.y;
        if (!(wide_x <= r && wide_x >= -r && wide_y <= r && wide_y >= -r)) return false;
        const auto dx = static_cast<double>(static_cast<float>(wide_x));
        const auto dy = static_cast<double>(static_cast<float>(wide_y));
        return dx * dx + dy * dy <= r * r;
    }
};

/// A uniform grid of cells a little larger than the radius, so that what is near is in the same cell or in one of the eight around.
/// The little, 1/1024, is more than all rounding of a quotient up to 2^30. Cells end there: what lies further out, in radii, shares
/// the last cell, which costs time and nothing else.
class cell_grid {
public:
    struct cell {
        std::int32_t x, y;
    };
    static constexpr double last_cell = 1 << 30;

    /// Pre: radius > 0.
    explicit cell_grid(double radius) noexcept : cells_a_unit_(1.0 / (radius * (1.0 + 1.0 / 1024))) {}

    [[nodiscard]] LIDO_INLINE cell of(point p) const noexcept { return {along(p.x), along(p.y)}; }

private:
    [[nodiscard]] LIDO_INLINE std::int32_t along(double v) const noexcept {
        const double q = std::clamp(v * cells_a_unit_, -last_cell, last_cell);
        const auto towards_zero = static_cast<std::int32_t>(q);
        return towards_zero - (static_cast<double>(towards_zero) > q ? 1 : 0);
    }

    double cells_a_unit_;
};

/// Which list a cell's objects are in, of 2^bits. Scattered, because games put things in rows and on round numbers.
[[nodiscard]] LIDO_INLINE std::uint32_t list_of(cell_grid::cell c, int bits) noexcept {
    const std::uint64_t both = std::uint64_t{static_cast<std::uint32_t>(c.x)} << 32 | static_cast<std::uint32_t>(c.y);
    return static_cast<std::uint32_t>(absorb(hash_k1, both) >> (64 - bits));
}

}  // namespace lido::detail
