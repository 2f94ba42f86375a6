// capped_list: an array whose length is the cap. No handles, no idle store, no heap: for a handful of effects (60 shards of debris,
// 15 damage numbers) where the cap is the throttle.
//
//   values     | 0 | 1 | ... | size-1 |  free ... | N       one contiguous span of live objects
//   birth      | 0 | 1 | ...                                8 bytes an element, with track::age or ::priority only
//   priority   | 0 | 1 | ...                                1 byte an element, with track::priority only
//
// CL1. size <= N; the elements at [0, size) live and no others.
// CL2. Births differ, and are below the number of lives begun.
// CL3. Priorities are at most max_priority.
//
// Removing moves the last into the hole: O(1), the order is not kept. Whom a full list ends is found by a look at all births: with a
// handful of them that is cheaper than to keep a list in order at every removal.
//
// Left out of the common surface: handles and all that needs them (get, lease, reserve), growth, trim, and change marks.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/age_order.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/surface.hpp>
#include <lido/core/shapes/capped/capped_rewind.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido {

namespace detail {

/// Births and priorities by row, where the options ask for them.
template <std::size_t N, track Tracks>
class row_ages {
public:
    [[nodiscard]] std::uint64_t* birth() noexcept { return birth_.data(); }
    [[nodiscard]] const std::uint64_t* birth() const noexcept { return birth_.data(); }
    [[nodiscard]] std::uint8_t* priority() noexcept { return priority_.data(); }
    [[nodiscard]] const std::uint8_t* priority() const noexcept { return priority_.data(); }

    void set(std::uint32_t row, std::uint64_t born, std::uint8_t rank) noexcept {
        if constexpr (Tracks != track::nothing) birth_[row] = born;
        if constexpr (Tracks == track::priority) priority_[row] = rank < max_priority ? rank : max_priority;
    }
    void move(std::uint32_t to, std::uint32_t from) noexcept {
        if constexpr (Tracks != track::nothing) birth_[to] = birth_[from];
        if constexpr (Tracks == track::priority) priority_[to] = priority_[from];
    }

    /// The row born first among those of at most `ceiling`, of the lowest rank there is if `by_rank`; no_slot when there is none.
    [[nodiscard]] std::uint32_t first_to_go(std::uint32_t size, bool by_rank, std::uint8_t ceiling) const noexcept {
        std::uint32_t found = no_slot;
        for (std::uint32_t row = 0; row < size; ++row) {
            if (by_rank && priority_[row] > ceiling) continue;
            if (found == no_slot || (by_rank && priority_[row] != priority_[found] ? priority_[row] < priority_[found]
                                                                                   : birth_[row] < birth_[found])) {
                found = row;
            }
        }
        return found;
    }

private:
    std::array<std::uint64_t, Tracks != track::nothing ? N : 0> birth_;
    std::array<std::uint8_t, Tracks == track::priority ? N : 0> priority_;
};

/// From the last row down. The row is a number, so that it survives what a removal of the current row does.
template <class List, class T>
class list_backward {
public:
    class iterator {
    public:
        using value_type = T;
        using reference = T&;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;

        iterator() noexcept = default;
        explicit iterator(List* list) noexcept : list_(list), left_(list->size()) {}

        [[nodiscard]] LIDO_ENTRY T& operator*() const noexcept {
            LIDO_ASSERT_FROM(detail::name_of(list_), left_ != 0 && left_ <= list_->size(),
                             "capped_list: more than the current element was removed during a backward walk");
            return list_->data()[left_ - 1];
        }
        iterator& operator++() noexcept {
            --left_;
            return *this;
        }
        void operator++(int) noexcept { --left_; }
        friend bool operator==(const iterator& i, std::default_sentinel_t) noexcept { return i.left_ == 0; }

    private:
        List* list_ = nullptr;
        std::uint32_t left_ = 0;
    };

    explicit list_backward(List* list) noexcept : list_(list) {}
    [[nodiscard]] iterator begin() const noexcept { return iterator(list_); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    List* list_;
};

}  // namespace detail

/// Threads: a list belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: an element's constructor, move and destructor must not change the list they live in (builds with checks stop).
template <class T, std::size_t N, options Options = options{}>
class capped_list : public detail::holder_surface<capped_list<T, N, Options>> {
    using surface = detail::holder_surface<capped_list>;

