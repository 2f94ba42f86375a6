// recycled_list: recycled objects, the active ones packed. An object keeps its address and what it owns from life to life; which of them are
// active is an array without holes, walked backward, from which the last one fills the place of one that ends. No handles.
//
//   order    | active: size()            | idle, the one released last first | no object there ...    |       4 bytes a slot
//            0                           size            size + idle                        capacity + idle_cap
//   place    | where in `order` slot 0 stands | slot 1 | ...                                                4 bytes a slot
//   values   | T | T | T | ...                                                                              they never move
//
// An acquire takes order[size], whichever it is: the object released last, or where there is none a slot for a new one. A release changes
// places with the last active one, and is then the first of the idle ones. So the stack of idle objects costs no array of its own.
//
// RL1. `order` holds every slot once, and place[order[i]] is i.
// RL2. Objects exist in the first size + idle slots of `order` and in no others.
// RL3. size <= capacity and idle <= idle_cap; there are capacity + idle_cap slots, so that both can be reached at one time.
//
// A shape of its own beside recycle_pool: docs/decisions/0023-packed-recycled-objects.md. Left out: handles and all that needs them, growth,
// replacement and merging (a full list drops), ages, and the reset check.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/option_rules.hpp>
#include <lido/core/parts/rewind_door.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>
#include <lido/core/parts/surface.hpp>
#include <lido/core/shapes/recycle/hooks.hpp>
#include <lido/core/shapes/recycle/recycle_settings.hpp>
#include <lido/core/shapes/recycle/recycled_list_rewind.hpp>
#include <lido/core/shapes/recycle/recycled_table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace lido {

namespace detail {

/// Over the active objects, in row order or, with `Back`, from the last row down. Holds a row, so that releasing the object one is at is safe on
/// the way back.
template <class List, class T, bool Back>
class recycled_list_iterator {
public:
    using value_type = std::remove_const_t<T>;
    using reference = T&;
    using pointer = T*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;

    recycled_list_iterator() noexcept = default;
    recycled_list_iterator(List* list, std::uint32_t left) noexcept : list_(list), left_(left) {}

    [[nodiscard]] T& operator*() const noexcept {
        LIDO_ASSERT(left_ != 0 && row() < list_->size(),
                    "recycled_list: more than the current object was released during a walk: walk backward()");
        return (*list_)[row()];
    }
    [[nodiscard]] T* operator->() const noexcept { return std::addressof(**this); }
    recycled_list_iterator& operator++() noexcept {
        --left_;
        return *this;
    }
    recycled_list_iterator operator++(int) noexcept {
        recycled_list_iterator before = *this;
        --left_;
        return before;
    }
    friend bool operator==(const recycled_list_iterator& a, const recycled_list_iterator& b) noexcept {
        return a.left_ == b.left_;
    }
    friend bool operator==(const recycled_list_iterator& i, std::default_sentinel_t) noexcept { return i.left_ == 0; }

private:
    [[nodiscard]] std::uint32_t row() const noexcept { return Back ? left_ - 1 : list_->size() - left_; }

    List* list_ = nullptr;
    std::uint32_t left_ = 0;
};

template <class List, class T>
class recycled_list_backward {
public:
    explicit recycled_list_backward(List* list) noexcept : list_(list) {}
    [[nodiscard]] auto begin() const noexcept { return recycled_list_iterator<List, T, true>(list_, list_->size()); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    List* list_;
};

}  // namespace detail

/// Threads: a list belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: hooks, constructors and destructors may read the list. An acquire from inside is refused and reported; other changes stop.
template <class T, options Options = options{}, class Storage = heap_storage>
class recycled_list : public detail::holder_surface<recycled_list<T, Options, Storage>> {
    using surface = detail::holder_surface<recycled_list>;
    using table = detail::recycled_table<T, Options, Storage>;
    using memory = typename table::memory;

    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(detail::holdable<T>, "lido: a pool holds objects of a non-const, non-volatile, non-array type");
    static_assert(detail::option_rules::recycled_list<Options>());
    static_assert(std::is_nothrow_destructible_v<T>, "lido: the element's destructor must not throw");
    static_assert(
        memory::fixed_slots == 0 && requires(memory m) { m.open(std::size_t{}, std::size_t{}); },
        "lido: a recycled_list lies on the heap or in reserved address space");

public:
    using value_type = T;
    using settings_type = recycle_settings<T, std::uint32_t>;
    using size_type = std::uint32_t;
    using reference = T&;
    using const_reference = const T&;
    using iterator = detail::recycled_list_iterator<recycled_list, T, false>;
    using const_iterator = detail::recycled_list_iterator<const recycled_list, const T, false>;

