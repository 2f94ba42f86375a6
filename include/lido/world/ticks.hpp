// Time in a world: whole ticks, so that it is the same on every machine and after every rewind.
#pragma once

#include <compare>
#include <cstdint>

namespace lido {

/// A number of ticks, or the tick of that number. Not convertible from plain numbers: `ticks{120}`.
struct ticks {
    std::uint64_t count = 0;

    friend constexpr auto operator<=>(ticks, ticks) noexcept = default;
    friend constexpr ticks operator+(ticks a, ticks b) noexcept { return {a.count + b.count}; }
    friend constexpr ticks operator-(ticks a, ticks b) noexcept { return {a.count - b.count}; }
};

}  // namespace lido
