// Save, restore, image and hash of a recycled list: the active objects, in row order. Idle objects are a cache (docs/decisions/0011): none is
// saved and none is made; those there are wait on, as many as may.
//
// Section:  | state | active objects [0, size) |
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

struct recycled_list_rewind {
    static constexpr std::uint8_t shape_in_image = number_of(image_part::recycled_list);

    template <class List>
    using table_of = std::remove_cvref_t<decltype(rewind_door::table(std::declval<List&>()))>;
    template <class List>
    using state_of = typename table_of<List>::state;

    enum : std::size_t { in_state, in_objects, parts };

    template <class List>
    [[nodiscard]] static section_plan<parts> plan(const state_of<List>& st) noexcept {
        using T = typename List::value_type;
        section_plan<parts> p;
        p.add(in_state, sizeof(state_of<List>));
        p.add(in_objects, st.size * sizeof(T), packed_alignment<T>);
        return p;
    }

    // --- snapshot ----------------------------------------------------------------------------------------------------------

    template <class List>
    [[nodiscard]] static bool save(const List& list, section& s) {
        const auto& table = rewind_door::table(list);
        using T = typename List::value_type;
        require_snapshot_element<T>();
        table.expect_settled();
        const auto p = plan<List>(table.now());
        std::byte* const data = s.begin(p.total, alignof(T));
        if (data == nullptr) return false;
        copy_bytes(data, &table.now(), sizeof(table.now()));
        std::uint32_t row = 0;
        save_each<T>(s, data + p.offset[in_objects], list.size(), [&]() -> const T& { return *table.at(row++); });
        s.seal(&section_kind<List>);
        return true;
    }

    template <class>
    using staged = staged_section;

    template <class List>
    [[nodiscard]] static restore_result stage(List& list, const section& s, staged<List>& out) {
        using T = typename List::value_type;
        require_snapshot_element<T>();
        if (s.kind() != &section_kind<List>)
            return {restore_error::other_parts, "the snapshot was saved from another list type"};
        state_of<List> st;
        copy_bytes(&st, s.data(), sizeof(st));
        if (st.size > list.capacity() || st.peak > list.capacity()) return {restore_error::too_large};
        return out.template take<T>(s, st.size);
    }

    /// Lives that are undone end with their hooks, so that every idle object has been released.
    template <class List>
    static void commit(List& list, staged<List>& plan_) noexcept {
        auto& table = rewind_door::table(list);
        using T = typename List::value_type;
        list.clear();
        const half_way::scope filling(table.limits().now(), half_way::builds);
        const std::byte* const data = plan_.from->data();
        copy_bytes(&table.now(), data, sizeof(table.now()));
        const auto p = plan<List>(table.now());
        const std::uint32_t there = table.idle();
        each_loader<T> objects(plan_, data + p.offset[in_objects]);
        for (std::uint32_t row = 0; row < table.size(); ++row) {
            table.make_way(row, there);
            objects.next_to(table.at(row));
            table.take_back(row);
        }
        table.taken_back(there);
    }

    // --- image -------------------------------------------------------------------------------------------------------------

    template <class List>
    static void write(const List& list, image_writer& w) {
        const auto& table = rewind_door::table(list);
        using T = typename List::value_type;
        require_image_element<T>();
        table.expect_settled();
        const auto& st = table.now();
        w.put(shape_in_image);
        put_element_type<T>(w);
        w.put(st.size);
        w.put(st.peak);
        w.put(st.acquired);
        put_counters(w, st.counters);
        for (const T& each : list) put_element(w, each);
    }

    /// Reads and checks everything into out.own, in the form that save() gives it.
    template <class List>
    [[nodiscard]] static restore_result read(List& list, image_reader& r, staged<List>& out) {
        using T = typename List::value_type;
        require_image_element<T>();
        const bool same_shape = r.take<std::uint8_t>() == shape_in_image;
        const bool same_type = same_element_type<T>(r);
        state_of<List> st;
        st.size = r.take<std::uint32_t>();
        st.peak = r.take<std::uint32_t>();
        st.acquired = r.take<std::uint64_t>();
        take_counters(r, st.counters);
        if (!r.ok()) return {restore_error::truncated};
        if (!same_shape) return {restore_error::other_shape};
        if (!same_type) return {restore_error::other_type};
        if (st.size > list.capacity() || st.peak > list.capacity()) return {restore_error::too_large};
        if (st.size > st.peak || st.size > st.acquired || st.acquired > most_lives)
            return {restore_error::inconsistent, "the counts of lives do not add up"};
        if (!r.has(st.size, least_image_bytes<T>)) return {restore_error::truncated};
        const auto p = plan<List>(st);
        std::byte* const data = out.own.begin(p.total, alignof(T));
        if (data == nullptr) return {restore_error::no_memory};
        copy_bytes(data, &st, sizeof(st));
        if (const restore_result bad = take_array<T>(r, data + p.offset[in_objects], st.size, out.own); !bad)
            return bad;
        out.own.seal(&section_kind<List>);
        out.from = &out.own;
        return {};
    }

    // --- hash --------------------------------------------------------------------------------------------------------------

    /// All that decides what happens next, and nothing that does not: no idle objects, no addresses.
    template <class List>
    static void hash(const List& list, hasher& h) {
        h.add(std::uint64_t{list.capacity()}).add(std::uint64_t{list.size()});
        for (const auto& each : list) hash_value_into(h, each);
    }
};

}  // namespace lido::detail
