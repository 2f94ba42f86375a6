// dense_pool: live objects packed in [0, size), so that an update is a loop over one array. Release moves the last into the hole.
//
//   values    | row 0 | row 1 | ... | row size-1 |  free ...        one contiguous span of live objects
//   words, backs, links, birth, priority, ring, resting, changed    the handle table of rows/row_table.hpp: 9 bytes a row and what the
//                                                                   options ask for, 12 past 2^20 rows
//
// RT1, RT2 and the invariants of the map, the zones and the ages: rows/row_table.hpp. The pool itself builds, moves and ends objects, and
// keeps nothing beside the table but its leases.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/parts/option_rules.hpp>
#include <lido/core/parts/rows/dense_layout.hpp>
#include <lido/core/parts/rows/row_iterator.hpp>
#include <lido/core/parts/rows/row_replacing.hpp>
#include <lido/core/parts/rows/row_table.hpp>
#include <lido/core/parts/table_pool.hpp>
#include <lido/core/shapes/dense/dense_lives.hpp>
#include <lido/core/shapes/dense/dense_rewind.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace lido {

namespace detail {

template <class T, options Options, class Storage, class Tag>
using dense_table = row_table<T, dense_layout<T, Options, Tag>, Options, Storage, dense_sentences, T&, const T&>;

}  // namespace detail

