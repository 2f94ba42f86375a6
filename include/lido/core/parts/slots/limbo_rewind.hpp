// What a restore does about ends that wait (limbo.hpp): which saves can bring their lives back, who is undone, and what an image says.
//
// A restore brings back a life with its object, or not at all. Whoever lives or waits now and is no part of the saved moment, or is
// part of a moment of another pool's, ends for good: its hook runs, once, and then the saved state is taken.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/core/parts/slots/limbo.hpp>
#include <lido/core/rewind/image.hpp>

#include <cstddef>
#include <cstdint>

namespace lido::detail {

/// A saved moment: its state, and the arrays that go with it.
template <class Table>
struct saved_limbo {
    const typename Table::state& state;
    std::size_t used;
    const typename Table::generation* generations;
    const map_word* occupied;
    const std::uint64_t* owed;

    /// Saved from this pool, since it last forgot its past.
    [[nodiscard]] bool is_own(const Table& table) const noexcept { return state.limbo.past == table.now().limbo.past; }
    [[nodiscard]] bool lives(std::size_t slot) const noexcept { return slot < used && test(occupied, slot); }

    /// Whether the life in `slot`, which lives or waits now, lives or waits there too.
    [[nodiscard]] bool knows(const Table& table, std::uint32_t slot) const noexcept {
        if (is_own(table)) return slot < used && owed[slot] == table.owed()[slot];
        return lives(slot) && table.lives(slot) && generations[slot] == table.generations()[slot];
    }
};

struct limbo_rewind {
    /// Refuses a moment of this pool whose objects are not all there. `Only`: objects that come back or not at all, because a save
    /// holds nothing of them.
    template <bool Only, class Table>
    [[nodiscard]] static restore_result can_come_back(const Table& table, const saved_limbo<Table>& saved) noexcept {
        if (!saved.is_own(table)) {
            if (!Only || saved.state.size() == 0) return {};
            return {restore_error::let_go,
                    "objects that cannot be copied do not come from another pool, nor from a past that was given up"};
        }
        for (std::size_t slot = 0; slot < saved.used; ++slot) {
            if (!test(saved.occupied, slot)) continue;
            if (slot < table.ready() && table.owed()[slot] == saved.owed[slot]) continue;
            return {
                restore_error::let_go,
                "an object that the save has alive was let go since: its end was confirmed, or its slot was due, or "
                "its beginning was undone. Restore a later save, or give up the old objects first: forget_past() of a "
                "pool, "
                "confirm_all() of a world"};
        }
        return {};
    }

    /// Ends for good what the moment does not know.
    template <class Shape, class Table>
    static void end_unknown(Table& table, const saved_limbo<Table>& saved) noexcept {
        for (std::uint32_t slot = 0; slot < table.used(); ++slot) {
            if (table.owed()[slot] == 0 || saved.knows(table, slot)) continue;
            if (table.lives(slot)) {
                table.leave(slot, table.generations()[slot]);
                clear(table.occupied(), slot);
            }
            limbo::let_go<Shape>(table, slot);
        }
    }

    /// Calls `tell(slot)` for each end that the moment takes back: a life that waits, and lives there. Pre: end_unknown().
    template <class Table, class F>
    static void for_each_undone_end(const Table& table, const saved_limbo<Table>& saved, F&& tell) noexcept {
        for (std::uint32_t i = 0; i < table.now().limbo.count; ++i) {
            const std::uint32_t slot = table.ends()[i].slot;
            if (table.owed()[slot] != 0 && saved.lives(slot)) tell(slot);
        }
    }

    /// The state has come from a save. `past` is what this pool's was before.
    template <class Table>
    static void restored(Table& table, std::uint64_t past) noexcept {
        table.now().limbo.past = past;
        table.for_each_live([&table](std::uint32_t slot) {
            // Its object has come with the state, or was let go between the check and now by another part of the same restore.
            if (table.owed()[slot] == 0) table.owed()[slot] = ++table.limbo().numbers;
        });
    }

    // --- image -------------------------------------------------------------------------------------------------------------

    /// The counts come first: they say how much room a reader needs.
    template <class Table>
    static void put_counts(image_writer& w, const Table& table) {
        w.put(table.now().limbo.tick);
        w.put(table.now().limbo.count);
    }
    template <class Table>
    static void put_ends(image_writer& w, const Table& table) {
        const auto& st = table.now().limbo;
        for (std::uint32_t i = 0; i < st.count; ++i) {
            w.put(table.ends()[i].tick);
            w.put(table.ends()[i].slot | table.ends()[i].for_good << 31);
        }
    }

    template <class State>
    [[nodiscard]] static restore_result take_counts(image_reader& r, State& st, std::uint32_t used) noexcept {
        st.limbo.past = 0;
        st.limbo.tick = r.take<std::uint64_t>();
        st.limbo.count = r.take<std::uint32_t>();
        st.limbo.for_good = 0;
        if (!r.ok() || !r.has(st.limbo.count, 12)) return {restore_error::truncated};
        if (st.limbo.count > used) return {restore_error::inconsistent, "more ends wait than slots are used"};
        return {};
    }

    /// Marks each waiting slot in `taken`. Its life is over, so its generation is even and not 0; where that is the last one, the slot
    /// is not retired before it is free.
    template <class Table, class In>
    [[nodiscard]] static restore_result take_ends(image_reader& r, typename Table::state& st, std::uint32_t used,
                                                  const In& in, map_word* taken) noexcept {
        auto* const ends = in.template array<waiting_end>(Table::layout::at_ends);
        std::uint64_t before = 0;
        for (std::uint32_t i = 0; i < st.limbo.count; ++i) {
            const auto tick = r.take<std::uint64_t>();
            const auto word = r.take<std::uint32_t>();
            const std::uint32_t slot = word & 0x7fffffffu;
            if (tick < before || tick > st.limbo.tick)
                return {restore_error::inconsistent, "the ticks of ends that wait are out of order"};
            if (slot >= used || test(taken, slot)) {
                return {restore_error::inconsistent, "an end waits in a slot that is not there, or is in use"};
            }
            const auto generation = in.maps().generations[slot];
            if (generation == 0 || (generation & 1) != 0)
                return {restore_error::inconsistent, "an end waits in a slot that never had a life"};
            if (in.maps().retired(slot) && st.retired != 0) --st.retired;
            set(taken, slot);
            ends[i] = {tick, slot, word >> 31};
            st.limbo.for_good += word >> 31;
            before = tick;
        }
        if (!r.ok()) return {restore_error::truncated};
        if (Table::pool_options.generations != generation_rule::retire && st.retired != 0)
            return {restore_error::inconsistent, "a slot is retired in a pool that retires none"};
        if (std::uint64_t{st.size()} + st.limbo.count + st.retired > st.capacity)
            return {restore_error::inconsistent, "the counts of lives do not add up"};
        return {};
    }

    // --- hash --------------------------------------------------------------------------------------------------------------

    template <class Table>
    static void hash(hasher& h, const Table& table) {
        const auto& st = table.now().limbo;
        h.add(st.tick).add(std::uint64_t{st.count});
        for (std::uint32_t i = 0; i < st.count; ++i)
            h.add(table.ends()[i].tick).add(std::uint64_t{table.ends()[i].slot | table.ends()[i].for_good << 31});
    }
};

}  // namespace lido::detail
