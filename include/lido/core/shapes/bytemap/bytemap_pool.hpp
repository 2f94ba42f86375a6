// bytemap_pool: the pool of a family of old engines, handle for handle, so that their saves and scripts still resolve.
//
//   slots      | slot 0      | slot 1      | ...        SlotBytes each: room for the largest class derived from Base
//   byte map   | f|seed | f|seed | ...                  1 byte a slot: bit 7 free, bits 0..6 the seed (bytemap/state_bytes.hpp)
//
//   handle = index << 8 | state byte                    a signed 32-bit number (bytemap/bytemap_handle.hpp)
//
// BM1. size == busy bytes of the map; an object lives in a slot if and only if its byte is busy.
// BM2. -1 <= first_free <= count: the search for a free slot starts after it.
// BM3. count == capacity <= slots of the storage, and <= 2^23.
//
// The algorithms are those of the document that describes such pools; its names stand at each function. Where it reads or writes
// what it should not, this does the sound thing; docs/guide/bytemap_pool.md lists each case.
//
// Left out of the common surface: growth, replacing, merging, headroom and kinds (the old pools refuse when full, and their index
// has no room to grow into), generations and tracking (a seed of 7 bits is what there is), mark_changes.
#pragma once

#include <lido/core/base/acquired.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/slot_count.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/parts/bulk.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/lease.hpp>
#include <lido/core/parts/rewind_door.hpp>
#include <lido/core/parts/slots/place_iterator.hpp>
#include <lido/core/parts/surface.hpp>
#include <lido/core/shapes/bytemap/alias_odds.hpp>  // IWYU pragma: export
#include <lido/core/shapes/bytemap/bytemap_checks.hpp>
#include <lido/core/shapes/bytemap/bytemap_handle.hpp>
#include <lido/core/shapes/bytemap/bytemap_layout.hpp>
#include <lido/core/shapes/bytemap/bytemap_rewind.hpp>
#include <lido/core/shapes/bytemap/bytemap_table.hpp>
#include <lido/core/shapes/bytemap/bytemap_working.hpp>
#include <lido/core/shapes/bytemap/state_bytes.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido {

/// SlotBytes 0 is the size of Base. (Not `sizeof(Base)` as the default: an element may then name its own pool.)
/// Threads: a pool belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: constructors and destructors may acquire from and release to the pool they live in. Their own slot counts as busy
/// meanwhile, as it did in the old engines, but cannot be released.
/// Forensics: see options::forensics, which this shape has no options for.
template <class Base, std::size_t SlotBytes = 0, class Storage = heap_storage, class Tag = void,
          bool Forensics = forensics>
class bytemap_pool : public detail::holder_surface<bytemap_pool<Base, SlotBytes, Storage, Tag, Forensics>> {
    using surface = detail::holder_surface<bytemap_pool>;
    using table = detail::bytemap_table<Base, bytemap_handle<Base, Tag>, SlotBytes, Storage, Forensics>;
    using memory = typename table::memory;
    using layout = typename table::layout;

