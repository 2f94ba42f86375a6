// What a restore has ready before it changes anything, the same for every shape.
#pragma once

#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>

#include <cstddef>
#include <utility>

namespace lido::detail {

/// A restore that has been checked and for which all memory and copies are there: committing it cannot fail.
struct staged_section {
    const section* from = nullptr;
    section own;  ///< what an image was read into, or the copies of elements that are not plain bytes

    staged_section() = default;
    staged_section(staged_section&& other) noexcept
        : from(other.from == &other.own ? &own : other.from), own(std::move(other.own)) {}
    staged_section& operator=(staged_section&&) = delete;
    ~staged_section() = default;

    /// Takes a snapshot's section of `count` elements, copying those that are not plain bytes. Throws what a copy throws.
    template <class T>
    [[nodiscard]] restore_result take(const section& s, [[maybe_unused]] std::size_t count) {
        from = &s;
        if constexpr (!is_bytes<T>) {
            std::byte* const room = own.begin(count * sizeof(T), alignof(T));
            if (room == nullptr) return {restore_error::no_memory};
            const T* source = static_cast<const T*>(s.objects());
            copy_objects(own, reinterpret_cast<T*>(room), count, [&]() -> const T& { return *source++; });
        }
        return {};
    }
};

}  // namespace lido::detail
