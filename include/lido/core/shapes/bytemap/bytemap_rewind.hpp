// Save, restore, image and hash of a bytemap_pool.
//
// Section:  | state | byte map | objects, in slot order |
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/parts/rewind_door.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_part.hpp>
#include <lido/core/rewind/packed_elements.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/rewind/staged.hpp>
#include <lido/core/shapes/bytemap/state_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct bytemap_rewind {
    static constexpr std::uint8_t shape_in_image = number_of(image_part::bytemap_pool);

    template <class Pool>
    static consteval void require_base_only() {
        static_assert(Pool::holds_base_only,
                      "lido: this bytemap_pool can hold derived classes, which cannot be copied through their base: "
                      "write each object yourself beside save_map(), and make them anew with load_map() and reserve()");
    }

    template <class Pool>
    using table_of = std::remove_cvref_t<decltype(rewind_door::table(std::declval<Pool&>()))>;
    template <class Pool>
    using state_of = typename table_of<Pool>::state;

    enum : std::size_t { in_state, in_map, in_objects, parts };

    template <class Pool>
    [[nodiscard]] static section_plan<parts> plan(const state_of<Pool>& st) noexcept {
        using T = typename Pool::value_type;
        section_plan<parts> p;
        p.add(in_state, sizeof(state_of<Pool>));
        p.add(in_map, st.capacity);
        p.add(in_objects, st.size * sizeof(T), packed_alignment<T>);
        return p;
    }

    // --- snapshot ----------------------------------------------------------------------------------------------------------

    template <class Pool>
    [[nodiscard]] static bool save(const Pool& pool, section& s) {
        const auto& table = rewind_door::table(pool);
        using T = typename Pool::value_type;
        require_base_only<Pool>();
        require_snapshot_element<T>();
        const auto st = table.settled_state();
        const auto p = plan<Pool>(st);
        std::byte* const data = s.begin(p.total, alignof(T));
        if (data == nullptr) return false;
        copy_bytes(data, &st, sizeof(st));
        put_map(table, data + p.offset[in_map]);
        auto next = pool.begin();
        save_each<T>(s, data + p.offset[in_objects], st.size, [&]() -> const T& { return *next++; });
        s.seal(&section_kind<Pool>);
        return true;
    }

    template <class>
    using staged = staged_section;

    template <class Pool>
    [[nodiscard]] static restore_result stage(Pool& pool, const section& s, staged<Pool>& out) {
        using T = typename Pool::value_type;
        require_base_only<Pool>();
        require_snapshot_element<T>();
        if (s.kind() != &section_kind<Pool>)
            return {restore_error::other_parts, "the snapshot was saved from another pool type"};
        state_of<Pool> st;
        copy_bytes(&st, s.data(), sizeof(st));
        if (st.capacity != pool.capacity()) return other_count;
        return out.template take<T>(s, st.size);
    }

    template <class Pool>
    static void commit(Pool& pool, staged<Pool>& plan_) noexcept {
        auto& table = rewind_door::table(pool);
        using T = typename Pool::value_type;
        LIDO_VERIFY(!table.busy_inside(),
                    "bytemap_pool: an object's own constructor or destructor ends the whole pool");
        rewind_door::begins(pool);
        table.end_all();
        table.guard_slots(false);
        const std::byte* const data = plan_.from->data();
        copy_bytes(&table.now(), data, sizeof(table.now()));
        const auto p = plan<Pool>(table.now());
        copy_bytes(table.map(), data + p.offset[in_map], table.capacity());
        each_loader<T> objects(plan_, data + p.offset[in_objects]);
        for (std::uint32_t slot = table.first_live(); slot != no_slot; slot = table.live_after(slot, no_slot))
            objects.next_to(table.object_at(slot));
        table.guard_slots(true);
        rewind_door::restored(pool, table.capacity());
    }

    // --- image -------------------------------------------------------------------------------------------------------------

    template <class Pool>
    static void write(const Pool& pool, image_writer& w) {
        const auto& table = rewind_door::table(pool);
        using T = typename Pool::value_type;
        require_base_only<Pool>();
        require_image_element<T>();
        const auto st = table.settled_state();
        w.put(shape_in_image);
        put_element_type<T>(w);
        w.put(st.capacity);
        w.put(static_cast<std::uint32_t>(st.first_free));
        w.put(st.size);
        w.put(st.peak);
        w.put(st.acquired);
        put_counters(w, st.counters);
        for (std::uint32_t slot = 0; slot < st.capacity; ++slot) w.put(table.settled_byte(slot));
        for (const T& each : pool) put_element(w, each);
    }

    /// Reads and checks everything into out.own, in the form that save() gives it.
    template <class Pool>
    [[nodiscard]] static restore_result read(Pool& pool, image_reader& r, staged<Pool>& out) {
        using T = typename Pool::value_type;
        require_base_only<Pool>();
        require_image_element<T>();
        const bool same_shape = r.take<std::uint8_t>() == shape_in_image;
        const bool same_type = same_element_type<T>(r);
        state_of<Pool> st;
        st.capacity = r.take<std::uint32_t>();
        st.first_free = static_cast<std::int32_t>(r.take<std::uint32_t>());
        st.size = r.take<std::uint32_t>();
        st.peak = r.take<std::uint32_t>();
        st.acquired = r.take<std::uint64_t>();
        take_counters(r, st.counters);
        if (!r.ok()) return {restore_error::truncated};
        if (!same_shape) return {restore_error::other_shape};
        if (!same_type) return {restore_error::other_type};
        if (st.capacity != pool.capacity()) return other_count;
        if (st.first_free < -1 || st.first_free > static_cast<std::int32_t>(st.capacity) || st.size > st.capacity ||
            st.peak > st.capacity || st.size > st.acquired || st.acquired > most_lives) {
            return {restore_error::inconsistent, "the counts of slots do not add up"};
        }
        const std::span<const std::byte> states = r.take_bytes(st.capacity);
        if (!r.ok() || !r.has(st.size, least_image_bytes<T>)) return {restore_error::truncated};

        const auto p = plan<Pool>(st);
        std::byte* const data = out.own.begin(p.total, alignof(T));
        if (data == nullptr) return {restore_error::no_memory};
        copy_bytes(data, &st, sizeof(st));
        copy_bytes(data + p.offset[in_map], states.data(), states.size());
        std::uint32_t busy = 0;
        for (const std::byte s : states) busy += is_free(std::to_integer<state_byte>(s)) ? 0u : 1u;
        if (busy != st.size) return {restore_error::inconsistent, "the byte map has another number of busy slots"};

        if (const restore_result bad = take_array<T>(r, data + p.offset[in_objects], st.size, out.own); !bad)
            return bad;
        out.own.seal(&section_kind<Pool>);
        out.from = &out.own;
        return {};
    }

    // --- hash --------------------------------------------------------------------------------------------------------------

    /// All that decides what happens next, and nothing that does not.
    template <class Pool>
    static void hash(const Pool& pool, hasher& h) {
        const auto& table = rewind_door::table(pool);
        require_base_only<Pool>();
        h.add(std::uint64_t{table.capacity()})
            .add(static_cast<std::uint64_t>(std::int64_t{table.now().first_free} + 1));
        for (std::uint32_t slot = 0; slot < table.capacity(); ++slot) h.add(std::uint64_t{table.settled_byte(slot)});
        for (const auto& each : pool) hash_value_into(h, each);
    }

private:
    template <class Table>
    static void put_map(const Table& table, std::byte* to) noexcept {
        copy_bytes(to, table.map(), table.capacity());
        for (std::uint32_t slot = 0; table.busy_inside() && slot < table.capacity(); ++slot)
            to[slot] = std::byte{table.settled_byte(slot)};
    }

    static constexpr restore_result other_count{restore_error::other_options,
                                                "saved from a pool with another number of slots"};
};

}  // namespace lido::detail
