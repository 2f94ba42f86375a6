// Save, restore, image and hash of a ring pool.
//
// Section:  | state | generations | objects, the oldest first |          what lives is where generations are odd
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/rewind_door.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_part.hpp>
#include <lido/core/rewind/packed_elements.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/rewind/staged.hpp>
#include <lido/core/shapes/ring/ring_layout.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct ring_rewind {
    static constexpr std::uint8_t shape_in_image = number_of(image_part::ring_pool);

    template <class Pool>
    using table_of = std::remove_cvref_t<decltype(rewind_door::table(std::declval<Pool&>()))>;
    template <class Pool>
    using state_of = typename table_of<Pool>::state;

    enum : std::size_t { in_state, in_generations, in_objects, parts };

    template <class Pool>
    [[nodiscard]] static section_plan<parts> plan(const state_of<Pool>& st) noexcept {
        using T = typename Pool::value_type;
        section_plan<parts> p;
        p.add(in_state, sizeof(state_of<Pool>));
        p.add(in_generations, table_of<Pool>::layout::bytes(ring_generations, st.capacity));
        p.add(in_objects, st.size * sizeof(T), packed_alignment<T>);
        return p;
    }

    // --- snapshot ----------------------------------------------------------------------------------------------------------

    template <class Pool>
    [[nodiscard]] static bool save(const Pool& pool, section& s) {
        const auto& table = rewind_door::table(pool);
        using T = typename Pool::value_type;
        require_snapshot_element<T>();
        const auto p = plan<Pool>(table.now());
        std::byte* const data = s.begin(p.total, alignof(T));
        if (data == nullptr) return false;
        copy_bytes(data, &table.now(), sizeof(table.now()));
        copy_bytes(data + p.offset[in_generations], table.generations(), p.bytes[in_generations]);
        auto next = pool.begin();
        save_each<T>(s, data + p.offset[in_objects], table.size(), [&]() -> const T& { return *next++; });
        s.seal(&section_kind<Pool>);
        return true;
    }

    template <class>
    using staged = staged_section;

    template <class Pool>
    [[nodiscard]] static restore_result stage(Pool& pool, const section& s, staged<Pool>& out) {
        const auto& table = rewind_door::table(pool);
        using T = typename Pool::value_type;
        require_snapshot_element<T>();
        if (s.kind() != &section_kind<Pool>)
            return {restore_error::other_parts, "the snapshot was saved from another pool type"};
        state_of<Pool> st;
        copy_bytes(&st, s.data(), sizeof(st));
        if (st.capacity != table.capacity()) return other_capacity;
        if (const restore_result busy = newcomer_waits(table); !busy) return busy;
        return out.template take<T>(s, st.size);
    }

    template <class Pool>
    static void commit(Pool& pool, staged<Pool>& plan_) noexcept {
        auto& table = rewind_door::table(pool);
        using T = typename Pool::value_type;
        table.expect_settled();
        LIDO_VERIFY(
            !table.limits().evicting(),
            "ring_pool: on_evict changed the ring to a saved state: there is a newcomer that it has no slot for");
        rewind_door::begins(pool);
        table.destroy_all();
        const half_way::quick_scope filling(table.limits().now(), half_way::builds);
        table.guard_slots(false);
        const std::byte* const data = plan_.from->data();
        copy_bytes(&table.now(), data, sizeof(table.now()));
        const auto p = plan<Pool>(table.now());
        copy_bytes(table.generations(), data + p.offset[in_generations], p.bytes[in_generations]);
        zero_bytes(table.occupied(), table_of<Pool>::layout::bytes(ring_occupied, table.capacity()));
        for (std::uint32_t s = 0; s < table.slots(); ++s) {
            if ((table.generations()[s] & 1) != 0) set(table.occupied(), s);
        }
        each_loader<T> objects(plan_, data + p.offset[in_objects]);
        const std::uint32_t stop = table.last_live();
        for (std::uint32_t slot = table.first_live(); slot != no_slot; slot = table.live_after(slot, stop))
            objects.next_to(table.object_at(slot));
        table.guard_slots(true);
        rewind_door::restored(pool, table.slots());
    }

    // --- image -------------------------------------------------------------------------------------------------------------

    template <class Pool>
    static void write(const Pool& pool, image_writer& w) {
        const auto& table = rewind_door::table(pool);
        using T = typename Pool::value_type;
        require_image_element<T>();
        const auto& st = table.now();
        put_options<Pool>(w, shape_in_image);
        for (const std::uint32_t n : {st.capacity, st.size, st.oldest, st.newest, st.next, st.retired, st.peak})
            w.put(n);
        w.put(st.acquired);
        put_counters(w, st.counters);
        for (std::uint32_t s = 0; s < table.slots(); ++s) w.put(table.generations()[s]);
        for (const T& each : pool) put_element(w, each);
    }

    /// Reads and checks everything into out.own, in the form that save() gives it.
    template <class Pool>
    [[nodiscard]] static restore_result read(Pool& pool, image_reader& r, staged<Pool>& out) {
        const auto& table = rewind_door::table(pool);
        using T = typename Pool::value_type;
        using generation = typename table_of<Pool>::generation;
        require_image_element<T>();
        if (const restore_result other = same_options<Pool>(r, shape_in_image); !other) return other;
        state_of<Pool> st;
        for (std::uint32_t* n : {&st.capacity, &st.size, &st.oldest, &st.newest, &st.next, &st.retired, &st.peak}) {
            *n = r.take<std::uint32_t>();
        }
        st.acquired = r.take<std::uint64_t>();
        take_counters(r, st.counters);
        if (!r.ok()) return {restore_error::truncated};
        if (st.capacity != table.capacity()) return other_capacity;
        if (const restore_result busy = newcomer_waits(table); !busy) return busy;
        const std::uint32_t slots = table.slots();
        if (st.size > st.capacity || st.peak > st.capacity || st.size > st.acquired || st.acquired > most_lives ||
            (slots != 0 && (st.oldest >= slots || st.newest >= slots || st.next >= slots))) {
            return {restore_error::inconsistent, "the counts of slots do not add up"};
        }
        if (!r.has(slots, sizeof(generation))) return {restore_error::truncated};

        const auto p = plan<Pool>(st);
        std::byte* const data = out.own.begin(p.total, alignof(T));
        if (data == nullptr) return {restore_error::no_memory};
        copy_bytes(data, &st, sizeof(st));
        auto* const generations = reinterpret_cast<generation*>(data + p.offset[in_generations]);
        for (std::uint32_t s = 0; s < slots; ++s) generations[s] = r.take<generation>();
        if (!r.ok() || !r.has(st.size, least_image_bytes<T>)) return {restore_error::truncated};
        if (const restore_result bad = check_ring<Pool>(st, generations, slots); !bad) return bad;

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
        const auto& st = table.now();
        h.add(std::uint64_t{st.capacity}).add(std::uint64_t{st.size}).add(std::uint64_t{st.next});
        if (st.size != 0) h.add(std::uint64_t{st.oldest} << 32 | st.newest);
        for (std::uint32_t s = 0; s < table.slots(); ++s) h.add(std::uint64_t{table.generations()[s]});
        for (const auto& each : pool) hash_value_into(h, each);
    }

