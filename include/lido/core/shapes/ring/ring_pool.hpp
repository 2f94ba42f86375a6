// ring_pool: slots in the order of age. An acquire never waits for room: it ends the oldest. For packets, decals, numbers, trails.
//
//   slot         0     1     2     3     4     5            capacity 5, and one slot more: the next object is built in it before
//   values     | F   | --- | B   | --- | D   | E   |        the oldest ends, so a constructor that throws costs nobody's life
//   generations| 3   | 2   | 1   | 2   | 1   | 1   |        odd: lives; even: free       4 bytes a slot, or 2
//   occupied   | 1     0     1     0     1     1            64 slots a word              1 bit a slot
//                      ^     ^
//                   next   oldest; from it the ages go round: B (C was released: a hole) D E F, the newest
//
// RG1. A slot's generation is odd if and only if its occupied bit is set; size is the number of set bits.
// RG2. While anything lives, all of it lies from `oldest` round to `newest`, and both of these live.
// RG3. `next` is free and not retired, and is the first slot after `newest` that is not retired. (Unless all but one are retired.)
// RG4. Slots at their last generation are retired (with generation_rule::retire), and counted.
//
// A hole in the middle is used again when the ring comes round; until then it costs capacity. Holes at the ends close at once.
//
// Left out of the common surface: reserve (a handle chosen elsewhere would be a place in the order of ages chosen elsewhere),
// merged_into, growth (the ring would tear where it closes); on_full has nothing to choose, so there is no headroom either.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/handle.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/option_rules.hpp>
#include <lido/core/parts/slots/place_iterator.hpp>
#include <lido/core/parts/table_pool.hpp>
#include <lido/core/parts/worn_slot.hpp>
#include <lido/core/shapes/ring/ring_layout.hpp>
#include <lido/core/shapes/ring/ring_rewind.hpp>
#include <lido/core/shapes/ring/ring_table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace lido {

