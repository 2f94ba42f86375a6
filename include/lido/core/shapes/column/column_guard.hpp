// The rows of a column pool that hold no object: nobody but the pool may touch them, and here that is said to whoever can enforce it
// (checks/poison.hpp), column by column.
//
//   column   | row 0 | ... | row size-1 | 64 bytes, open | closed up to a line past the last row that is ready |
//
// Passes over whole vectors may touch 64 bytes past the last live row, so what is closed begins there: a row that is that near is
// not watched.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/parts/rows/dense_layout.hpp>
#include <lido/core/shapes/column/column_fields.hpp>

#include <cstddef>
#include <cstring>

namespace lido::detail {

/// `arrays` in each call is what has them: the storage, or the table in front of it.
template <class T>
struct column_guard {
    static constexpr std::size_t slack = 64;  // bytes

    /// Closes or opens rows from..to-1.
    template <class Arrays>
    static void guard(const Arrays& arrays, std::size_t from, std::size_t to, bool closed) noexcept {
        if (!guarded() || from >= to) return;
        each_field<T>([&]<std::size_t I>() { guard_column<I>(arrays, from, to, closed); });
    }

    /// A row is about to hold an object.
    template <class Arrays>
    static LIDO_INLINE void open_row([[maybe_unused]] const Arrays& arrays, [[maybe_unused]] std::size_t row) noexcept {
        if (!guarded()) return;
        each_field<T>([&]<std::size_t I>() { guard_column<I>(arrays, row, row + 1, false); });
    }

    /// The objects on rows from..to-1 have ended.
    template <class Arrays>
    static LIDO_INLINE void bury_rows([[maybe_unused]] const Arrays& arrays, [[maybe_unused]] std::size_t from,
                                      [[maybe_unused]] std::size_t to) noexcept {
#if LIDO_POISON
        if (from >= to) return;
        each_field<T>([&]<std::size_t I>() {
            if constexpr (!LIDO_ASAN) {
                constexpr std::size_t each = sizeof(field_type<T, I>);
                std::memset(arrays.template array<dense_arrays + I>() + from * each, dead_byte, (to - from) * each);
            }
            if (guarded()) guard_column<I>(arrays, from, to, true);
        });
#endif
    }

private:
    template <std::size_t I, class Arrays>
    static void guard_column(const Arrays& arrays, std::size_t from, std::size_t to, bool closed) noexcept {
        constexpr std::size_t each = sizeof(field_type<T, I>);
        const std::byte* const first = arrays.template array<dense_arrays + I>() + from * each + slack;
        closed ? close_off(first, (to - from) * each) : open_again(first, (to - from) * each);
    }
};

}  // namespace lido::detail
