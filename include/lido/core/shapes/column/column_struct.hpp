// What a pool in columns asks of its struct.
#pragma once

#include <lido/core/meta/fields.hpp>
#include <lido/core/shapes/column/field_steps.hpp>

#include <tuple>
#include <type_traits>

namespace lido::detail {

/// One assertion a reason, so that the compiler's message is the explanation.
template <class Types>
struct require_columns;
template <class... F>
struct require_columns<std::tuple<F...>> {
    static_assert(sizeof...(F) != 0,
                  "lido: a pool in columns needs a struct with at least one field: an empty one has no columns");
    static_assert(!(std::is_const_v<F> || ...),
                  "lido: a pool in columns cannot keep a const field: acquire and release write it");
    static_assert(!(std::is_volatile_v<F> || ...),
                  "lido: a pool in columns cannot keep a volatile field: rows are moved as bytes; or use slot_pool, "
                  "where objects stay where they are");
    static_assert(
        (field_moves<F> && ...),
        "lido: a pool in columns moves fields on acquire and release, which must not fail: every field needs a "
        "noexcept move constructor; or use slot_pool, where objects stay where they are");
    static_assert((std::is_nothrow_destructible_v<F> && ...),
                  "lido: a field's destructor must not throw, or a release could leave a row half ended");
    static constexpr bool met = true;
};

template <class T>
[[nodiscard]] consteval bool column_struct() {
    if constexpr (require_splittable<T>()) return require_columns<field_types<T>>::met;
    return false;
}

}  // namespace lido::detail
