// One value in an image, for parts of one's own (part.hpp): how an element is written is decided as pools decide it.
#pragma once

#include <lido/core/base/construct.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/meta/insides.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace lido {

/// T can be an element of a pool that is written into an image: by its own save() and load(), or as bytes, which hold no pointer then.
template <class T>
concept image_element =
    (image_codec<T> || (detail::is_bytes<T> && detail::pointers_in<T>() == detail::pointers::none)) &&
    (detail::is_bytes<T> || std::is_nothrow_move_constructible_v<T>);

/// The bytes of a T in memory are its value: none of them is padding, and none part of a pointer.
template <class T>
concept image_bytes = detail::is_bytes<T> && has_no_padding<T>() && detail::pointers_in<T>() == detail::pointers::none;

/// What a reader must agree with before it takes a T: its size and the order of its bytes, or 0 and 1 for one that has a codec.
struct image_element_form {
    std::uint32_t bytes = 0;
    std::uint32_t form = 0;  ///< 0: bytes, little-endian; 1: by its codec; 2: bytes, big-endian
    friend constexpr bool operator==(image_element_form, image_element_form) noexcept = default;
};
template <image_element T>
[[nodiscard]] constexpr image_element_form form_of_element() noexcept {
    return {image_codec<T> ? 0 : static_cast<std::uint32_t>(sizeof(T)), detail::element_form<T>};
}

/// Throws: std::bad_alloc, and what the element's own save() throws.
template <image_element T>
void write_element(image_writer& w, const T& element) {
    detail::put_element(w, element);
}

/// Reads into an object that was just made. False when the bytes end, or make no sense; the object is then anything.
template <image_element T>
[[nodiscard]] bool read_element(image_reader& r, T& fresh) {
    if constexpr (image_codec<T>) {
        return fresh.load(r) && r.ok();
    } else {
        alignas(T) std::byte bytes[sizeof(T)];
        if (!detail::take_element<T>(r, bytes)) return false;
        std::memcpy(static_cast<void*>(std::addressof(fresh)), bytes, sizeof(T));
        return true;
    }
}

/// Whether these bytes, which may be a stranger's, are those of a T: a bool is 0 or 1.
template <image_bytes T>
[[nodiscard]] bool are_bytes_of(const std::byte* bytes) noexcept {
    alignas(T) std::byte copy[sizeof(T)];
    std::memcpy(copy, bytes, sizeof(T));
    return detail::bools_are_sound(*std::launder(reinterpret_cast<const T*>(copy)));
}

namespace detail {

template <class T>
constexpr void add_layout(std::uint64_t& sum);
template <class T, std::size_t I>
constexpr void add_named_layout(std::uint64_t& sum);

template <class T>
consteval std::uint64_t layout() {
    std::uint64_t sum = 0xcbf29ce484222325u;
    add_layout<T>(sum);
    return sum;
}
constexpr void add_to_layout(std::uint64_t& sum, std::uint64_t number) noexcept {
    for (int i = 0; i < 8; ++i, number >>= 8) sum = (sum ^ (number & 0xff)) * 0x100000001b3u;
}
template <class T>
constexpr void add_layout(std::uint64_t& sum) {
    add_to_layout(sum, sizeof(T));
    if constexpr (std::is_bounded_array_v<T>) {
        add_layout<std::remove_extent_t<T>>(sum);
    } else if constexpr (std::is_enum_v<T>) {
        add_layout<std::underlying_type_t<T>>(sum);
    } else if constexpr (std::is_arithmetic_v<T>) {
        add_to_layout(sum, std::is_same_v<T, bool> ? 1 : std::is_floating_point_v<T> ? 2 : std::is_signed_v<T> ? 3 : 4);
    } else if constexpr (is_std_array<T>::value) {
        add_layout<typename T::value_type>(sum);
    } else if constexpr (splittable<T>) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (add_named_layout<T, I>(sum), ...);
        }(std::make_index_sequence<field_count<T>()>{});
    } else {
        add_to_layout(sum, alignof(T));  // what is inside of it nobody can tell
    }
}

template <class T, std::size_t I>
constexpr void add_named_layout(std::uint64_t& sum) {
    for (const char c : field_name<T, I>()) add_to_layout(sum, static_cast<unsigned char>(c));
    add_layout<std::remove_cv_t<field_type<T, I>>>(sum);
}

}  // namespace detail

/// Another number where the bytes of a T mean something else: names, order, kinds and sizes of its fields, as far as it can be split into
/// them. 0 for one that has a codec, which decides itself.
template <image_element T>
[[nodiscard]] consteval std::uint64_t layout_of_element() {
    if constexpr (image_codec<T>) {
        return 0;
    } else {
        return detail::layout<T>();
    }
}

}  // namespace lido
