// What lies inside of a type that is copied as bytes: whether there are pointers, and which of its bytes are bools.
//
// Plain structs are split into their fields (fields.hpp). What cannot be split (a base class, a constructor, private members) the compiler
// is asked about: a constant std::bit_cast refuses a type with a pointer or a reference anywhere inside, and tells which bytes are bools.
// It refuses unions as well, so a type that it refuses may be declared free of pointers (holds_no_pointer).
//
// Limits: a class of which no constructor is constexpr is a sealed box; so is what is inside of a union.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/meta/fields.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido {

/// Specialise it as true for a type that lido takes for one with pointers, but that has none: a union in a class, say.
template <class T>
inline constexpr bool holds_no_pointer = false;

namespace detail {

// --- what the compiler says of a type that cannot be split -----------------------------------------------------------------

template <std::size_t N>
struct raw_bytes {
    unsigned char at[N];
};

/// All bytes 0, but one.
template <class T>
[[nodiscard]] constexpr raw_bytes<sizeof(T)> bytes_with(std::size_t at, unsigned char value) {
    raw_bytes<sizeof(T)> bytes{};
    bytes.at[at] = value;
    return bytes;
}

/// Not a constant where the language does not allow the cast.
template <class T>
[[nodiscard]] constexpr bool casts(std::size_t at, unsigned char value) {
    [[maybe_unused]] const T object = __builtin_bit_cast(T, (bytes_with<T>(at, value)));
    return true;
}

/// There is neither a pointer, nor a reference, nor a union in it. (std::atomic is trivially copyable, and has no copies.)
template <class T>
concept transparent = std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T> &&
                      requires { typename std::bool_constant<casts<T>(0, 0)>; };

/// It has a constant constructor, so that `transparent` says something of its members.
template <class T>
inline constexpr bool can_be_constant = __is_literal_type(T);

#if defined(__clang__)
/// Clang refuses to make a bool of 2.
template <class T>
[[nodiscard]] consteval std::array<bool, sizeof(T)> bool_bytes() {
    std::array<bool, sizeof(T)> is{};
    for (std::size_t i = 0; i < sizeof(T); ++i) is[i] = !__builtin_constant_p(casts<T>(i, 2));
    return is;
}
#else
template <class T>
[[nodiscard]] constexpr unsigned char byte_after(std::size_t at, unsigned char value) {
    return __builtin_bit_cast(raw_bytes<sizeof(T)>, __builtin_bit_cast(T, (bytes_with<T>(at, value)))).at[at];
}
/// GCC keeps the lowest bit of a bool and drops the others; padding has no value at all.
template <class T, std::size_t At>
concept is_bool_byte = requires { typename std::enable_if_t<byte_after<T>(At, 2) == 0 && byte_after<T>(At, 3) == 1>; };
template <class T>
[[nodiscard]] consteval std::array<bool, sizeof(T)> bool_bytes() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return std::array<bool, sizeof(T)>{is_bool_byte<T, I>...};
    }(std::make_index_sequence<sizeof(T)>{});
}
#endif

/// The compiler is asked about each byte; larger types are sealed boxes.
inline constexpr std::size_t most_bytes_asked = 1024;

// --- the standard library's own, known by what they can do: nobody has to include them for this ----------------------------

template <class T>
concept optional_like = requires(const T& v) {
    typename T::value_type;
    { v.has_value() } -> std::same_as<bool>;
    { *v } -> std::same_as<const typename T::value_type&>;
} && sizeof(T) > sizeof(typename T::value_type);

template <class T>
inline constexpr bool variant_like = false;
template <template <class...> class Variant, class... Types>
inline constexpr bool variant_like<Variant<Types...>> = requires(const Variant<Types...>& v) {
    v.index();
    v.valueless_by_exception();
    get_if<0>(std::addressof(v));
};

template <class T, template <class> class Has>
inline constexpr bool any_argument = false;
template <template <class...> class Of, class... Types, template <class> class Has>
inline constexpr bool any_argument<Of<Types...>, Has> = (Has<std::remove_cv_t<Types>>::value || ...);

// --- pointers --------------------------------------------------------------------------------------------------------------

enum class pointers { none, some, perhaps };

template <class T>
[[nodiscard]] consteval pointers pointers_in();

