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
#include <lido/core/parts/option_rules.hpp>
#include <lido/core/parts/rewind_door.hpp>
#include <lido/core/parts/surface.hpp>
#include <lido/core/shapes/capped/capped_rewind.hpp>
#include <lido/core/shapes/capped/capped_table.hpp>

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
    static_assert(detail::option_rules::capped_list<Options>());
    static_assert(
        std::is_nothrow_move_constructible_v<T>,
        "lido: capped_list moves the last element into the hole that a removal leaves, which must not fail: make "
        "the element's move constructor noexcept, or use slot_pool, where objects stay where they are");
    static_assert(std::is_nothrow_destructible_v<T>, "lido: the element's destructor must not throw");

    using table = detail::capped_table<T, N, Options>;
    static constexpr std::uint32_t cap = table::cap;

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

    explicit capped_list(settings_type settings = {}) noexcept : table_(settings) {}
    capped_list(const capped_list&) = delete;
    capped_list& operator=(const capped_list&) = delete;
    /// Ends every element, or what settings.leaks says.
    ~capped_list() {
        if (table_.check_leaks()) table_.end_all();
        table_.guard_rows(0, false);
    }

    // --- pushing and removing ----------------------------------------------------------------------------------------------

    /// Builds an element behind the last. On a full list: what settings.on_full says; nullptr when it was dropped or merged, and
    /// why_refused() tells. An element that replaces another takes its row.
    /// Throws: what the constructor throws; the list is then as it was. Complexity: O(1); to replace, O(N). Invalidates: nothing but
    /// the element that was replaced.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_ENTRY T* push(Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        return take(request{}, std::forward<Args>(args)...);
    }

    /// The same for a request that says how much it matters.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_ENTRY T* push_as(request wish, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        return take(wish, std::forward<Args>(args)...);
    }

    /// Ends the element of that row; the last one takes its place. False, counted and reported, when there is no such row.
    LIDO_ENTRY bool swap_remove(size_type row) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        return table_.end_row(row);
    }

    /// Ends an element of this list.
    LIDO_ENTRY bool release(const T& object) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        const auto first = reinterpret_cast<std::uintptr_t>(table_.rows());
        const auto at = reinterpret_cast<std::uintptr_t>(std::addressof(object));
        if (at < first || (at - first) % sizeof(T) != 0 || (at - first) / sizeof(T) >= size()) [[unlikely]]
            return table_.limits().bad_release_of_object(table_.book(), table_.counters());
        return table_.end_row(static_cast<size_type>((at - first) / sizeof(T)));
    }

    /// Ends every element that `gone(T&)` accepts. Visits each once, from the last row to the first, so that what moves into a hole has
    /// been visited. Pre: `gone` does not change the list.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        size_type done = 0;
        for (size_type row = size(); row-- != 0;) {
            const std::uint64_t before = table_.changes();
            const bool ends = gone(table_.rows()[row]);
            LIDO_ASSERT(table_.changes() == before, "release_if: the predicate changed the list");
            static_cast<void>(before);
            if (ends && row < size()) done += table_.end_row(row) ? 1u : 0u;
        }
        return done;
    }

    /// Ends every element, the last one first.
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled_always();
        table_.end_all();
        if (table_.limits().evicting()) table_.limits().follow(detail::no_slot);
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] T* data() noexcept {
        table_.expect_readable();
        return table_.rows();
    }
    [[nodiscard]] const T* data() const noexcept {
        table_.expect_readable();
        return table_.rows();
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

    [[nodiscard]] size_type size() const noexcept { return table_.size(); }
    [[nodiscard]] bool empty() const noexcept { return table_.size() == 0; }
    [[nodiscard]] bool full() const noexcept { return table_.full(); }
    [[nodiscard]] static constexpr size_type capacity() noexcept { return cap; }
    [[nodiscard]] static constexpr size_type max_capacity() noexcept { return cap; }

    /// How many newcomers were dropped, for whatever reason.
    [[nodiscard]] std::uint64_t dropped() const noexcept { return table_.now().counters.refused; }

    /// The row of the element that the latest newcomer was folded into by on_full::merge, as of then.
    [[nodiscard]] size_type merged_into() const noexcept { return table_.limits().merged_into(); }
    [[nodiscard]] const settings_type& settings() const noexcept { return table_.settings(); }

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

    [[nodiscard]] pool_stats stats() const noexcept { return table_.stats(shape); }

    /// Checks every numbered invariant. Complexity: O(size), with births O(size^2).
    [[nodiscard]] verdict validate() const noexcept { return {table_.broken()}; }

private:
    // What the surface asks for (parts/surface.hpp).
    friend surface;
    friend detail::rewind_door;
    [[nodiscard]] const auto& limits() const noexcept { return table_.limits(); }
    [[nodiscard]] auto& the_table() noexcept { return table_; }
    [[nodiscard]] const auto& the_table() const noexcept { return table_; }

    template <class... Args>
    T* take(request wish, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        table_.expect_settled();
        if (const refusal why = table_.limits().kept_from(wish, size()); why != refusal::none) [[unlikely]]
            return refuse(why);
        if (full()) [[unlikely]]
            return replace(wish, std::forward<Args>(args)...);
        return table_.build(size(), wish, std::forward<Args>(args)...);
    }

    /// Ends another element to make room, where on_full says so. The newcomer is built before anything is ended: a throwing
    /// constructor costs nobody's life, and its arguments may be parts of the element that goes. It is built beside the list, so it
    /// may change the list, as may the callbacks: what is true is asked anew after each.
    template <class... Args>
    LIDO_COLD T* replace(request wish, Args&&... args) {
        if (table_.limits().evicting()) return refuse(refusal::reentrant);
        if (table_.limits().merges()) return fold(detail::make<T>(std::forward<Args>(args)...));
        if (full() && table_.choose_victim(wish) == detail::no_slot && full()) return refuse(refusal::full);
        T built = detail::make<T>(std::forward<Args>(args)...);
        const size_type row = make_room(wish);
        return row != detail::no_slot ? table_.build(row, wish, std::move(built)) : refuse(refusal::full);
    }

    /// The row that is free now: that of the victim, or the one behind the last if somebody was removed from inside; no_slot when
    /// there is none. Whom on_evict is told of ends, also when the callback has begun another life, which then has the room.
    [[nodiscard]] size_type make_room(request wish) {
        if (!full()) return size();
        const std::uint32_t chosen = table_.choose_victim(wish);
        if (chosen == detail::no_slot) return full() ? detail::no_slot : size();
        const std::uint64_t begun = table_.now().acquired;
        const std::uint32_t victim = table_.limits().announce_row(chosen, table_.rows()[chosen]);
        ++table_.counters().replaced;
        if (full() && victim != detail::no_slot && table_.now().acquired == begun) {
            table_.destroy_row(victim);
            return victim;
        }
        if (victim != detail::no_slot) static_cast<void>(table_.end_row(victim));
        return table_.now().acquired == begun ? size() : detail::no_slot;
    }

    LIDO_COLD T* fold(const T& newcomer) {
        for (size_type row = 0; row < size(); ++row) {
            if (const auto [folded, at] = table_.limits().folds_row(row, table_.rows()[row], newcomer); folded) {
                table_.limits().merged(at, table_.counters());
                return nullptr;
            }
        }
        return refuse(refusal::full);
    }

    LIDO_COLD T* refuse(refusal why) noexcept {
        table_.limits().refused(why, table_.counters());
        return nullptr;
    }

    table table_;
};

}  // namespace lido
