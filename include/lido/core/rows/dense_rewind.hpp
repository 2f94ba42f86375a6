// Save, restore, image and hash of a dense pool.
//
// Section:  | state | words | backs | resting | ring | links | birth | priority | elements [0, size) |
#pragma once

#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/history.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/rewind/staged.hpp>
#include <lido/core/rows/dense_layout.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace lido::detail {

struct dense_rewind {
    template <class Pool>
    using element = typename Pool::value_type;
    template <class Pool>
    using state_of = typename Pool::state;

    static constexpr std::uint8_t shape_in_image = 3;

    /// Part 0 is the state, the others are the pool's arrays by number; the last one the elements.
    template <class Pool>
    [[nodiscard]] static section_plan<dense_arrays + 1> plan(const state_of<Pool>& st) noexcept {
        using T = element<Pool>;
        section_plan<dense_arrays + 1> p;
        p.add(dense_values, sizeof(state_of<Pool>));
        for (std::size_t k = dense_words; k < dense_arrays; ++k)
            p.add(k, k == dense_changed ? 0 : Pool::layout::bytes(k, st.rows.known));
        p.add(dense_arrays, st.rows.size * sizeof(T), alignof(T) > 16 ? alignof(T) : 16);
        return p;
    }

    // --- snapshot ----------------------------------------------------------------------------------------------------------

    template <class Pool>
    [[nodiscard]] static bool save(const Pool& pool, section& s) {
        using T = element<Pool>;
        require_snapshot_element<T>();
        const auto p = plan<Pool>(pool.state_);
        std::byte* const data = s.begin(p.total, alignof(T));
        if (data == nullptr) return false;
        copy_bytes(data, &pool.state_, sizeof(pool.state_));
        copy_arrays(pool, p, [data](std::size_t offset, std::byte* array, std::size_t n) {
            copy_bytes(data + offset, array, n);
        });
        std::byte* const to = data + p.offset[dense_arrays];
        if constexpr (is_bytes<T>) {
            copy_bytes(to, pool.base(), p.bytes[dense_arrays]);
        } else {
            const T* from = pool.base();
            copy_objects(s, reinterpret_cast<T*>(to), pool.size(), [&]() -> const T& { return *from++; });
        }
        s.seal(&section_kind<Pool>);
        return true;
    }

    template <class>
    using staged = staged_section;

    template <class Pool>
    [[nodiscard]] static restore_result stage(Pool& pool, const section& s, staged<Pool>& out) {
        using T = element<Pool>;
        require_snapshot_element<T>();
        if (s.kind() != &section_kind<Pool>)
            return {restore_error::other_parts, "the snapshot was saved from another pool type"};
        state_of<Pool> st;
        copy_bytes(&st, s.data(), sizeof(st));
        if (const restore_result r = fits(pool, st); !r) return r;
        return out.template take<T>(s, st.rows.size);
    }

    template <class Pool>
    static void commit(Pool& pool, staged<Pool>& plan_) noexcept {
        using T = element<Pool>;
        pool.destroy_all();
        pool.guard_rows(0, pool.memory_.ready(), false);
        const std::size_t known_before = pool.state_.rows.known;
        const std::byte* const data = plan_.from->data();
        copy_bytes(&pool.state_, data, sizeof(pool.state_));
        const std::size_t known = pool.state_.rows.known;
        const auto p = plan<Pool>(pool.state_);
        copy_arrays(pool, p, [data](std::size_t offset, std::byte* array, std::size_t n) {
            copy_bytes(array, data + offset, n);
        });
        // What lay beyond the saved part is as it was before it was first used.
        clear_beyond<Pool, dense_words>(pool, known, known_before);
        clear_beyond<Pool, dense_backs>(pool, known, known_before);
        clear_beyond<Pool, dense_resting>(pool, known, known_before);
        if constexpr (is_bytes<T>) {
            copy_bytes(pool.base(), data + p.offset[dense_arrays], p.bytes[dense_arrays]);
        } else {
            T* from = static_cast<T*>(plan_.own.objects());
            for (T *to = pool.base(), *end = to + pool.size(); to != end; ++to)
                ::new (static_cast<void*>(to)) T(std::move(*from++));
        }
        pool.update_ready();
        pool.marked_for_.forget();
        restored(pool, known_before);
    }

    // --- image -------------------------------------------------------------------------------------------------------------

    template <class Pool>
    static void write(const Pool& pool, image_writer& w) {
        using T = element<Pool>;
        require_image_element<T>();
        put_options<Pool>(w, shape_in_image);
        put_table(w, pool);
        for (const T& each : pool.values()) put_element(w, each);
    }

