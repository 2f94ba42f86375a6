// Save, restore, image, hash and history of a dense pool: its table (rows/table_rewind.hpp), then its objects.
//
// Section:  | the table's parts | elements [0, size) |
#pragma once

#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/rewind_door.hpp>
#include <lido/core/parts/rows/dense_layout.hpp>
#include <lido/core/parts/rows/table_rewind.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_part.hpp>
#include <lido/core/rewind/marks.hpp>
#include <lido/core/rewind/packed_elements.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/rewind/staged.hpp>
#include <lido/core/shapes/dense/dense_lives.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace lido::detail {

struct dense_rewind : private table_rewind {
    template <class Pool>
    using element = typename Pool::value_type;
    template <class Pool>
    using table_of = table_rewind::table_of<Pool>;
    template <class Pool>
    using state_of = table_rewind::state_of<Pool>;

    static constexpr std::uint8_t shape_in_image = number_of(image_part::dense_pool);

    template <class Pool>
    [[nodiscard]] static section_plan<dense_arrays + 1> plan(const state_of<Pool>& st) noexcept {
        using T = element<Pool>;
        section_plan<dense_arrays + 1> p;
        plan_table<table_of<Pool>>(p, st, [](std::size_t) { return true; });
        p.add(dense_arrays, st.rows.size * sizeof(T), packed_alignment<T>);
        return p;
    }

    // --- snapshot ----------------------------------------------------------------------------------------------------------

    template <class Pool>
    [[nodiscard]] static bool save(const Pool& pool, section& s) {
        using T = element<Pool>;
        require_snapshot_element<T>();
        const auto& table = rewind_door::table(pool);
        table.expect_readable();
        const auto p = plan<Pool>(table.now());
        std::byte* const data = s.begin(p.total, alignof(T));
        if (data == nullptr) return false;
        save_table(table, data, p);
        save_array<T>(s, data + p.offset[dense_arrays], table.values(), table.size());
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
        const auto st = state_in<table_of<Pool>>(s.data());
        if (const restore_result r = fits(rewind_door::table(pool), st); !r) return r;
        return out.template take<T>(s, st.rows.size);
    }

    template <class Pool>
    static void commit(Pool& pool, staged<Pool>& staged_) noexcept {
        using T = element<Pool>;
        auto& table = rewind_door::table(pool);
        rewind_door::begins(pool);
        table.expect_settled_always();
        const half_way::scope now(table.limits().now(), half_way::ends | half_way::unreadable | half_way::beyond);
        dense_lives::destroy_all(table);
        const std::byte* const data = staged_.from->data();
        const auto p = plan<Pool>(state_in<table_of<Pool>>(data));
        const std::size_t known_before = load_table(table, data, p);
        load_array<T>(staged_, data + p.offset[dense_arrays], table.values(), table.size());
        table.marked_for().forget();
        restored(pool, known_before);
    }

    // --- image -------------------------------------------------------------------------------------------------------------

    template <class Pool>
    static void write(const Pool& pool, image_writer& w) {
        using T = element<Pool>;
        require_image_element<T>();
        put_options<Pool>(w, shape_in_image);
        put_table(w, rewind_door::table(pool));
        for (const T& each : pool.values()) put_element(w, each);
    }

    /// Reads and checks everything into out.own, in the form that save() gives it.
    template <class Pool>
    [[nodiscard]] static restore_result read(Pool& pool, image_reader& r, staged<Pool>& out) {
        using T = element<Pool>;
        require_image_element<T>();
        if (const restore_result other = same_options<Pool>(r, shape_in_image); !other) return other;

        state_of<Pool> st;
        if (const restore_result bad = take_counts(r, rewind_door::table(pool), st, least_image_bytes<T>); !bad)
            return bad;

        const auto p = plan<Pool>(st);
        std::byte* const data = out.own.begin(p.total, alignof(T));
        if (data == nullptr) return {restore_error::no_memory};
        zero_bytes(data, p.offset[dense_arrays]);
        if (const restore_result bad = take_table<table_of<Pool>>(r, st, data, p); !bad) return bad;

        if (const restore_result bad = take_array<T>(r, data + p.offset[dense_arrays], st.rows.size, out.own); !bad)
            return bad;
        copy_bytes(data, &st, sizeof(st));
        out.own.seal(&section_kind<Pool>);
        out.from = &out.own;
        return fits(rewind_door::table(pool), st);
    }