private:
    /// From inside of on_evict: a newcomer is built already, in a slot that the saved state may need.
    template <class Table>
    [[nodiscard]] static restore_result newcomer_waits(const Table& table) noexcept {
        if (!table.limits().evicting()) return {};
        table.limits().tell(misuse_kind::reentrant_call, "on_evict restored the ring that called it; refused");
        return {restore_error::reentrant};
    }

    static constexpr restore_result other_capacity{restore_error::other_options,
                                                   "saved from a ring of another capacity"};

    /// The invariants RG1 .. RG4 of what was read.
    template <class Pool, class Generation>
    [[nodiscard]] static restore_result check_ring(const state_of<Pool>& st, const Generation* generations,
                                                   std::uint32_t slots) noexcept {
        constexpr std::uint32_t last = Pool::handle_type::last_generation;
        constexpr bool retires = Pool::pool_options.generations == generation_rule::retire;
        const auto worn = [&](std::uint32_t s) { return retires && generations[s] == last; };
        const auto after = [&](std::uint32_t s) { return s + 1 == slots ? 0 : s + 1; };
        std::uint32_t live = 0;
        std::uint32_t retired = 0;
        for (std::uint32_t s = 0; s < slots; ++s) {
            if (generations[s] > last || (!retires && generations[s] == last)) {
                return {restore_error::inconsistent, "a generation is more than handles can hold"};
            }
            live += generations[s] & 1u;
            retired += worn(s) ? 1u : 0u;
        }
        if (live != st.size || retired != st.retired) {
            return {restore_error::inconsistent, "the generations have another number of lives"};
        }
        if (slots == 0) return {};
        constexpr restore_result torn{restore_error::inconsistent,
                                      "the ends of the ring are not where its objects are"};
        if (live != 0) {
            if ((generations[st.oldest] & 1) == 0 || (generations[st.newest] & 1) == 0) return torn;
            std::uint32_t within = 1;
            for (std::uint32_t s = st.oldest; s != st.newest; s = after(s)) within += generations[after(s)] & 1u;
            if (within != live) return torn;
        }
        if (retired < st.capacity) {
            if ((generations[st.next] & 1) != 0 || worn(st.next)) return torn;
            if (live != 0) {
                std::uint32_t s = after(st.newest);
                while (worn(s)) s = after(s);  // ends: the newest is not worn
                if (s != st.next) return torn;
            }
        }
        return {};
    }
};

}  // namespace lido::detail
