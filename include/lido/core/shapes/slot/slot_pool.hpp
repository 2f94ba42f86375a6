// slot_pool: the default pool. Objects never move, handles never alias, acquire and release are O(1).
//
// flag_pool is the same class with a finder that keeps nothing but the occupancy bits. What every shape does in the same words is in
// parts/surface.hpp, what pools of slots do so in parts/slots/slot_surface.hpp. The walk of an acquire, and of a release:
//
//   acquire  ->  take (below)  ->  slot_table: a free slot   ->  slot_lives: build the object  ->  slot_table: the life counts
//                              ->  slot_taking: when none is at hand  -> slot_replacing: when the pool is full
//   release  ->  slot_lives: the life ends, then its object   ->  slot_table: the slot is free
//
//   parts/slots/slot_table      memory, free slots, counts       slot_bulk         acquire_n
//   parts/slots/finders         the search for free slots        slot_ending       clear and the end of the pool
//   parts/slots/slot_layout     the arrays, drawn                slot_validation   validate()
//   parts/slots/slot_reserving  acquire under a given handle     slot_rewind       save, restore and hash
//
// SP1. generation[s] is odd exactly while slot s holds a life (from the end of the constructor to the start of release).
// SP2. occupied bit s is set exactly while an element exists or is being built or ended in slot s. Outside of an element's
//      constructor and destructor, SP1 and SP2 say the same. With confirmed_ends that is the taken bit; it is set, too, while an end
//      waits (parts/slots/limbo.hpp), and an occupied bit is set exactly while slot s holds a life.
// SP3. Slots at and above used() are free; slots at and above `known` have generation 0 and were never acquired.
// SP4. size == lives begun - lives ended == occupied bits.
// SP5. retired counts the slots whose generation is the last one (rule retire).
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/handle.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/parts/bulk.hpp>
#include <lido/core/parts/option_rules.hpp>
#include <lido/core/parts/slots/finders.hpp>
#include <lido/core/parts/slots/limbo.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>
#include <lido/core/parts/slots/slot_surface.hpp>
#include <lido/core/parts/slots/slot_table.hpp>
#include <lido/core/parts/table_pool.hpp>
#include <lido/core/shapes/slot/slot_bulk.hpp>
#include <lido/core/shapes/slot/slot_ending.hpp>
#include <lido/core/shapes/slot/slot_lives.hpp>
#include <lido/core/shapes/slot/slot_rewind.hpp>
#include <lido/core/shapes/slot/slot_state.hpp>
#include <lido/core/shapes/slot/slot_taking.hpp>
#include <lido/core/shapes/slot/slot_validation.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace lido {

namespace detail {

template <class T, options Options, class Storage, class Tag, class Finder>
using table_of_slots =
    slot_table<T, slot_layout<T, Options, Tag, Finder, takes_what_it_needs<Storage>>, Options, Storage,
               slot_state<Options, Finder, !takes_what_it_needs<Storage>>,
               pool_settings<T, typename handle_for<T, Options, Tag>::type, T&, const T&, Options.confirmed_ends>>;

}  // namespace detail

