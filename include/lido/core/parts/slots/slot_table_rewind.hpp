// What pools of slots save in the same way: the state and the arrays of their slot_table. slot_rewind and recycle_rewind add the objects,
// and what else they keep.
//
// Section:  | state | the arrays, in the order of their numbers | elements |
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/parts/age_order.hpp>
#include <lido/core/parts/age_rewind.hpp>
#include <lido/core/parts/rewind_door.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>
#include <lido/core/parts/slots/limbo_rewind.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/rewind/staged.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct slot_table_rewind {
    template <class>
    using staged = staged_section;

protected:
    template <class Pool>
    using table_of = std::remove_cvref_t<decltype(rewind_door::table(std::declval<Pool&>()))>;
    template <class Pool>
    using state_of = typename table_of<Pool>::state;
    template <class Table>
    using plan_of = section_plan<Table::layout::arrays + 1>;

    // --- slots -------------------------------------------------------------------------------------------------------------

    /// The live slots of each word: of a table, in which some may be half built or ending, and of a map.
    template <class Table>
    [[nodiscard]] static auto live_of(const Table& table) noexcept {
        return [&table](std::size_t w) { return table.live_in(w); };
    }
    [[nodiscard]] static auto words_of(const map_word* occupied) noexcept {
        return [occupied](std::size_t w) { return occupied[w]; };
    }

    /// Calls `f(slot)` for each slot below `used` that `live(word)` has.
    template <class Live, class F>
    static void for_each_slot(Live&& live, std::size_t used, F&& f) {
        for (std::size_t w = 0; w < words_for(used); ++w) {
            for (map_word left = live(w); left != 0; left &= left - 1) f(w * 64 + lowest(left));
        }
    }

    // --- section -----------------------------------------------------------------------------------------------------------

    /// Part 0 is the state, the others are the table's arrays by number, the last one the elements.
    template <class Table>
    [[nodiscard]] static plan_of<Table> plan(const typename Table::state& st, std::size_t element_bytes) noexcept {
        using layout = typename Table::layout;
        constexpr std::size_t alignment = alignof(typename Table::value_type);
        plan_of<Table> p;
        p.add(at_values, sizeof(st));
        for (std::size_t k = at_generations; k < layout::arrays; ++k) p.add(k, layout::saved_bytes(k, st));
        p.add(layout::arrays, element_bytes, alignment > 16 ? alignment : 16);
        return p;
    }

    /// State and arrays into a section that has room for them.
    template <class Table>
    static void save_table(const Table& table, std::byte* data, const plan_of<Table>& p) noexcept {
        copy_bytes(data, &table.now(), sizeof(table.now()));
        each_array<Table>(
            [&]<std::size_t K>() { copy_bytes(data + p.offset[K], table.template array<K>(), p.bytes[K]); });
    }

    /// The live objects of a type that is not plain bytes, one by one.
    template <class Table>
    static void save_objects(const Table& table, section& s, std::byte* to) {
        using T = typename Table::value_type;
        std::size_t w = 0;
        map_word left = table.size() != 0 ? table.live_in(0) : 0;
        copy_objects(s, reinterpret_cast<T*>(to), table.size(), [&]() -> const T& {
            while (left == 0) left = table.live_in(++w);
            const std::size_t slot = w * 64 + lowest(left);
            left &= left - 1;
            return *table.at(slot);
        });
    }

    /// The state that a section begins with, which says how the rest of it is laid out.
    template <class Table>
    [[nodiscard]] static typename Table::state state_in(const section& s) noexcept {
        typename Table::state st;
        copy_bytes(&st, s.data(), sizeof(st));
        return st;
    }

    /// The snapshot's section, where it was saved from a pool of this type and fits: `room(state)` says whether it does.
    template <class Pool, class Room>
    [[nodiscard]] static restore_result stage_table(const section& s, staged<Pool>& out, Room&& room) {
        using T = typename Pool::value_type;
        require_snapshot_element<T>();
        if (s.kind() != &section_kind<Pool>)
            return {restore_error::other_parts, "the snapshot was saved from another pool type"};
        const auto st = state_in<table_of<Pool>>(s);
        if (const restore_result r = room(st); !r) return r;
        return out.template take<T>(s, st.size());
    }

    /// Back from a section, or those arrays of it that `wanted(number)`. What lies beyond the saved part of an array is as it was before
    /// it was first used. Pre: no object lives in the table.
    template <class Table, class Wanted>
    static void load_table(Table& table, const std::byte* data, const plan_of<Table>& p, Wanted&& wanted) noexcept {
        using layout = typename Table::layout;
        const typename Table::state before = table.now();
        copy_bytes(&table.now(), data, sizeof(table.now()));
        each_array<Table>([&]<std::size_t K>() {
            if (!wanted(K)) return;
            copy_bytes(table.template array<K>(), data + p.offset[K], p.bytes[K]);
            if (!layout::starts_at_zero(K)) return;
            const std::size_t from = layout::saved_bytes(K, table.now());
            const std::size_t to = layout::saved_bytes(K, before);
            if (to > from) zero_bytes(table.template array<K>() + from, to - from);
        });
    }

    /// Refuses a restore from inside, and a state of more slots than there may be; gets the memory.
    template <class Table>
    [[nodiscard]] static restore_result has_room(Table& table, const typename Table::state& st,
                                                 std::uint32_t most) noexcept {
        if (const restore_result inside = from_outside(table); !inside) return inside;
        if (st.capacity > table.max_capacity() || st.known > most) return {restore_error::too_large};
        return {table.make_ready(st.known) ? restore_error::none : restore_error::no_memory};
    }
    template <class Table>
    [[nodiscard]] static restore_result from_outside(const Table& table) noexcept {
        if (table.inside() == 0) return {};
        table.limits().tell(misuse_kind::reentrant_call, restored_from_inside);
        return {restore_error::reentrant};
    }

    /// The lives of a section, and the numbers that they had (limbo.hpp).
    template <class Table>
    [[nodiscard]] static saved_limbo<Table> limbo_in(const std::byte* data, const typename Table::state& st,
                                                     const plan_of<Table>& p) noexcept {
        const auto at = [&](std::size_t k) { return data + p.offset[k]; };
        return {st, st.finder.used(st.capacity),
                reinterpret_cast<const typename Table::generation*>(at(at_generations)),
                reinterpret_cast<const map_word*>(at(at_occupied) + Table::layout::cache_bytes),
                reinterpret_cast<const std::uint64_t*>(at(Table::layout::at_owed))};
    }

    // --- image -------------------------------------------------------------------------------------------------------------

    /// The arrays of a section that an image is read into, or that is to be changed.
    template <class Table>
    struct arrays_in {
        using generation = typename Table::generation;

        std::byte* data;
        const plan_of<Table>& p;
        typename Table::state& st;  ///< the state that goes with them

        template <class U>
        [[nodiscard]] U* array(std::size_t k) const noexcept {
            return k < Table::layout::arrays ? reinterpret_cast<U*>(data + p.offset[k]) : nullptr;
        }
        [[nodiscard]] map_word* words(std::size_t k) const noexcept {
            return reinterpret_cast<map_word*>(data + p.offset[k] +
                                               (k == at_occupied ? Table::layout::cache_bytes : 0));
        }
        [[nodiscard]] typename Table::maps_type maps() const noexcept {
            return {words(Table::layout::at_taken),
                    words(at_spare_first),
                    words(at_spare_second),
                    Table::delays ? words(at_resting) : nullptr,
                    Table::delays ? array<std::uint32_t>(at_ring) : nullptr,
                    Table::has_generations ? array<generation>(at_generations) : nullptr,
                    Table::handle_type::last_generation,
                    true,
                    Table::cache_in(st, data + p.offset[at_occupied], array<std::byte>(at_ring))};
        }
        [[nodiscard]] age_arrays aged() const noexcept {
            return {array<age_links>(at_links), array<std::uint64_t>(at_birth), array<std::uint8_t>(at_priority)};
        }
    };

    template <class Table>
    static void put_generations(image_writer& w, const Table& table) {
        for (std::uint32_t s = 0; s < table.now().known; ++s) w.put(table.generations()[s]);
    }

    /// Generations; the lives that they tell become bits of `occupied`, and are counted.
    template <class Table>
    [[nodiscard]] static restore_result take_generations(image_reader& r, typename Table::state& st, std::uint32_t used,
                                                         const arrays_in<Table>& in, std::uint64_t& seen) noexcept {
        const auto m = in.maps();
        for (std::uint32_t s = 0; s < st.known; ++s) {
            const auto g = r.take<typename Table::generation>();
            if (g > Table::handle_type::last_generation)
                return {restore_error::inconsistent, "a generation is too large"};
            m.generations[s] = g;
            if (m.retired(s)) {
                // Where ends wait, such a slot may be one of theirs: limbo_rewind::take_ends() sees to it.
                if (Table::pool_options.generations != generation_rule::retire && !Table::confirms) {
                    return {restore_error::inconsistent, "a slot is retired in a pool that retires none"};
                }
                ++st.retired;
            }
            if ((g & 1) == 0) continue;
            if (s >= used) return {restore_error::inconsistent, "an object lives outside of the used slots"};
            set(in.words(at_occupied), s);
            ++seen;
        }
        return {};
    }

    // --- hash --------------------------------------------------------------------------------------------------------------

    template <class Table>
    static void hash_slots(hasher& h, const Table& table) {
        const auto& st = table.now();
        h.add(std::uint64_t{st.capacity}).add(std::uint64_t{table.used()}).add(std::uint64_t{st.known});
        if constexpr (Table::has_generations) {
            for (std::uint32_t s = 0; s < st.known; ++s) h.add(std::uint64_t{table.generations()[s]});
        } else {
            for (std::size_t w = 0; w < words_for(table.used()); ++w) h.add(table.occupied()[w]);
        }
    }

    // --- both --------------------------------------------------------------------------------------------------------------

    /// What an image and a hash end with: the ages, and each live object.
    template <class Table>
    static void put_lives(image_writer& w, const Table& table) {
        put_ages(w, table.now().ages, table.aged());
        for_each_slot(live_of(table), table.used(), [&](std::size_t slot) { put_element(w, *table.at(slot)); });
    }
    template <class Table>
    static void hash_lives(hasher& h, const Table& table) {
        hash_ages(h, table.now().ages, table.aged());
        for_each_slot(live_of(table), table.used(), [&](std::size_t slot) { hash_value_into(h, *table.at(slot)); });
    }

private:
    template <class Table, class F>
    static void each_array(F&& f) noexcept {
        [&]<std::size_t... K>(std::index_sequence<K...>) {
            (f.template operator()<K + 1>(), ...);
        }(std::make_index_sequence<Table::layout::arrays - 1>{});
    }
};

}  // namespace lido::detail
