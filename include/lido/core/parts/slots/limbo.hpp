// Ends that wait until they are confirmed (options::confirmed_ends). A game that predicts may take an end back; until it cannot, the
// ended object stays in its slot, untouched, so that a restore brings back the same object under the same handle.
//
//            acquire             release                  confirm(tick)               begin_tick(end + rollback)
//     free ----------> active ----------> waiting ------------------------> let go ----------------------------> free
//                         ^                  |                                                  the slot is free again
//                         +---- restore -----+                the end's hook or destructor runs, once
//
//   ends   | tick slot | tick slot | ...     the waiting ends in their order; `count` of them     16 bytes a slot     state
//   owed   | n | n | n | ...                 slot s: the number of the life in it that has not    8 bytes a slot      the pool's own
//                                            been let go; 0 where there is none
//
// Two clocks that know nothing of each other. begin_tick() is part of the simulation: it decides when a slot is free, so that peers
// with equal calls get equal handles. confirm() is what one machine has heard from the others: it runs hooks, and nothing that it
// changes is in a save or a hash. What waits still when its slot is due is let go first.
//
// A save has the numbers in `owed` beside the lives. Numbers are given once and never again, so a restore knows for each life that it
// is to bring back whether its object is still there. Rejected: to count ends, and refuse a save from before the last one let go. A
// save of a future that was played differently since has the right count and the wrong objects.
//
// LQ1. A slot in the queue is taken, holds no life, and is in the queue once and in no other.
// LQ2. Ticks in the queue never fall, and none is past the pool's tick.
// LQ3. owed[s] is not 0 exactly while slot s holds a life, or the end of its last one waits and has not been let go.
// LQ4. Lives, waiting ends and retired slots are together no more than the capacity.
// LQ5. The state's `for_good` is the number of ends in the queue that are.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/checks/misuse.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace lido::detail {

struct waiting_end {
    std::uint64_t tick;
    std::uint32_t slot;
    std::uint32_t for_good;  ///< 1: its object is destroyed when the slot is free, whether others may wait or not
};
static_assert(sizeof(waiting_end) == 16);

/// What a save must bring back, beside the array of ends.
template <bool Confirms>
struct limbo_state {
    std::uint64_t past = 0;  ///< whose saves can bring back objects: this pool's, since it last forgot its past
    std::uint64_t tick = 0;  ///< of the ends from now on
    std::uint32_t count = 0;
    std::uint32_t for_good = 0;  ///< of these: ends after which the object does not wait for another life
};
template <>
struct limbo_state<false> {
    static constexpr std::uint32_t count = 0;
};

/// What is no part of the state.
template <bool Confirms>
struct limbo_own {
    std::uint64_t numbers = 0;  ///< given to lives so far
    bool letting_go = false;    ///< a hook or destructor of an end runs
};
template <>
struct limbo_own<false> {};

LIDO_SHARED inline constinit std::atomic<std::uint64_t> pasts_begun{0};

/// A past that no other pool of the process has.
[[nodiscard]] inline std::uint64_t new_past() noexcept {
    return pasts_begun.fetch_add(1, std::memory_order_relaxed) + 1;
}

inline constexpr const char* changed_while_letting_go =
    "a pool with confirmed ends was to be changed while it lets an object go: by on_release, settings.release or a "
    "destructor; refused. When that runs differs from machine to machine: end or begin the others where this object is "
    "released";
inline constexpr const char* ticked_from_inside =
    "begin_tick, confirm, forget_past or clear was called from inside of a constructor, destructor or hook of the same "
    "pool; refused: call it between the ticks";
inline constexpr const char* tick_goes_back =
    "begin_tick was given an earlier tick than the pool's; refused. To go back, restore a save of that tick";

/// While it lives, the table lets go, and nobody changes it.
template <class Table>
class letting_go {
public:
    explicit letting_go(Table& table) noexcept : table_(table) {
        if constexpr (Table::confirms) before_ = std::exchange(table.limbo().letting_go, true);
    }
    letting_go(const letting_go&) = delete;
    letting_go& operator=(const letting_go&) = delete;
    ~letting_go() {
        if constexpr (Table::confirms) table_.limbo().letting_go = before_;
    }

private:
    Table& table_;
    bool before_ = false;
};

/// `Shape` knows the objects:
///
///   let_go(table, slot)    the object is ended: its hook, or its destructor
///   free(table, slot, for_good)   the slot, in which no life is and nothing waits, is the next life's; for_good: without the object
struct limbo {
    template <class Table>
    LIDO_INLINE static void wait(Table& table, std::uint32_t slot, bool for_good = false) noexcept {
        auto& st = table.now().limbo;
        table.ends()[st.count++] = {st.tick, slot, for_good ? 1u : 0u};
        if (for_good) [[unlikely]]
            ++st.for_good;
    }

    /// Pre: owed[slot] != 0.
    template <class Shape, class Table>
    static void let_go(Table& table, std::uint32_t slot) noexcept {
        table.owed()[slot] = 0;
        const letting_go<Table> now(table);
        Shape::let_go(table, slot);
    }

