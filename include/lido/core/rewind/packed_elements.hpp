// Elements that stand one after the other in a section, whatever their order in the pool: copied there, moved back, read from an image.
#pragma once

#include <lido/core/base/compat.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/rewind/staged.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace lido::detail {

/// How they are aligned in a section.
template <class T>
inline constexpr std::size_t packed_alignment = alignof(T) > 16 ? alignof(T) : 16;

/// Copies `count` elements that follow each other in memory. Throws what a copy throws.
template <class T>
void save_array(section& s, std::byte* to, const T* from, std::size_t count) {
    if constexpr (is_bytes<T>) {
        copy_bytes(to, from, count * sizeof(T));
    } else {
        copy_objects(s, reinterpret_cast<T*>(to), count, [&]() -> const T& { return *from++; });
    }
}

/// The same of `count` elements that `next()` gives one by one.
template <class T, class Next>
void save_each(section& s, std::byte* to, std::size_t count, Next&& next) {
    if constexpr (is_bytes<T>) {
        for (std::size_t i = 0; i < count; ++i) copy_bytes(to + i * sizeof(T), address_of(next()), sizeof(T));
    } else {
        copy_objects(s, reinterpret_cast<T*>(to), count, next);
    }
}

/// Puts `count` elements back to `to`, where none lives: from `bytes` in the saved section, or the copies that were made for this restore.
template <class T>
void load_array(staged_section& staged, const std::byte* bytes, T* to, std::size_t count) noexcept {
    if constexpr (is_bytes<T>) {
        copy_bytes(to, bytes, count * sizeof(T));
    } else {
        T* from = static_cast<T*>(staged.own.objects());
        for (T* const end = to + count; to != end; ++to) ::new (static_cast<void*>(to)) T(std::move(*from++));
    }
}

/// The same one by one.
template <class T>
class each_loader {
public:
    each_loader(staged_section& staged, const std::byte* bytes) noexcept
        : bytes_(bytes), object_(static_cast<T*>(staged.own.objects())) {}

    void next_to(T* to) noexcept {
        if constexpr (is_bytes<T>) {
            copy_bytes(to, bytes_, sizeof(T));
            bytes_ += sizeof(T);
        } else {
            ::new (static_cast<void*>(to)) T(std::move(*object_++));
        }
    }

private:
    [[maybe_unused]] const std::byte* bytes_;
    [[maybe_unused]] T* object_;
};

/// Reads `count` elements to `to` inside `own`, which owns those that are objects.
template <class T>
[[nodiscard]] restore_result take_array(image_reader& r, std::byte* to, std::size_t count,
                                        [[maybe_unused]] section& own) {
    if constexpr (is_bytes<T>) {
        for (std::size_t i = 0; i < count; ++i) {
            if (take_element<T>(r, to + i * sizeof(T))) continue;
            if (!r.ok()) return {restore_error::truncated};
            return {restore_error::inconsistent, "an element holds a value that its type does not have"};
        }
        return {};
    } else {
        return take_objects<T>(r, reinterpret_cast<T*>(to), count, own);
    }
}

}  // namespace lido::detail