/// Threads: a pool belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: an element's constructor, move and destructor must not change the pool they live in (builds with checks stop).
template <class T, options Options = options{}, class Storage = reserved_storage, class Tag = void>
class dense_pool
    : public detail::table_pool<
          dense_pool<T, Options, Storage, Tag>, detail::dense_table<T, Options, Storage, Tag>,
          detail::pool_surface<dense_pool<T, Options, Storage, Tag>,
                               detail::object_types<T, typename detail::handle_for<T, Options, Tag>::type, Options>>> {
    using base = typename dense_pool::table_pool;
    using surface = typename dense_pool::pool_surface;
    using table = detail::dense_table<T, Options, Storage, Tag>;
    using memory = typename table::memory;

    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(detail::holdable<T>, "lido: a pool holds objects of a non-const, non-volatile, non-array type");
    static_assert(detail::option_rules::dense<Options>());
    static_assert(
        std::is_move_constructible_v<T>,
        "lido: dense_pool moves the last object into the hole that a release leaves, and this type cannot be moved: "
        "use slot_pool, where objects stay where they are");
    static_assert(
        std::is_nothrow_move_constructible_v<T>,
        "lido: dense_pool moves objects on release, which must not fail: make the element's move constructor noexcept, "
        "or use slot_pool, where objects stay where they are");
    static_assert(std::is_nothrow_destructible_v<T>,
                  "lido: the element's destructor must not throw, or a release could leave a row half ended");

public:
    using value_type = T;
    using typename base::handle_type;
    using typename base::settings_type;
    using typename base::size_type;
    using acquired_type = acquired<T, handle_type>;
    using lease_type = lido::lease<dense_pool>;
    using reference = T&;
    using const_reference = const T&;
    using pointer = T*;
    using const_pointer = const T*;
    using iterator = detail::row_iterator<table, T>;
    using const_iterator = detail::row_iterator<const table, const T>;

    using rewind_with = detail::dense_rewind;

    static constexpr options pool_options = Options;
    static constexpr const char* shape = "dense_pool";
    static constexpr bool stable_addresses = false;
    static constexpr bool can_grow = memory::grows;

    // --- building, on memory of its own, inside the object, or lent: parts/table_pool.hpp ------------------------------------

    using base::base;
    dense_pool(dense_pool&&) = default;
    dense_pool& operator=(dense_pool&&) = default;
    /// Ends every object, or what settings.leaks says.
    ~dense_pool() { this->close_down(); }

    // --- acquire and release -----------------------------------------------------------------------------------------------
    //
    // acquire and its kin are in parts/surface.hpp. It builds behind the last object; forward iterators do not follow, and no pointer is
    // invalidated.

    /// Builds an object under exactly this handle, for ids chosen elsewhere (a server, a save). Refused when the slot is taken,
    /// when it has had that generation or a later one (an old handle would alias), or when it is out of range.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_ENTRY acquired_type reserve(handle_type handle, Args&&... args) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        size_type capacity = 0;
        if (const refusal why = table_.claimable(handle, capacity); why != refusal::none) return refuse(why);
        T* const object = detail::dense_lives::construct_at_end(table_, std::forward<Args>(args)...);
        return {object, table_.claim(handle, capacity)};
    }

    /// Ends the life that the handle names. False, counted and reported, when it has ended before or never was.
    /// Complexity: O(1). Invalidates: pointers to the object and to the last object, which moves.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        const std::uint32_t row = table_.row_of(handle);
        if (row == detail::no_slot) [[unlikely]]
            return this->bad_release(handle);
        detail::dense_lives::end(table_, handle.index(), row);
        return true;
    }

    /// Ends the life of an object of this pool.
    LIDO_ENTRY bool release(const T& object) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        const std::uint32_t row = row_of(object);
        if (row == detail::no_slot) [[unlikely]]
            return table_.limits().bad_release_of_object(table_.book(), table_.counters());
        detail::dense_lives::end(table_, table_.slot_of(row), row);
        return true;
    }

    /// Ends every object that `gone(T&)` accepts: the one way to remove during a pass that needs no rules. Visits each once, from the
    /// last row to the first, so that what moves into a hole has been visited. Pre: `gone` does not change the pool.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        size_type done = 0;
        for (std::uint32_t row = table_.size(); row-- != 0;) {
            const std::uint64_t before = table_.changes();
            const bool ends = ask(gone, row);
            LIDO_ASSERT(table_.changes() == before, "release_if: the predicate changed the pool");
            static_cast<void>(before);
            if (ends && row < table_.size()) {
                detail::dense_lives::end(table_, table_.slot_of(row), row);
                ++done;
            }
        }
        return done;
    }

    /// Ends every life; no handle survives it. Complexity: O(slots ever used).
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled_always();
        leases_.drop_all();
        detail::dense_lives::destroy_all(table_);
        const size_type rows = table_.size();
        table_.end_all();
        if (rows != 0) detail::bury(table_.values(), rows * sizeof(T));
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// The same without a report: for handles of objects that may well be gone.
    [[nodiscard]] LIDO_INLINE T* try_get(handle_type handle) noexcept {
        const std::uint32_t row = table_.row_of(handle);
        if (row == detail::no_slot) return nullptr;
        table_.touch(row);
        return table_.values() + row;
    }
    [[nodiscard]] LIDO_INLINE const T* try_get(handle_type handle) const noexcept {
        const std::uint32_t row = table_.row_of(handle);
        return row != detail::no_slot ? table_.values() + row : nullptr;
    }

    /// The handle of a live object of this pool; null for any other object.
    [[nodiscard]] handle_type handle_of(const T& object) const noexcept {
        const std::uint32_t row = row_of(object);
        return row != detail::no_slot ? table_.handle_of_row(row) : handle_type{};
    }

    /// The handle of the object at `row`. Pre: row < size().
    [[nodiscard]] handle_type handle_of_row(std::uint32_t row) const noexcept { return table_.handle_of_row(row); }

    // --- iteration, in row order -------------------------------------------------------------------------------------------
    //
    // While iterating forward the pool must not change (builds with checks stop at the next step). To release the object one is
    // at, walk backward(); or use release_if.

    [[nodiscard]] T* data() noexcept { return detail::rows_to_visit(table_); }
    [[nodiscard]] const T* data() const noexcept { return detail::rows_to_visit(table_); }

    /// All live objects, contiguous.
    [[nodiscard]] std::span<T> values() noexcept { return {data(), table_.size()}; }
    [[nodiscard]] std::span<const T> values() const noexcept { return {data(), table_.size()}; }

    [[nodiscard]] iterator begin() noexcept { return detail::row_begin(table_, data()); }
    [[nodiscard]] iterator end() noexcept { return detail::row_end(table_, data()); }
    [[nodiscard]] const_iterator begin() const noexcept { return detail::row_begin(table_, data()); }
    [[nodiscard]] const_iterator end() const noexcept { return detail::row_end(table_, data()); }

    /// From the last row to the first. Releasing the object one is at is allowed: the object that moves into its row has been
    /// visited. Acquiring is allowed, unless it replaces; new objects are not visited.
    [[nodiscard]] auto backward() noexcept {
        table_.expect_readable();
        return detail::backward_range<table, T>(&table_);
    }

    /// Handle and object at once: `for (auto [handle, object] : pool.each())`.
    [[nodiscard]] auto each() noexcept { return detail::row_range<table, T>(&table_); }
    [[nodiscard]] auto each() const noexcept { return detail::row_range<const table, const T>(&table_); }

    /// Calls `f(object)` for each.
    template <class F>
    void for_each(F&& f) {
        for (T& object : *this) f(object);
    }
    template <class F>
    void for_each(F&& f) const {
        for (const T& object : *this) f(object);
    }

    // --- memory ------------------------------------------------------------------------------------------------------------

    /// Gets the memory for the first `rows` rows now, so that no later acquire below that has to ask the system. False when it
    /// cannot be had, or is more than max_capacity().
    bool prepare(size_type rows) noexcept { return table_.prepare(rows); }

    /// Gives the whole pages past the last object back to the system, and takes growth back where it is not used. Returns the
    /// bytes given back: 0 where the storage cannot. No object moves, and stale handles stay stale.
    std::size_t trim() noexcept {
        table_.expect_trimmable();
        return table_.trim();
    }

    [[nodiscard]] pool_stats stats() const noexcept { return table_.stats(shape); }

    /// Checks every numbered invariant. Complexity: O(slots ever used).
    [[nodiscard]] verdict validate() const noexcept { return {table_.broken()}; }