    static_assert(!Forensics || forensics,
                  "lido: forensics need a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(detail::holdable<Base>, "lido: a pool holds objects of a non-const, non-volatile, non-array type");
    static_assert(SlotBytes == 0 || SlotBytes >= sizeof(Base),  // NOLINT(bugprone-sizeof-expression)
                  "lido: SlotBytes of a bytemap_pool is at least the size of its base class");
    static_assert(SlotBytes % alignof(Base) == 0,
                  "lido: SlotBytes of a bytemap_pool must be a multiple of the base class's alignment, or every second "
                  "object would be misaligned");
    static_assert(std::is_nothrow_destructible_v<Base>,
                  "lido: the element's destructor must not throw, or a release could leave a slot half ended");

    static constexpr bool opens = table::opens;
    static constexpr bool lent = table::lent;

public:
    using value_type = Base;
    using handle_type = bytemap_handle<Base, Tag>;
    using acquired_type = acquired<Base, handle_type>;
    using lease_type = lido::lease<bytemap_pool>;
    using settings_type = pool_settings<Base, handle_type>;
    using size_type = std::uint32_t;
    using reference = Base&;
    using const_reference = const Base&;
    using pointer = Base*;
    using const_pointer = const Base*;
    using iterator = detail::place_iterator<table, Base, false>;
    using const_iterator = detail::place_iterator<const table, const Base, false>;

    using rewind_with = detail::bytemap_rewind;

    static constexpr const char* shape = "bytemap_pool";
    static constexpr bool stable_addresses = true;
    static constexpr bool can_grow = false;
    static constexpr std::size_t slot_bytes = layout::slot_bytes;
    static constexpr size_type max_slots = handle_type::max_slots;

    /// No class derived from Base can live here, so objects can be copied as what they are.
    static constexpr bool holds_base_only = !std::has_virtual_destructor_v<Base>;

    // --- building ----------------------------------------------------------------------------------------------------------

    /// Inside the pool object itself: capacity is the storage's N. On other storages: no slots until initialise().
    explicit bytemap_pool(settings_type settings = {})
        requires(!lent)
        : table_(detail::bytemap_checks::only_rejects(settings)) {
        if constexpr (memory::fixed_slots != 0) {
            static_assert(memory::fixed_slots <= max_slots, "lido: handles of a bytemap_pool name at most 2^23 slots");
            table_.begin(static_cast<size_type>(memory::fixed_slots));
        }
    }

    /// initialise(capacity): no slots, and a report, when that many or their memory cannot be had.
    explicit bytemap_pool(slot_count capacity, settings_type settings = {})
        requires(opens)
        : table_(detail::bytemap_checks::only_rejects(settings)) {
        if (detail::bytemap_checks::can_have(capacity, max_slots, settings.name)) table_.open(capacity.slots());
    }

    /// On memory the caller lends: as many slots as fit (`bytes_for` tells how much that takes).
    explicit bytemap_pool(std::span<std::byte> buffer, settings_type settings = {})
        requires(lent)
        : table_(detail::bytemap_checks::only_rejects(settings)) {
        table_.open(buffer);
    }

    /// Steals the memory: objects stay where they are, handles and leases go on to work with the new pool. The source has
    /// capacity 0.
    bytemap_pool(bytemap_pool&& other) noexcept
        requires memory::movable
        : table_(other.settings()) {
        steal(other);
    }
    bytemap_pool& operator=(bytemap_pool&& other) noexcept
        requires memory::movable
    {
        if (this != &other) {
            table_.expect_unmoved();
            close_down();
            steal(other);
        }
        return *this;
    }

    /// Ends every object, or what settings.leaks says.
    ~bytemap_pool() { close_down(); }

    /// How large a lent buffer must be for `slots` slots.
    [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t slots) noexcept
        requires(requires { memory::bytes_for(std::size_t{}); })
    {
        return memory::bytes_for(slots);
    }

    /// `Initialise`: `count` slots, all free with seed 0. A pool that has slots is flushed first. On inline and lent storage at most
    /// the slots there are. False, with capacity 0 and a report, when the count or the memory cannot be had.
    bool initialise(std::int32_t count) noexcept {
        flush();
        if (!detail::bytemap_checks::can_have(count, max_slots, this->name())) return false;
        const auto slots = static_cast<size_type>(count);
        if constexpr (opens) return table_.open(slots);
        if (slots > table_.slots_there()) {
            table_.limits().tell(misuse_kind::bad_setting,
                                 "initialise: more slots than the storage has; the pool has none now");
            return false;
        }
        table_.begin(slots);
        return true;
    }

    /// `Clear`: ends every object; every slot is free with seed 0. As in the document first_free stays, and lives that begin later
    /// have the handles of lives before once more.
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        LIDO_ASSERT(!table_.busy_inside(),
                    "bytemap_pool: an object's own constructor or destructor ends the whole pool");
        leases_.drop_all();
        table_.end_all();
        table_.clear_map();
    }