    using rewind_with = detail::recycled_list_rewind;

    static constexpr options list_options = Options;
    static constexpr const char* shape = "recycled_list";
    static constexpr bool stable_addresses = true;

    /// At most `capacity` active objects and, beside them, settings.idle_cap idle ones: 0 keeps none, and without a say every object that
    /// was released waits. When the memory cannot be had, the capacity is 0, and the misuse handler has been told.
    explicit recycled_list(size_type capacity, settings_type settings = {}) : table_(capacity, settings) {}
    recycled_list(const recycled_list&) = delete;
    recycled_list& operator=(const recycled_list&) = delete;
    /// Ends every object, or what settings.leaks says.
    ~recycled_list() {
        if (!table_.check_leaks()) return;
        clear();
        drop_idle();
    }

    // --- acquire and release -----------------------------------------------------------------------------------------------

    /// Begins a life: of the object released last, by its on_acquire(args…), or of a new one. It is the last row. nullptr when it was
    /// dropped: why_refused() tells. Throws: what making the object or a hook throws; the list is then as it was. O(1).
    template <class... Args>
        requires detail::recyclable<T, Args...>
    LIDO_ENTRY T* acquire(Args&&... args) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        return take(request{}, std::forward<Args>(args)...);
    }

    /// The same for a request that says how much it matters.
    template <class... Args>
        requires detail::recyclable<T, Args...>
    LIDO_ENTRY T* acquire_as(request wish, Args&&... args) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        return take(wish, std::forward<Args>(args)...);
    }

    /// Ends the life on this row; the last active object takes the row. False, counted and reported, when there is no such row.
    LIDO_ENTRY bool swap_remove(size_type row) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        if (row >= size()) [[unlikely]]
            return table_.limits().bad_release_of_object(table_.book(), table_.counters());
        table_.end_row(row);
        return true;
    }

    /// Ends the life of an active object of this list. O(1).
    LIDO_ENTRY bool release(const T& object) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        const std::uint32_t row = row_of(object);
        if (row == detail::no_slot) [[unlikely]]
            return table_.limits().bad_release_of_object(table_.book(), table_.counters());
        table_.end_row(row);
        return true;
    }

    /// Ends every life that `gone(T&)` accepts. Visits each once, from the last row to the first, so that what moves into a hole has
    /// been visited. Pre: `gone` does not change the list.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        size_type done = 0;
        for (size_type row = size(); row-- != 0;) {
            const std::uint64_t before = table_.changes();
            const bool ends = gone(*table_.at(row));
            LIDO_ASSERT(table_.changes() == before, "release_if: the predicate changed the list");
            static_cast<void>(before);
            if (!ends || row >= size()) continue;
            table_.end_row(row);
            ++done;
        }
        return done;
    }

    /// Ends every life; the objects wait, as many as may.
    void clear() noexcept {
        table_.expect_settled();
        while (size() != 0) table_.end_row(size() - 1);
    }

    // --- idle objects ------------------------------------------------------------------------------------------------------

    [[nodiscard]] size_type idle() const noexcept { return table_.idle(); }
    [[nodiscard]] size_type idle_cap() const noexcept { return table_.idle_cap(); }

    /// Makes objects until `count` wait, or as many as may. Returns how many it made. Throws: what making one throws.
    size_type prewarm(size_type count) {
        table_.expect_settled();
        return table_.prewarm(count);
    }

    /// Destroys the objects that wait. Returns how many there were.
    size_type drop_idle() noexcept {
        table_.expect_settled();
        const size_type all = idle();
        table_.drop_idle();
        return all;
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// Pre: row < size().
    [[nodiscard]] T& operator[](size_type row) noexcept {
        LIDO_ASSERT(row < size(), "recycled_list: there is no such row");
        return *table_.at(row);
    }
    [[nodiscard]] const T& operator[](size_type row) const noexcept {
        LIDO_ASSERT(row < size(), "recycled_list: there is no such row");
        return *table_.at(row);
    }
    /// The row of an active object of this list now; bits::no_slot for any other object.
    [[nodiscard]] std::uint32_t row_of(const T& object) const noexcept { return table_.row_of(object); }

    [[nodiscard]] size_type size() const noexcept { return table_.size(); }
    [[nodiscard]] bool empty() const noexcept { return table_.size() == 0; }
    [[nodiscard]] bool full() const noexcept { return table_.full(); }
    [[nodiscard]] size_type capacity() const noexcept { return table_.capacity(); }
    [[nodiscard]] size_type max_capacity() const noexcept { return table_.capacity(); }
    [[nodiscard]] const settings_type& settings() const noexcept { return table_.settings(); }

    // --- iteration, in row order -------------------------------------------------------------------------------------------
    //
    // While iterating forward the list must not change. To release the object one is at, walk backward(), or use release_if.

    [[nodiscard]] iterator begin() noexcept { return {this, size()}; }
    [[nodiscard]] iterator end() noexcept { return {this, 0}; }
    [[nodiscard]] const_iterator begin() const noexcept { return {this, size()}; }
    [[nodiscard]] const_iterator end() const noexcept { return {this, 0}; }

    /// From the last row to the first. Releasing the object one is at is allowed: the one that takes its row has been visited.
    /// Acquiring is allowed; what is acquired is not visited.
    [[nodiscard]] auto backward() noexcept { return detail::recycled_list_backward<recycled_list, T>(this); }

    /// Calls `f(object)` for each.
    template <class F>
    void for_each(F&& f) {
        for (T& object : *this) f(object);
    }
    template <class F>
    void for_each(F&& f) const {
        for (const T& object : *this) f(object);
    }

    [[nodiscard]] pool_stats stats() const noexcept { return table_.stats(shape); }

    /// Checks every numbered invariant. Complexity: O(slots).
    [[nodiscard]] verdict validate() const noexcept { return {table_.broken()}; }

private:
    // What the surface asks for (parts/surface.hpp).
    friend surface;
    friend detail::rewind_door;
    [[nodiscard]] const auto& limits() const noexcept { return table_.limits(); }
    [[nodiscard]] auto& the_table() noexcept { return table_; }
    [[nodiscard]] const auto& the_table() const noexcept { return table_; }

    template <class... Args>
    T* take(request wish, Args&&... args) {
        if (table_.limits().now().is(detail::half_way::builds | detail::half_way::ends)) [[unlikely]]
            return refuse(refusal::reentrant);
        if (const refusal why = table_.limits().kept_from(wish, size()); why != refusal::none) [[unlikely]]
            return refuse(why);
        if (full()) [[unlikely]]
            return refuse(refusal::full);
        T* const object = table_.begin(std::forward<Args>(args)...);
        return object != nullptr ? object : refuse(refusal::no_creator);
    }

    LIDO_COLD T* refuse(refusal why) noexcept {
        table_.limits().refused(why, table_.counters());
        return nullptr;
    }

    table table_;
};

}  // namespace lido
