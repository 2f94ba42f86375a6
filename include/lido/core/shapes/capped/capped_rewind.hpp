// Save, restore, image and hash of a capped list.
//
// Section:  | state | birth | priority | elements [0, size) |
#pragma once

#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/rewind_door.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_part.hpp>
#include <lido/core/rewind/packed_elements.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/rewind/staged.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct capped_rewind {
    static constexpr std::uint8_t shape_in_image = number_of(image_part::capped_list);

    template <class List>
    using table_of = std::remove_cvref_t<decltype(rewind_door::table(std::declval<List&>()))>;
    template <class List>
    using state_of = typename table_of<List>::state;

    enum : std::size_t { in_state, in_birth, in_priority, in_objects, parts };

    template <class List>
    [[nodiscard]] static section_plan<parts> plan(const state_of<List>& st) noexcept {
        using T = typename List::value_type;
        section_plan<parts> p;
        p.add(in_state, sizeof(state_of<List>));
        p.add(in_birth, table_of<List>::aged ? st.size * sizeof(std::uint64_t) : 0);
        p.add(in_priority, table_of<List>::ranked ? st.size : 0);
        p.add(in_objects, st.size * sizeof(T), packed_alignment<T>);
        return p;
    }

    // --- snapshot ----------------------------------------------------------------------------------------------------------

    template <class List>
    [[nodiscard]] static bool save(const List& list, section& s) {
        const auto& table = rewind_door::table(list);
        using T = typename List::value_type;
        require_snapshot_element<T>();
        table.expect_readable();
        const auto p = plan<List>(table.now());
        std::byte* const data = s.begin(p.total, alignof(T));
        if (data == nullptr) return false;
        copy_bytes(data, &table.now(), sizeof(table.now()));
        copy_bytes(data + p.offset[in_birth], table.ages().birth(), p.bytes[in_birth]);
        copy_bytes(data + p.offset[in_priority], table.ages().priority(), p.bytes[in_priority]);
        save_array<T>(s, data + p.offset[in_objects], table.rows(), table.size());
        s.seal(&section_kind<List>);
        return true;
    }

    template <class>
    using staged = staged_section;

    template <class List>
    [[nodiscard]] static restore_result stage(List&, const section& s, staged<List>& out) {
        using T = typename List::value_type;
        require_snapshot_element<T>();
        if (s.kind() != &section_kind<List>)
            return {restore_error::other_parts, "the snapshot was saved from another list type"};
        state_of<List> st;
        copy_bytes(&st, s.data(), sizeof(st));
        return out.template take<T>(s, st.size);
    }

    template <class List>
    static void commit(List& list, staged<List>& plan_) noexcept {
        auto& table = rewind_door::table(list);
        using T = typename List::value_type;
        table.expect_settled_always();
        const auto victim = table.followed_birth();
        const half_way::scope now(table.limits().now(), half_way::ends);
        table.end_all();
        const half_way::scope filling(table.limits().now(), half_way::unreadable);
        table.guard_rows(0, false);
        const std::byte* const data = plan_.from->data();
        copy_bytes(&table.now(), data, sizeof(table.now()));
        const auto p = plan<List>(table.now());
        copy_bytes(table.ages().birth(), data + p.offset[in_birth], p.bytes[in_birth]);
        copy_bytes(table.ages().priority(), data + p.offset[in_priority], p.bytes[in_priority]);
        load_array<T>(plan_, data + p.offset[in_objects], table.rows(), table.size());
        table.guard_rows(table.size(), true);
        table.follow_birth(victim);
    }

    // --- image -------------------------------------------------------------------------------------------------------------

    template <class List>
    static void write(const List& list, image_writer& w) {
        const auto& table = rewind_door::table(list);
        using T = typename List::value_type;
        require_image_element<T>();
        const auto& st = table.now();
        w.put(shape_in_image);
        w.put(static_cast<std::uint8_t>(List::list_options.tracks));
        put_element_type<T>(w);
        w.put(st.size);
        w.put(st.peak);
        w.put(st.acquired);
        put_counters(w, st.counters);
        for (std::uint32_t row = 0; row < st.size; ++row) {
            if constexpr (table_of<List>::aged) w.put(table.ages().birth()[row]);
            if constexpr (table_of<List>::ranked) w.put(table.ages().priority()[row]);
        }
        for (const T& each : list) put_element(w, each);
    }

    /// Reads and checks everything into out.own, in the form that save() gives it.
    template <class List>
    [[nodiscard]] static restore_result read(List&, image_reader& r, staged<List>& out) {
        using T = typename List::value_type;
        require_image_element<T>();
        const bool same_shape = r.take<std::uint8_t>() == shape_in_image;
        const bool same_tracks = r.take<std::uint8_t>() == static_cast<std::uint8_t>(List::list_options.tracks);
        const bool same_type = same_element_type<T>(r);
        state_of<List> st;
        st.size = r.take<std::uint32_t>();
        st.peak = r.take<std::uint32_t>();
        st.acquired = r.take<std::uint64_t>();
        take_counters(r, st.counters);
        if (!r.ok()) return {restore_error::truncated};
        if (!same_shape) return {restore_error::other_shape};
        if (!same_type) return {restore_error::other_type};
        if (!same_tracks) return {restore_error::other_options};
        if (st.size > table_of<List>::cap || st.peak > table_of<List>::cap) return {restore_error::too_large};
        if (st.size > st.acquired || st.acquired > most_lives) {
            return {restore_error::inconsistent, "the counts of elements do not add up"};
        }
        const auto p = plan<List>(st);
        std::byte* const data = out.own.begin(p.total, alignof(T));
        if (data == nullptr) return {restore_error::no_memory};
        copy_bytes(data, &st, sizeof(st));
        [[maybe_unused]] auto* const birth = reinterpret_cast<std::uint64_t*>(data + p.offset[in_birth]);
        [[maybe_unused]] auto* const priority = reinterpret_cast<std::uint8_t*>(data + p.offset[in_priority]);
        for (std::uint32_t row = 0; row < st.size; ++row) {
            if constexpr (table_of<List>::aged) {
                birth[row] = r.take<std::uint64_t>();
                if (birth[row] >= st.acquired) return {restore_error::inconsistent, "an element is not born yet"};
                for (std::uint32_t other = 0; other < row; ++other) {
                    if (birth[other] == birth[row]) return {restore_error::inconsistent, "two elements of one birth"};
                }
            }
            if constexpr (table_of<List>::ranked) {
                priority[row] = r.take<std::uint8_t>();
                if (priority[row] > max_priority) return {restore_error::inconsistent, "a priority that is none"};
            }
        }
        if (!r.ok() || !r.has(st.size, least_image_bytes<T>)) return {restore_error::truncated};
        if (const restore_result bad = take_array<T>(r, data + p.offset[in_objects], st.size, out.own); !bad)
            return bad;
        out.own.seal(&section_kind<List>);
        out.from = &out.own;
        return {};
    }

    // --- hash --------------------------------------------------------------------------------------------------------------

    /// All that decides what happens next, and nothing that does not: of births their order counts, and where the next one goes.
    template <class List>
    static void hash(const List& list, hasher& h) {
        const auto& table = rewind_door::table(list);
        const auto& st = table.now();
        h.add(std::uint64_t{table_of<List>::cap}).add(std::uint64_t{st.size});
        for (std::uint32_t row = 0; row < st.size; ++row) {
            if constexpr (table_of<List>::aged) h.add(st.acquired - table.ages().birth()[row]);
            if constexpr (table_of<List>::ranked) h.add(std::uint64_t{table.ages().priority()[row]});
        }
        for (const auto& each : list) hash_value_into(h, each);
    }
};

}  // namespace lido::detail
