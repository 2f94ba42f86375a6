// The columns of a pool in a section and in an image: what column_rewind.hpp and flag_column_rewind.hpp have in common. In both the
// fields of the live objects stand one after the other, column after column.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/shapes/column/column_fields.hpp>
#include <lido/core/shapes/column/field_steps.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace lido::detail {

/// The columns inside a section, and how many fields of each live there. Ends them with the section's content, or half-way through
/// a copy that throws.
template <class T>
struct column_objects {
    static constexpr std::size_t count = field_count<T>();

    std::byte* at[count] = {};
    std::size_t built[count] = {};

    column_objects() noexcept = default;
    column_objects(const column_objects&) = delete;
    column_objects& operator=(const column_objects&) = delete;
    ~column_objects() {
        each([this]<std::size_t I>() {
            for (std::size_t row = 0; row < built[I]; ++row) end_field(column<I>() + row);
        });
    }

    template <std::size_t I>
    [[nodiscard]] field_type<T, I>* column() const noexcept {
        return reinterpret_cast<field_type<T, I>*>(at[I]);
    }

    template <class F>
    static void each(F&& f) {
        each_field<T>(f);
    }
};

struct column_sections {
    template <class Pool>
    using element = typename Pool::value_type;
    template <class Pool, std::size_t I>
    using field_of = field_type<typename Pool::value_type, I>;

    template <class Pool>
    static constexpr bool has_objects = !fields_without_objects<field_types<element<Pool>>>::all;

    template <class F>
    static constexpr bool as_one_block = is_bytes<F> && !image_codec<F> && has_no_padding<F>();

    template <class Pool>
    [[nodiscard]] static constexpr std::size_t alignment() noexcept {
        std::size_t most = alignof(column_objects<element<Pool>>);
        column_objects<element<Pool>>::each(
            [&]<std::size_t I>() { most = (std::max)(most, alignof(field_of<Pool, I>)); });
        return most;
    }

    /// The columns of a section that is being filled, which the section owns from here on. `first` is the part that they are kept in;
    /// those after it are the columns.
    template <class Pool>
    struct room {
        column_objects<element<Pool>>* objects;

        template <std::size_t Parts>
        room(section& s, std::byte* data, const section_plan<Parts>& p, std::size_t first) noexcept
            : objects(::new(static_cast<void*>(data + p.offset[first])) column_objects<element<Pool>>) {
            objects->each([&]<std::size_t I>() { objects->at[I] = data + p.offset[first + 1 + I]; });
            s.owns(objects, 1);
        }
    };

    /// Throws what a copy throws; `to` owns those that were built.
    template <std::size_t I, class T, class F>
    static void copy_column(column_objects<T>& to, const F* from, std::size_t rows) {
        for (std::size_t row = 0; row < rows; ++row) {
            copy_field(to.template column<I>() + row, from + row);
            ++to.built[I];
        }
    }

    template <class Table>
    static void gather(const Table& table, std::uint32_t row, field_room<typename Table::value_type>& whole) {
        whole.copy_all([&](auto i) { return column_of<i.value>(table) + row; });
    }

    template <class Pool>
    static consteval void require_copies() {
        []<std::size_t... I>(std::index_sequence<I...>) {
            static_assert(
                (field_copies<field_of<Pool, I>> && ...),
                "lido: this element cannot be saved: it has a field that is neither trivially copyable nor copyable");
        }(std::make_index_sequence<Pool::columns>{});
    }

    template <class Pool>
    static consteval void require_images() {
        if constexpr (image_codec<element<Pool>>) {
            require_copies<Pool>();  // a row is put together for its save()
        } else {
            []<std::size_t... I>(std::index_sequence<I...>) {
                (require_image_element<field_of<Pool, I>>(), ...);
            }(std::make_index_sequence<Pool::columns>{});
        }
    }

    template <class Pool>
    static void put_field_types(image_writer& w) {
        w.put(static_cast<std::uint32_t>(Pool::columns));
        if constexpr (!image_codec<element<Pool>>)
            column_objects<element<Pool>>::each([&]<std::size_t I>() { put_element_type<field_of<Pool, I>>(w); });
    }
    template <class Pool>
    [[nodiscard]] static restore_result same_field_types(image_reader& r) noexcept {
        bool same = r.take<std::uint32_t>() == Pool::columns;
        if constexpr (!image_codec<element<Pool>>) {
            column_objects<element<Pool>>::each(
                [&]<std::size_t I>() { same = same_element_type<field_of<Pool, I>>(r) && same; });
        }
        if (!r.ok()) return {restore_error::truncated};
        return same ? restore_result{}
                    : restore_result{restore_error::other_type, "the fields of the struct are others than were saved"};
    }

    template <class Pool>
    [[nodiscard]] static constexpr std::size_t least_row_bytes() noexcept {
        std::size_t sum = 0;
        if constexpr (!image_codec<element<Pool>>)
            column_objects<element<Pool>>::each([&]<std::size_t I>() { sum += least_image_bytes<field_of<Pool, I>>; });
        return sum;
    }

    template <class Pool, std::size_t I>
    [[nodiscard]] static restore_result take_column(image_reader& r, column_objects<element<Pool>>& to,
                                                    std::uint32_t rows) {
        using F = field_of<Pool, I>;
        F* const column = to.template column<I>();
        for (std::uint32_t row = 0; row < rows; ++row) {
            if (!take_element<F>(r, column + row)) {
                if (!r.ok()) return {restore_error::truncated};
                return {restore_error::inconsistent, "a field holds a value that its type does not have"};
            }
            ++to.built[I];
        }
        return {};
    }

    /// Rows of a struct that reads itself.
    template <class Pool>
    [[nodiscard]] static restore_result take_rows(image_reader& r, column_objects<element<Pool>>& to,
                                                  std::uint32_t rows) {
        using T = element<Pool>;
        for (std::uint32_t row = 0; row < rows; ++row) {
            T whole{};
            if (!whole.load(r) || !r.ok()) {
                if (!r.ok()) return {restore_error::truncated};
                return {restore_error::inconsistent, "an element refused what it read"};
            }
            auto fields = tie_fields(whole);
            to.each([&]<std::size_t I>() {
                move_field(to.template column<I>() + row, std::addressof(std::get<I>(fields)));
                ++to.built[I];
            });
        }
        return {};
    }
};

}  // namespace lido::detail
