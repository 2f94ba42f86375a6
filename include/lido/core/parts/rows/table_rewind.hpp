// What every pool of packed rows saves beside its values: the state and the arrays of its row_table. dense_rewind and column_rewind
// add the values.
//
// Section:  | state | words | backs | resting | ring | links | birth | priority | the pool's own ...
// Image:    counts and counters | slot and generation, row by row | resting slots | ages | the pool's own ...
#pragma once

#include <lido/core/parts/age_rewind.hpp>
#include <lido/core/parts/rewind_door.hpp>
#include <lido/core/parts/rows/dense_layout.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct table_rewind {
protected:
    template <class Pool>
    using table_of = std::remove_cvref_t<decltype(rewind_door::table(std::declval<Pool&>()))>;
    template <class Pool>
    using state_of = typename table_of<Pool>::state;

    // --- section -----------------------------------------------------------------------------------------------------------

    static_assert(dense_changed + 1 == dense_arrays, "marks are the last array, and the only one that no save holds");

    /// Part 0 is the state, the others are the table's arrays by number; `wanted` says which.
    template <class Table, std::size_t Parts, class Wanted>
    static void plan_table(section_plan<Parts>& p, const typename Table::state& st, Wanted&& wanted) noexcept {
        if (wanted(dense_values)) p.add(dense_values, sizeof(st));
        for (std::size_t k = dense_words; k < dense_changed; ++k) {
            if (wanted(k)) p.add(k, Table::layout::bytes(k, st.rows.known));
        }
    }

    template <class Table, std::size_t Parts>
    static void save_table(const Table& table, std::byte* data, const section_plan<Parts>& p) noexcept {
        copy_bytes(data, &table.now(), sizeof(table.now()));
        each_array([&]<std::size_t K>() { copy_bytes(data + p.offset[K], table.template array<K>(), p.bytes[K]); });
    }

    /// The state that a section begins with, which says how the rest of it is laid out.
    template <class Table>
    [[nodiscard]] static typename Table::state state_in(const std::byte* data) noexcept {
        typename Table::state st;
        copy_bytes(&st, data, sizeof(st));
        return st;
    }

    /// Returns how many slots the table knew before. Pre: no object lives in the pool. Then: the values, and restored().
    template <class Table, std::size_t Parts>
    [[nodiscard]] static std::size_t load_table(Table& table, const std::byte* data,
                                                const section_plan<Parts>& p) noexcept {
        const std::size_t known_before = table.now().rows.known;
        table.guard_rows(0, false);
        copy_bytes(&table.now(), data, sizeof(table.now()));
        each_array([&]<std::size_t K>() { copy_bytes(table.template array<K>(), data + p.offset[K], p.bytes[K]); });
        clear_beyond<dense_resting>(table, known_before);
        return known_before;
    }

    /// What is beside the state follows it.
    template <class Pool>
    static void restored(Pool& pool, std::size_t known_before) noexcept {
        auto& table = rewind_door::table(pool);
        clear_beyond<dense_words>(table, known_before);
        clear_beyond<dense_backs>(table, known_before);
        table.update_ready();
        table.guard_rows(table.size(), true);
        rewind_door::restored(
            pool, static_cast<std::uint32_t>((std::max)(known_before, std::size_t{table.now().rows.known})));
    }

    /// Whether the pool can hold `known` slots; gets the memory.
    template <class Table>
    [[nodiscard]] static restore_result has_memory(Table& table, std::size_t known) noexcept {
        return {table.make_ready(static_cast<std::uint32_t>(known)) ? restore_error::none : restore_error::no_memory};
    }
    template <class Table>
    [[nodiscard]] static restore_result fits(Table& table, const typename Table::state& st) noexcept {
        if (st.capacity > table.max_capacity() || st.rows.known > table.max_capacity())
            return {restore_error::too_large};
        return has_memory(table, st.rows.known);
    }

    // --- image and hash ----------------------------------------------------------------------------------------------------

    template <class Table>
    static void put_table(image_writer& w, const Table& table) {
        const auto& st = table.now();
        w.put(st.capacity);
        w.put(st.rows.size);
        w.put(st.rows.known);
        w.put(st.rows.retired);
        w.put(st.peak);
        w.put(st.acquired);
        put_counters(w, st.counters);
        const auto rows = table.map();
        for (std::uint32_t row = 0; row < st.rows.known; ++row) {
            w.put(rows.slot(row));
            w.put(rows.generation(rows.slot(row)));
        }
        w.put(std::uint32_t{st.rows.rest.count});
        st.rows.rest.walk(table.ring(), [&w](std::uint32_t slot) { w.put(slot); });
        put_ages(w, st.ages, table.aged());
    }

    /// The numbers, checked so that what follows is bounded by the image's own size. `each`: the fewest bytes of one element.
    template <class Table>
    [[nodiscard]] static restore_result take_counts(image_reader& r, const Table& table, typename Table::state& st,
                                                    std::size_t each) noexcept {
        auto& zones = st.rows;
        st.capacity = r.take<std::uint32_t>();
        zones.size = r.take<std::uint32_t>();
        zones.known = r.take<std::uint32_t>();
        zones.retired = r.take<std::uint32_t>();
        st.peak = r.take<std::uint32_t>();
        st.acquired = r.take<std::uint64_t>();
        take_counters(r, st.counters);
        if (!r.ok()) return {restore_error::truncated};
        if (st.capacity > table.max_capacity() || zones.known > table.max_capacity()) return {restore_error::too_large};
        if (st.acquired > most_lives || st.peak > table.max_capacity() ||
            std::uint64_t{zones.size} + zones.retired > st.capacity ||
            std::uint64_t{zones.size} + zones.retired > zones.known || zones.size > st.acquired) {
            return {restore_error::inconsistent, "the counts of rows do not add up"};
        }
        if (!r.has(zones.known, 2 * sizeof(std::uint32_t))) return {restore_error::truncated};
        if (!r.has(zones.size, each)) return {restore_error::truncated};
        return {};
    }

    /// Map, resting slots and ages into the arrays of a section that `plan` lays out. Pre: those are zero.
    template <class Table, std::size_t Parts>
    [[nodiscard]] static restore_result take_table(image_reader& r, typename Table::state& st, std::byte* data,
                                                   const section_plan<Parts>& p) noexcept {
        using map_type = typename Table::map_type;
        auto& zones = st.rows;
        const auto array = [&]<class U>(std::size_t k, U*) { return reinterpret_cast<U*>(data + p.offset[k]); };
        typename Table::layout::plain_map rows{
            {array(dense_words, static_cast<typename map_type::word_type*>(nullptr)),
             array(dense_backs, static_cast<typename map_type::back_type*>(nullptr))}};
        const age_arrays aged{array(dense_links, static_cast<age_links*>(nullptr)),
                              array(dense_birth, static_cast<std::uint64_t*>(nullptr)),
                              array(dense_priority, static_cast<std::uint8_t*>(nullptr))};
        if (const restore_result bad = read_rows<Table>(r, zones, rows); !bad) return bad;
        if (const restore_result bad =
                read_rest<Table>(r, zones, rows, array(dense_ring, static_cast<std::uint32_t*>(nullptr)),
                                 array(dense_resting, static_cast<map_word*>(nullptr)));
            !bad) {
            return bad;
        }
        const auto lives = [&](std::uint32_t slot) { return slot < zones.known && rows.row(slot) < zones.size; };
        return take_ages(r, st.ages, aged, zones.size, lives);
    }

    template <class Table>
    static void hash_table(hasher& h, const Table& table) {
        const auto& st = table.now();
        h.add(std::uint64_t{st.capacity}).add(std::uint64_t{st.rows.size}).add(std::uint64_t{st.rows.retired});
        const auto rows = table.map();
        for (std::uint32_t row = 0; row < st.rows.known; ++row) {
            const std::uint32_t slot = rows.slot(row);
            h.add(std::uint64_t{slot} << 32 | rows.generation(slot));
        }
        st.rows.rest.walk(table.ring(), [&h](std::uint32_t slot) { h.add(std::uint64_t{slot}); });
        hash_ages(h, st.ages, table.aged());
    }

