// A row of a column_pool or flag_column_pool: what stands for a T& where the object's fields lie apart.
//
//   auto row = orbs.row(i);
//   row.get<&orb::x>() += 1;                 a reference to the field
//   auto [x, y, amount] = orbs.row(i);       references to the fields
//   orb whole = row;   row = orb{...};       the whole struct out and in
//   swap(orbs.row(a), orbs.row(b));          the fields change places; handles stay with their rows
//
// Like a reference it is for use right away: it is a pool and the number of a row, so it goes wrong as a pointer into a dense pool
// does, when the pool moves or a release puts another object on the row. What is kept is the handle.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>
#include <lido/core/parts/surface.hpp>
#include <lido/core/shapes/column/column_fields.hpp>
#include <lido/core/shapes/column/field_steps.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido {

template <class Pool, class T>
class column_row;

namespace detail {

template <class Types>
struct fields_allow;
template <class... F>
struct fields_allow<std::tuple<F...>> {
    static constexpr bool copies = (field_copies<F> && ...);
    static constexpr bool safe_copies = (field_copies_safely<F> && ...);
};

/// A member of another struct gets this message, and not one about comparing pointers.
template <class T, auto Member>
[[nodiscard]] consteval std::size_t column_index() {
    static_assert(std::is_same_v<decltype(class_of(Member)), T>,
                  "lido: this member is not one of the pool's struct: write &struct_of_the_pool::field");
    return field_index<Member>();
}

}  // namespace detail

/// `Pool` is const for a row that is only read. Copying a row copies the reference; assigning to it writes the fields.
template <class Pool, class T>
class column_row {
    template <std::size_t I>
    using field = std::conditional_t<std::is_const_v<Pool>, const field_type<T, I>, field_type<T, I>>;
    using allow = detail::fields_allow<field_types<T>>;
    using all = std::make_index_sequence<field_count<T>()>;

public:
    using value_type = T;

    /// What pools make. Pre, for all but handle_of() and release(): `row` is a row of `pool`.
    column_row(Pool* pool, std::uint32_t row) noexcept : pool_(pool), row_(row) {}
    column_row(const column_row&) noexcept = default;
    ~column_row() = default;

    /// A row that may be written can be read.
    column_row(const column_row<std::remove_const_t<Pool>, T>& other) noexcept
        requires std::is_const_v<Pool>
        : pool_(other.pool()), row_(other.index()) {}

    template <std::size_t I>
    [[nodiscard]] LIDO_QUICK_ENTRY field<I>& get() const noexcept {
        static_assert(I < field_count<T>(), "lido: the struct has fewer fields");
        auto& table = detail::row_door::table(*pool_);
        LIDO_ASSERT_FROM(detail::name_of(pool_), table.has_row(row_),
                         "column_pool: a row was used past the last one, or without an object: it has ended or moved");
        return detail::column_of<I>(table)[row_];
    }
    template <auto Member>
        requires std::is_member_object_pointer_v<decltype(Member)>
    [[nodiscard]] LIDO_INLINE auto& get() const noexcept {
        return get<detail::column_index<T, Member>()>();
    }

    /// The whole struct, copied.
    [[nodiscard]] operator T() const
        requires(allow::copies)
    {
        detail::field_room<T> room;
        room.copy_all([this](auto i) { return std::addressof(std::as_const(this->template get<i.value>())); });
        return std::move(room.object());
    }

    // A row is a reference: it is written through although it is const itself, and a row that is assigned to itself copies each
    // field to itself.
    // NOLINTBEGIN(misc-unconventional-assign-operator,bugprone-unhandled-self-assignment)

    /// Writes every field. Throws what a copy throws; the row is then as it was.
    const column_row& operator=(const T& whole) const noexcept(allow::safe_copies)
        requires(!std::is_const_v<Pool> && allow::copies)
    {
        detail::field_room<T> room;
        const auto from = tie_fields(whole);
        room.copy_all([&from](auto i) { return std::addressof(std::get<i.value>(from)); });
        move_in(room.object());
        return *this;
    }
    const column_row& operator=(T&& whole) const noexcept
        requires(!std::is_const_v<Pool>)
    {
        move_in(whole);
        return *this;
    }

