// timing_wheel: many timers in ticks, each started, cancelled and expired in O(1), all of it part of a rewind.
//
//   level 0   | 64 lists, one tick each      |      a timer lies on the level of the highest 6-bit digit in which its tick and now
//   level 1   | 64 lists, 64 ticks each      |      differ, in the list of its digit there
//   level 2   | 64 lists, 4096 ticks each    |
//   ...                                             now = 0x000123 ---> digits 0, 4, 35
//   level 5   | 64 lists, 2^30 ticks each    |      when digit 0 comes round to 0, the next list of level 1 is dealt out to level 0,
//   beyond    | one list                     |      and so on upwards: each timer is moved at most once a level
//
//   node      | due | before | after | list | value |      in a slot_pool: a timer's handle never means a later timer, and lists
//                                                          are linked by handles
//
// WT1. A timer is in the list of its place: level and digit follow from `due` and now. During an expiry the timers of that tick are in
//      the list `firing`.
// WT2. A bit of a level's map is set exactly when that list is not empty.
// WT3. Timers in one list are in the order in which they came to it; timers of one tick expire in that order.
//
// Not a heap: a heap pays log n a start, and its order among equals depends on its history. Not one list a tick: that is as long
// as the longest timer. A list that is dealt out costs its length at that tick; spread over its life that is O(1) a timer.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/config.hpp>
#include <lido/core/memory/reserved_storage.hpp>
#include <lido/core/options.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/slot_pool.hpp>
#include <lido/world/ticks.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace lido {

/// Threads: belongs to one thread at a time. Re-entrancy: what is called at an expiry may start and cancel timers.
template <class Value>
class timing_wheel {
    static_assert(std::is_trivially_copyable_v<Value>,
                  "lido: a timing_wheel is saved and rewound as bytes: its values are trivially copyable");

    static constexpr unsigned digit_bits = 6;
    static constexpr unsigned digits = 1u << digit_bits;
    static constexpr unsigned levels = 6;
    static constexpr std::uint32_t beyond = levels * digits;
    static constexpr std::uint32_t firing = beyond + 1;
    static constexpr std::uint32_t lists = firing + 1;
    struct node;

public:
    using node_pool = slot_pool<node, options{.forensics = false}, lazy_reserved_storage>;
    using value_type = Value;
    using timer = handle<node>;
    using size_type = std::uint32_t;

    /// Room for `timers` at once, and for more as they come, up to `most`.
    explicit timing_wheel(size_type timers = 64, size_type most = most_timers)
        : nodes_((std::min)(timers, most),
                 {.name = "timers", .on_full = on_full::grow_to(most), .leaks = leaks::allow}) {}

    /// Growth reserves address space, and a program has many wheels.
    static constexpr size_type most_timers = size_type{1} << (sizeof(void*) == 8 ? 26 : 18);

    /// Address space for one timer, with what is kept beside it.
    [[nodiscard]] static constexpr std::size_t timer_bytes() noexcept { return sizeof(node) + 16; }

    [[nodiscard]] ticks now() const noexcept { return {state_.now}; }
    [[nodiscard]] size_type size() const noexcept { return nodes_.size(); }

    /// Ticks; a longer timer is taken for this one. More than a program will live, and far from where the sum with now comes round.
    static constexpr std::uint64_t longest = std::uint64_t{1} << 62;

    /// A timer that expires `in` ticks from now, at the next tick at the earliest. Null when there is no memory for it.
    /// `value…` makes the Value where it will lie: a copy of one that was just written stalls the processor.
    template <class... V>
        requires std::constructible_from<Value, V...> || requires(V&&... value) { Value{std::forward<V>(value)...}; }
    timer start(ticks in, V&&... value) {
        const std::uint64_t due = state_.now + std::clamp(in.count, std::uint64_t{1}, longest);
        const auto made = nodes_.acquire(due, std::forward<V>(value)...);
        if (made) join(made.handle(), *made);
        return made;
    }

    /// False when it has expired or was cancelled before.
    bool cancel(timer which) noexcept {
        if (!nodes_.contains(which)) return false;
        leave(which);
        nodes_.release_found(which);
        return true;
    }

    /// What a timer holds, or null when it is no longer there.
    [[nodiscard]] const Value* find(timer which) const noexcept {
        const node* const n = nodes_.try_get(which);
        return n != nullptr ? &n->value : nullptr;
    }

    /// How long until it expires; 0 when it is no longer there, and while it does.
    [[nodiscard]] ticks left(timer which) const noexcept {
        const node* const n = nodes_.try_get(which);
        return n != nullptr ? ticks{n->due - state_.now} : ticks{};
    }