    static_assert(N >= 1 && N <= 0xffffffffu, "lido: a capped_list has room for at least one element");
    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(detail::holdable<T>, "lido: a pool holds objects of a non-const, non-volatile, non-array type");
    static_assert(!Options.confirmed_ends,
                  "lido: capped_list moves the last element into the hole that a removal leaves, so an ended one "
                  "cannot wait in its place: options::confirmed_ends needs slot_pool or recycle_pool");
    static_assert(
        std::is_nothrow_move_constructible_v<T>,
        "lido: capped_list moves the last element into the hole that a removal leaves, which must not fail: make "
        "the element's move constructor noexcept, or use slot_pool, where objects stay where they are");
    static_assert(std::is_nothrow_destructible_v<T>, "lido: the element's destructor must not throw");
    static_assert(Options.reuse_delay == 0 && Options.order == reuse::recent && !Options.mark_changes,
                  "lido: a capped_list has no slots: it takes no reuse order, no reuse delay and no change marks");

    using diary_type = detail::diary<Options.forensics>;
    static constexpr bool aged = Options.tracks != track::nothing;
    static constexpr bool ranked = Options.tracks == track::priority;
    static constexpr std::uint32_t cap = static_cast<std::uint32_t>(N);

public:
    using value_type = T;
    /// on_evict and merged_into() name an element by its row.
    using settings_type = pool_settings<T, std::uint32_t>;
    using size_type = std::uint32_t;
    using reference = T&;
    using const_reference = const T&;
    using iterator = T*;
    using const_iterator = const T*;

    using rewind_with = detail::capped_rewind;

    static constexpr options list_options = Options;
    static constexpr const char* shape = "capped_list";
    static constexpr bool stable_addresses = false;

    explicit capped_list(settings_type settings = {}) noexcept : limits_(settings) {
        static_cast<void>(limits_.plan(cap, cap, false));
        limits_.begin();
        diary_.open(this->name(), nullptr);
        guard_rows(0, true);
    }
    capped_list(const capped_list&) = delete;
    capped_list& operator=(const capped_list&) = delete;
    /// Ends every element, or what settings.leaks says.
    ~capped_list() {
        if (detail::check_leaks(diary_, settings(), size(), [this](auto&& f) {
                for (size_type row = 0; row < size(); ++row) f(row, only_life);
            })) {
            end_all();
        }
        guard_rows(0, false);
    }

    // --- pushing and removing ----------------------------------------------------------------------------------------------

    /// Builds an element behind the last. On a full list: what settings.on_full says; nullptr when it was dropped or merged, and
    /// why_refused() tells. An element that replaces another takes its row.
    /// Throws: what the constructor throws; the list is then as it was. Complexity: O(1); to replace, O(N). Invalidates: nothing but
    /// the element that was replaced.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_ENTRY T* push(Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return take(request{}, std::forward<Args>(args)...);
    }

