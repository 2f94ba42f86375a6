// The functions that every pool of slots has in the same words, on top of parts/surface.hpp: release, look, walk.
//
// A stateless base, as there. A pool opens to it, besides what is said there:
//
//   the_table()                the slot_table
//   end_life(slot, life)       ends that life, and returns true
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/compat.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/iterators.hpp>
#include <lido/core/parts/slots/limbo.hpp>
#include <lido/core/parts/slots/slot_iterator.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>
#include <lido/core/parts/slots/slot_pass.hpp>
#include <lido/core/parts/surface.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// `Types` is what the surface of every shape asks for (object_types).
template <class Pool, class Table, class Types>
class slot_surface : public pool_surface<Pool, Types> {
    using surface = pool_surface<Pool, Types>;

public:
    using value_type = typename Types::value_type;
    using handle_type = typename Types::handle_type;
    using acquired_type = acquired<value_type, handle_type>;
    using lease_type = lido::lease<Pool>;
    using size_type = std::uint32_t;
    using reference = value_type&;
    using const_reference = const value_type&;
    using pointer = value_type*;
    using const_pointer = const value_type*;
    using iterator = slot_iterator<Table, value_type, slot_gives_object>;
    using const_iterator = slot_iterator<const Table, const value_type, slot_gives_object>;

    static constexpr bool stable_addresses = true;

    // --- release -----------------------------------------------------------------------------------------------------------

