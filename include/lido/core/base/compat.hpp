// What older standard libraries of supported compilers leave out: libc++ has std::bit_cast from 14 and std::assume_aligned from 15 on.
#pragma once

#include <lido/core/base/config.hpp>

#include <bit>
#include <cstddef>
#include <version>

namespace lido::detail {

/// As std::bit_cast.
template <class To, class From>
[[nodiscard]] constexpr To bits_as(const From& from) noexcept {
    static_assert(sizeof(To) == sizeof(From), "lido: bits_as: both types have one size");
#if defined(__cpp_lib_bit_cast)
    return std::bit_cast<To>(from);
#else
    return __builtin_bit_cast(To, from);  // what every std::bit_cast is made of; GCC 11, Clang 9, MSVC 19.27
#endif
}

// What follows is in <memory>, which costs every file that includes a pool a tenth of its compile time, for smart pointers and allocators.

/// As std::addressof.
template <class T>
[[nodiscard]] LIDO_INLINE constexpr T* address_of(T& object) noexcept {
    return __builtin_addressof(object);  // what every std::addressof is made of; GCC 7, Clang 7, MSVC 19.10
}
template <class T>
const T* address_of(const T&&) = delete;

/// As std::assume_aligned, for pointers that are not null.
template <std::size_t Alignment, class T>
[[nodiscard]] LIDO_INLINE T* known_aligned(T* pointer) noexcept {
#if defined(__GNUC__) || defined(__clang__)
    return static_cast<T*>(__builtin_assume_aligned(pointer, Alignment));
#else
    return pointer;                       // a hint to the optimiser, and nothing else
#endif
}

}  // namespace lido::detail
