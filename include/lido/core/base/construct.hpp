// How an element is built and ended in place.
#pragma once

#include <lido/core/base/config.hpp>

#include <new>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// What a pool can hold objects of.
template <class T>
inline constexpr bool holdable =
    std::is_object_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T> && !std::is_array_v<T>;

// Aggregates take braces: clang before 16 cannot initialise them with parentheses, and the same call must mean the same on
// every compiler. Everything else takes parentheses, so that an initializer_list constructor is not picked by surprise.

#if defined(__GNUC__) || defined(__clang__)
// An acquire may name the first fields only, as a braced initialiser may; the warning would point here and not at the caller.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

template <class T, class... Args>
concept constructible =
    (std::is_aggregate_v<T> && requires(void* p, Args&&... args) { ::new (p) T{std::forward<Args>(args)...}; }) ||
    (!std::is_aggregate_v<T> && std::is_constructible_v<T, Args...>);

template <class T, class... Args>
[[nodiscard]] consteval bool nothrow_constructible() noexcept {
    if constexpr (std::is_aggregate_v<T>) {
        return noexcept(::new (static_cast<void*>(nullptr)) T{std::declval<Args>()...});
    } else {
        return noexcept(::new (static_cast<void*>(nullptr)) T(std::declval<Args>()...));
    }
}

template <class T, class... Args>
LIDO_INLINE T* construct(void* place, Args&&... args) noexcept(nothrow_constructible<T, Args...>()) {
    if constexpr (std::is_aggregate_v<T>) {
        return ::new (place) T{std::forward<Args>(args)...};
    } else {
        return ::new (place) T(std::forward<Args>(args)...);
    }
}

/// The object itself, by value.
template <class T, class... Args>
[[nodiscard]] T make(Args&&... args) {
    if constexpr (std::is_aggregate_v<T>) {
        return T{std::forward<Args>(args)...};
    } else {
        return T(std::forward<Args>(args)...);
    }
}

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic pop
#endif

template <class T>
LIDO_INLINE void destroy(T* object) noexcept {
    static_assert(std::is_nothrow_destructible_v<T>, "lido: an element's destructor must not throw");
    object->~T();
}

/// A copy or move of one element can be done with memcpy.
template <class T>
inline constexpr bool is_bytes = std::is_trivially_copyable_v<T>;

/// An object of `T` can take the place of another without the risk of losing both.
template <class T, class... Args>
inline constexpr bool can_replace = nothrow_constructible<T, Args...>() || std::is_nothrow_move_constructible_v<T>;

}  // namespace lido::detail