    /// Ends the life that the handle names. False, counted and reported, when it has ended before or never was.
    /// Complexity: O(1). Invalidates: the object.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = table().book().enter(LIDO_CALLER);
        if (!table().contains(handle)) [[unlikely]]
            return this->bad_release(handle);
        return self().end_life(handle.index(), handle.generation());
    }

    /// Ends the life of an object of this pool.
    LIDO_ENTRY bool release(const value_type& object) noexcept {
        [[maybe_unused]] const auto from = table().book().enter(LIDO_CALLER);
        const handle_type handle = handle_of(object);
        if (!handle) [[unlikely]]
            return this->bad_release_at(table().slot_of(address_of(object)));
        return self().end_life(handle.index(), handle.generation());
    }

    /// The same for callers that know it is alive. Pre: contains(handle).
    LIDO_INLINE void release_found(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = table().book().enter(LIDO_CALLER);
        LIDO_ASSERT(contains(handle), "release_found: the handle names no life of this pool");
        static_cast<void>(self().end_life(handle.index(), handle.generation()));
    }

    /// Ends every object that `gone(T&)` accepts: the one way to remove during a pass that needs no rules. Visits each once, in slot
    /// order. Pre: `gone` does not change the pool.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = table().book().enter(LIDO_CALLER);
        size_type done = 0;
        table().for_each_live([&](std::uint32_t slot) {
            [[maybe_unused]] const std::uint64_t before = table().changes();
            const bool ends = ask(gone, slot);
            LIDO_ASSERT(table().changes() == before, "release_if: the predicate changed the pool");
            if (!ends) return;
            done += self().end_life(slot, table().handle_at(slot).generation()) ? 1u : 0u;
        });
        return done;
    }

    // --- confirmed ends (options::confirmed_ends) --------------------------------------------------------------------------
    //
    // How it works is in limbo.hpp. A tick of the game:
    //
    //     past.save(t, pool);  pool.begin_tick(t);  /* simulate */  ...  pool.confirm(last_confirmed);
    //
    // A hook or destructor of an end may look at the pool and must not change it: each such call is refused and told.

    /// Ends from now on are of this tick, and the slots of ends that are settings.rollback ticks old are free, in the order of the
    /// ends; what waits in them still is let go first. False, and told, when the tick goes back, and from inside of a hook, constructor
    /// or destructor. Part of the simulation: peers call it alike. Complexity: O(ends that wait).
    LIDO_ENTRY bool begin_tick(std::uint64_t tick) noexcept
        requires(Table::confirms)
    {
        [[maybe_unused]] const auto from = table().book().enter(LIDO_CALLER);
        return !limbo::from_inside(table()) && limbo::begin_tick<typename Pool::ending>(table(), tick);
    }

    /// Ends of ticks up to `tick` are for good: runs their hooks or destructors, once, in the order of the ends. Returns how many. Not
    /// part of the state: changes no slot, no handle to come and no hash. A save in which one of them lives cannot be restored any
    /// more. Complexity: O(ends that wait).
    LIDO_ENTRY size_type confirm(std::uint64_t tick) noexcept
        requires(Table::confirms)
    {
        [[maybe_unused]] const auto from = table().book().enter(LIDO_CALLER);
        return limbo::from_inside(table()) ? 0 : limbo::confirm<typename Pool::ending>(table(), tick);
    }

    /// Lets go everything that waits, and gives up the objects of earlier saves: a restore of one is no longer refused, and takes its
    /// state as that of another pool. For the end of a match, a new level, a jump in a recording.
    LIDO_ENTRY void forget_past() noexcept
        requires(Table::confirms)
    {
        [[maybe_unused]] const auto from = table().book().enter(LIDO_CALLER);
        if (!limbo::from_inside(table())) limbo::forget_past<typename Pool::ending>(table());
    }

    /// Whether that life has ended and its slot is not free yet.
    [[nodiscard]] bool end_waits(handle_type handle) const noexcept
        requires(Table::confirms)
    {
        return limbo::waits(table(), handle.index(), handle.generation());
    }

    /// Ended objects whose slots are not free yet, let go or not. They count against the capacity.
    [[nodiscard]] size_type waiting_ends() const noexcept
        requires(Table::confirms)
    {
        return table().now().limbo.count;
    }

    /// What begin_tick() was given last; 0 before. Part of the state.
    [[nodiscard]] std::uint64_t tick() const noexcept
        requires(Table::confirms)
    {
        return table().now().limbo.tick;
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// The same as get() without a report: for handles of objects that may well be gone.
    [[nodiscard]] LIDO_INLINE pointer try_get(handle_type handle) noexcept {
        std::byte* const first = table().values();  // before the check, so that a loop loads it once
        if (!table().contains(handle)) return nullptr;
        table().touch(handle.index());
        const pointer object = slot_address<value_type>(first, handle.index());
        LIDO_ASSUME(object != nullptr);  // so that a caller's test of a found object costs nothing
        return object;
    }
    [[nodiscard]] LIDO_INLINE const_pointer try_get(handle_type handle) const noexcept {
        std::byte* const first = table().values();
        if (!table().contains(handle)) return nullptr;
        const const_pointer object = slot_address<value_type>(first, handle.index());
        LIDO_ASSUME(object != nullptr);
        return object;
    }

    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept { return table().contains(handle); }

    /// The handle of a live object of this pool; null for any other object.
    [[nodiscard]] handle_type handle_of(const value_type& object) const noexcept {
        const std::uint32_t slot = table().slot_of(address_of(object));
        return slot != no_slot && table().lives(slot) ? table().handle_at(slot) : handle_type{};
    }

    [[nodiscard]] size_type size() const noexcept { return table().size(); }
    [[nodiscard]] bool empty() const noexcept { return table().size() == 0; }

    /// The most objects that may live now. Growth raises it, up to max_capacity().
    [[nodiscard]] size_type capacity() const noexcept { return table().capacity(); }
    [[nodiscard]] size_type max_capacity() const noexcept { return table().max_capacity(); }

    /// True when the next acquire must grow, replace or refuse.
    [[nodiscard]] bool full() const noexcept { return table().full(); }

    // --- iteration over the live objects, in slot order --------------------------------------------------------------------
    //
    // While iterating: releasing the object one is at is allowed; acquiring is allowed, and a new object may or may not be
    // visited; releasing another object is not (builds with checks stop at the visit), and neither is an acquire that replaces
    // one: use release_if.

    [[nodiscard]] iterator begin() noexcept { return iterator(&table(), 0); }
    [[nodiscard]] const_iterator begin() const noexcept { return const_iterator(&table(), 0); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

    /// Handle and object at once: `for (auto [handle, object] : pool.each())`.
    [[nodiscard]] auto each() noexcept { return slot_range<Table, value_type>(&table()); }
    [[nodiscard]] auto each() const noexcept { return slot_range<const Table, const value_type>(&table()); }

    /// Calls `f(object)` for each, with a plain loop over words whose 64 slots are all live: the fastest pass.
    template <class F>
    void for_each(F&& f) {
        visit_slots<value_type>(
            table().values(), table().occupied(), [this] { return table().used(); },
            [this](std::size_t word) {
                const map_word live = table().live_in(word);
                table().touch_word(word, live);
                return live;
            },
            f);
    }
    template <class F>
    void for_each(F&& f) const {
        visit_slots<const value_type>(
            table().values(), table().occupied(), [this] { return table().used(); },
            [this](std::size_t word) { return table().live_in(word); }, f);
    }

protected:
    using surface::self;

    // What parts/surface.hpp asks for, but for leases() and take().
    friend surface;
    friend holder_surface<Pool>;
    [[nodiscard]] LIDO_INLINE auto& limits() noexcept { return table().limits(); }
    [[nodiscard]] LIDO_INLINE const auto& limits() const noexcept { return table().limits(); }
    [[nodiscard]] LIDO_INLINE auto& book() noexcept { return table().book(); }
    [[nodiscard]] LIDO_INLINE const auto& book() const noexcept { return table().book(); }
    [[nodiscard]] auto& counters() noexcept { return table().now().counters; }
    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const noexcept { return table().generation_of(slot); }

private:
    [[nodiscard]] LIDO_INLINE Table& table() noexcept { return self().the_table(); }
    [[nodiscard]] LIDO_INLINE const Table& table() const noexcept { return self().the_table(); }

    /// With mark_changes, a predicate that can do with a const object gets one, so that asking does not count as a change.
    template <class Predicate>
    [[nodiscard]] bool ask(Predicate& gone, std::uint32_t slot) {
        if constexpr (Table::marks && std::is_invocable_v<Predicate&, const value_type&>) {
            return gone(std::as_const(*table().at(slot)));
        } else {
            table().touch(slot);
            return gone(*table().at(slot));
        }
    }
};

}  // namespace lido::detail