    /// Lets go what has ended in ticks up to `tick`. Returns how many.
    template <class Shape, class Table>
    static std::uint32_t confirm(Table& table, std::uint64_t tick) noexcept {
        std::uint32_t done = 0;
        for (std::uint32_t i = 0; i < table.now().limbo.count && table.ends()[i].tick <= tick; ++i) {
            const std::uint32_t slot = table.ends()[i].slot;
            if (table.owed()[slot] == 0) continue;
            let_go<Shape>(table, slot);
            ++done;
        }
        return done;
    }

    /// Ends are of this tick from now on; slots whose ends are out of reach are free. False where the tick goes back.
    template <class Shape, class Table>
    static bool begin_tick(Table& table, std::uint64_t tick) noexcept {
        auto& st = table.now().limbo;
        if (tick < st.tick) {
            table.limits().tell(misuse_kind::bad_setting, tick_goes_back);
            return false;
        }
        st.tick = tick;
        std::uint32_t due = 0;
        while (due < st.count && tick - table.ends()[due].tick >= table.settings().rollback) ++due;
        if (due != 0) leave<Shape>(table, due);
        return true;
    }

    /// Nothing waits any more.
    template <class Shape, class Table>
    static void leave_all(Table& table) noexcept {
        leave<Shape>(table, table.now().limbo.count);
    }

    /// Everything that waits is let go, and no save from before brings back an object.
    template <class Shape, class Table>
    static void forget_past(Table& table) noexcept {
        static_cast<void>(confirm<Shape>(table, (std::numeric_limits<std::uint64_t>::max)()));
        table.now().limbo.past = new_past();
    }

    /// Whether that life has ended and waits, let go or not.
    template <class Table>
    [[nodiscard]] static bool waits(const Table& table, std::uint32_t slot, std::uint32_t life) noexcept {
        if ((life & 1) == 0 || slot >= table.now().known || table.generations()[slot] != life + 1) return false;
        return holds(table, slot);
    }
    template <class Table>
    [[nodiscard]] static bool holds(const Table& table, std::uint32_t slot) noexcept {
        const waiting_end* const first = table.ends();
        const waiting_end* const last = first + table.now().limbo.count;
        return std::any_of(first, last, [slot](const waiting_end& end) { return end.slot == slot; });
    }

    /// Refuses what the pool cannot do from inside of its own calls.
    template <class Table>
    [[nodiscard]] static bool from_inside(const Table& table) noexcept {
        if (table.inside() == 0 && !table.limbo().letting_go) [[likely]]
            return false;
        table.limits().tell(misuse_kind::reentrant_call, ticked_from_inside);
        return true;
    }

    /// The same for a change that only a hook or destructor of an end may not make.
    template <class Table>
    [[nodiscard]] LIDO_INLINE static bool forbids_change([[maybe_unused]] const Table& table) noexcept {
        if constexpr (Table::confirms) {
            if (table.limbo().letting_go) [[unlikely]] {
                table.limits().tell(misuse_kind::reentrant_call, changed_while_letting_go);
                return true;
            }
        }
        return false;
    }

    /// Which invariant does not hold; null when all do.
    template <class Table>
    [[nodiscard]] static const char* broken(const Table& table) noexcept {
        const auto& st = table.now().limbo;
        std::uint64_t before = 0;
        std::uint64_t sum = 0;
        std::uint32_t for_good = 0;
        for (std::uint32_t i = 0; i < st.count; ++i) {
            const auto [tick, slot, destroyed] = table.ends()[i];
            for_good += destroyed;
            if (slot >= table.used() || !test(table.taken(), slot))
                return "LQ1: the queue names a slot that is not taken";
            if (table.lives(slot)) return "LQ1: a waiting slot holds a life";
            if (tick < before || tick > st.tick) return "LQ2: the ticks of the queue are not in order";
            before = tick;
            sum += table.owed()[slot] != 0 ? 1u : 0u;
        }
        if (for_good != st.for_good) return "LQ5: the ends after which nothing waits are not as many as counted";
        for (std::uint32_t s = 0; s < table.used(); ++s) {
            if (table.lives(s)) {
                if (table.owed()[s] == 0) return "LQ3: a life has no number";
            } else if (table.owed()[s] != 0) {
                --sum;
            }
        }
        if (sum != 0) return "LQ3: an end is owed to a slot in which nothing waits";
        if (std::uint64_t{table.used_up()} > table.capacity())
            return "LQ4: more lives, waiting ends and retired slots than the capacity";
        return nullptr;
    }

private:
    /// The first `due` of the queue.
    template <class Shape, class Table>
    LIDO_NOINLINE static void leave(Table& table, std::uint32_t due) noexcept {
        auto& st = table.now().limbo;
        waiting_end* const ends = table.ends();
        for (std::uint32_t i = 0; i < due; ++i) {
            if (table.owed()[ends[i].slot] != 0) let_go<Shape>(table, ends[i].slot);
        }
        // Behind the end of the queue nobody writes meanwhile: an object that is destroyed here cannot release another.
        std::rotate(ends, ends + due, ends + st.count);
        st.count -= due;
        const letting_go<Table> now(table);
        for (std::uint32_t i = 0; i < due; ++i) {
            const waiting_end& end = ends[st.count + i];
            st.for_good -= end.for_good;
            Shape::free(table, end.slot, end.for_good != 0);
        }
    }
};

}  // namespace lido::detail