    // --- hash --------------------------------------------------------------------------------------------------------------

    /// All that decides what happens next, and nothing that does not.
    template <class Pool>
    static void hash(const Pool& pool, hasher& h) {
        hash_table(h, rewind_door::table(pool));
        for (const auto& each : pool.values()) hash_value_into(h, each);
    }

    // --- history -----------------------------------------------------------------------------------------------------------

    /// Where a history finds what one index holds (the entries of slot and row i, the value of row i), and what has no index.
    template <class Pool>
    struct changes {
        using T = element<Pool>;
        static constexpr bool aged = table_of<Pool>::tracks;
        static constexpr bool ranked = Pool::pool_options.tracks == track::priority;
        static constexpr std::size_t column_count = 2 + (aged ? 1 : 0) + (ranked ? 2 : 0);

        [[nodiscard]] static constexpr std::array<std::size_t, column_count> strides() noexcept {
            constexpr std::size_t word_bytes = sizeof(typename table_of<Pool>::map_type::word_type);
            constexpr std::size_t back_bytes = sizeof(typename table_of<Pool>::map_type::back_type);
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
                ((all[C] = {of(pool).template array<numbers[C]>(), strides()[C]}), ...);
            }(std::make_index_sequence<column_count>{});
            return all;
        }

        [[nodiscard]] static marks_owner_id owner(const Pool& pool) noexcept { return of(pool).marked_for().history; }
        static void own(Pool& pool, marks_owner_id history) noexcept { of(pool).marked_for().history = history; }
        [[nodiscard]] static map_word* marks(const Pool& pool) noexcept { return of(pool).changed(); }
        [[nodiscard]] static std::size_t known(const Pool& pool) noexcept { return of(pool).now().rows.known; }
        [[nodiscard]] static std::byte* value(const Pool& pool, std::size_t i) noexcept {
            return reinterpret_cast<std::byte*>(of(pool).values() + i);
        }
        [[nodiscard]] static bool holds_value(const Pool& pool, std::size_t i) noexcept { return i < pool.size(); }

        static void put_whole(const Pool& pool, std::vector<std::byte>& to) {
            const auto p = whole_plan(of(pool).now());
            to.resize(p.total);
            save_table(of(pool), to.data(), p);
        }

        [[nodiscard]] static restore_result fits(Pool& pool, std::size_t reach) noexcept {
            return has_memory(of(pool), std::min<std::size_t>(reach, pool.max_capacity()));
        }

        [[nodiscard]] static std::size_t begin_restore(Pool& pool, const std::vector<std::byte>& from) noexcept {
            rewind_door::begins(pool);
            return load_table(of(pool), from.data(), whole_plan(state_in<table_of<Pool>>(from.data())));
        }
        static void index_restored(Pool&, std::size_t) noexcept {}
        static void end_restore(Pool& pool, std::size_t known_before) noexcept { restored(pool, known_before); }

    private:
        [[nodiscard]] static auto& of(Pool& pool) noexcept { return rewind_door::table(pool); }
        [[nodiscard]] static const auto& of(const Pool& pool) noexcept { return rewind_door::table(pool); }

        /// What has no index.
        [[nodiscard]] static section_plan<dense_arrays + 1> whole_plan(const state_of<Pool>& st) noexcept {
            section_plan<dense_arrays + 1> p;
            plan_table<table_of<Pool>>(
                p, st, [](std::size_t k) { return k == dense_values || k == dense_resting || k == dense_ring; });
            return p;
        }
    };
};

}  // namespace lido::detail
