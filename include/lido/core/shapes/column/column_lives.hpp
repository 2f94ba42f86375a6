// The objects of a column pool: taken apart onto the row behind the last one, moved into the hole that a release leaves, ended.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/shapes/column/column_fields.hpp>
#include <lido/core/shapes/column/column_guard.hpp>
#include <lido/core/shapes/column/column_row.hpp>
#include <lido/core/shapes/column/field_steps.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// What entry_checks says of a column pool.
struct column_sentences {
    static constexpr const char* built = "column_pool: an element's constructor changed the pool it is built for";
    static constexpr const char* ended = "column_pool: a field's move or destructor changed the pool it lives in";
    static constexpr const char* read =
        "column_pool: a field's move or destructor went through the pool while a row of it is half-way";
    static constexpr const char* moved = "column_pool: the pool was moved from inside of its own callback";
    static constexpr const char* trimmed =
        "column_pool: trim() changed the memory of an object that is being built, moved or ended";
};

struct column_lives {
    /// The whole struct, before the pool is touched: nothing to undo when a constructor throws. `beyond` when the row that it is for
    /// is at hand already.
    template <class Table, class... Args>
    [[nodiscard]] static LIDO_INLINE typename Table::value_type build(Table& table, [[maybe_unused]] unsigned beyond,
                                                                      Args&&... args) {
        const half_way::quick_scope now(table.limits().now(), half_way::builds | beyond);
        return make<typename Table::value_type>(std::forward<Args>(args)...);
    }

    /// What the arguments make, onto a row that does not count yet. A whole struct goes in field by field from where it is: a copy
    /// of it in between is read in other pieces than it was just written in, and the processor waits (17 ns and not 6 a row of 64
    /// bytes).
    template <class Table, class... Args>
    static LIDO_INLINE void put_in(Table& table, std::uint32_t row, Args&&... args) {
        using T = typename Table::value_type;
        const half_way::quick_scope now(table.limits().now(), half_way::builds | half_way::beyond);
        column_guard<T>::open_row(table, row);
        if constexpr (is_whole<T, Args...> && (std::is_same_v<Args&&, T&&> && ...)) {
            move_fields(table, row, tie_fields(args...), all_of<T>{});
        } else if constexpr (is_whole<T, Args...> && fields_allow<field_types<T>>::safe_copies) {
            copy_fields(table, row, tie_fields(std::as_const(args)...), all_of<T>{});
        } else {
            T fresh = build(table, half_way::beyond, std::forward<Args>(args)...);
            put_in(table, row, std::move(fresh));
        }
    }

    template <class Table>
    static LIDO_INLINE void end(Table& table, std::uint32_t slot, std::uint32_t row) noexcept {
        using T = typename Table::value_type;
        const std::uint32_t last = table.take_off(slot, row);
        {
            const half_way::quick_scope now(table.limits().now(),
                                            half_way::ends | half_way::unreadable | half_way::beyond);
            fill_holes(table, row, last, all_of<T>{});
        }
        column_guard<T>::bury_rows(table, last, last + 1);
        table.settle(slot, last);
    }

    template <class Table>
    static void destroy_all(Table& table) noexcept {
        using T = typename Table::value_type;
        const half_way::scope now(table.limits().now(), half_way::ends | half_way::unreadable);
        each_field<T>([&]<std::size_t I>() {
            if constexpr (!std::is_trivially_destructible_v<field_type<T, I>>) {
                for (std::uint32_t row = 0; row < table.size(); ++row) end_field(column_of<I>(table) + row);
            }
        });
    }

private:
    template <class T>
    using all_of = std::make_index_sequence<field_count<T>()>;

    template <class T, class... Args>
    static constexpr bool is_whole = sizeof...(Args) == 1 && (std::is_same_v<std::remove_cvref_t<Args>, T> && ...);

    // Written out with their indexes, because GCC does not always inline a lambda in a lambda.
    template <class Table, class Fields, std::size_t... I>
    static LIDO_INLINE void move_fields(Table& table, std::uint32_t row, Fields fields,
                                        std::index_sequence<I...>) noexcept {
        (move_field(column_of<I>(table) + row, std::addressof(std::get<I>(fields))), ...);
    }
    template <class Table, class Fields, std::size_t... I>
    static LIDO_INLINE void copy_fields(Table& table, std::uint32_t row, Fields fields,
                                        std::index_sequence<I...>) noexcept {
        (copy_field(column_of<I>(table) + row, std::addressof(std::get<I>(fields))), ...);
    }
    template <class Table, std::size_t... I>
    static LIDO_INLINE void fill_holes(Table& table, std::uint32_t row, std::uint32_t last,
                                       std::index_sequence<I...>) noexcept {
        (fill_hole(column_of<I>(table) + row, column_of<I>(table) + last), ...);
    }

    template <class F>
    static LIDO_INLINE void fill_hole(F* hole, F* from) noexcept {
        if constexpr (is_bytes<F>) {
            // Also when they are the same: a copy onto itself is cheaper than a branch that guesses wrong.
            std::memmove(static_cast<void*>(hole), static_cast<const void*>(from), sizeof(F));
        } else {
            end_field(hole);
            if (hole != from) {
                move_field(hole, from);
                end_field(from);
            }
        }
    }
};

}  // namespace lido::detail