template <class T>
struct has_pointers : std::bool_constant<pointers_in<T>() != pointers::none> {};

template <class... T>
[[nodiscard]] consteval pointers most_of() {
    pointers found = pointers::none;
    for (const pointers each : {pointers::none, pointers_in<T>()...}) {
        if (each == pointers::some || found == pointers::none) found = each;
    }
    return found;
}

/// Whether an object of T holds a pointer or a reference, as far as can be seen.
template <class T>
consteval pointers pointers_in() {
    if constexpr (std::is_pointer_v<T> || std::is_member_pointer_v<T> || std::is_reference_v<T>) {
        return pointers::some;
    } else if constexpr (std::is_bounded_array_v<T>) {
        return pointers_in<std::remove_cv_t<std::remove_all_extents_t<T>>>();
    } else if constexpr (!std::is_class_v<T> || holds_no_pointer<T> || sizeof(T) < sizeof(void*)) {
        return pointers::none;
    } else if constexpr (is_std_array<T>::value || optional_like<T>) {
        return pointers_in<std::remove_cv_t<typename T::value_type>>();
    } else if constexpr (variant_like<T>) {
        return any_argument<T, has_pointers> ? pointers::some : pointers::none;
    } else if constexpr (splittable<T>) {
        return []<class... Fields>(std::tuple<Fields...>*) {
            return most_of<std::remove_cv_t<Fields>...>();
        }(static_cast<field_types<T>*>(nullptr));
    } else if constexpr (split_verdict<T> == split::reference) {
        return pointers::some;
    } else {
        // A pointer is aligned as one: what is aligned less has none.
        return can_be_constant<T> && !transparent<T> && alignof(T) >= alignof(void*) ? pointers::perhaps
                                                                                     : pointers::none;
    }
}

// --- bools -----------------------------------------------------------------------------------------------------------------

template <class T>
[[nodiscard]] LIDO_INLINE unsigned char byte_of(const T& value, std::size_t at) noexcept {
    return reinterpret_cast<const unsigned char*>(std::addressof(value))[at];
}

/// A bool from outside must be 0 or 1 before anyone reads it as a bool: any other value is undefined behaviour. The same holds for what
/// an optional and a variant keep of themselves.
template <class T>
[[nodiscard]] bool bools_are_sound([[maybe_unused]] const T& value) noexcept {
    if constexpr (std::is_same_v<T, bool>) {
        return byte_of(value, 0) <= 1;
    } else if constexpr (std::is_enum_v<T>) {
        if constexpr (std::is_same_v<std::underlying_type_t<T>, bool>) return byte_of(value, 0) <= 1;
    } else if constexpr (std::is_bounded_array_v<T> || is_std_array<T>::value) {
        for (const auto& part : value) {
            if (!bools_are_sound(part)) return false;
        }
    } else if constexpr (optional_like<T>) {
        // Behind the value, in every standard library. Only then may the optional itself be asked.
        if (byte_of(value, sizeof(typename T::value_type)) > 1) return false;
        return !value.has_value() || bools_are_sound(*value);
    } else if constexpr (variant_like<T>) {
        return []<template <class...> class Variant, class... Types>(const Variant<Types...>& v) {
            if (v.valueless_by_exception()) return true;
            if (v.index() >= sizeof...(Types)) return false;
            return [&]<std::size_t... I>(std::index_sequence<I...>) {
                const auto sound = [](const auto* part) { return part == nullptr || bools_are_sound(*part); };
                return (sound(get_if<I>(std::addressof(v))) && ...);
            }(std::index_sequence_for<Types...>{});
        }(value);
    } else if constexpr (std::is_class_v<T> && splittable<T>) {
        bool sound = true;
        for_each_field(value, [&sound](const auto& field) { sound = bools_are_sound(field) && sound; });
        return sound;
    } else if constexpr (std::is_class_v<T> && sizeof(T) <= most_bytes_asked) {
        if constexpr (transparent<T>) {
            static constexpr auto is_bool = bool_bytes<T>();
            for (std::size_t i = 0; i < sizeof(T); ++i) {
                if (is_bool[i] && byte_of(value, i) > 1) return false;
            }
        }
    }
    return true;
}

}  // namespace detail
}  // namespace lido