    /// `Flush`: ends every object and gives the memory back; the pool has no slots until initialise(). Twice is harmless.
    void flush() noexcept {
        if (capacity() == 0) return;
        table_.expect_unmoved();
        leases_.drop_all();
        table_.end_all();
        table_.close();
    }

    // --- acquire and release -----------------------------------------------------------------------------------------------

    /// `New`: builds an object of `Derived` in the first free slot after first_free, round the end once. False when full;
    /// first_free is then the capacity, as the document's search leaves it, and later handles depend on that.
    /// Throws: what the constructor throws; the pool is then as it was. Complexity: O(capacity / 8) at worst. Invalidates: nothing.
    template <class Derived = Base, class... Args>
        requires detail::constructible<Derived, Args...>
    LIDO_ENTRY acquired<Derived, handle_type> acquire(Args&&... args) noexcept(
        detail::nothrow_constructible<Derived, Args...>()) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        return take<Derived>(std::forward<Args>(args)...);
    }

    /// The same. A pool that only ever refuses has no use for what a request says of itself.
    template <class Derived = Base, class... Args>
        requires detail::constructible<Derived, Args...>
    LIDO_ENTRY acquired<Derived, handle_type> acquire_as(request, Args&&... args) noexcept(
        detail::nothrow_constructible<Derived, Args...>()) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        return take<Derived>(std::forward<Args>(args)...);
    }

    /// The same, released at the end of the lease's scope.
    template <class Derived = Base, class... Args>
        requires detail::constructible<Derived, Args...>
    [[nodiscard]] LIDO_ENTRY lease_type lease(Args&&... args) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        return lease_type(*this, leases_, take<Derived>(std::forward<Args>(args)...).handle());
    }

    /// `New(handle)`: builds an object under exactly this handle, for ids of a save or a server. Refused when the slot is taken or
    /// the handle is none of this pool. The seed says nothing of whether an old handle aliases: there are 128.
    template <class Derived = Base, class... Args>
        requires detail::constructible<Derived, Args...>
    LIDO_ENTRY acquired<Derived, handle_type> reserve(handle_type handle, Args&&... args) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        require_fit<Derived>();
        const std::int32_t index = handle.index();
        if (index < 0 || static_cast<size_type>(index) >= capacity() || detail::is_free(handle.state())) {
            return refuse<Derived>(refusal::out_of_range);
        }
        const auto slot = static_cast<size_type>(index);
        if (!detail::is_free(table_.map()[slot])) return refuse<Derived>(refusal::slot_taken);
        // The document's rule: first_free becomes the lowest slot that is taken, the reserved one included.
        const std::uint32_t busy = detail::first_state<false>(table_.map(), 0, slot);
        const auto hint = static_cast<std::int32_t>(busy == detail::no_slot ? slot : busy);
        return build<Derived>(slot, handle.state(), hint, std::forward<Args>(args)...);
    }

    /// Builds up to `out.size()` objects from the same arguments and writes their handles. Returns how many fit.
    /// Throws: what a constructor throws; the lives that this call began have then ended again and `out` holds nulls.
    template <class... Args>
        requires detail::constructible<Base, const Args&...>
    LIDO_ENTRY size_type acquire_n(std::span<handle_type> out, const Args&... args) {
        [[maybe_unused]] const auto from = table_.book().enter_for_all(LIDO_CALLER);
        return detail::acquire_each(*this, out, args...);
    }

    /// Ends the life that the handle names. False, counted and reported, when it has ended before or never was.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        const std::uint32_t slot = table_.slot_of(handle);
        if (slot == detail::no_slot || table_.in_hand(slot)) [[unlikely]]
            return bad_release(handle);
        table_.end_life(slot);
        return true;
    }

    /// `Delete`: ends the life of an object of this pool: the slot is free, its seed stays, first_free is lowered to it. False,
    /// counted and reported, for an object that has ended before or is not of this pool.
    LIDO_ENTRY bool release(const Base& object) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        const std::uint32_t slot = table_.place_of(object);
        if (slot == detail::no_slot) [[unlikely]]
            return table_.limits().bad_release_of_object(table_.book(), table_.counters());
        if (detail::is_free(table_.map()[slot]) || table_.in_hand(slot)) [[unlikely]]
            return bad_release(handle_type::of(slot, table_.map()[slot] & detail::seed_mask));
        table_.end_life(slot);
        return true;
    }

    /// Ends each of them; returns how many lived.
    LIDO_ENTRY size_type release_n(std::span<const handle_type> handles) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter_for_all(LIDO_CALLER);
        return detail::release_each(*this, handles);
    }

    /// Ends every object that `gone(Base&)` accepts, each asked once, in slot order. Pre: `gone` does not change the pool.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        return table_.end_if(gone);
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// `GetSlot`: the object in that slot, or nullptr when it is free or there is no such slot.
    [[nodiscard]] Base* slot(std::int32_t index) noexcept {
        return table_.busy(index) ? table_.object_at(static_cast<std::uint32_t>(index)) : nullptr;
    }
    [[nodiscard]] const Base* slot(std::int32_t index) const noexcept {
        return table_.busy(index) ? table_.object_at(static_cast<std::uint32_t>(index)) : nullptr;
    }

    /// `GetAt`: the object, or nullptr when the slot's state is another. Any number may be asked about. With forensics, asking for
    /// a life that has ended is reported: where that is no mistake, ask try_get() or at().
    [[nodiscard]] LIDO_QUICK_ENTRY Base* get(handle_type handle) noexcept {
        const auto object = try_get(handle);
        if constexpr (table::diary_type::kept) tell_if_stale(object != nullptr, handle, LIDO_CALLER);
        return object;
    }
    [[nodiscard]] LIDO_QUICK_ENTRY const Base* get(handle_type handle) const noexcept {
        const auto object = try_get(handle);
        if constexpr (table::diary_type::kept) tell_if_stale(object != nullptr, handle, LIDO_CALLER);
        return object;
    }

    /// The same without a report: for handles of objects that may well be gone.
    [[nodiscard]] LIDO_INLINE Base* try_get(handle_type handle) noexcept {
        const std::uint32_t at = table_.slot_of(handle);
        return at != detail::no_slot ? table_.object_at(at) : nullptr;
    }
    [[nodiscard]] LIDO_INLINE const Base* try_get(handle_type handle) const noexcept {
        const std::uint32_t at = table_.slot_of(handle);
        return at != detail::no_slot ? table_.object_at(at) : nullptr;
    }

    /// `GetAt` with the number as a script holds it. Scripts hold what has ended all the time, so this is not reported.
    [[nodiscard]] Base* at(std::int32_t handle) noexcept { return try_get(handle_type::from_bits(handle)); }
    [[nodiscard]] const Base* at(std::int32_t handle) const noexcept { return try_get(handle_type::from_bits(handle)); }

    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept {
        return table_.slot_of(handle) != detail::no_slot;
    }

    /// `GetJustIndex`: the slot of a live object of this pool, or -1.
    [[nodiscard]] std::int32_t index_of(const Base& object) const noexcept {
        const std::uint32_t at = table_.place_of(object);
        return at != detail::no_slot && !detail::is_free(table_.map()[at]) ? static_cast<std::int32_t>(at) : -1;
    }

    /// `GetIndex`: the handle of a live object of this pool, or null, which is -1.
    [[nodiscard]] handle_type handle_of(const Base& object) const noexcept {
        const std::int32_t index = index_of(object);
        return index >= 0 ? table_.handle_at(static_cast<std::uint32_t>(index)) : handle_type{};
    }

    [[nodiscard]] size_type size() const noexcept { return table_.size(); }
    [[nodiscard]] bool empty() const noexcept { return table_.size() == 0; }

    /// `count`.
    [[nodiscard]] size_type capacity() const noexcept { return table_.capacity(); }
    [[nodiscard]] size_type max_capacity() const noexcept { return table_.capacity(); }

    /// True when the next acquire must refuse.
    [[nodiscard]] bool full() const noexcept { return table_.full(); }

    /// `first_free`: the next search starts after it.
    [[nodiscard]] std::int32_t first_free() const noexcept { return table_.now().first_free; }

    /// `byte_map`, as it lies in memory: count bytes.
    [[nodiscard]] std::span<const std::uint8_t> byte_map() const noexcept { return table_.byte_map(); }

    [[nodiscard]] const settings_type& settings() const noexcept { return table_.settings(); }

    // --- traversal, in slot order ------------------------------------------------------------------------------------------
    //
    // While iterating, releasing the object one is at is allowed, and acquiring too: a new object is visited if its slot is ahead.

    [[nodiscard]] iterator begin() noexcept { return iterator(&table_); }
    [[nodiscard]] iterator end() noexcept { return {}; }
    [[nodiscard]] const_iterator begin() const noexcept { return const_iterator(&table_); }
    [[nodiscard]] const_iterator end() const noexcept { return {}; }

    /// Handle and object at once: `for (auto [handle, object] : pool.each())`.
    [[nodiscard]] auto each() noexcept { return detail::place_range<table, Base, true>(&table_); }
    [[nodiscard]] auto each() const noexcept { return detail::place_range<const table, const Base, true>(&table_); }

    /// Calls `f(object)` for each.
    template <class F>
    void for_each(F&& f) {
        for (Base& object : *this) f(object);
    }
    template <class F>
    void for_each(F&& f) const {
        for (const Base& object : *this) f(object);
    }

    // --- the byte map of a save --------------------------------------------------------------------------------------------
    //
    // Objects of an old save are made anew, each under the handle it had; the map brings the seeds of all other slots, so that the
    // handles given next are those that the old engine would have given.

    /// Appends nothing but the map: count and first_free, 4 bytes each, little-endian, and a state byte a slot.
    void save_map(std::vector<std::byte>& to) const {
        to.clear();
        image_writer w(to);
        w.put(table_.now().capacity);
        w.put(static_cast<std::uint32_t>(table_.now().first_free));
        w.put_bytes(std::as_bytes(byte_map()));
    }

    /// Takes over a map that save_map() wrote. Objects that lived here end. `remake(handle)` is called for each slot that was busy
    /// in the map, in slot order, and makes the object with reserve(handle, …); what it does not make leaves the slot free, with its
    /// seed. Refused, with nothing changed, when the map is cut short or of another count.
    /// Throws: what `remake` throws; the objects made until then live.
    template <class Remake>
    restore_result load_map(std::span<const std::byte> saved, Remake remake) {
        image_reader r(saved);
        const auto count = r.take<std::uint32_t>();
        const auto first = static_cast<std::int32_t>(r.take<std::uint32_t>());
        if (!r.ok() || r.left() < count) return {restore_error::truncated};
        if (r.left() != count) return {restore_error::damaged, "bytes follow the end of the byte map"};
        const std::span<const std::byte> bytes = r.take_bytes(count);
        return load_map({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, first, std::move(remake));
    }

    /// The same for the two fields as they lie in a save of the old engine. Pre: `states` is not this pool's own map.
    template <class Remake>
    restore_result load_map(std::span<const std::uint8_t> states, std::int32_t first_free, Remake remake) {
        LIDO_ASSERT(states.empty() || states.data() != table_.map(), "load_map: a pool cannot load its own map");
        if (states.size() != table_.now().capacity) {
            return {restore_error::other_options, "the byte map is of a pool with another number of slots"};
        }
        if (first_free < -1 || first_free > static_cast<std::int32_t>(table_.now().capacity)) {
            return {restore_error::inconsistent, "first_free is not a slot of the byte map"};
        }
        table_.expect_unmoved();
        leases_.drop_all();
        table_.end_all();
        for (size_type i = 0; i < table_.now().capacity; ++i) table_.map()[i] = states[i] | detail::free_flag;
        for (size_type i = 0; i < table_.now().capacity; ++i) {
            if (!detail::is_free(states[i])) remake(handle_type::of(i, states[i]));
        }
        table_.now().first_free = first_free;
        return {};
    }

    // save, restore and state_hash (parts/surface.hpp) are for pools whose objects are all of class Base.

    // --- memory ------------------------------------------------------------------------------------------------------------

    /// All slots have their memory from the start.
    bool prepare(size_type slots) noexcept { return slots <= capacity(); }

    /// Gives nothing back: the old pools keep their slots until flush().
    std::size_t trim() noexcept { return 0; }

    [[nodiscard]] pool_stats stats() const noexcept { return table_.stats(shape); }

    /// Checks every numbered invariant. Complexity: O(capacity).
    [[nodiscard]] verdict validate() const noexcept { return {table_.broken()}; }

private:
    // What the surface asks for (parts/surface.hpp).
    friend surface;
    friend detail::rewind_door;
    [[nodiscard]] const auto& limits() const noexcept { return table_.limits(); }
    [[nodiscard]] auto& the_table() noexcept { return table_; }
    [[nodiscard]] const auto& the_table() const noexcept { return table_; }
    [[nodiscard]] auto& leases() noexcept { return leases_; }

    template <class Derived>
    static consteval void require_fit() {
        detail::bytemap_checks::template require_fit<Derived, Base, slot_bytes,
                                                     layout::alignment(detail::bytemap_slots)>();
    }

    void close_down() noexcept {
        leases_.drop_all();
        if (table_.check_leaks()) table_.end_all();
        table_.guard_slots(false);
    }

    LIDO_INLINE void tell_if_stale(bool found, handle_type handle, const void* caller) const noexcept {
        if (found || !handle) return;
        table_.book().tell_stale_get(table_.what_is_wrong(handle), caller);
    }

    void steal(bytemap_pool& other) noexcept {
        table_.steal(other.table_);
        leases_.adopt(other.leases_, *this);
    }

    template <class Derived, class... Args>
    acquired<Derived, handle_type> take(Args&&... args) noexcept(detail::nothrow_constructible<Derived, Args...>()) {
        require_fit<Derived>();
        if (table_.full()) [[unlikely]] {
            // The document's search moves first_free as it goes, and ends at the top when it has found nothing.
            table_.now().first_free = static_cast<std::int32_t>(capacity());
            return refuse<Derived>(refusal::full);
        }
        const size_type slot = table_.next_free();
        return build<Derived>(slot, detail::next_life(table_.map()[slot]), static_cast<std::int32_t>(slot),
                              std::forward<Args>(args)...);
    }

    template <class Derived, class... Args>
    acquired<Derived, handle_type> build(std::uint32_t slot, detail::state_byte life, std::int32_t hint,
                                         Args&&... args) {
        Derived* const object = table_.template build<Derived>(slot, life, hint, std::forward<Args>(args)...);
        return {object, handle_type::of(slot, life)};
    }

    template <class Derived>
    LIDO_COLD acquired<Derived, handle_type> refuse(refusal why) noexcept {
        table_.limits().refused(why, table_.counters());
        return {};
    }

    LIDO_COLD bool bad_release(handle_type handle) noexcept {
        ++table_.counters().bad_releases;
        table_.book().tell(table_.what_is_wrong(handle));
        return false;
    }

    LIDO_NO_UNIQUE_ADDRESS table table_;  // so that the leases lie in its padding, where it has any
    lease_list<bytemap_pool> leases_;
};

/// The same inside the object itself: no allocation, ever.
template <class Base, std::size_t N, std::size_t SlotBytes = 0, class Tag = void>
using inline_bytemap_pool = bytemap_pool<Base, SlotBytes, inline_storage<N>, Tag>;

}  // namespace lido