private:
    /// Rows must be a permutation of the slots, with generations that fit the zones.
    template <class Table, class Zones, class Map>
    [[nodiscard]] static restore_result read_rows(image_reader& r, const Zones& zones, Map& rows) noexcept {
        constexpr std::uint32_t last = Table::handle_type::last_generation;
        constexpr bool retires = Table::pool_options.generations == generation_rule::retire;
        for (std::uint32_t row = 0; row < zones.known; ++row) {
            const auto slot = r.take<std::uint32_t>();
            const auto life = r.take<std::uint32_t>();
            if (slot >= zones.known) return {restore_error::inconsistent, "a row names a slot that is not there"};
            const bool live = row < zones.size;
            const bool retired = row >= zones.known - zones.retired;
            if (life > last || ((life & 1) != 0) != live || (life == last) != retired || (retired && !retires)) {
                return {restore_error::inconsistent, "a generation does not fit its row"};
            }
            rows.link(row, slot);
            rows.set_generation(slot, life);
        }
        if (!r.ok()) return {restore_error::truncated};
        for (std::uint32_t row = 0; row < zones.known; ++row) {
            if (rows.row(rows.slot(row)) != row) return {restore_error::inconsistent, "two rows name the same slot"};
        }
        return {};
    }

    template <class Table, class Zones, class Map>
    [[nodiscard]] static restore_result read_rest(image_reader& r, Zones& zones, const Map& rows, std::uint32_t* ring,
                                                  map_word* resting) noexcept {
        constexpr restore_result wrong{restore_error::inconsistent,
                                       "the resting slots are not those of the resting rows"};
        const auto count = r.take<std::uint32_t>();
        if (count > Table::pool_options.reuse_delay || count > zones.known - zones.size - zones.retired) return wrong;
        if constexpr (Table::delays) {
            for (std::uint32_t i = 0; i < count; ++i) {
                const auto slot = r.take<std::uint32_t>();
                if (slot >= zones.known || test(resting, slot)) return wrong;
                const std::uint32_t row = rows.row(slot);
                if (row < zones.size || row >= zones.size + count) return wrong;
                static_cast<void>(zones.rest.push(ring, resting, slot));
            }
        }
        static_cast<void>(rows);
        static_cast<void>(ring);
        static_cast<void>(resting);
        return r.ok() ? restore_result{} : restore_result{restore_error::truncated};
    }

    template <class F>
    static void each_array(F&& f) noexcept {
        [&]<std::size_t... K>(std::index_sequence<K...>) {
            (f.template operator()<K + 1>(), ...);
        }(std::make_index_sequence<dense_arrays - 1>{});
    }

    /// Entries past the restored ones are as they were before they were first used.
    template <std::size_t K, class Table>
    static void clear_beyond(Table& table, std::size_t known_before) noexcept {
        const std::size_t from = Table::layout::bytes(K, table.now().rows.known);
        const std::size_t to = Table::layout::bytes(K, known_before);
        if (to > from) zero_bytes(table.template array<K>() + from, to - from);
    }
};

}  // namespace lido::detail
