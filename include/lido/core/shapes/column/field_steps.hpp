// What is done to one field of a row (built, moved, copied, swapped, ended), C arrays included, and a whole struct made of fields.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/meta/fields.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido::detail {

template <class F>
using plain_field = std::remove_all_extents_t<F>;

template <class F>
inline constexpr bool field_moves = is_bytes<F> || std::is_nothrow_move_constructible_v<plain_field<F>>;
template <class F>
inline constexpr bool field_copies = is_bytes<F> || std::is_copy_constructible_v<plain_field<F>>;
template <class F>
inline constexpr bool field_copies_safely = is_bytes<F> || std::is_nothrow_copy_constructible_v<plain_field<F>>;

template <class Types>
struct fields_without_objects;
template <class... F>
struct fields_without_objects<std::tuple<F...>> {
    static constexpr bool all = (is_bytes<F> && ...);
};

/// Builds `to` out of `from`, which stays to be ended. They are not the same.
template <class F>
LIDO_INLINE void move_field(F* to, F* from) noexcept {
    if constexpr (is_bytes<F>) {
        std::memcpy(static_cast<void*>(to), static_cast<const void*>(from), sizeof(F));
    } else if constexpr (std::is_array_v<F>) {
        for (std::size_t i = 0; i < std::extent_v<F>; ++i) move_field(&(*to)[i], &(*from)[i]);
    } else {
        ::new (static_cast<void*>(to)) F(std::move(*from));
    }
}

template <class F>
LIDO_INLINE void end_field(F* field) noexcept {
    if constexpr (!std::is_trivially_destructible_v<F>) std::destroy_at(field);
}

/// Throws what a copy throws; nothing is built at `to` then.
template <class F>
void copy_field(F* to, const F* from) noexcept(field_copies_safely<F>) {
    if constexpr (is_bytes<F>) {
        std::memcpy(static_cast<void*>(to), static_cast<const void*>(from), sizeof(F));
    } else if constexpr (std::is_array_v<F>) {
        std::size_t done = 0;
        LIDO_TRY {
            for (; done < std::extent_v<F>; ++done) copy_field(&(*to)[done], &(*from)[done]);
        }
        LIDO_CATCH_ALL {
            while (done-- != 0) end_field(&(*to)[done]);
            LIDO_RETHROW;
        }
    } else {
        ::new (static_cast<void*>(to)) F(*from);
    }
}

/// By moves alone, which cannot throw, whatever the field's own swap may do.
template <class F>
LIDO_INLINE void swap_field(F* a, F* b) noexcept {
    if (a == b) return;
    alignas(F) std::byte room[sizeof(F)];
    F* const between = reinterpret_cast<F*>(room);
    move_field(between, a);
    end_field(a);
    move_field(a, b);
    end_field(b);
    move_field(b, between);
    end_field(between);
}

/// A T that is built field by field: an aggregate's life begins with its storage, those of its members where they are built.
template <class T>
class field_room {
public:
    field_room() noexcept = default;
    field_room(const field_room&) = delete;
    field_room& operator=(const field_room&) = delete;
    ~field_room() {
        [this]<std::size_t... I>(std::index_sequence<I...>) {
            ((I < done_ ? end_field(std::addressof(std::get<I>(tie_fields(object())))) : static_cast<void>(0)), ...);
        }(std::make_index_sequence<field_count<T>()>{});
    }

    [[nodiscard]] T& object() noexcept { return *std::launder(reinterpret_cast<T*>(bytes_)); }

    /// Copies each field; `from(index_constant)` is a pointer to it. Throws what a copy throws.
    template <class From>
    void copy_all(From&& from) {
        auto fields = tie_fields(object());
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((copy_field(std::addressof(std::get<I>(fields)), from(std::integral_constant<std::size_t, I>{})), ++done_),
             ...);
        }(std::make_index_sequence<field_count<T>()>{});
    }

private:
    alignas(T) std::byte bytes_[sizeof(T)];
    std::size_t done_ = 0;
};

}  // namespace lido::detail