    /// Reads and checks everything into out.own, in the form that save() gives it.
    template <class Pool>
    [[nodiscard]] static restore_result read(Pool& pool, image_reader& r, staged<Pool>& out) {
        using T = element<Pool>;
        require_image_element<T>();
        if (const restore_result other = same_options<Pool>(r, shape_in_image); !other) return other;

        state_of<Pool> st;
        if (const restore_result bad = take_counts(r, pool, st, least_image_bytes<T>); !bad) return bad;

        const auto p = plan<Pool>(st);
        std::byte* const data = out.own.begin(p.total, alignof(T));
        if (data == nullptr) return {restore_error::no_memory};
        zero_bytes(data, p.offset[dense_arrays]);
        if (const restore_result bad = take_table<Pool>(r, st, data, p); !bad) return bad;

        std::byte* const to = data + p.offset[dense_arrays];
        if constexpr (is_bytes<T>) {
            for (std::uint32_t row = 0; row < st.rows.size; ++row) {
                if (take_element<T>(r, to + row * sizeof(T))) continue;
                if (!r.ok()) return {restore_error::truncated};
                return {restore_error::inconsistent, "an element holds a value that its type does not have"};
            }
        } else {
            if (const restore_result bad = take_objects<T>(r, reinterpret_cast<T*>(to), st.rows.size, out.own); !bad)
                return bad;
        }
        copy_bytes(data, &st, sizeof(st));
        out.own.seal(&section_kind<Pool>);
        out.from = &out.own;
        return fits(pool, st);
    }

    // --- hash --------------------------------------------------------------------------------------------------------------

    /// All that decides what happens next, and nothing that does not.
    template <class Pool>
    static void hash(const Pool& pool, hasher& h) {
        hash_table(h, pool);
        for (const auto& each : pool.values()) hash_value_into(h, each);
    }

    // --- history -----------------------------------------------------------------------------------------------------------

    /// Where a history finds what one index holds (the entries of slot and row i, the value of row i), and what has no index.
    template <class Pool>
    struct changes {
        using T = element<Pool>;
        static constexpr bool aged = Pool::tracks;
        static constexpr bool ranked = Pool::pool_options.tracks == track::priority;
        static constexpr std::size_t column_count = 2 + (aged ? 1 : 0) + (ranked ? 2 : 0);

        [[nodiscard]] static constexpr std::array<std::size_t, column_count> strides() noexcept {
            constexpr std::size_t word_bytes = sizeof(typename Pool::map_type::word_type);
            constexpr std::size_t back_bytes = sizeof(typename Pool::map_type::back_type);
            if constexpr (ranked) {
                return {word_bytes, back_bytes, sizeof(age_links), sizeof(std::uint64_t), sizeof(std::uint8_t)};
            } else if constexpr (aged) {
                return {word_bytes, back_bytes, sizeof(age_links)};
            } else {
                return {word_bytes, back_bytes};
            }
        }

        [[nodiscard]] static std::array<change_column, column_count> columns(const Pool& pool) noexcept {
            constexpr std::size_t numbers[] = {dense_words, dense_backs, dense_links, dense_birth, dense_priority};
            std::array<change_column, column_count> all{};
            [&]<std::size_t... C>(std::index_sequence<C...>) {
                ((all[C] = {pool.memory_.template array<numbers[C]>(), strides()[C]}), ...);
            }(std::make_index_sequence<column_count>{});
            return all;
        }

        [[nodiscard]] static const void* owner(const Pool& pool) noexcept { return pool.marked_for_.history; }
        static void own(Pool& pool, const void* history) noexcept { pool.marked_for_.history = history; }
        [[nodiscard]] static map_word* marks(const Pool& pool) noexcept { return pool.changed(); }
        [[nodiscard]] static std::size_t known(const Pool& pool) noexcept { return pool.state_.rows.known; }
        [[nodiscard]] static std::byte* value(const Pool& pool, std::size_t i) noexcept {
            return reinterpret_cast<std::byte*>(pool.base() + i);
        }
        [[nodiscard]] static bool holds_value(const Pool& pool, std::size_t i) noexcept { return i < pool.size(); }

        static void put_whole(const Pool& pool, std::vector<std::byte>& to) {
            const auto p = whole_plan(pool.state_);
            to.resize(p.total);
            copy_bytes(to.data(), &pool.state_, sizeof(pool.state_));
            copy_arrays(pool, p, [&to](std::size_t offset, std::byte* array, std::size_t n) {
                copy_bytes(to.data() + offset, array, n);
            });
        }

        [[nodiscard]] static restore_result fits(Pool& pool, std::size_t reach) noexcept {
            const std::size_t need = std::min<std::size_t>(reach, pool.max_capacity());
            return {pool.memory_has(static_cast<std::uint32_t>(need)) ? restore_error::none : restore_error::no_memory};
        }

