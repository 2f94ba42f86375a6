// Where the arrays of a column pool lie: the bookkeeping of rows/dense_layout.hpp under its numbers, then one column a field.
//
//   column of F   | row 0 | row 1 | ... | row n-1 | up to a line | one line more |        64-byte lines
//
// The line more: a loop over whole vectors of up to 64 bytes may read and write past the last live row and stays in the column.
#pragma once

#include <lido/core/base/options.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/parts/rows/dense_layout.hpp>
#include <lido/core/shapes/column/column_guard.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido::detail {

inline constexpr std::size_t column_line = 64;  // bytes: a cache line, and the widest vector register

template <class Types>
struct column_facts;
template <class... F>
struct column_facts<std::tuple<F...>> {
    static constexpr std::size_t count = sizeof...(F);
    static constexpr std::array<std::size_t, count> sizes{sizeof(F)...};
    static constexpr std::array<std::size_t, count> plain_alignments{alignof(F)...};
    static constexpr std::array<std::size_t, count> alignments{(std::max)(alignof(F), column_line)...};

    /// The fewest rows after which every column stands at the start of a line again: a power of two, at most 64.
    [[nodiscard]] static constexpr std::size_t rows_a_line() noexcept {
        std::size_t rows = 1;
        for (const std::size_t size : sizes) {
            const std::size_t even = size & (~size + 1);
            rows = (std::max)(rows, column_line / (std::min)(even, column_line));
        }
        return rows;
    }
};

template <class T, options Options, class Tag>
struct column_layout {
    using base = dense_layout<T, Options, Tag>;
    using facts = column_facts<field_types<T>>;
    using handle_type = typename base::handle_type;
    using map_type = typename base::map_type;
    using plain_map = typename base::plain_map;

    static constexpr std::uint32_t max_rows = base::max_rows;
    static constexpr std::size_t columns = facts::count;
    static constexpr std::size_t first_column = dense_arrays;
    static constexpr std::size_t arrays = first_column + columns;

    [[nodiscard]] static constexpr std::size_t bytes(std::size_t k, std::size_t rows) noexcept {
        if (k == dense_values) return 0;
        if (k < dense_arrays) return base::bytes(k, rows);
        if (rows == 0) return 0;
        const std::size_t used = rows * facts::sizes[k - dense_arrays];
        return (used + (column_line - 1)) / column_line * column_line + column_line;
    }

    [[nodiscard]] static constexpr std::size_t alignment(std::size_t k) noexcept {
        return k < dense_arrays ? base::alignment(k) : facts::alignments[k - dense_arrays];
    }

    [[nodiscard]] static constexpr bool trims(std::size_t k) noexcept { return k == dense_values || k >= dense_arrays; }

    template <class Arrays>
    static void guard(const Arrays& storage, std::size_t from, std::size_t to, bool closed) noexcept {
        static_assert(column_guard<T>::slack == column_line);
        column_guard<T>::guard(storage, from, to, closed);
    }

    [[nodiscard]] static constexpr double bookkeeping(std::size_t rows) noexcept { return base::bookkeeping(rows); }
};

}  // namespace lido::detail
