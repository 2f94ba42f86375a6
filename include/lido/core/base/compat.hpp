// What older standard libraries of supported compilers leave out: libc++ has std::bit_cast from 14 and std::assume_aligned from 15 on.
#pragma once

#include <lido/core/base/config.hpp>

#include <bit>
#include <cstddef>
#include <memory>
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

/// As std::assume_aligned, for pointers that are not null.
template <std::size_t Alignment, class T>
[[nodiscard]] LIDO_INLINE T* known_aligned(T* pointer) noexcept {
#if defined(__cpp_lib_assume_aligned)
    return std::assume_aligned<Alignment>(pointer);
#elif defined(__GNUC__) || defined(__clang__)
    return static_cast<T*>(__builtin_assume_aligned(pointer, Alignment));
#else
    return pointer;  // a hint to the optimiser, and nothing else
#endif
}

}  // namespace lido::detail
