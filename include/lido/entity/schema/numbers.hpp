// Real numbers by their bits.
#pragma once

#include <cstdint>
#include <type_traits>

namespace lido::entity_detail {

template <class To, class From>
[[nodiscard]] constexpr To bits_as(const From& from) noexcept {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(
        To, from);  // what std::bit_cast is made of; older libraries of our compilers do not have that
}

template <class R>
[[nodiscard]] constexpr auto real_bits(R number) noexcept {
    if constexpr (sizeof(R) == 4) {
        return bits_as<std::uint32_t>(number);
    } else {
        return bits_as<std::uint64_t>(number);
    }
}

/// Also where the program is compiled with -ffast-math, which computes as if all numbers were finite.
template <class R>
[[nodiscard]] constexpr bool is_finite(R number) noexcept {
    if constexpr (sizeof(R) == 4) {
        return (real_bits(number) & 0x7f800000u) != 0x7f800000u;
    } else {
        return (real_bits(number) & 0x7ff0000000000000u) != 0x7ff0000000000000u;
    }
}

}  // namespace lido::entity_detail