    /// The same for a request that says how much it matters.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_ENTRY T* push_as(request wish, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return take(wish, std::forward<Args>(args)...);
    }

    /// Ends the element of that row; the last one takes its place. False, counted and reported, when there is no such row.
    LIDO_ENTRY bool swap_remove(size_type row) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled();
        return end_row(row);
    }

    /// Ends an element of this list.
    LIDO_ENTRY bool release(const T& object) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled();
        const auto first = reinterpret_cast<std::uintptr_t>(rows());
        const auto at = reinterpret_cast<std::uintptr_t>(std::addressof(object));
        if (at < first || (at - first) % sizeof(T) != 0 || (at - first) / sizeof(T) >= size()) [[unlikely]]
            return limits_.bad_release_of_object(diary_, state_.counters);
        return end_row(static_cast<size_type>((at - first) / sizeof(T)));
    }

    /// Ends every element that `gone(T&)` accepts. Visits each once, from the last row to the first, so that what moves into a hole has
    /// been visited. Pre: `gone` does not change the list.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled();
        size_type done = 0;
        for (size_type row = size(); row-- != 0;) {
            const std::uint64_t before = changes();
            const bool ends = gone(rows()[row]);
            LIDO_ASSERT(changes() == before, "release_if: the predicate changed the list");
            static_cast<void>(before);
            if (ends && row < size()) done += end_row(row) ? 1u : 0u;
        }
        return done;
    }

    /// Ends every element, the last one first.
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled_always();
        end_all();
        if (limits_.evicting()) limits_.follow(detail::no_slot);
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] T* data() noexcept {
        expect_readable();
        return rows();
    }
    [[nodiscard]] const T* data() const noexcept {
        expect_readable();
        return rows();
    }

    /// Pre: row < size().
    [[nodiscard]] LIDO_ENTRY T& operator[](size_type row) noexcept {
        LIDO_ASSERT_FROM(this->name(), row < size(), "capped_list: there is no such row");
        return data()[row];
    }
    [[nodiscard]] LIDO_ENTRY const T& operator[](size_type row) const noexcept {
        LIDO_ASSERT_FROM(this->name(), row < size(), "capped_list: there is no such row");
        return data()[row];
    }

    /// All elements, contiguous.
    [[nodiscard]] std::span<T> values() noexcept { return {data(), size()}; }
    [[nodiscard]] std::span<const T> values() const noexcept { return {data(), size()}; }

    [[nodiscard]] size_type size() const noexcept { return state_.size; }
    [[nodiscard]] bool empty() const noexcept { return state_.size == 0; }
    [[nodiscard]] bool full() const noexcept { return state_.size == cap; }
    [[nodiscard]] static constexpr size_type capacity() noexcept { return cap; }
    [[nodiscard]] static constexpr size_type max_capacity() noexcept { return cap; }

    /// How many newcomers were dropped, for whatever reason.
    [[nodiscard]] std::uint64_t dropped() const noexcept { return state_.counters.refused; }

    /// The row of the element that the latest newcomer was folded into by on_full::merge, as of then.
    [[nodiscard]] size_type merged_into() const noexcept { return limits_.merged_into(); }
    [[nodiscard]] const settings_type& settings() const noexcept { return limits_.settings(); }

    // --- iteration, in row order -------------------------------------------------------------------------------------------
    //
    // While iterating forward the list must not lose elements. To remove the element one is at, walk backward(), or use release_if.

    [[nodiscard]] iterator begin() noexcept { return data(); }
    [[nodiscard]] iterator end() noexcept { return data() + size(); }
    [[nodiscard]] const_iterator begin() const noexcept { return data(); }
    [[nodiscard]] const_iterator end() const noexcept { return data() + size(); }

    /// From the last row to the first. Removing the element one is at is allowed: the one that moves into its row has been visited.
    /// Pushing is allowed, unless it replaces; what is pushed is not visited.
    [[nodiscard]] auto backward() noexcept { return detail::list_backward<capped_list, T>(this); }

    /// Calls `f(element)` for each.
    template <class F>
    void for_each(F&& f) {
        for (T& object : *this) f(object);
    }
    template <class F>
    void for_each(F&& f) const {
        for (const T& object : *this) f(object);
    }

    [[nodiscard]] pool_stats stats() const noexcept {
        struct figures {
            size_type capacity, peak, retired;
            std::uint64_t acquired;
            const pool_counters& counters;
        };
        pool_stats s =
            detail::stats_of(shape, figures{cap, state_.peak, 0, state_.acquired, state_.counters}, size(), cap);
        s.bytes = sizeof(bytes_) + (aged ? N * sizeof(std::uint64_t) : 0) + (ranked ? N : 0);
        s.bookkeeping_per_slot = (aged ? 8.0 : 0.0) + (ranked ? 1.0 : 0.0);
        return s;
    }

    /// Checks every numbered invariant. Complexity: O(size), with births O(size^2).
    [[nodiscard]] verdict validate() const noexcept {
        if (size() > cap || size() > state_.acquired) return {"CL1: more elements than the cap or than were begun"};
        for (size_type row = 0; row < size(); ++row) {
            if constexpr (aged) {
                if (ages_.birth()[row] >= state_.acquired) return {"CL2: an element is not born yet"};
                for (size_type other = 0; other < row; ++other) {
                    if (ages_.birth()[other] == ages_.birth()[row]) return {"CL2: two elements of one birth"};
                }
            }
            if constexpr (ranked) {
                if (ages_.priority()[row] > max_priority) return {"CL3: a priority that is none"};
            }
        }
        return {};
    }

