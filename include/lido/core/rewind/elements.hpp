// How one element goes into a snapshot, into an image and into a state hash.
#pragma once

#include <lido/core/base/compat.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/core/meta/insides.hpp>
#include <lido/core/meta/type_name.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido::detail {

template <class T>
consteval void require_movable_element() {
    static_assert(
        is_bytes<T> || std::is_nothrow_move_constructible_v<T>,
        "lido: a restore copies the elements first and then moves them in, so that a copy that throws loses nothing: "
        "make the element's move constructor noexcept");
}

template <class T>
consteval void require_snapshot_element() {
    static_assert(is_bytes<T> || std::is_copy_constructible_v<T>,
                  "lido: this element cannot be saved: it is neither trivially copyable nor copyable");
    require_movable_element<T>();
}

template <class T>
consteval void require_image_element() {
    static_assert(is_bytes<T> || image_codec<T>,
                  "lido: this element cannot be written into an image because it is not trivially copyable: give it "
                  "`void save(lido::image_writer&) const` and `bool load(lido::image_reader&)`");
    static_assert(
        image_codec<T> || pointers_in<T>() != pointers::some,
        "lido: this element holds a pointer, which means nothing in another run: give it "
        "`void save(lido::image_writer&) const` and `bool load(lido::image_reader&)`, or keep a handle instead");
    static_assert(
        image_codec<T> || pointers_in<T>() != pointers::perhaps,
        "lido: a part of this element that cannot be split into fields holds a pointer, a reference or a union, and a "
        "pointer means nothing in another run: give the element `void save(lido::image_writer&) const` and "
        "`bool load(lido::image_reader&)`; or, if there is no pointer in that part, say so with "
        "`template <> inline constexpr bool lido::holds_no_pointer<part> = true;`");
    require_movable_element<T>();
}

/// How an element is written: 1 by its own codec, else as bytes in this machine's order (0 little-endian, 2 big-endian).
template <class T>
inline constexpr std::uint32_t element_form = image_codec<T>                               ? 1
                                              : std::endian::native == std::endian::little ? 0
                                                                                           : 2;

/// What must agree between the writer and the reader of an element.
template <class T>
void put_element_type(image_writer& w) {
    w.put(static_cast<std::uint32_t>(sizeof(T)));
    w.put(element_form<T>);
    w.put(type_id<T>());
}

template <class T>
[[nodiscard]] bool same_element_type(image_reader& r) noexcept {
    const auto size = r.take<std::uint32_t>();
    const auto form = r.take<std::uint32_t>();
    const auto id = r.take<std::uint64_t>();
    // A codec decides itself what its bytes mean, so the size in memory may change from build to build, and in what is to last the name
    // of the type.
    return (image_codec<T> || size == sizeof(T)) && form == element_form<T> &&
           (id == type_id<T>() || (image_codec<T> && r.lasting()));
}

/// The options that decide what the bytes of a pool's image mean, and which handles it holds.
template <class Pool>
void put_options(image_writer& w, std::uint8_t shape) {
    constexpr options o = Pool::pool_options;
    w.put(shape);
    w.put(static_cast<std::uint8_t>(o.handle_bits));
    w.put(static_cast<std::uint8_t>(Pool::handle_type::index_bits));
    w.put(static_cast<std::uint8_t>(o.generations));
    w.put(static_cast<std::uint8_t>(o.tracks));
    w.put(static_cast<std::uint8_t>(o.order));
    w.put(o.reuse_delay);
    put_element_type<typename Pool::value_type>(w);
}

template <class Pool>
[[nodiscard]] restore_result same_options(image_reader& r, std::uint8_t shape) noexcept {
    constexpr options o = Pool::pool_options;
    const bool same_shape = r.take<std::uint8_t>() == shape;
    unsigned other = 0;
    for (const unsigned expected : {o.handle_bits, Pool::handle_type::index_bits, static_cast<unsigned>(o.generations),
                                    static_cast<unsigned>(o.tracks), static_cast<unsigned>(o.order)}) {
        other |= r.take<std::uint8_t>() ^ expected;
    }
    other |= r.take<std::uint32_t>() ^ o.reuse_delay;
    const bool same_type = same_element_type<typename Pool::value_type>(r);
    if (!r.ok()) return {restore_error::truncated};
    if (!same_shape) return {restore_error::other_shape};
    if (!same_type) return {restore_error::other_type};
    return other == 0 ? restore_result{} : restore_result{restore_error::other_options};
}

