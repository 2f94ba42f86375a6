// Save, restore, image and hash of a flag column pool.
//
// Section:  | state | generations | occupied | links | birth | priority | objects | column 0 | column 1 | ... |
//           objects: who ends the fields in the section that are not plain bytes. A column: the fields of live rows, in row order.
//
// Image:    the state, the generations (or the map, without them), the ages, then what every field is and column after column. A
//           struct with save() and load() of its own is written object after object instead; a field with them decides for its column.
//
// Rows without an object are no part of it: their bytes mean nothing, and a restore leaves them.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/core/parts/age_rewind.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/rewind_door.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_part.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/rewind/staged.hpp>
#include <lido/core/shapes/column/column_fields.hpp>
#include <lido/core/shapes/column/column_sections.hpp>
#include <lido/core/shapes/column/field_steps.hpp>
#include <lido/core/shapes/column/flag_column_layout.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct flag_column_rewind : private column_sections {
    template <class Pool>
    using element = column_sections::element<Pool>;
    template <class Pool, std::size_t I>
    using field_of = column_sections::field_of<Pool, I>;
    template <class Pool>
    using table_of = std::remove_cvref_t<decltype(rewind_door::table(std::declval<Pool&>()))>;
    template <class Pool>
    using state_of = typename table_of<Pool>::state;

    static constexpr std::uint8_t shape_in_image = number_of(image_part::flag_column_pool);

    // --- snapshot ----------------------------------------------------------------------------------------------------------

    template <class Pool>
    [[nodiscard]] static bool save(const Pool& pool, section& s) {
        const auto& table = rewind_door::table(pool);
        require_copies<Pool>();
        table.expect_readable();
        const auto p = plan<Pool>(table.now(), true);
        std::byte* const data = s.begin(p.total, alignment<Pool>());
        if (data == nullptr) return false;
        copy_bytes(data, &table.now(), sizeof(table.now()));
        each_array(
            [&]<std::size_t K>() { copy_bytes(data + p.offset[1 + K], table.template array<K>(), p.bytes[1 + K]); });
        const room<Pool> to(s, data, p, objects_part);
        LIDO_TRY {
            to.objects->each([&]<std::size_t I>() {
                auto* next = to.objects->template column<I>();
                table.for_each_live([&](std::uint32_t row) {
                    copy_field(next++, column_of<I>(table) + row);
                    ++to.objects->built[I];
                });
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
        const auto st = state_in<Pool>(s.data());
        if (st.capacity != rewind_door::table(pool).capacity()) return other_capacity;
        out.from = &s;
        if constexpr (has_objects<Pool>) {
            const auto p = plan<Pool>(st, false);
            std::byte* const data = out.own.begin(p.total, alignment<Pool>());
            if (data == nullptr) return {restore_error::no_memory};
            const room<Pool> to(out.own, data, p, objects_part);
            const auto* const source = static_cast<const column_objects<element<Pool>>*>(s.objects());
            to.objects->each([&]<std::size_t I>() {
                if constexpr (!is_bytes<field_of<Pool, I>>)
                    copy_column<I>(*to.objects, source->template column<I>(), st.size);
            });
        }
        return {};
    }

    template <class Pool>
    static void commit(Pool& pool, staged<Pool>& staged_) noexcept {
        auto& table = rewind_door::table(pool);
        rewind_door::begins(pool);
        table.expect_settled_always();
        table.destroy_all();
        const half_way::scope now(table.limits().now(), half_way::builds | half_way::unreadable);
        const std::byte* const data = staged_.from->data();
        const auto p = plan<Pool>(state_in<Pool>(data), true);
        table.guard_rows(false);
        copy_bytes(&table.now(), data, sizeof(table.now()));
        each_array(
            [&]<std::size_t K>() { copy_bytes(table.template array<K>(), data + p.offset[1 + K], p.bytes[1 + K]); });
        auto* const objects = static_cast<column_objects<element<Pool>>*>(staged_.own.objects());
        column_objects<element<Pool>>::each([&]<std::size_t I>() {
            using F = field_of<Pool, I>;
            if constexpr (is_bytes<F>) {
                const std::byte* next = data + p.offset[columns_part + I];
                table.for_each_live([&](std::uint32_t row) {
                    copy_bytes(column_of<I>(table) + row, next, sizeof(F));
                    next += sizeof(F);
                });
            } else {
                F* next = objects->template column<I>();
                table.for_each_live([&](std::uint32_t row) { move_field(column_of<I>(table) + row, next++); });
            }
        });
        table.guard_rows(true);
        rewind_door::restored(pool, table.capacity());
    }

    // --- image -------------------------------------------------------------------------------------------------------------

    template <class Pool>
    static void write(const Pool& pool, image_writer& w) {
        const auto& table = rewind_door::table(pool);
        require_images<Pool>();
        table.expect_readable();
        const auto& st = table.now();
        put_options<Pool>(w, shape_in_image);
        put_field_types<Pool>(w);
        for (const std::uint32_t n : {st.capacity, st.size, st.peak}) w.put(n);
        w.put(st.acquired);
        put_counters(w, st.counters);
        if constexpr (table_of<Pool>::has_generations) {
            for (std::uint32_t row = 0; row < st.capacity; ++row) w.put(table.generations()[row]);
        } else {
            for (std::size_t i = 0; i < words_for(st.capacity); ++i) w.put(table.occupied()[i]);
        }
        put_ages(w, st.ages, table.aged());
        if constexpr (image_codec<element<Pool>>) {
            table.for_each_live([&](std::uint32_t row) {
                field_room<element<Pool>> whole;
                gather(table, row, whole);
                whole.object().save(w);
            });
        } else {
            column_objects<element<Pool>>::each([&]<std::size_t I>() {
                table.for_each_live([&](std::uint32_t row) { put_element(w, column_of<I>(table)[row]); });
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
        st.capacity = r.take<std::uint32_t>();
        st.size = r.take<std::uint32_t>();
        st.peak = r.take<std::uint32_t>();
        st.acquired = r.take<std::uint64_t>();
        take_counters(r, st.counters);
        if (!r.ok()) return {restore_error::truncated};
        if (st.capacity != rewind_door::table(pool).capacity()) return other_capacity;
        if (st.size > st.peak || st.peak > st.capacity || st.size > st.acquired || st.acquired > most_lives)
            return {restore_error::inconsistent, "the counts of lives do not add up"};
        if (!r.has(st.size, least_row_bytes<Pool>())) return {restore_error::truncated};

        const auto p = plan<Pool>(st, true);
        std::byte* const data = out.own.begin(p.total, alignment<Pool>());
        if (data == nullptr) return {restore_error::no_memory};
        zero_bytes(data, p.offset[objects_part]);
        const room<Pool> to(out.own, data, p, objects_part);
        if (const restore_result bad = take_lives<Pool>(r, st, data, p); !bad) return bad;
        restore_result bad;
        if constexpr (image_codec<element<Pool>>) {
            bad = take_rows<Pool>(r, *to.objects, st.size);
        } else {
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                static_cast<void>(
                    ((bad = take_column<Pool, I>(r, *to.objects, st.size), bad.error == restore_error::none) && ...));
            }(std::make_index_sequence<Pool::columns>{});
        }
        if (!bad) return bad;
        copy_bytes(data, &st, sizeof(st));
        out.own.seal(&section_kind<Pool>);
        out.from = &out.own;
        return {};
    }

    // --- hash --------------------------------------------------------------------------------------------------------------

    /// All that decides what happens next, and nothing that does not.
    template <class Pool>
    static void hash(const Pool& pool, hasher& h) {
        const auto& table = rewind_door::table(pool);
        using T = element<Pool>;
        table.expect_readable();
        h.add(std::uint64_t{table.capacity()});
        if constexpr (table_of<Pool>::has_generations) {
            for (std::uint32_t row = 0; row < table.capacity(); ++row) h.add(std::uint64_t{table.generations()[row]});
        } else {
            for (std::size_t w = 0; w < words_for(table.capacity()); ++w) h.add(table.occupied()[w]);
        }
        hash_ages(h, table.now().ages, table.aged());
        if constexpr (requires(const T& whole) { whole.hash(h); }) {
            table.for_each_live([&](std::uint32_t row) {
                field_room<T> whole;
                gather(table, row, whole);
                hash_value_into(h, whole.object());
            });
        } else {
            column_objects<T>::each([&]<std::size_t I>() {
                table.for_each_live([&](std::uint32_t row) { hash_value_into(h, column_of<I>(table)[row]); });
            });
        }
    }

private:
    static constexpr std::size_t objects_part = 1 + flag_arrays;
    static constexpr std::size_t columns_part = objects_part + 1;

    static constexpr restore_result other_capacity{restore_error::too_large,
                                                   "saved from a flag_column_pool of another capacity"};

    /// Calls `f.operator()<K>()` for the pool's arrays but the columns.
    template <class F>
    static void each_array(F&& f) {
        [&]<std::size_t... K>(std::index_sequence<K...>) {
            (f.template operator()<K>(), ...);
        }(std::make_index_sequence<flag_arrays>{});
    }

    template <class Pool>
    [[nodiscard]] static state_of<Pool> state_in(const std::byte* data) noexcept {
        state_of<Pool> st;
        copy_bytes(&st, data, sizeof(st));
        return st;
    }

    /// `bytes`: with all that is plain bytes; otherwise the objects only.
    template <class Pool>
    [[nodiscard]] static section_plan<columns_part + Pool::columns> plan(const state_of<Pool>& st,
                                                                         bool bytes) noexcept {
        section_plan<columns_part + Pool::columns> p;
        p.add(0, bytes ? sizeof(st) : 0);
        for (std::size_t k = 0; k < flag_arrays; ++k)
            p.add(1 + k, bytes ? table_of<Pool>::layout::bytes(k, st.capacity) : 0);
        p.add(objects_part, sizeof(column_objects<element<Pool>>));
        column_objects<element<Pool>>::each([&]<std::size_t I>() {
            using F = field_of<Pool, I>;
            p.add(columns_part + I, bytes || !is_bytes<F> ? st.size * sizeof(F) : 0,
                  std::max<std::size_t>(alignof(F), 16));
        });
        return p;
    }

    /// Which rows live, how often each has, and in what order they came.
    template <class Pool, std::size_t Parts>
    [[nodiscard]] static restore_result take_lives(image_reader& r, state_of<Pool>& st, std::byte* data,
                                                   const section_plan<Parts>& p) noexcept {
        using generation = typename table_of<Pool>::generation;
        auto* const occupied = reinterpret_cast<map_word*>(data + p.offset[1 + flag_occupied]);
        std::uint64_t live = 0;
        if constexpr (table_of<Pool>::has_generations) {
            constexpr std::uint32_t last = Pool::handle_type::last_generation;
            constexpr bool retires = Pool::pool_options.generations == generation_rule::retire;
            auto* const generations = reinterpret_cast<generation*>(data + p.offset[1 + flag_generations]);
            for (std::uint32_t row = 0; row < st.capacity; ++row) {
                const auto g = r.take<generation>();
                if (g > last || (!retires && g == last))
                    return {restore_error::inconsistent, "a generation is more than handles can hold"};
                generations[row] = g;
                if (g == last) ++st.retired;
                if ((g & 1) == 0) continue;
                set(occupied, row);
                ++live;
            }
        } else {
            for (std::size_t w = 0; w < words_for(st.capacity); ++w) {
                occupied[w] = r.take<map_word>();
                if ((occupied[w] & ~below(w, st.capacity)) != 0)
                    return {restore_error::inconsistent, "an object lives past the last row"};
                live += static_cast<std::uint64_t>(std::popcount(occupied[w]));
            }
        }
        if (!r.ok()) return {restore_error::truncated};
        if (live != st.size) return {restore_error::inconsistent, "the counts of lives do not add up"};
        const age_arrays aged{reinterpret_cast<age_links*>(data + p.offset[1 + flag_links]),
                              reinterpret_cast<std::uint64_t*>(data + p.offset[1 + flag_birth]),
                              reinterpret_cast<std::uint8_t*>(data + p.offset[1 + flag_priority])};
        return take_ages(r, st.ages, aged, st.size,
                         [&](std::uint32_t row) { return row < st.capacity && test(occupied, row); });
    }
};

}  // namespace lido::detail
