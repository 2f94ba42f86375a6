// A trivially copyable object as a part of a save: its bytes.
#pragma once

#include <lido/core/base/compat.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_part.hpp>
#include <lido/core/rewind/section.hpp>

#include <cstddef>
#include <cstdint>

namespace lido::detail {

struct plain_rewind {
    template <class T>
    [[nodiscard]] static bool save(const T& object, section& s) {
        std::byte* const data = s.begin(sizeof(T), alignof(T));
        if (data == nullptr) return false;
        copy_bytes(data, address_of(object), sizeof(T));
        s.seal(&section_kind<T>);
        return true;
    }

    template <class T>
    struct staged {
        alignas(T) std::byte bytes[sizeof(T)];
    };

    template <class T>
    [[nodiscard]] static restore_result stage(T&, const section& s, staged<T>& out) noexcept {
        if (s.kind() != &section_kind<T>)
            return {restore_error::other_parts, "the snapshot was saved from another type"};
        copy_bytes(out.bytes, s.data(), sizeof(T));
        return {};
    }

    template <class T>
    static void commit(T& object, staged<T>& from) noexcept {
        copy_bytes(address_of(object), from.bytes, sizeof(T));
    }

    template <class T>
    static void write(const T& object, image_writer& w) {
        require_image_element<T>();
        w.put(number_of(image_part::plain));
        put_element_type<T>(w);
        put_element(w, object);
    }

    template <class T>
    [[nodiscard]] static restore_result read(T&, image_reader& r, staged<T>& out) {
        if (r.take<std::uint8_t>() != number_of(image_part::plain))
            return {r.ok() ? restore_error::other_shape : restore_error::truncated};
        if (!same_element_type<T>(r)) return {r.ok() ? restore_error::other_type : restore_error::truncated};
        if (take_element<T>(r, out.bytes)) return {};
        return {r.ok() ? restore_error::inconsistent : restore_error::truncated};
    }

    template <class T>
    static void hash(const T& object, hasher& h) {
        hash_value_into(h, object);
    }
};

}  // namespace lido::detail