private:
    // What the surface asks for (parts/surface.hpp).
    friend surface;
    [[nodiscard]] const auto& limits() const noexcept { return limits_; }

    friend struct detail::capped_rewind;

    /// All that a save must bring back, beside the arrays. Trivially copyable.
    struct state {
        size_type size = 0;
        size_type peak = 0;
        std::uint64_t acquired = 0;  ///< lives begun, and the birth of the next
        pool_counters counters;
    };
    static_assert(std::is_trivially_copyable_v<state>);

    /// What exhaustion asks when it looks for a victim.
    struct oldest_and_lowest {
        const capped_list& list;
        [[nodiscard]] std::uint32_t oldest(detail::age_arrays) const noexcept {
            return list.ages_.first_to_go(list.size(), false, max_priority);
        }
        [[nodiscard]] std::uint32_t lowest(std::uint8_t ceiling) const noexcept {
            return list.ages_.first_to_go(list.size(), true, ceiling);
        }
    };

    /// Rows have no generations; the diary keeps one life of each.
    static constexpr std::uint32_t only_life = 1;

    // Asked where the list is entered: an element's own constructor, move and destructor must leave it alone.
    using half_way = detail::half_way;
    void expect_settled() const noexcept {
        LIDO_ASSERT(!limits_.now().is(half_way::builds),
                    "capped_list: an element's constructor changed the list it is built in");
        LIDO_ASSERT(!limits_.now().is(half_way::ends),
                    "capped_list: an element's move or destructor changed the list it lives in");
    }
    /// Where it costs nothing in every build.
    void expect_settled_always() const noexcept {
        expect_settled();
        LIDO_VERIFY(!limits_.now().is(half_way::ends),
                    "capped_list: an element's move or destructor changed the list it lives in");
    }
    void expect_readable() const noexcept {
        LIDO_ASSERT(!limits_.now().is(half_way::unreadable),
                    "capped_list: an element's move or destructor went through the list while a row of it is half-way");
    }

    /// A restore from inside of a callback: the element that it was given is the one of the same birth, if the list keeps births.
    struct birth_of {
        bool known = false;
        std::uint64_t birth = 0;
    };
    [[nodiscard]] birth_of followed_birth() const noexcept {
        if constexpr (aged) {
            if (limits_.evicting() && limits_.followed() < size()) return {true, ages_.birth()[limits_.followed()]};
        }
        return {};
    }
    void follow_birth([[maybe_unused]] birth_of victim) noexcept {
        if (!limits_.evicting()) return;
        limits_.follow(detail::no_slot);
        if constexpr (aged) {
            for (size_type row = 0; victim.known && row < size(); ++row) {
                if (ages_.birth()[row] == victim.birth) limits_.follow(row);
            }
        }
    }

    [[nodiscard]] T* rows() noexcept { return reinterpret_cast<T*>(bytes_); }
    [[nodiscard]] const T* rows() const noexcept { return reinterpret_cast<const T*>(bytes_); }

    template <class... Args>
    T* take(request wish, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        expect_settled();
        if (const refusal why = limits_.kept_from(wish, size()); why != refusal::none) [[unlikely]]
            return refuse(why);
        if (full()) [[unlikely]]
            return replace(wish, std::forward<Args>(args)...);
        return build(size(), wish, std::forward<Args>(args)...);
    }

    bool end_row(size_type row) noexcept {
        if (row >= size()) [[unlikely]] {
            ++state_.counters.bad_releases;
            diary_.tell_object({.kind = misuse_kind::wild_handle,
                                .pool = this->name(),
                                .what = "the list has no such row: it has fewer elements now",
                                .names_slot = true,
                                .slot = row},
                               detail::no_slot, 0);
            return false;
        }
        const size_type last = size() - 1;
        {
            const half_way::quick_scope now(limits_.now(), half_way::ends | half_way::unreadable);
            detail::destroy(rows() + row);
            if (row != last) {
                ::new (static_cast<void*>(rows() + row)) T(std::move(rows()[last]));
                detail::destroy(rows() + last);
                ages_.move(row, last);
                diary_.move(row, last);
            }
        }
        detail::bury(rows() + last, sizeof(T));
        state_.size = last;
        if (limits_.evicting()) [[unlikely]]
            limits_.follow(row, last);
        return true;
    }

    /// Closes or opens the memory of all rows from this one on.
    void guard_rows(size_type from, bool closed) noexcept {
        if (!detail::guarded() || from >= cap) return;
        closed ? detail::close_off(rows() + from, (cap - from) * sizeof(T))
               : detail::open_up(rows() + from, (cap - from) * sizeof(T));
    }

    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.acquired * 2 - state_.size; }

    template <class... Args>
    T* build(size_type row, request wish, Args&&... args) {
        T* object = nullptr;
        {
            const half_way::quick_scope now(limits_.now(), half_way::builds);
            detail::open_up(rows() + row, sizeof(T));
            object = detail::construct<T>(rows() + row, std::forward<Args>(args)...);
        }
        ages_.set(row, state_.acquired, wish.priority);
        ++state_.acquired;
        if (row == state_.size) ++state_.size;
        state_.peak = (std::max)(state_.peak, state_.size);
        diary_.begin(row, only_life);
        return object;
    }

    /// Ends another element to make room, where on_full says so. The newcomer is built before anything is ended: a throwing
    /// constructor costs nobody's life, and its arguments may be parts of the element that goes. It is built beside the list, so it
    /// may change the list, as may the callbacks: what is true is asked anew after each.
    template <class... Args>
    LIDO_COLD T* replace(request wish, Args&&... args) {
        if (limits_.evicting()) return refuse(refusal::reentrant);
        if (limits_.merges()) return fold(detail::make<T>(std::forward<Args>(args)...));
        if (full() && choose_victim(wish) == detail::no_slot && full()) return refuse(refusal::full);
        T built = detail::make<T>(std::forward<Args>(args)...);
        const size_type row = make_room(wish);
        return row != detail::no_slot ? build(row, wish, std::move(built)) : refuse(refusal::full);
    }

    /// The row that is free now: that of the victim, or the one behind the last if somebody was removed from inside; no_slot when
    /// there is none. Whom on_evict is told of ends, also when the callback has begun another life, which then has the room.
    [[nodiscard]] size_type make_room(request wish) {
        if (!full()) return size();
        const std::uint32_t chosen = choose_victim(wish);
        if (chosen == detail::no_slot) return full() ? detail::no_slot : size();
        const std::uint64_t begun = state_.acquired;
        const std::uint32_t victim = limits_.announce_row(chosen, rows()[chosen]);
        ++state_.counters.replaced;
        if (full() && victim != detail::no_slot && state_.acquired == begun) {
            const half_way::quick_scope now(limits_.now(), half_way::ends | half_way::unreadable);
            detail::destroy(rows() + victim);
            return victim;
        }
        if (victim != detail::no_slot) static_cast<void>(end_row(victim));
        return state_.acquired == begun ? size() : detail::no_slot;
    }

    LIDO_COLD T* fold(const T& newcomer) {
        for (size_type row = 0; row < size(); ++row) {
            if (const auto [folded, at] = limits_.folds_row(row, rows()[row], newcomer); folded) {
                limits_.merged(at, state_.counters);
                return nullptr;
            }
        }
        return refuse(refusal::full);
    }

    /// A callback that changes the list while it is asked has chosen nobody: the row may hold another element by now, or none.
    [[nodiscard]] std::uint32_t choose_victim(request wish) const {
        const std::uint64_t before = changes();
        const std::uint32_t victim = first_to_go(wish);
        return victim < size() && changes() == before ? victim : detail::no_slot;
    }

    [[nodiscard]] std::uint32_t first_to_go(request wish) const {
        return limits_.victim(oldest_and_lowest{*this}, {}, wish, [this](const auto& accepts) {
            for (size_type row = 0; row < size(); ++row) {
                if (accepts(rows()[row])) return row;
            }
            return detail::no_slot;
        });
    }

    LIDO_COLD T* refuse(refusal why) noexcept {
        limits_.refused(why, state_.counters);
        return nullptr;
    }

    /// The last first, and each no longer counts when its destructor runs: what counts is whole at any time.
    void end_all() noexcept {
        const half_way::scope now(limits_.now(), half_way::ends);
        [[maybe_unused]] const size_type all = size();
        if constexpr (!std::is_trivially_destructible_v<T>) {
            while (state_.size != 0) detail::destroy(rows() + --state_.size);
        }
        state_.size = 0;
        if (all != 0) detail::bury(rows(), all * sizeof(T));
    }

    state state_;
    LIDO_NO_UNIQUE_ADDRESS detail::row_ages<N, Options.tracks> ages_;
    detail::exhaustion<T, std::uint32_t, Options> limits_;
    alignas(T) std::byte bytes_[N * sizeof(T)];
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
};

}  // namespace lido