/// Threads: a pool belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: an element's constructor and destructor must not change the ring they live in (builds with checks stop).
template <class T, options Options = options{}, class Storage = heap_storage, class Tag = void>
class ring_pool : public detail::table_pool<
                      ring_pool<T, Options, Storage, Tag>,
                      detail::ring_table<T, detail::ring_layout<T, Options, Tag>, Options, Storage>,
                      detail::pool_surface<ring_pool<T, Options, Storage, Tag>,
                                           detail::object_types<T, typename detail::handle_for<T, Options, Tag>::type,
                                                                Options, T*, const T*, false>>> {
    using base = typename ring_pool::table_pool;
    using surface = typename ring_pool::pool_surface;
    using table = detail::ring_table<T, detail::ring_layout<T, Options, Tag>, Options, Storage>;
    using generation = typename table::generation;  // debuggers read it (tools/debugger)

    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(detail::holdable<T>, "lido: a pool holds objects of a non-const, non-volatile, non-array type");
    static_assert(detail::option_rules::ring<Options>());
    static_assert(std::is_nothrow_destructible_v<T>,
                  "lido: the element's destructor must not throw, or a release could leave a slot half ended");

public:
    using value_type = T;
    using typename base::handle_type;
    using typename base::settings_type;
    using typename base::size_type;
    using acquired_type = acquired<T, handle_type>;
    using lease_type = lido::lease<ring_pool>;
    using reference = T&;
    using const_reference = const T&;
    using pointer = T*;
    using const_pointer = const T*;
    using iterator = detail::place_iterator<table, T, false>;
    using const_iterator = detail::place_iterator<const table, const T, false>;

    using rewind_with = detail::ring_rewind;

    static constexpr options pool_options = Options;
    static constexpr const char* shape = "ring_pool";
    static constexpr bool stable_addresses = true;
    static constexpr bool can_grow = false;

    // --- building, on memory of its own, inside the object, or lent: parts/table_pool.hpp ------------------------------------

    using base::base;
    ring_pool(ring_pool&&) = default;
    ring_pool& operator=(ring_pool&&) = default;
    /// Ends every object, or what settings.leaks says.
    ~ring_pool() { this->close_down(); }

    // --- acquire and release -----------------------------------------------------------------------------------------------
    //
    // acquire and its kin are in parts/surface.hpp. It builds the newest object, and ends the oldest where the ring is closed (on_evict is
    // called before), whatever the request says of itself. Never refused while the pool has capacity: only once handles of few bits
    // have worn all of its slots out. O(1); after a hole was left at the old end O(its length / 64). Invalidates: the oldest object.
    // Of an acquire_n of more than capacity() the first handles are stale at the end.

    /// Ends the life that the handle names. False, counted and reported, when it has ended before or never was. Ending the newest or
    /// the oldest closes the gap to the next that lives: O(its length / 64). Invalidates: the object.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        const std::uint32_t slot = handle.index();
        if (!table_.contains(handle)) [[unlikely]]
            return this->bad_release(handle);
        table_.end_life(slot);
        return true;
    }

    /// Ends the life of an object of this pool.
    LIDO_ENTRY bool release(const T& object) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        const std::uint32_t slot = table_.slot_of(object);
        if (slot == detail::no_slot) [[unlikely]]
            return this->bad_release_at(table_.place_of(object));
        table_.end_life(slot);
        return true;
    }

    /// Ends every object that `gone(T&)` accepts, each asked once, the oldest first. Pre: `gone` does not change the pool.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        size_type done = 0;
        const std::uint32_t stop = table_.last_live();
        for (std::uint32_t slot = table_.first_live(); slot != detail::no_slot; slot = table_.live_after(slot, stop)) {
            const std::uint64_t before = table_.changes();
            const bool ends = gone(*table_.object_at(slot));
            LIDO_ASSERT(table_.changes() == before, "release_if: the predicate changed the pool");
            static_cast<void>(before);
            if (!ends || !table_.lives_at(slot)) continue;
            table_.end_life(slot);
            ++done;
        }
        return done;
    }

    /// Ends every life; no handle survives it. Complexity: O(capacity).
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        leases_.drop_all();
        static_cast<void>(release_if([](const T&) { return true; }));
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// The same without a report: for handles of objects that may well be gone.
    [[nodiscard]] LIDO_INLINE T* try_get(handle_type handle) noexcept {
        return table_.contains(handle) ? table_.object_at(handle.index()) : nullptr;
    }
    [[nodiscard]] LIDO_INLINE const T* try_get(handle_type handle) const noexcept {
        return table_.contains(handle) ? table_.object_at(handle.index()) : nullptr;
    }

    /// The handle of a live object of this pool; null for any other object.
    [[nodiscard]] handle_type handle_of(const T& object) const noexcept {
        const std::uint32_t slot = table_.slot_of(object);
        return slot != detail::no_slot ? table_.handle_at(slot) : handle_type{};
    }

    /// The object acquired first of those that live, or the nth after it; nullptr when there are not so many.
    /// Complexity: O(1) without holes, else O(capacity / 64).
    [[nodiscard]] T* oldest(size_type nth = 0) noexcept {
        return nth < table_.size() ? table_.object_at(table_.aged(nth)) : nullptr;
    }
    [[nodiscard]] const T* oldest(size_type nth = 0) const noexcept {
        return nth < table_.size() ? table_.object_at(table_.aged(nth)) : nullptr;
    }

    /// The object acquired last of those that live, or the nth before it.
    [[nodiscard]] T* newest(size_type nth = 0) noexcept {
        return nth < table_.size() ? table_.object_at(table_.aged(table_.size() - 1 - nth)) : nullptr;
    }
    [[nodiscard]] const T* newest(size_type nth = 0) const noexcept {
        return nth < table_.size() ? table_.object_at(table_.aged(table_.size() - 1 - nth)) : nullptr;
    }

    /// True when the next acquire ends the oldest: when holes are left, before size() has reached capacity().
    [[nodiscard]] bool full() const noexcept { return table_.full(); }

    // --- iteration, from the oldest to the newest --------------------------------------------------------------------------
    //
    // While iterating, releasing the object one is at is allowed, and acquiring too: what is acquired is not visited, unless it
    // went on as far as to take the slot of an object that was not visited yet.

    [[nodiscard]] iterator begin() noexcept { return iterator(&table_); }
    [[nodiscard]] iterator end() noexcept { return {}; }
    [[nodiscard]] const_iterator begin() const noexcept { return const_iterator(&table_); }
    [[nodiscard]] const_iterator end() const noexcept { return {}; }

    /// From the newest to the oldest.
    [[nodiscard]] auto backward() noexcept { return detail::place_range<table, T, false, true>(&table_); }
    [[nodiscard]] auto backward() const noexcept {
        return detail::place_range<const table, const T, false, true>(&table_);
    }

    /// Handle and object at once: `for (auto [handle, object] : pool.each())`.
    [[nodiscard]] auto each() noexcept { return detail::place_range<table, T, true>(&table_); }
    [[nodiscard]] auto each() const noexcept { return detail::place_range<const table, const T, true>(&table_); }

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

    /// All slots have their memory from the start.
    bool prepare(size_type count) noexcept { return count <= table_.capacity(); }

    /// Gives nothing back: a ring comes round to every slot.
    std::size_t trim() noexcept { return 0; }

    [[nodiscard]] pool_stats stats() const noexcept { return table_.stats(shape); }

    /// Checks every numbered invariant. Complexity: O(capacity).
    [[nodiscard]] verdict validate() const noexcept { return {table_.broken()}; }

private:
    friend surface;
    friend base;
    using base::leases_;
    using base::table_;
    using surface::refuse;

    void destroy_all() noexcept { table_.destroy_all(); }

    template <class... Args>
    acquired_type take(request, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        table_.expect_settled();
        if (table_.limits().evicting()) [[unlikely]]
            return refuse(refusal::reentrant);
        if (table_.worn_out()) [[unlikely]]
            return refuse(refusal::full);
        const std::uint32_t slot = table_.next();
        T* object = nullptr;
        {
            const detail::half_way::quick_scope now(table_.limits().now(), detail::half_way::builds);
            detail::open_up(table_.object_at(slot), sizeof(T));
            object = detail::construct<T>(table_.object_at(slot), std::forward<Args>(args)...);
        }
        if (table_.lives_at(table_.following(slot))) make_room(slot);
        return {object, table_.go_live(slot)};
    }

    /// Ends the oldest until the slot after `built` is free: one, unless its slot was at its last generation.
    LIDO_NOINLINE void make_room(std::uint32_t built) noexcept {
        for (std::uint32_t slot = table_.following(built); table_.lives_at(slot); slot = table_.following(built)) {
            const handle_type handle = table_.handle_at(slot);
            table_.limits().announce(handle, *table_.object_at(slot));
            if (table_.contains(handle)) table_.end_oldest(slot);
            ++table_.counters().replaced;
        }
    }
};

template <class T, options Options, class Storage, class Tag>
inline constexpr bool detail::replaces_always<ring_pool<T, Options, Storage, Tag>> = true;

/// The same inside the object itself: no allocation, ever.
template <class T, std::size_t N, options Options = options{}, class Tag = void>
using inline_ring_pool = ring_pool<T, Options, inline_storage<N>, Tag>;

}  // namespace lido