/// The fewest bytes that one element takes in an image.
template <class T>
inline constexpr std::size_t least_image_bytes = image_codec<T> ? 0 : sizeof(T);

/// Copies the fields of a plain struct and leaves the padding between them, which may hold anything, as it is in `to`.
template <class T>
void copy_fields(std::byte* to, const T& from) noexcept {
    if constexpr (std::is_bounded_array_v<T>) {
        for (const auto& part : from) {
            copy_fields(to, part);
            to += sizeof(part);
        }
    } else if constexpr (std::is_class_v<T> && splittable<T> && !has_no_padding<T>()) {
        const auto* const base = reinterpret_cast<const std::byte*>(address_of(from));
        for_each_field(from, [&](const auto& field) {
            copy_fields(to + (reinterpret_cast<const std::byte*>(address_of(field)) - base), field);
        });
    } else {
        std::memcpy(to, address_of(from), sizeof(T));
    }
}

template <class T>
void put_element(image_writer& w, const T& element) {
    if constexpr (image_codec<T>) {
        element.save(w);
    } else {
        std::byte bytes[sizeof(T)] = {};
        copy_fields(bytes, element);
        w.put_bytes(bytes);
    }
}

/// Builds at `place` the element that follows. False when it makes no sense; nothing lives at `place` then.
template <class T>
[[nodiscard]] bool take_element(image_reader& r, void* place) {
    if constexpr (image_codec<T>) {
        T* const fresh = ::new (place) T();
        bool sound = false;
        LIDO_TRY { sound = fresh->load(r) && r.ok(); }
        LIDO_CATCH_ALL {
            fresh->~T();
            LIDO_RETHROW;
        }
        if (!sound) fresh->~T();
        return sound;
    } else {
        const std::span<const std::byte> from = r.take_bytes(sizeof(T));
        if (from.size() != sizeof(T)) return false;
        std::memcpy(place, from.data(), sizeof(T));
        return bools_are_sound(*std::launder(static_cast<const T*>(place)));
    }
}

/// Copies `count` objects, which `next()` yields, to `to` inside `s`, and lets `s` own them. Throws what a copy throws; `s` then
/// owns nothing.
template <class T, class Next>
void copy_objects(section& s, T* to, std::size_t count, Next&& next) {
    std::size_t done = 0;
    LIDO_TRY {
        for (; done < count; ++done) ::new (static_cast<void*>(to + done)) T(next());
    }
    LIDO_CATCH_ALL {
        while (done-- != 0) to[done].~T();
        LIDO_RETHROW;
    }
    s.owns(to, count);
}

/// Reads `count` objects to `to` inside `s`, and lets `s` own them.
template <class T>
[[nodiscard]] restore_result take_objects(image_reader& r, T* to, std::size_t count, section& s) {
    std::size_t done = 0;
    LIDO_TRY {
        while (done < count && take_element<T>(r, to + done)) ++done;
    }
    LIDO_CATCH_ALL {
        while (done-- != 0) to[done].~T();
        LIDO_RETHROW;
    }
    s.owns(to, done);
    if (!r.ok()) return {restore_error::truncated};
    if (done != count) return {restore_error::inconsistent, "an element refused what it read"};
    return {};
}

/// Lives are counted in 64 bits and never wrap; an image that claims more than half of them is made up.
inline constexpr std::uint64_t most_lives = std::uint64_t{1} << 63;

inline void put_counters(image_writer& w, const pool_counters& c) {
    for (const std::uint64_t n : {c.refused, c.refused_headroom, c.refused_kind_cap, c.refused_no_memory, c.merged,
                                  c.replaced, c.grown, c.rests_cut_short, c.bad_releases}) {
        w.put(n);
    }
}

inline void take_counters(image_reader& r, pool_counters& c) noexcept {
    for (std::uint64_t* n : {&c.refused, &c.refused_headroom, &c.refused_kind_cap, &c.refused_no_memory, &c.merged,
                             &c.replaced, &c.grown, &c.rests_cut_short, &c.bad_releases}) {
        *n = r.take<std::uint64_t>();
    }
}

}  // namespace lido::detail
