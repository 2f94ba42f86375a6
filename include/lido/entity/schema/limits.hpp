// The range of a number, and the whole number that the wire has for it.
//
// A real number with a range and a step is rounded to the nearest step, in double, and travels as the number of steps from the minimum.
// Dividing by the step, and multiplying as a division by its inverse: a product that is then added to could be contracted into one
// instruction where the processor has it and not elsewhere, and ends of one connection would disagree. Quotients are never contracted.
#pragma once

#include <lido/entity/schema/field_options.hpp>
#include <lido/entity/schema/numbers.hpp>
#include <lido/entity/schema/value_kind.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace lido {

/// The range of the numbers of one field, in words of 64 bits: whole numbers widened (negative ones as two's complement), real ones as
/// the bits of a double.
struct number_range {
    std::uint64_t min = 0;
    std::uint64_t max = 0;
    std::uint64_t step = 0;
    bool has_min = false;
    bool has_max = false;
    bool has_step = false;
    std::uint8_t bits = 0;  ///< that one number has on the wire; 0: the field has no number in it

    friend constexpr bool operator==(const number_range&, const number_range&) noexcept = default;
};

namespace entity_detail {

template <class N>
[[nodiscard]] constexpr std::uint64_t to_word(N number) noexcept {
    if constexpr (std::is_floating_point_v<N>) {
        return bits_as<std::uint64_t>(static_cast<double>(number));
    } else {
        return static_cast<std::uint64_t>(static_cast<integer_of<N>>(number));
    }
}

template <class N>
[[nodiscard]] constexpr N from_word(std::uint64_t word) noexcept {
    if constexpr (std::is_floating_point_v<N>) {
        return static_cast<N>(bits_as<double>(word));
    } else {
        return static_cast<N>(static_cast<integer_of<N>>(word));
    }
}

/// Whole numbers: whether a limit of a description is a number of this type.
template <class I>
[[nodiscard]] constexpr bool fits_integer(const limit& l) noexcept {
    constexpr auto top = static_cast<std::uint64_t>((std::numeric_limits<I>::max)());
    switch (l.is()) {
        case limit::kind::natural: return l.whole() <= top;
        case limit::kind::negative:
            return std::is_signed_v<I> &&
                   static_cast<std::int64_t>(l.whole()) >=
                       static_cast<std::int64_t>(std::is_signed_v<I> ? (std::numeric_limits<I>::min)() : 0);
        default: return !l.given();
    }
}

/// Pre: it fits. A limit of a float is a float, so that `.max = 0.1` takes 0.1f.
template <class N>
[[nodiscard]] constexpr N limit_as(const limit& l) noexcept {
    if constexpr (std::is_floating_point_v<N>) {
        return static_cast<N>(l.as_real());
    } else {
        return static_cast<N>(static_cast<integer_of<N>>(l.whole()));
    }
}

/// Rounded half up. Pre: 0 <= x < 2^62.
[[nodiscard]] constexpr std::uint64_t nearest(double x) noexcept {
    const auto below = static_cast<std::int64_t>(x);
    const double rest = x - static_cast<double>(below);
    return static_cast<std::uint64_t>(below) + (rest >= 0.5 ? 1u : 0u);
}

/// How far `value` is above `low`, in whole steps.
[[nodiscard]] constexpr std::uint64_t whole_steps(std::uint64_t above, std::uint64_t step) noexcept {
    const std::uint64_t rest = above % step;
    return above / step + (rest >= step - rest ? 1u : 0u);
}

/// The range of numbers N as `options` has it. Pre: the options fit N (field_check.hpp).
template <class N>
[[nodiscard]] constexpr number_range make_range(const leaf_options& options) noexcept {
    number_range r;
    r.has_min = options.min.given();
    r.has_max = options.max.given();
    r.has_step = options.step.given();
    if constexpr (std::is_floating_point_v<N>) {
        if (r.has_min) r.min = to_word(limit_as<N>(options.min));
        if (r.has_max) r.max = to_word(limit_as<N>(options.max));
        r.bits = 8 * sizeof(N);
        if (r.has_step) {
            r.step = bits_as<std::uint64_t>(options.step.as_real());
            const double width = bits_as<double>(r.max) - bits_as<double>(r.min);
            r.bits = static_cast<std::uint8_t>(std::bit_width(nearest(width / options.step.as_real())));
        }
    } else {
        using integer = integer_of<N>;
        r.min = to_word(r.has_min ? limit_as<integer>(options.min) : (std::numeric_limits<integer>::min)());
        r.max = to_word(r.has_max ? limit_as<integer>(options.max) : (std::numeric_limits<integer>::max)());
        r.step = r.has_step ? options.step.whole() : 1;
        r.bits = static_cast<std::uint8_t>(std::bit_width(whole_steps(r.max - r.min, r.step)));
    }
    return r;
}

/// The number as the wire has it, below 2^range.bits. What is outside of the range counts as its nearer end; NaN as the minimum.
template <class N>
[[nodiscard]] constexpr std::uint64_t quantise(N number, const number_range& range) noexcept {
    if constexpr (std::is_floating_point_v<N>) {
        if (!range.has_step) {
            if constexpr (sizeof(N) == 4) {
                return bits_as<std::uint32_t>(number);
            } else {
                return bits_as<std::uint64_t>(number);
            }
        }
        const auto value = static_cast<double>(number);
        const double low = bits_as<double>(range.min);
        const double high = bits_as<double>(range.max);
        if (!(value > low)) return 0;
        const double from_low = (value < high ? value : high) - low;
        return nearest(from_low / bits_as<double>(range.step));
    } else {
        using integer = integer_of<N>;
        auto value = static_cast<integer>(number);
        if (value < from_word<integer>(range.min)) value = from_word<integer>(range.min);
        if (value > from_word<integer>(range.max)) value = from_word<integer>(range.max);
        return whole_steps(to_word(value) - range.min, range.step);
    }
}

/// The number that the wire's stands for, in the range: quantise() of it is `steps` again. A number of steps beyond the range, which only
/// a faulty or hostile sender has, counts as the maximum.
template <class N>
[[nodiscard]] constexpr N unquantise(std::uint64_t steps, const number_range& range) noexcept {
    if constexpr (std::is_floating_point_v<N>) {
        if (!range.has_step) {
            if constexpr (sizeof(N) == 4) {
                return bits_as<float>(static_cast<std::uint32_t>(steps));
            } else {
                return bits_as<double>(steps);
            }
        }
        const double low = bits_as<double>(range.min);
        const double high = bits_as<double>(range.max);
        const double inverse = 1.0 / bits_as<double>(range.step);
        const double value = low + static_cast<double>(steps) / inverse;
        return static_cast<N>(value < high ? value : high);
    } else {
        const std::uint64_t width = range.max - range.min;
        if (steps > width / range.step) return from_word<N>(range.max);
        return from_word<N>(range.min + steps * range.step);
    }
}

/// Of a leaf: empty where it has no number in it.
template <class Leaf>
constexpr number_range make_range_of_leaf() noexcept {
    using number = number_in<typename Leaf::value>;
    if constexpr (std::is_void_v<number>) {
        number_range none;
        none.bits = kind_of<typename Leaf::value> == field_kind::flag ? 1 : 0;
        return none;
    } else {
        return make_range<number>(options_of<Leaf>);
    }
}

template <class Leaf>
inline constexpr number_range range_of = make_range_of_leaf<Leaf>();

}  // namespace entity_detail
}  // namespace lido