    /// One tick on. Calls `expired(timer, value)` for each timer that is due, in the order of WT3; the timer is gone by then. Returns
    /// how many were.
    template <class F>
    size_type advance(F&& expired) {
        ++state_.now;
        deal();
        // The list of this tick is taken off as a whole: what starts meanwhile is due later, and what is cancelled leaves it.
        const std::uint32_t list = digit(state_.now, 0);
        for (timer t = state_.lists[list].first; t; t = at(t).after) at(t).list = firing;
        state_.lists[firing] = std::exchange(state_.lists[list], {});
        bits::clear(state_.maps, list);
        size_type count = 0;
        while (const timer which = state_.lists[firing].first) {
            const Value value = at(which).value;
            leave(which);
            nodes_.release_found(which);
            ++count;
            expired(which, value);
        }
        return count;
    }

    /// All timers go; the time stays.
    void clear() noexcept {
        nodes_.clear();
        state_ = state_type{.now = state_.now};
    }

    /// Calls `f(due, value)` for each timer: those of one tick in the order in which they will expire.
    template <class F>
    void for_each(F&& f) const {
        for (const ends& list : state_.lists) {
            for (timer t = list.first; t; t = at(t).after) f(ticks{at(t).due}, at(t).value);
        }
    }

    // --- rewind: `lido::save(to, wheel.timers(), wheel.state())` beside the pools whose lives the timers name ---------------

    struct ends {
        timer first;
        timer last;
    };
    struct state_type {
        std::uint64_t now = 0;
        bits::map_word maps[levels] = {};
        ends lists[levels * digits + 2] = {};
    };
    static_assert(std::is_trivially_copyable_v<state_type>);
    [[nodiscard]] node_pool& timers() noexcept { return nodes_; }
    [[nodiscard]] const node_pool& timers() const noexcept { return nodes_; }
    [[nodiscard]] state_type& state() noexcept { return state_; }
    [[nodiscard]] const state_type& state() const noexcept { return state_; }

    /// Checks the numbered invariants. Complexity: O(timers).
    [[nodiscard]] verdict validate() const noexcept {
        size_type seen = 0;
        for (std::uint32_t list = 0; list < lists; ++list) {
            const ends& e = state_.lists[list];
            if (list < beyond && bits::test(state_.maps, list) != static_cast<bool>(e.first))
                return {"WT2: a map and its list disagree"};
            timer before;
            for (timer t = e.first; t; t = at(t).after) {
                if (!nodes_.contains(t) || ++seen > size()) return {"WT1: a list holds a timer that is not there"};
                if (at(t).before != before || at(t).list != list) return {"WT1: a timer and its list disagree"};
                if (list != firing && (at(t).due <= state_.now || place(at(t).due) != list))
                    return {"WT1: a timer lies in a wrong list"};
                before = t;
            }
            if (e.last != before) return {"WT1: a list does not end with its last timer"};
        }
        return {seen == size() ? nullptr : "WT1: a timer is in no list"};
    }

private:
    struct node {
        template <class... V>
        explicit node(std::uint64_t when, V&&... of) : due(when), value{std::forward<V>(of)...} {}

        std::uint64_t due;
        timer before;
        timer after;
        std::uint32_t list = 0;
        Value value;
    };

    [[nodiscard]] static unsigned digit(std::uint64_t tick, unsigned level) noexcept {
        return static_cast<unsigned>(tick >> (level * digit_bits)) & (digits - 1);
    }

    /// Where a timer of that tick belongs now. A tick that is now is on level 0.
    [[nodiscard]] std::uint32_t place(std::uint64_t due) const noexcept {
        const std::uint64_t differs = (due ^ state_.now) | 1;
        const auto level = static_cast<unsigned>(std::bit_width(differs) - 1) / digit_bits;
        return level < levels ? level * digits + digit(due, level) : beyond;
    }

    // Lists hold timers that are there: WT1.
    [[nodiscard]] node& at(timer t) noexcept { return nodes_.get_found(t); }
    [[nodiscard]] const node& at(timer t) const noexcept { return nodes_.get_found(t); }

    void join(timer t, node& n) noexcept {
        n.list = place(n.due);
        ends& list = state_.lists[n.list];
        n.before = list.last;
        n.after = {};
        (list.last ? at(list.last).after : list.first) = t;
        list.last = t;
        if (n.list < beyond) bits::set(state_.maps, n.list);
    }

    void leave(timer t) noexcept {
        const node& n = at(t);
        ends& list = state_.lists[n.list];
        (n.before ? at(n.before).after : list.first) = n.after;
        (n.after ? at(n.after).before : list.last) = n.before;
        if (!list.first && n.list < beyond) bits::clear(state_.maps, n.list);
    }

    /// Deals out the lists whose time has come, from the highest level down.
    void deal() noexcept {
        unsigned level = 0;
        while (level < levels && digit(state_.now, level) == 0) ++level;
        if (level == levels) deal_list(beyond);
        for (unsigned l = level < levels ? level : levels - 1; l != 0; --l) {
            deal_list(l * digits + digit(state_.now, l));
        }
    }

    void deal_list(std::uint32_t list) noexcept {
        timer t = std::exchange(state_.lists[list], {}).first;
        if (list < beyond) bits::clear(state_.maps, list);
        while (t) {
            const timer after = at(t).after;
            join(t, at(t));
            t = after;
        }
    }

    node_pool nodes_;
    state_type state_;
};

}  // namespace lido
