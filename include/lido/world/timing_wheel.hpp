// timing_wheel: many timers in ticks, each started, cancelled and expired in O(1), all of it part of a rewind.
//
//   level 0   | 32 lists | 32 lists |     one tick per list          the first half holds the window of 32 lists that is under way or
//   level 1   | 32 lists | 32 lists |     32 ticks per list          the one after it, as its number is even or odd; the second half
//   level 2   | 32 lists | 32 lists |     1024 ticks per list        the other of the two
//   ...
//   level 6   | 32 lists | 32 lists |     2^30 ticks per list        now = 0x000123 ---> digits of 5 bits: 0, 9, 3
//   beyond    | one list            |
//
//   node      | due | before | after | list | value |      in a slot_pool: a timer's handle never means a later timer, and lists
//                                                          are linked by handles
//
// A timer that is started lies on the level of the highest digit in which its tick and now differ, in the list of its digit there. The
// list of a level that comes next is dealt out to the level below while the one before it runs: so many timers per tick that the last
// of them is there in time. So a tick never pays for a window of timers at once, and each timer is moved at most once per level.
//
// WT1. A timer on level l is due in the window of that level that is under way or in the next one; its list there follows from `due`.
//      During an expiry the timers of that tick are in the list `firing`.
// WT2. Between ticks, the list of each level above 0 that is under way is empty: its timers lie below.
// WT3. Timers in one list are in the order in which they came to it; timers of one tick expire in the order in which they were started.
// WT4. A list's count is the number of its timers.
//
// Not a heap: a heap pays log n per start, and its order among equals depends on its history. Not one list per tick: that is as long
// as the longest timer. Not a list dealt out as a whole when its window begins: with a million lifetimes of 5000 ticks one tick in a
// thousand then moves a fifth of them (5 to 11 ms).
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/memory/reserved_storage.hpp>
#include <lido/core/options.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_element.hpp>
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

    static constexpr unsigned digit_bits = 5;
    static constexpr unsigned levels = 7;
    static constexpr std::uint32_t level_lists = 2u << digit_bits;  // two windows
    static constexpr std::uint32_t beyond = levels * level_lists;
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
        if (made) join(made.handle(), *made, place(due));
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
        if (nodes_.empty()) return 0;
        deal();
        // The list of this tick is taken off as a whole: what starts meanwhile is due later, and what is cancelled leaves it.
        const std::uint32_t list = list_at(0, state_.now);
        for (timer t = state_.lists[list].first; t; t = at(t).after) at(t).list = firing;
        state_.lists[firing] = std::exchange(state_.lists[list], {});
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
        std::uint64_t count = 0;
    };
    struct state_type {
        std::uint64_t now = 0;
        ends lists[levels * level_lists + 2] = {};
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
            const unsigned level = list / level_lists;
            if (level != 0 && list < beyond && list == list_at(level, state_.now) && e.first)
                return {"WT2: the list that is under way on a level was not dealt out"};
            timer before;
            std::uint64_t count = 0;
            for (timer t = e.first; t; t = at(t).after, ++count) {
                if (!nodes_.contains(t) || ++seen > size()) return {"WT1: a list holds a timer that is not there"};
                if (at(t).before != before || at(t).list != list) return {"WT1: a timer and its list disagree"};
                if (list != firing && !belongs(at(t).due, list)) return {"WT1: a timer lies in a wrong list"};
                before = t;
            }
            if (e.last != before) return {"WT1: a list does not end with its last timer"};
            if (e.count != count) return {"WT4: the count of a list is not that of its timers"};
        }
        return {seen == size() ? nullptr : "WT1: a timer is in no list"};
    }