    /// Copies the fields of another row, as `a = b` does with references.
    const column_row& operator=(const column_row<const std::remove_const_t<Pool>, T>& other) const
        noexcept(allow::safe_copies)
        requires(!std::is_const_v<Pool> && allow::copies)
    {
        return write(other);
    }
    const column_row& operator=(const column_row<std::remove_const_t<Pool>, T>& other) const
        noexcept(allow::safe_copies)
        requires(!std::is_const_v<Pool> && allow::copies)
    {
        return write(other);
    }
    // The compiler's own would copy the reference.
    column_row& operator=(const column_row& other) noexcept(allow::safe_copies)
        requires(!std::is_const_v<Pool> && allow::copies)
    {
        static_cast<void>(write(other));
        return *this;
    }
    // NOLINTEND(misc-unconventional-assign-operator,bugprone-unhandled-self-assignment)

    friend void swap(column_row a, column_row b) noexcept
        requires(!std::is_const_v<Pool>)
    {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (detail::swap_field(std::addressof(a.template get<I>()), std::addressof(b.template get<I>())), ...);
        }(all{});
    }

    /// The same row of the same pool, whatever the fields hold.
    [[nodiscard]] bool same_row(const column_row<const std::remove_const_t<Pool>, T>& other) const noexcept {
        return pool_ == other.pool() && row_ == other.index();
    }

    [[nodiscard]] Pool* pool() const noexcept { return pool_; }
    [[nodiscard]] std::uint32_t index() const noexcept { return row_; }

private:
    template <class Row>
    const column_row& write(const Row& other) const noexcept(allow::safe_copies) {
        detail::field_room<T> room;
        room.copy_all([&other](auto i) { return std::addressof(std::as_const(other.template get<i.value>())); });
        move_in(room.object());
        return *this;
    }

    void move_in(T& whole) const noexcept {
        auto from = tie_fields(whole);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (
                [&] {
                    auto* const to = std::addressof(this->template get<I>());
                    detail::end_field(to);
                    detail::move_field(to, std::addressof(std::get<I>(from)));
                }(),
                ...);
        }(all{});
    }

    Pool* pool_;
    std::uint32_t row_;
};

/// What stands for a T*: false once the life has ended, `*` and `->` reach the row.
template <class Pool, class T>
class column_pointer {
public:
    using row_type = column_row<Pool, T>;

    column_pointer() noexcept : row_(nullptr, 0) {}
    column_pointer(std::nullptr_t) noexcept : row_(nullptr, 0) {}
    explicit column_pointer(row_type row) noexcept : row_(row) {}
    column_pointer(const column_pointer<std::remove_const_t<Pool>, T>& other) noexcept
        requires std::is_const_v<Pool>
        : row_(other ? row_type(*other) : row_type(nullptr, 0)) {}

    column_pointer(const column_pointer&) noexcept = default;
    column_pointer& operator=(const column_pointer& other) noexcept {  // the pointer, not what it points to
        std::construct_at(&row_, other.row_);
        return *this;
    }
    ~column_pointer() = default;

    [[nodiscard]] explicit operator bool() const noexcept { return row_.pool() != nullptr; }

    /// Pre: not null.
    [[nodiscard]] LIDO_ENTRY row_type operator*() const noexcept {
        LIDO_ASSERT_NOT_NULL(looked_up, row_.pool() != nullptr, "column_pool: a null row was used: test it first");
        return row_;
    }
    [[nodiscard]] LIDO_ENTRY const row_type* operator->() const noexcept {
        LIDO_ASSERT_NOT_NULL(looked_up, row_.pool() != nullptr, "column_pool: a null row was used: test it first");
        return &row_;
    }

    friend bool operator==(const column_pointer& a, const column_pointer& b) noexcept {
        return a.row_.pool() == b.row_.pool() && a.row_.index() == b.row_.index();
    }
    friend bool operator==(const column_pointer& a, std::nullptr_t) noexcept { return !a; }

private:
    row_type row_;
};

namespace detail {

/// What the surface of a pool of columns has to know: it gives rows for objects.
template <class Pool, class T, options Options, class Tag>
using column_types = object_types<T, typename handle_for<T, Options, Tag>::type, Options, column_pointer<Pool, T>,
                                  column_pointer<const Pool, T>>;

}  // namespace detail

}  // namespace lido

template <class Pool, class T>
struct std::tuple_size<lido::column_row<Pool, T>> : std::integral_constant<std::size_t, lido::field_count<T>()> {};
template <std::size_t I, class Pool, class T>
struct std::tuple_element<I, lido::column_row<Pool, T>> {
    using type = std::conditional_t<std::is_const_v<Pool>, const lido::field_type<T, I>&, lido::field_type<T, I>&>;
};