private:
    friend surface;
    friend base;
    using base::leases_;
    using base::table_;
    using surface::refuse;

    /// With mark_changes, a predicate that can do with a const object gets one, so that asking does not count as a change.
    template <class Predicate>
    [[nodiscard]] bool ask(Predicate& gone, std::uint32_t row) {
        if constexpr (table::marks) {
            if constexpr (std::is_invocable_v<Predicate&, const T&>) {
                return gone(std::as_const(table_.values()[row]));
            } else {
                table_.touch(row);
                return gone(table_.values()[row]);
            }
        } else {
            return gone(table_.values()[row]);
        }
    }

    [[nodiscard]] std::uint32_t row_of(const T& object) const noexcept {
        const auto first = reinterpret_cast<std::uintptr_t>(table_.values());
        const auto at = reinterpret_cast<std::uintptr_t>(std::addressof(object));
        if (first == 0 || at < first || (at - first) % sizeof(T) != 0) return detail::no_slot;
        const std::size_t row = (at - first) / sizeof(T);
        return row < table_.size() ? static_cast<std::uint32_t>(row) : detail::no_slot;
    }

    void destroy_all() noexcept { detail::dense_lives::destroy_all(table_); }

    // --- acquire -----------------------------------------------------------------------------------------------------------

    template <class... Args>
    LIDO_INLINE acquired_type take(request wish, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        table_.expect_settled();
        if (const refusal why = table_.limits().kept_from(wish, table_.size()); why != refusal::none) [[unlikely]]
            return refuse(why);
        if (!table_.ready()) [[unlikely]] {
            return acquire_slowly(wish, std::forward<Args>(args)...);
        }
        return build(wish, std::forward<Args>(args)...);
    }

    template <class... Args>
    LIDO_INLINE acquired_type build(request wish, Args&&... args) {
        T* const object = detail::dense_lives::construct_at_end(table_, std::forward<Args>(args)...);
        return {object, table_.go_live(wish)};
    }

    /// No row is ready.
    template <class... Args>
    LIDO_NOINLINE acquired_type acquire_slowly(request wish,
                                               Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        const size_type capacity = table_.capacity_with_room();
        if (capacity == 0) return replace(wish, std::forward<Args>(args)...);
        T* const object = detail::dense_lives::construct_at_end(table_, std::forward<Args>(args)...);
        table_.make_room(capacity);
        return {object, table_.go_live(wish)};
    }

    template <class... Args>
    LIDO_COLD acquired_type replace(request wish, Args&&... args) {
        using lives = detail::dense_lives;
        return detail::row_replacing::replace(
            table_, wish, [this](std::uint32_t row) -> T& { return table_.values()[row]; },
            [&] { return lives::make(table_, std::forward<Args>(args)...); },
            [&](T& newcomer) { return build(wish, std::move(newcomer)); },
            [this](std::uint32_t slot, std::uint32_t row) { lives::end(table_, slot, row); });
    }
};

/// The same inside the object itself: no allocation, ever.
template <class T, std::size_t N, options Options = options{}, class Tag = void>
using inline_dense_pool = dense_pool<T, Options, inline_storage<N>, Tag>;

}  // namespace lido