/// Threads: a pool belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: an element's constructor and destructor may acquire from and release to the pool they live in.
template <class T, options Options, class Storage, class Tag, class Finder>
class basic_slot_pool
    : public detail::table_pool<
          basic_slot_pool<T, Options, Storage, Tag, Finder>, detail::table_of_slots<T, Options, Storage, Tag, Finder>,
          detail::slot_surface<basic_slot_pool<T, Options, Storage, Tag, Finder>,
                               detail::table_of_slots<T, Options, Storage, Tag, Finder>,
                               detail::object_types<T, typename detail::handle_for<T, Options, Tag>::type, Options>>> {
    using base = typename basic_slot_pool::table_pool;
    using surface = typename basic_slot_pool::slot_surface;
    using table_type = detail::table_of_slots<T, Options, Storage, Tag, Finder>;
    using generation = typename table_type::generation;  // debuggers read it (tools/debugger)

    static constexpr bool scans = table_type::scans;  // flag_pool
    /// acquire_n may take 64 slots at once: nothing but the maps and generations has to hear of each.
    static constexpr bool takes_words = Options.order == reuse::recent && !scans && !table_type::delays &&
                                        !table_type::tracks && !Options.headroom && Options.kinds == 0 &&
                                        !Options.confirmed_ends;

    static_assert(table_type::has_generations || scans,
                  "lido: only flag_pool works without generations; slot_pool needs them to tell stale handles");
    static_assert(detail::option_rules::slot<Options, scans>());
    static_assert(!table_type::marks || table_type::has_generations,
                  "lido: mark_changes needs generations: a change of life is told by them");

public:
    using typename base::handle_type;
    using typename base::settings_type;
    using typename base::size_type;
    using typename surface::acquired_type;
    using rewind_with = detail::slot_rewind;

    static constexpr options pool_options = Options;
    static constexpr const char* shape = scans ? "flag_pool" : "slot_pool";
    static constexpr bool can_grow = table_type::can_grow;

    // --- building, on memory of its own, inside the object, or lent: parts/table_pool.hpp ------------------------------------

    using base::base;
    basic_slot_pool(basic_slot_pool&&) = default;
    basic_slot_pool& operator=(basic_slot_pool&&) = default;
    /// Ends every object, or what settings.leaks says.
    ~basic_slot_pool() { this->close_down(); }

    // --- acquire and release -----------------------------------------------------------------------------------------------
    //
    // acquire and its kin are in parts/surface.hpp. It builds in a free slot and invalidates nothing; flag_pool scans 64 slots a step.

    /// Builds an object under exactly this handle, for ids chosen elsewhere (a server, a save). Refused when the slot is taken,
    /// when it has had that generation or a later one (an old handle would alias), or when it is out of range.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_ENTRY acquired_type reserve(handle_type handle, Args&&... args) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        return detail::slot_taking::reserve(table_, handle, std::forward<Args>(args)...);
    }

    /// Builds up to `out.size()` objects from the same arguments and writes their handles. Returns how many fit.
    /// Throws: what a constructor throws; the lives that this call began have then ended again and `out` holds nulls.
    template <class... Args>
        requires detail::constructible<T, const Args&...>
    LIDO_ENTRY size_type acquire_n(std::span<handle_type> out, const Args&... args) {
        [[maybe_unused]] const auto from = table_.book().enter_for_all(LIDO_CALLER);
        if constexpr (takes_words && detail::nothrow_constructible<T, const Args&...>()) {
            if (!detail::replaces(*this)) return detail::slot_bulk::acquire(table_, out, args...);
        }
        return detail::acquire_each(*this, out, args...);
    }

    /// Ends every life; no handle survives it. Slots are then handed out from 0 again, each with its next generation.
    /// With confirmed_ends all ends are for good, those that wait first.
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        if constexpr (Options.confirmed_ends) {
            if (detail::limbo::from_inside(table_)) return;
        }
        leases_.drop_all();
        detail::slot_ending::clear(table_);
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// The object, for callers that know it is alive. Pre: contains(handle).
    [[nodiscard]] LIDO_QUICK_ENTRY T& get_found(handle_type handle) noexcept {
        LIDO_ASSERT_FROM(this->name(), this->contains(handle), "get_found: the handle names no life of this pool");
        table_.touch(handle.index());
        return *table_.at(handle.index());
    }
    [[nodiscard]] LIDO_QUICK_ENTRY const T& get_found(handle_type handle) const noexcept {
        LIDO_ASSERT_FROM(this->name(), this->contains(handle), "get_found: the handle names no life of this pool");
        return *table_.at(handle.index());
    }

    // --- memory ------------------------------------------------------------------------------------------------------------

    /// Gets the memory for the first `slots` slots now, so that no later acquire below that has to ask the system. False when it
    /// cannot be had, or is more than max_capacity().
    bool prepare(size_type slots) noexcept { return slots <= table_.max_capacity() && table_.make_ready(slots); }

    /// Gives the whole pages past the last live object back to the system, and takes growth back where it is not used. Returns
    /// the bytes given back: 0 where the storage cannot. No object moves, and stale handles stay stale.
    std::size_t trim() noexcept {
        if constexpr (scans) {
            return 0;
        } else {
            // A constructor that throws is undone from a state that knows of no trim: the memory stays until the call has returned.
            if (table_.inside() != 0) return 0;
            return table_.trim();
        }
    }

    [[nodiscard]] pool_stats stats() const noexcept { return table_.stats(shape); }

    /// Checks every numbered invariant. Complexity: O(capacity). Pre: not called from an element's constructor or destructor.
    [[nodiscard]] verdict validate() const noexcept { return {detail::slot_validation::broken(table_)}; }

private:
    friend surface;
    friend typename surface::common_surface;
    friend base;
    using base::leases_;
    using base::table_;
    using ending = detail::slot_lives;

    template <class... Args>
    LIDO_INLINE acquired_type take(request wish, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        if constexpr (Options.confirmed_ends) {
            if (table_.limbo().letting_go) [[unlikely]]
                return table_.refuse_while_letting_go();
        }
        if (const refusal why = table_.limits().kept_from(wish, table_.size()); why != refusal::none) [[unlikely]]
            return table_.refuse(why);
        if (!table_.quick()) [[unlikely]]
            return detail::slot_taking::acquire(table_, wish, std::forward<Args>(args)...);
        return detail::slot_lives::begin(table_, table_.take_quick(), wish, std::forward<Args>(args)...);
    }

    LIDO_INLINE bool end_life(std::uint32_t slot, std::uint32_t life) noexcept {
        if (detail::limbo::forbids_change(table_)) return false;
        return detail::slot_lives::end(table_, slot, life);
    }

    void destroy_all() noexcept { detail::slot_ending::destroy_all(table_); }
};

/// Stable addresses, O(1) acquire and release, iteration in slot order; grows without moving anything.
/// 4.13 bytes of bookkeeping a slot (2.13 with 32-bit handles).
template <class T, options Options = options{}, class Storage = reserved_storage, class Tag = void>
using slot_pool = basic_slot_pool<
    T, Options, Storage, Tag,
    std::conditional_t<Options.order == reuse::recent, detail::recent_first,
                       std::conditional_t<Options.order == reuse::last, detail::last_first, detail::lowest_first>>>;

/// The same inside the object itself: no allocation, ever.
template <class T, std::size_t N, options Options = options{}, class Tag = void>
using inline_slot_pool = slot_pool<T, Options, inline_storage<N>, Tag>;

}  // namespace lido