private:
    struct node {
        template <class... V>
        explicit node(std::uint64_t when, V&&... of) : due(when), value{std::forward<V>(of)...} {}

        // For images (wheel_image.hpp): what a reader may not believe is checked there.
        node() noexcept
            requires std::default_initializable<Value>
            : due(0), value{} {}
        void save(image_writer& w) const
            requires image_element<Value>
        {
            w.put(due);
            w.put(before.to_bits());
            w.put(after.to_bits());
            w.put(list);
            write_element(w, value);
        }
        [[nodiscard]] bool load(image_reader& r)
            requires image_element<Value>
        {
            due = r.take<std::uint64_t>();
            before = timer::from_bits(r.take<std::uint64_t>());
            after = timer::from_bits(r.take<std::uint64_t>());
            list = r.take<std::uint32_t>();
            return read_element(r, value);
        }

        std::uint64_t due;
        timer before;
        timer after;
        std::uint32_t list = 0;
        Value value;
    };

    /// The list of a tick on a level.
    [[nodiscard]] static std::uint32_t list_at(unsigned level, std::uint64_t tick) noexcept {
        return level * level_lists + (static_cast<std::uint32_t>(tick >> (level * digit_bits)) & (level_lists - 1));
    }
    [[nodiscard]] static std::uint64_t ticks_per_list(unsigned level) noexcept {
        return std::uint64_t{1} << (level * digit_bits);
    }

    /// Where a timer that is started goes. A tick that is now is on level 0.
    [[nodiscard]] std::uint32_t place(std::uint64_t due) const noexcept {
        const std::uint64_t differs = (due ^ state_.now) | 1;
        const auto level = static_cast<unsigned>(std::bit_width(differs) - 1) / digit_bits;
        return level < levels ? list_at(level, due) : beyond;
    }

    /// WT1 of one timer that is not firing.
    [[nodiscard]] bool belongs(std::uint64_t due, std::uint32_t list) const noexcept {
        if (due <= state_.now) return false;
        const unsigned window_bits = (list / level_lists + 1) * digit_bits;
        if (list == beyond) return due >> window_bits_of_all != state_.now >> window_bits_of_all;
        return list == list_at(list / level_lists, due) && (due >> window_bits) - (state_.now >> window_bits) <= 1;
    }
    static constexpr unsigned window_bits_of_all = levels * digit_bits;

    // Lists hold timers that are there: WT1.
    [[nodiscard]] node& at(timer t) noexcept { return nodes_.get_found(t); }
    [[nodiscard]] const node& at(timer t) const noexcept { return nodes_.get_found(t); }

    void join(timer t, node& n, std::uint32_t list) noexcept {
        n.list = list;
        ends& of = state_.lists[list];
        n.before = of.last;
        n.after = {};
        (of.last ? at(of.last).after : of.first) = t;
        of.last = t;
        ++of.count;
    }

    void leave(timer t) noexcept {
        const node& n = at(t);
        ends& of = state_.lists[n.list];
        (n.before ? at(n.before).after : of.first) = n.after;
        (n.after ? at(n.after).before : of.last) = n.before;
        --of.count;
    }

    /// Pre: now has just moved on by one.
    void deal() noexcept {
        // A list whose time has come holds at most what was started since the last tick: the lower level first, whose timers are older.
        for (unsigned l = 1; l < levels && state_.now % ticks_per_list(l) == 0; ++l) {
            deal_out(list_at(l, state_.now), everything, [this](std::uint64_t due) { return place(due); });
        }
        if (state_.now % (std::uint64_t{1} << window_bits_of_all) == 0)
            deal_out(beyond, everything, [this](std::uint64_t due) { return place(due); });
        // From the highest level down, so that what is due soon gets through all of them in one tick.
        for (unsigned l = levels - 1; l != 0; --l) {
            const std::uint32_t next = list_at(l, state_.now + ticks_per_list(l));
            const std::uint64_t count = state_.lists[next].count;
            if (count == 0) continue;
            const std::uint64_t ticks_left = ticks_per_list(l) - state_.now % ticks_per_list(l);
            deal_out(next, (count + ticks_left - 1) / ticks_left,
                     [l](std::uint64_t due) { return list_at(l - 1, due); });
        }
    }

    /// The first so many timers of a list, each to the list that `to(due)` says.
    template <class F>
    void deal_out(std::uint32_t list, std::uint64_t most, F&& to) noexcept {
        for (std::uint64_t n = (std::min)(most, state_.lists[list].count); n != 0; --n) {
            const timer t = state_.lists[list].first;
            leave(t);
            join(t, at(t), to(at(t).due));
        }
    }
    static constexpr std::uint64_t everything = ~std::uint64_t{0};

    node_pool nodes_;
    state_type state_;
};

}  // namespace lido
