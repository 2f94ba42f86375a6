// The fields of a pool of columns by their number: for the pool, its rows and chunks, and what saves them.
//
// A table of columns has array<K>(), has_row(row), and a layout whose arrays from first_column on are the columns.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/meta/fields.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// The way from a pool to its table for its rows and chunks, which are references into it.
struct row_door {
    template <class Pool>
    [[nodiscard]] static LIDO_INLINE auto& table(Pool& pool) noexcept {
        return pool.the_table();
    }
};

/// Where the fields of number `I` lie, one a row.
template <std::size_t I, class Table>
[[nodiscard]] LIDO_INLINE auto* column_of(Table& table) noexcept {
    using field = field_type<typename Table::value_type, I>;
    using element = std::conditional_t<std::is_const_v<Table>, const field, field>;
    return reinterpret_cast<element*>(table.template array<Table::layout::first_column + I>());
}

/// Calls `f.operator()<I>()` for each field of T.
template <class T, class F>
LIDO_INLINE void each_field(F&& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (f.template operator()<I>(), ...);
    }(std::make_index_sequence<field_count<T>()>{});
}

/// Whether the columns of rows [0, rows) are aligned and share no byte: the first of these sentences that is true, or null.
template <class Table>
[[nodiscard]] const char* broken_columns(const Table& table, std::uint32_t rows, const char* not_aligned,
                                         const char* overlap) noexcept {
    using layout = typename Table::layout;
    std::uintptr_t starts[layout::columns];
    each_field<typename Table::value_type>(
        [&]<std::size_t I>() { starts[I] = reinterpret_cast<std::uintptr_t>(column_of<I>(table)); });
    for (std::size_t i = 0; i < layout::columns; ++i) {
        if (starts[i] % layout::alignment(layout::first_column + i) != 0) return not_aligned;
        for (std::size_t k = 0; k < layout::columns; ++k) {
            if (k != i && starts[k] >= starts[i] &&
                starts[k] - starts[i] < layout::bytes(layout::first_column + i, rows)) {
                return overlap;
            }
        }
    }
    return nullptr;
}

}  // namespace lido::detail