        [[nodiscard]] static std::size_t begin_restore(Pool& pool, const std::vector<std::byte>& from) noexcept {
            const std::size_t known_before = pool.state_.rows.known;
            pool.guard_rows(0, pool.memory_.ready(), false);
            copy_bytes(&pool.state_, from.data(), sizeof(pool.state_));
            copy_arrays(pool, whole_plan(pool.state_), [&from](std::size_t offset, std::byte* array, std::size_t n) {
                copy_bytes(array, from.data() + offset, n);
            });
            clear_beyond<Pool, dense_resting>(pool, pool.state_.rows.known, known_before);
            return known_before;
        }
        static void index_restored(Pool&, std::size_t) noexcept {}
        static void end_restore(Pool& pool, std::size_t known_before) noexcept {
            // Entries past the restored ones are as they were before they were first used.
            clear_beyond<Pool, dense_words>(pool, pool.state_.rows.known, known_before);
            clear_beyond<Pool, dense_backs>(pool, pool.state_.rows.known, known_before);
            pool.update_ready();
            restored(pool, known_before);
        }

    private:
        [[nodiscard]] static section_plan<dense_arrays + 1> whole_plan(const state_of<Pool>& st) noexcept {
            section_plan<dense_arrays + 1> p;
            p.add(dense_values, sizeof(state_of<Pool>));
            for (const std::size_t k : {dense_resting, dense_ring}) p.add(k, Pool::layout::bytes(k, st.rows.known));
            return p;
        }
    };

protected:
    /// What is beside the state follows it.
    template <class Pool>
    static void restored(Pool& pool, std::size_t known_before) noexcept {
        pool.guard_rows(pool.size(), pool.memory_.ready(), true);
        pool.diary_.restored(static_cast<std::uint32_t>(std::max<std::size_t>(known_before, pool.state_.rows.known)),
                             [&pool](std::uint32_t slot) { return pool.generation_of(slot); });
        pool.leases_.drop_dead(pool);
    }

    // What any pool of packed rows saves beside its values. `Table` holds state_, memory_, map(), ring() and aged(): a dense_pool, or
    // the row_table of another shape.

    template <class Table>
    static void put_table(image_writer& w, const Table& table) {
        const auto& st = table.state_;
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
        const auto& st = table.state_;
        h.add(std::uint64_t{st.capacity}).add(std::uint64_t{st.rows.size}).add(std::uint64_t{st.rows.retired});
        const auto rows = table.map();
        for (std::uint32_t row = 0; row < st.rows.known; ++row) {
            const std::uint32_t slot = rows.slot(row);
            h.add(std::uint64_t{slot} << 32 | rows.generation(slot));
        }
        st.rows.rest.walk(table.ring(), [&h](std::uint32_t slot) { h.add(std::uint64_t{slot}); });
        hash_ages(h, st.ages, table.aged());
    }

    template <class Pool>
    [[nodiscard]] static restore_result fits(Pool& pool, const state_of<Pool>& st) noexcept {
        if (st.capacity > pool.max_capacity() || st.rows.known > pool.max_capacity()) return {restore_error::too_large};
        if (!pool.memory_has(st.rows.known)) return {restore_error::no_memory};
        return {};
    }

    template <class Pool, std::size_t Parts, class F>
    static void copy_arrays(const Pool& pool, const section_plan<Parts>& p, F&& copy) noexcept {
        [&]<std::size_t... K>(std::index_sequence<K...>) {
            (copy(p.offset[K + 1], pool.memory_.template array<K + 1>(), p.bytes[K + 1]), ...);
        }(std::make_index_sequence<dense_arrays - 1>{});
    }

    template <class Pool, std::size_t K>
    static void clear_beyond(Pool& pool, std::size_t now, std::size_t before) noexcept {
        const std::size_t from = Pool::layout::bytes(K, now);
        const std::size_t to = Pool::layout::bytes(K, before);
        if (to > from) zero_bytes(pool.memory_.template array<K>() + from, to - from);
    }

    /// Rows must be a permutation of the slots, with generations that fit the zones.
    template <class Pool, class Zones, class Map>
    [[nodiscard]] static restore_result read_rows(image_reader& r, const Zones& zones, Map& rows) noexcept {
        constexpr std::uint32_t last = Pool::handle_type::last_generation;
        constexpr bool retires = Pool::pool_options.generations == generation_rule::retire;
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

    template <class Pool, class Zones, class Map>
    [[nodiscard]] static restore_result read_rest(image_reader& r, Zones& zones, const Map& rows, std::uint32_t* ring,
                                                  map_word* resting) noexcept {
        constexpr restore_result wrong{restore_error::inconsistent,
                                       "the resting slots are not those of the resting rows"};
        const auto count = r.take<std::uint32_t>();
        if (count > Pool::pool_options.reuse_delay || count > zones.known - zones.size - zones.retired) return wrong;
        if constexpr (Pool::delays) {
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
};

}  // namespace lido::detail
