// Save, restore, image and hash of a column pool: its table (rows/table_rewind.hpp), then its columns.
//
// Section:  | the table's parts | objects | column 0 [0, size) | column 1 | ... |
//           objects: who ends the fields in the section that are not plain bytes
//
// Image:    as a dense pool's, then what every field is, then column after column. A struct with save() and load() of its own is
//           written row after row instead; a field with them decides for its column.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/rewind_door.hpp>
#include <lido/core/parts/rows/table_rewind.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_part.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/rewind/staged.hpp>
#include <lido/core/shapes/column/column_fields.hpp>
#include <lido/core/shapes/column/column_layout.hpp>
#include <lido/core/shapes/column/column_lives.hpp>
#include <lido/core/shapes/column/column_sections.hpp>
#include <lido/core/shapes/column/field_steps.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct column_rewind : private table_rewind, private column_sections {
    template <class Pool>
    using element = column_sections::element<Pool>;
    template <class Pool>
    using table_of = table_rewind::table_of<Pool>;
    template <class Pool>
    using state_of = table_rewind::state_of<Pool>;
    template <class Pool, std::size_t I>
    using field_of = column_sections::field_of<Pool, I>;

    static constexpr std::uint8_t shape_in_image = number_of(image_part::column_pool);

    /// There is none: lido::history says so in words.
    template <class Pool>
    struct changes {
        static constexpr std::size_t column_count = 1;
    };

    // --- snapshot ----------------------------------------------------------------------------------------------------------

    template <class Pool>
    [[nodiscard]] static bool save(const Pool& pool, section& s) {
        require_copies<Pool>();
        const auto& table = rewind_door::table(pool);
        table.expect_readable();
        const auto p = plan<Pool>(table.now(), true, true);
        std::byte* const data = s.begin(p.total, alignment<Pool>());
        if (data == nullptr) return false;
        save_table(table, data, p);
        const room<Pool> to(s, data, p, dense_arrays);
        LIDO_TRY {
            to.objects->each([&]<std::size_t I>() {
                if constexpr (is_bytes<field_of<Pool, I>>) {
                    copy_bytes(to.objects->at[I], column_of<I>(table), p.bytes[column_part<I>]);
                } else {
                    copy_column<I>(*to.objects, column_of<I>(table), table.size());
                }
            });
        }
        LIDO_CATCH_ALL {
            s.drop();  // with the fields that were copied
            LIDO_RETHROW;
        }
        s.seal(&section_kind<Pool>);
        return true;
    }

    template <class>
    using staged = staged_section;

    template <class Pool>
    [[nodiscard]] static restore_result stage(Pool& pool, const section& s, staged<Pool>& out) {
        require_copies<Pool>();
        if (s.kind() != &section_kind<Pool>)
            return {restore_error::other_parts, "the snapshot was saved from another pool type"};
        const auto st = state_in<table_of<Pool>>(s.data());
        if (const restore_result r = fits(rewind_door::table(pool), st); !r) return r;
        out.from = &s;
        if constexpr (has_objects<Pool>) {
            const auto p = plan<Pool>(st, false, true);
            std::byte* const data = out.own.begin(p.total, alignment<Pool>());
            if (data == nullptr) return {restore_error::no_memory};
            const room<Pool> to(out.own, data, p, dense_arrays);
            const auto* const source = static_cast<const column_objects<element<Pool>>*>(s.objects());
            to.objects->each([&]<std::size_t I>() {
                if constexpr (!is_bytes<field_of<Pool, I>>)
                    copy_column<I>(*to.objects, source->template column<I>(), st.rows.size);
            });
        }
        return {};
    }

    template <class Pool>
    static void commit(Pool& pool, staged<Pool>& staged_) noexcept {
        auto& table = rewind_door::table(pool);
        rewind_door::begins(pool);
        table.expect_settled_always();
        const half_way::scope now(table.limits().now(), half_way::ends | half_way::unreadable | half_way::beyond);
        column_lives::destroy_all(table);
        const std::byte* const data = staged_.from->data();
        const auto p = plan<Pool>(state_in<table_of<Pool>>(data), true, true);
        const std::size_t known_before = load_table(table, data, p);
        auto* const objects = static_cast<column_objects<element<Pool>>*>(staged_.own.objects());
        column_objects<element<Pool>>::each([&]<std::size_t I>() {
            if constexpr (is_bytes<field_of<Pool, I>>) {
                copy_bytes(column_of<I>(table), data + p.offset[column_part<I>], p.bytes[column_part<I>]);
            } else {
                for (std::uint32_t row = 0; row < table.size(); ++row)
                    move_field(column_of<I>(table) + row, objects->template column<I>() + row);
            }
        });
        restored(pool, known_before);
    }

    // --- image -------------------------------------------------------------------------------------------------------------

    template <class Pool>
    static void write(const Pool& pool, image_writer& w) {
        require_images<Pool>();
        const auto& table = rewind_door::table(pool);
        table.expect_readable();
        const auto& st = table.now();
        put_options<Pool>(w, shape_in_image);
        put_field_types<Pool>(w);
        put_table(w, table);
        if constexpr (image_codec<element<Pool>>) {
            for (std::uint32_t row = 0; row < st.rows.size; ++row) {
                field_room<element<Pool>> whole;
                gather(table, row, whole);
                whole.object().save(w);
            }
        } else {
            column_objects<element<Pool>>::each([&]<std::size_t I>() {
                using F = field_of<Pool, I>;
                const F* const column = column_of<I>(table);
                if constexpr (as_one_block<F>) {
                    w.put_bytes({reinterpret_cast<const std::byte*>(column), st.rows.size * sizeof(F)});
                } else {
                    for (std::uint32_t row = 0; row < st.rows.size; ++row) put_element(w, column[row]);
                }
            });
        }
    }

    /// Reads and checks everything into out.own, in the form that save() gives it.
    template <class Pool>
    [[nodiscard]] static restore_result read(Pool& pool, image_reader& r, staged<Pool>& out) {
        require_images<Pool>();
        if (const restore_result other = same_options<Pool>(r, shape_in_image); !other) return other;
        if (const restore_result other = same_field_types<Pool>(r); !other) return other;
        state_of<Pool> st;
        if (const restore_result bad = take_counts(r, rewind_door::table(pool), st, least_row_bytes<Pool>()); !bad)
            return bad;

        const auto p = plan<Pool>(st, true, true);
        std::byte* const data = out.own.begin(p.total, alignment<Pool>());
        if (data == nullptr) return {restore_error::no_memory};
        zero_bytes(data, p.offset[dense_arrays]);
        const room<Pool> to(out.own, data, p, dense_arrays);
        if (const restore_result bad = take_table<table_of<Pool>>(r, st, data, p); !bad) return bad;
        restore_result bad;
        if constexpr (image_codec<element<Pool>>) {
            bad = take_rows<Pool>(r, *to.objects, st.rows.size);
        } else {
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                static_cast<void>(
                    ((bad = take_column<Pool, I>(r, *to.objects, st.rows.size), bad.error == restore_error::none) &&
                     ...));
            }(std::make_index_sequence<Pool::columns>{});
        }
        if (!bad) return bad;
        copy_bytes(data, &st, sizeof(st));
        out.own.seal(&section_kind<Pool>);
        out.from = &out.own;
        return fits(rewind_door::table(pool), st);
    }

    // --- hash --------------------------------------------------------------------------------------------------------------

    /// All that decides what happens next, and nothing that does not.
    template <class Pool>
    static void hash(const Pool& pool, hasher& h) {
        using T = element<Pool>;
        const auto& table = rewind_door::table(pool);
        table.expect_readable();
        hash_table(h, table);
        if constexpr (requires(const T& whole) { whole.hash(h); }) {
            for (std::uint32_t row = 0; row < table.size(); ++row) {
                field_room<T> whole;
                gather(table, row, whole);
                hash_value_into(h, whole.object());
            }
        } else {
            column_objects<T>::each([&]<std::size_t I>() { hash_elements(h, column_of<I>(table), table.size()); });
        }
    }

private:
    template <std::size_t I>
    static constexpr std::size_t column_part = dense_arrays + 1 + I;

    template <class Pool>
    using section_of = section_plan<dense_arrays + 1 + Pool::columns>;

    /// The table's parts by number, then the objects and the columns.
    template <class Pool>
    [[nodiscard]] static section_of<Pool> plan(const state_of<Pool>& st, bool bytes, bool objects) noexcept {
        section_of<Pool> p;
        plan_table<table_of<Pool>>(p, st, [bytes](std::size_t) { return bytes; });
        p.add(dense_arrays, sizeof(column_objects<element<Pool>>));
        column_objects<element<Pool>>::each([&]<std::size_t I>() {
            using F = field_of<Pool, I>;
            const bool wanted = is_bytes<F> ? bytes : objects;
            p.add(column_part<I>, wanted ? st.rows.size * sizeof(F) : 0, std::max<std::size_t>(alignof(F), 16));
        });
        return p;
    }
};

}  // namespace lido::detail
