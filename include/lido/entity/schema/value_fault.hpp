// What is wrong with a value: the check that every commit makes of every field.
#pragma once

#include <lido/entity/schema/limits.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace lido {

/// Why a value is refused.
enum class field_fault : std::uint8_t {
    none,
    below_min,
    above_max,
    not_finite,  ///< NaN or infinity
    not_text,    ///< not valid UTF-8, or with a NUL in it
    not_a_flag,  ///< a bool whose byte is neither 0 nor 1
    broken,      ///< a size that the type cannot have: somebody wrote over it
    refused,     ///< by `valid(const T&)`
};

[[nodiscard]] constexpr const char* to_string(field_fault fault) noexcept {
    switch (fault) {
        case field_fault::none: return "nothing is wrong";
        case field_fault::below_min: return "the value is below its minimum";
        case field_fault::above_max: return "the value is above its maximum";
        case field_fault::not_finite: return "the value is not a finite number";
        case field_fault::not_text: return "the text is not valid UTF-8, or has a NUL in it";
        case field_fault::not_a_flag: return "the flag is neither true nor false";
        case field_fault::broken: return "the field was overwritten: it has a size that its type cannot have";
        case field_fault::refused: return "the fields do not go together: `valid` returned false";
    }
    return "unknown";
}

namespace entity_detail {

template <class N>
[[nodiscard]] constexpr field_fault number_fault(N number, const number_range& range) noexcept {
    if constexpr (std::is_floating_point_v<N>) {
        if (!is_finite(number)) return field_fault::not_finite;
        if (range.has_min && number < from_word<N>(range.min)) return field_fault::below_min;
        if (range.has_max && number > from_word<N>(range.max)) return field_fault::above_max;
    } else {
        using integer = integer_of<N>;
        const auto value = static_cast<integer>(number);
        if (range.has_min && value < from_word<integer>(range.min)) return field_fault::below_min;
        if (range.has_max && value > from_word<integer>(range.max)) return field_fault::above_max;
    }
    return field_fault::none;
}

// Reading a bool that is neither is undefined, so its byte is looked at.
[[nodiscard]] constexpr field_fault flag_fault(const bool& flag) noexcept {
    if (!std::is_constant_evaluated()) {
        unsigned char byte = 0;
        static_assert(sizeof(bool) == 1);
        std::memcpy(&byte, &flag, 1);
        if (byte > 1) return field_fault::not_a_flag;
    }
    return field_fault::none;
}

template <class V>
[[nodiscard]] constexpr field_fault fault_of(const V& value, [[maybe_unused]] const number_range& range) noexcept {
    constexpr field_kind kind = kind_of<V>;
    if constexpr (kind == field_kind::flag) {
        return flag_fault(value);
    } else if constexpr (kind == field_kind::whole || kind == field_kind::real || kind == field_kind::enumerated) {
        return number_fault(value, range);
    } else if constexpr (kind == field_kind::text) {
        return value.well_formed() ? field_fault::none : field_fault::not_text;
    } else if constexpr (kind == field_kind::bytes) {
        return value.well_formed() ? field_fault::none : field_fault::broken;
    } else if constexpr (kind == field_kind::optional) {
        return value.has_value() ? fault_of(*value, range) : field_fault::none;
    } else if constexpr (kind == field_kind::list) {
        if (!value.well_formed()) return field_fault::broken;
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (const field_fault f = fault_of(value.data()[i], range); f != field_fault::none) return f;
        }
        return field_fault::none;
    } else if constexpr (kind == field_kind::array) {
        for (std::size_t i = 0; i < value_shape<V>::count; ++i) {
            if (const field_fault f = fault_of(value[i], range); f != field_fault::none) return f;
        }
        return field_fault::none;
    } else if constexpr (kind == field_kind::structure) {
        field_fault found = field_fault::none;
        static_cast<void>(any_leaf<V>([&]<class L, std::size_t>() {
            found = fault_of(L::get(value), range_of<L>);
            return found != field_fault::none;
        }));
        return found;
    } else {
        return field_fault::none;
    }
}

}  // namespace entity_detail
}  // namespace lido
