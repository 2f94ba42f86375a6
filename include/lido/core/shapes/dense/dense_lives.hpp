// The objects of a dense pool: built behind the last one, moved into the hole that a release leaves, ended.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/half_way.hpp>

#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// What entry_checks says of a dense pool.
struct dense_sentences {
    static constexpr const char* built = "dense_pool: an element's constructor changed the pool it is built in";
    static constexpr const char* ended = "dense_pool: an element's move or destructor changed the pool it lives in";
    static constexpr const char* read =
        "dense_pool: an element's move or destructor went through the pool while a row of it is half-way";
    static constexpr const char* moved = "dense_pool: the pool was moved from inside of its own callback";
    static constexpr const char* trimmed =
        "dense_pool: trim() changed the memory of an object that is being built, moved or ended";
};

struct dense_lives {
    /// The object on row `size`, before the table counts it: nothing to undo when the constructor throws.
    template <class Table, class... Args>
    static LIDO_INLINE typename Table::value_type* construct_at_end(Table& table, Args&&... args) {
        using T = typename Table::value_type;
        const half_way::quick_scope now(table.limits().now(), half_way::builds | half_way::beyond);
        open_up(table.values() + table.size(), sizeof(T));
        return construct<T>(table.values() + table.size(), std::forward<Args>(args)...);
    }

    /// The object beside the pool.
    template <class Table, class... Args>
    [[nodiscard]] static typename Table::value_type make(Table& table, Args&&... args) {
        const half_way::quick_scope now(table.limits().now(), half_way::builds);
        return detail::make<typename Table::value_type>(std::forward<Args>(args)...);
    }

    template <class Table>
    static LIDO_INLINE void end(Table& table, std::uint32_t slot, std::uint32_t row) noexcept {
        const std::uint32_t last = table.take_off(slot, row);
        fill_hole(table, row, last);
        bury(table.values() + last, sizeof(typename Table::value_type));
        table.settle(slot, last);
    }

    template <class Table>
    static void destroy_all(Table& table) noexcept {
        if constexpr (!std::is_trivially_destructible_v<typename Table::value_type>) {
            const half_way::scope now(table.limits().now(), half_way::ends | half_way::unreadable);
            for (std::uint32_t row = 0; row < table.size(); ++row) destroy(table.values() + row);
        }
    }

private:
    template <class Table>
    static LIDO_INLINE void fill_hole(Table& table, std::uint32_t row, std::uint32_t last) noexcept {
        using T = typename Table::value_type;
        T* const hole = table.values() + row;
        T* const from = table.values() + last;
        if constexpr (is_bytes<T>) {
            // Also when row == last: a copy onto itself is cheaper than a branch that guesses wrong.
            std::memmove(static_cast<void*>(hole), static_cast<const void*>(from), sizeof(T));
        } else {
            const half_way::quick_scope now(table.limits().now(),
                                            half_way::ends | half_way::unreadable | half_way::beyond);
            destroy(hole);
            if (row != last) {
                ::new (static_cast<void*>(hole)) T(std::move(*from));
                destroy(from);
            }
        }
    }
};

}  // namespace lido::detail
