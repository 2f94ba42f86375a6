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
#include <lido/core/base/slot_count.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/lease.hpp>
#include <lido/core/parts/slots/place_iterator.hpp>
#include <lido/core/parts/surface.hpp>
#include <lido/core/parts/worn_slot.hpp>
#include <lido/core/shapes/ring/ring_layout.hpp>
#include <lido/core/shapes/ring/ring_rewind.hpp>

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
class ring_pool
    : public detail::pool_surface<
          ring_pool<T, Options, Storage, Tag>,
          detail::object_types<T, typename detail::handle_for<T, Options, Tag>::type, Options, T*, const T*, false>> {
    using surface = typename ring_pool::pool_surface;
    using layout = detail::ring_layout<T, Options, Tag>;
    using memory = typename Storage::template memory<layout>;
    using generation = typename layout::generation;
    using diary_type = detail::diary<Options.forensics>;

    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(detail::holdable<T>, "lido: a pool holds objects of a non-const, non-volatile, non-array type");
    static_assert(!Options.confirmed_ends,
                  "lido: ring_pool ends its oldest object for each newcomer, so an ended one cannot wait in its place: "
                  "options::confirmed_ends needs slot_pool or recycle_pool");
    static_assert(std::is_nothrow_destructible_v<T>,
                  "lido: the element's destructor must not throw, or a release could leave a slot half ended");
    static_assert(Options.generations != generation_rule::none,
                  "lido: only flag_pool works without generations; ring_pool needs them to tell stale handles");
    static_assert(Options.tracks == track::nothing,
                  "lido: a ring_pool is its own order of ages: it takes no options::tracks");
    static_assert(Options.order == reuse::recent && Options.reuse_delay == 0,
                  "lido: a ring_pool uses its slots in turn: it has neither a reuse order nor a reuse delay to choose");
    static_assert(!Options.headroom && Options.kinds == 0,
                  "lido: a ring_pool refuses nobody: it has no headroom and no caps for kinds");
    static_assert(!Options.mark_changes, "lido: ring_pool keeps no change marks: save it with lido::rewind");

public:
    using value_type = T;
    using handle_type = typename layout::handle_type;
    using acquired_type = acquired<T, handle_type>;
    using lease_type = lido::lease<ring_pool>;
    using settings_type = pool_settings<T, handle_type>;
    using size_type = std::uint32_t;
    using reference = T&;
    using const_reference = const T&;
    using pointer = T*;
    using const_pointer = const T*;
    using iterator = detail::place_iterator<ring_pool, T, false>;
    using const_iterator = detail::place_iterator<const ring_pool, const T, false>;

    using rewind_with = detail::ring_rewind;

    static constexpr options pool_options = Options;
    static constexpr const char* shape = "ring_pool";
    static constexpr bool stable_addresses = true;
    static constexpr bool can_grow = false;

    // --- building ----------------------------------------------------------------------------------------------------------

    /// Room for `capacity` objects. When the memory cannot be had, the pool has capacity 0, refuses every acquire, and has said so.
    explicit ring_pool(slot_count capacity, settings_type settings = {})
        requires(memory::fixed_slots == 0 && requires(memory m) { m.open(std::size_t{}, std::size_t{}); })
        : limits_(always_replaces(settings)) {
        const size_type most = limits_.plan(capacity, layout::max_slots, false);
        if (!memory_.open(most, most)) {
            limits_.fail("the memory for the asked capacity could not be had; the pool has capacity 0");
        }
        start();
    }

    /// Inside the pool object itself: capacity is the storage's N.
    explicit ring_pool(settings_type settings = {})
        requires(memory::fixed_slots != 0)
        : limits_(always_replaces(settings)) {
        static_assert(memory::fixed_slots <= layout::max_slots, "lido: raise the handle's index bits");
        static_cast<void>(limits_.plan(static_cast<size_type>(memory::fixed_slots), layout::max_slots, false));
        start();
    }

    /// On memory the caller lends: as many slots as fit (`bytes_for` tells how much that takes).
    explicit ring_pool(std::span<std::byte> buffer, settings_type settings = {})
        requires(requires(memory m) { m.open(std::span<std::byte>{}, std::size_t{}); })
        : limits_(always_replaces(settings)) {
        if (memory_.open(buffer, layout::max_slots)) {
            static_cast<void>(limits_.plan(static_cast<size_type>(memory_.max_slots()), layout::max_slots, false));
        } else {
            limits_.fail("the lent buffer is too small for a ring of one; the pool has capacity 0");
        }
        start();
    }

    /// Steals the memory: objects stay where they are, handles and leases go on to work with the new pool. The source has
    /// capacity 0.
    ring_pool(ring_pool&& other) noexcept
        requires memory::movable
        : limits_(other.limits_) {
        steal(other);
    }
    ring_pool& operator=(ring_pool&& other) noexcept
        requires memory::movable
    {
        if (this != &other) {
            expect_unmoved();
            close_down();
            steal(other);
        }
        return *this;
    }

    /// Ends every object, or what settings.leaks says.
    ~ring_pool() { close_down(); }

    /// How large a lent buffer must be for a capacity of `slots`.
    [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t slots) noexcept
        requires(requires { memory::bytes_for(std::size_t{}); })
    {
        return memory::bytes_for(slots);
    }

    // --- acquire and release -----------------------------------------------------------------------------------------------
    //
    // acquire and its kin are in parts/surface.hpp. It builds the newest object, and ends the oldest where the ring is closed (on_evict is
    // called before), whatever the request says of itself. Never refused while the pool has capacity: only once handles of few bits
    // have worn all of its slots out. O(1); after a hole was left at the old end O(its length / 64). Invalidates: the oldest object.
    // Of an acquire_n of more than capacity() the first handles are stale at the end.

    /// Ends the life that the handle names. False, counted and reported, when it has ended before or never was. Ending the newest or
    /// the oldest closes the gap to the next that lives: O(its length / 64). Invalidates: the object.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled();
        const std::uint32_t slot = handle.index();
        if (!contains(handle)) [[unlikely]]
            return this->bad_release(handle);
        end_life(slot);
        return true;
    }

    /// Ends the life of an object of this pool.
    LIDO_ENTRY bool release(const T& object) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled();
        const std::uint32_t slot = slot_of(object);
        if (slot == detail::no_slot) [[unlikely]]
            return this->bad_release_at(place_of(object));
        end_life(slot);
        return true;
    }

    /// Ends every object that `gone(T&)` accepts, each asked once, the oldest first. Pre: `gone` does not change the pool.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled();
        size_type done = 0;
        const std::uint32_t stop = last_live();
        for (std::uint32_t slot = first_live(); slot != detail::no_slot; slot = live_after(slot, stop)) {
            const std::uint64_t before = changes();
            const bool ends = gone(*object_at(slot));
            LIDO_ASSERT(changes() == before, "release_if: the predicate changed the pool");
            static_cast<void>(before);
            if (!ends || !lives_at(slot)) continue;
            end_life(slot);
            ++done;
        }
        return done;
    }

    /// Ends every life; no handle survives it. Complexity: O(capacity).
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled();
        leases_.drop_all();
        static_cast<void>(release_if([](const T&) { return true; }));
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// The same without a report: for handles of objects that may well be gone.
    [[nodiscard]] LIDO_INLINE T* try_get(handle_type handle) noexcept {
        return contains(handle) ? object_at(handle.index()) : nullptr;
    }
    [[nodiscard]] LIDO_INLINE const T* try_get(handle_type handle) const noexcept {
        return contains(handle) ? object_at(handle.index()) : nullptr;
    }

    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept {
        const std::uint32_t slot = handle.index();
        const std::uint32_t life = handle.generation();
        return slot < slots() && (life & 1) != 0 && generations()[slot] == life;
    }

    /// The handle of a live object of this pool; null for any other object.
    [[nodiscard]] handle_type handle_of(const T& object) const noexcept {
        const std::uint32_t slot = slot_of(object);
        return slot != detail::no_slot ? handle_at(slot) : handle_type{};
    }

    /// The object acquired first of those that live, or the nth after it; nullptr when there are not so many.
    /// Complexity: O(1) without holes, else O(capacity / 64).
    [[nodiscard]] T* oldest(size_type nth = 0) noexcept { return nth < size() ? object_at(aged(nth)) : nullptr; }
    [[nodiscard]] const T* oldest(size_type nth = 0) const noexcept {
        return nth < size() ? object_at(aged(nth)) : nullptr;
    }

    /// The object acquired last of those that live, or the nth before it.
    [[nodiscard]] T* newest(size_type nth = 0) noexcept {
        return nth < size() ? object_at(aged(size() - 1 - nth)) : nullptr;
    }
    [[nodiscard]] const T* newest(size_type nth = 0) const noexcept {
        return nth < size() ? object_at(aged(size() - 1 - nth)) : nullptr;
    }

    [[nodiscard]] size_type size() const noexcept { return state_.size; }
    [[nodiscard]] bool empty() const noexcept { return state_.size == 0; }
    [[nodiscard]] size_type capacity() const noexcept { return state_.capacity; }
    [[nodiscard]] size_type max_capacity() const noexcept { return state_.capacity; }

    /// True when the next acquire ends the oldest: when holes are left, before size() has reached capacity().
    [[nodiscard]] bool full() const noexcept {
        return state_.retired >= state_.capacity || lives_at(following(state_.next));
    }

    [[nodiscard]] const settings_type& settings() const noexcept { return limits_.settings(); }

    // --- iteration, from the oldest to the newest --------------------------------------------------------------------------
    //
    // While iterating, releasing the object one is at is allowed, and acquiring too: what is acquired is not visited, unless it
    // went on as far as to take the slot of an object that was not visited yet.

    [[nodiscard]] iterator begin() noexcept { return iterator(this); }
    [[nodiscard]] iterator end() noexcept { return {}; }
    [[nodiscard]] const_iterator begin() const noexcept { return const_iterator(this); }
    [[nodiscard]] const_iterator end() const noexcept { return {}; }

    /// From the newest to the oldest.
    [[nodiscard]] auto backward() noexcept { return detail::place_range<ring_pool, T, false, true>(this); }
    [[nodiscard]] auto backward() const noexcept {
        return detail::place_range<const ring_pool, const T, false, true>(this);
    }

    /// Handle and object at once: `for (auto [handle, object] : pool.each())`.
    [[nodiscard]] auto each() noexcept { return detail::place_range<ring_pool, T, true>(this); }
    [[nodiscard]] auto each() const noexcept { return detail::place_range<const ring_pool, const T, true>(this); }

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
    bool prepare(size_type count) noexcept { return count <= state_.capacity; }

    /// Gives nothing back: a ring comes round to every slot.
    std::size_t trim() noexcept { return 0; }

    [[nodiscard]] pool_stats stats() const noexcept {
        pool_stats s = detail::stats_of(shape, state_, size(), state_.capacity);
        s.bytes = memory_.bytes();
        s.bookkeeping_per_slot = layout::bookkeeping(state_.capacity);
        return s;
    }

    /// Checks every numbered invariant. Complexity: O(capacity).
    [[nodiscard]] verdict validate() const noexcept {
        size_type live = 0;
        size_type retired = 0;
        for (std::uint32_t s = 0; s < slots(); ++s) {
            if (((generations()[s] & 1) != 0) != lives_at(s)) return {"RG1: a generation and the map disagree"};
            live += lives_at(s) ? 1u : 0u;
            retired += worn(s) ? 1u : 0u;
        }
        if (live != size()) return {"RG1: size and live slots differ"};
        if (retired != state_.retired) return {"RG4: the count of retired slots is wrong"};
        if (live > state_.capacity) return {"RG1: more objects than the capacity"};
        if (slots() == 0) return {};
        if (state_.next >= slots() || state_.oldest >= slots() || state_.newest >= slots()) {
            return {"RG2: an end of the ring is not a slot"};
        }
        if (live != 0) {
            if (!lives_at(state_.oldest) || !lives_at(state_.newest)) return {"RG2: an end of the ring does not live"};
            if (count_live(state_.oldest, state_.newest) != live)
                return {"RG2: an object lies outside of the ring's ends"};
        }
        if (state_.retired < state_.capacity) {
            if (lives_at(state_.next) || worn(state_.next)) return {"RG3: the next slot is taken"};
            if (live != 0 && following(state_.newest) != state_.next) return {"RG3: the next slot does not follow"};
        }
        return {};
    }

private:
    // What the surface asks for (parts/surface.hpp).
    friend surface;
    friend detail::holder_surface<ring_pool>;
    [[nodiscard]] LIDO_INLINE auto& limits() noexcept { return limits_; }
    [[nodiscard]] LIDO_INLINE const auto& limits() const noexcept { return limits_; }
    [[nodiscard]] LIDO_INLINE auto& book() noexcept { return diary_; }
    [[nodiscard]] LIDO_INLINE const auto& book() const noexcept { return diary_; }
    [[nodiscard]] pool_counters& counters() noexcept { return state_.counters; }
    [[nodiscard]] auto& leases() noexcept { return leases_; }
    using surface::refuse;

    friend struct detail::ring_rewind;
    template <class, class, bool, bool>
    friend class detail::place_iterator;

    /// All that a save must bring back, beside generations and objects. Trivially copyable.
    struct state {
        size_type size = 0;
        std::uint32_t oldest = 0;  ///< slots; of no meaning while nothing lives
        std::uint32_t newest = 0;
        std::uint32_t next = 0;
        size_type retired = 0;
        size_type capacity = 0;
        size_type peak = 0;
        std::uint64_t acquired = 0;
        pool_counters counters;
    };
    static_assert(std::is_trivially_copyable_v<state>);

    /// on_full cannot choose anything here: the default is taken as nothing said, the rest is told.
    [[nodiscard]] static settings_type always_replaces(settings_type settings) noexcept {
        if (settings.on_full != on_full::reject && settings.on_full != on_full::replace_oldest) {
            report_misuse({.kind = misuse_kind::bad_setting,
                           .pool = settings.name,
                           .what = "a ring_pool always replaces the oldest, and does"});
        }
        settings.on_full = on_full::reject;
        return settings;
    }

    [[nodiscard]] std::uint32_t slots() const noexcept { return state_.capacity != 0 ? state_.capacity + 1 : 0; }
    [[nodiscard]] LIDO_INLINE T* object_at(std::uint32_t slot) const noexcept {
        return reinterpret_cast<T*>(memory_.template array<detail::ring_values>()) + slot;
    }
    [[nodiscard]] LIDO_INLINE generation* generations() const noexcept {
        return reinterpret_cast<generation*>(memory_.template array<detail::ring_generations>());
    }
    [[nodiscard]] detail::map_word* occupied() const noexcept {
        return reinterpret_cast<detail::map_word*>(memory_.template array<detail::ring_occupied>());
    }
    [[nodiscard]] bool lives_at(std::uint32_t slot) const noexcept {
        return slot < slots() && detail::test(occupied(), slot);
    }
    [[nodiscard]] handle_type handle_at(std::uint32_t slot) const noexcept {
        return handle_type::of(slot, generations()[slot]);
    }
    [[nodiscard]] bool worn(std::uint32_t slot) const noexcept {
        return Options.generations == generation_rule::retire && generations()[slot] == handle_type::last_generation;
    }
    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.acquired * 2 - state_.size; }

    // Asked where the ring is entered: an element's own constructor and destructor must not change it. They may read it: what they
    // are about does not count yet, or no longer.
    using half_way = detail::half_way;
    void expect_settled() const noexcept {
        LIDO_ASSERT(!limits_.now().is(half_way::builds),
                    "ring_pool: an element's constructor changed the ring it is built in");
        LIDO_ASSERT(!limits_.now().is(half_way::ends),
                    "ring_pool: an element's destructor changed the ring it lives in");
    }
    void expect_unmoved() const noexcept {
        expect_settled();
        LIDO_VERIFY(!limits_.now().is(half_way::calls_back),
                    "ring_pool: the pool was moved from inside of its own callback");
    }

    /// Where the object lies, alive or not; no_slot for one from elsewhere.
    [[nodiscard]] std::uint32_t place_of(const T& object) const noexcept {
        const auto first = reinterpret_cast<std::uintptr_t>(memory_.template array<detail::ring_values>());
        const auto at = reinterpret_cast<std::uintptr_t>(std::addressof(object));
        if (first == 0 || at < first || (at - first) % sizeof(T) != 0) return detail::no_slot;
        const std::size_t slot = (at - first) / sizeof(T);
        return slot < slots() ? static_cast<std::uint32_t>(slot) : detail::no_slot;
    }
    [[nodiscard]] std::uint32_t slot_of(const T& object) const noexcept {
        const std::uint32_t slot = place_of(object);
        return slot != detail::no_slot && lives_at(slot) ? slot : detail::no_slot;
    }
    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const noexcept {
        return slot < slots() ? generations()[slot] : 0u;
    }

    /// Opens every slot, or closes those that hold no object.
    void guard_slots(bool closed) noexcept {
        if (!detail::guarded() || slots() == 0) return;
        if (!closed) detail::open_up(object_at(0), slots() * sizeof(T));
        for (std::uint32_t slot = 0; closed && slot < slots(); ++slot) {
            if (!lives_at(slot)) detail::close_off(object_at(slot), sizeof(T));
        }
    }

    // --- round the ring ----------------------------------------------------------------------------------------------------

    /// The first slot after this one that is not retired; this one, when there is no other.
    [[nodiscard]] std::uint32_t following(std::uint32_t slot) const noexcept {
        std::uint32_t at = slot;
        do {
            at = at + 1 >= slots() ? 0 : at + 1;
        } while (worn(at) && at != slot);
        return at;
    }

    [[nodiscard]] std::uint32_t first_live() const noexcept { return size() != 0 ? state_.oldest : detail::no_slot; }
    [[nodiscard]] std::uint32_t last_live() const noexcept { return size() != 0 ? state_.newest : detail::no_slot; }

    /// The next slot in which something lives, on the way round to `stop` and with it; no_slot when there is none.
    [[nodiscard]] std::uint32_t live_after(std::uint32_t slot, std::uint32_t stop) const noexcept {
        if (slot == stop) return detail::no_slot;
        if (slot < stop) return detail::first_set(occupied(), slot + 1, stop + 1);
        const std::uint32_t found = detail::first_set(occupied(), slot + 1, slots());
        return found != detail::no_slot ? found : detail::first_set(occupied(), 0, stop + 1);
    }
    [[nodiscard]] std::uint32_t live_before(std::uint32_t slot, std::uint32_t stop) const noexcept {
        if (slot == stop) return detail::no_slot;
        if (slot > stop) return detail::last_set(occupied(), stop, slot);
        const std::uint32_t found = detail::last_set(occupied(), 0, slot);
        return found != detail::no_slot ? found : detail::last_set(occupied(), stop, slots());
    }

    [[nodiscard]] size_type count_live(std::uint32_t from, std::uint32_t to) const noexcept {
        if (from <= to) return detail::count_set(occupied(), from, to + 1);
        return detail::count_set(occupied(), from, slots()) + detail::count_set(occupied(), 0, to + 1);
    }

    /// Slots from the oldest to the newest, holes included. Pre: something lives.
    [[nodiscard]] size_type span_length() const noexcept {
        return (state_.newest >= state_.oldest ? 0 : slots()) + state_.newest - state_.oldest + 1;
    }

    /// The slot of the nth oldest. Pre: nth < size().
    [[nodiscard]] std::uint32_t aged(size_type nth) const noexcept {
        if (span_length() == size()) {
            const std::uint32_t slot = state_.oldest + nth;
            return slot >= slots() ? slot - slots() : slot;
        }
        const size_type to_the_end = detail::count_set(occupied(), state_.oldest, slots());
        return nth < to_the_end ? detail::nth_set(occupied(), state_.oldest, nth)
                                : detail::nth_set(occupied(), 0, nth - to_the_end);
    }

    // --- lives -------------------------------------------------------------------------------------------------------------

    void start() noexcept {
        state_.capacity = limits_.first_capacity();
        limits_.begin();
        diary_.open(this->name(), &detail::handle_kind<handle_type>);
        guard_slots(true);
    }

    void close_down() noexcept {
        leases_.drop_all();
        if (detail::check_leaks(diary_, settings(), size(), [this](auto&& f) {
                for (auto [handle, object] : each()) f(handle.index(), handle.generation());
            })) {
            destroy_all();
        }
        guard_slots(false);
    }

    void steal(ring_pool& other) noexcept {
        other.expect_unmoved();
        memory_ = std::move(other.memory_);
        state_ = std::exchange(other.state_, state{});
        limits_ = other.limits_;
        other.limits_.close();
        leases_.adopt(other.leases_, *this);
        diary_.take(other.diary_);
    }

    template <class... Args>
    acquired_type take(request, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        expect_settled();
        if (limits_.evicting()) [[unlikely]]
            return refuse(refusal::reentrant);
        if (state_.retired >= state_.capacity) [[unlikely]]
            return refuse(refusal::full);
        const std::uint32_t slot = state_.next;
        T* object = nullptr;
        {
            const half_way::quick_scope now(limits_.now(), half_way::builds);
            detail::open_up(object_at(slot), sizeof(T));
            object = detail::construct<T>(object_at(slot), std::forward<Args>(args)...);
        }
        if (lives_at(following(slot))) make_room(slot);
        return go_live(object, slot);
    }

    /// Ends the oldest until the slot after `built` is free: one, unless its slot was at its last generation.
    LIDO_NOINLINE void make_room(std::uint32_t built) noexcept {
        for (std::uint32_t slot = following(built); lives_at(slot); slot = following(built)) {
            const handle_type handle = handle_at(slot);
            limits_.announce(handle, *object_at(slot));
            if (contains(handle)) end_oldest(slot);
            ++state_.counters.replaced;
        }
    }

    acquired_type go_live(T* object, std::uint32_t slot) noexcept {
        ++generations()[slot];
        detail::set(occupied(), slot);
        if (state_.size == 0) state_.oldest = slot;
        state_.newest = slot;
        ++state_.size;
        ++state_.acquired;
        state_.peak = (std::max)(state_.peak, state_.size);
        state_.next = following(slot);
        diary_.begin(slot, generations()[slot]);
        return {object, handle_at(slot)};
    }

    // A life ends in three steps: the slot is free, the ends of the ring are at others, the destructor runs. So the ring is whole
    // while it runs.

    void free_slot(std::uint32_t slot) noexcept {
        diary_.end(slot, generations()[slot]);
        --state_.size;
        detail::clear(occupied(), slot);
        const auto life = static_cast<generation>(generations()[slot] + 1);
        generations()[slot] = life;
        if (life == handle_type::last_generation) [[unlikely]]
            wear_out(slot);
    }

    void destroy_at(std::uint32_t slot) noexcept {
        {
            const half_way::quick_scope now(limits_.now(), half_way::ends);
            detail::destroy(object_at(slot));
        }
        detail::bury(object_at(slot), sizeof(T));
    }

    void end_oldest(std::uint32_t slot) noexcept {
        const std::uint32_t after = live_after(slot, state_.newest);
        free_slot(slot);
        if (after != detail::no_slot) state_.oldest = after;
        destroy_at(slot);
    }

    void end_life(std::uint32_t slot) noexcept {
        if (slot == state_.newest) {
            const std::uint32_t before = live_before(slot, state_.oldest);
            free_slot(slot);
            if (before != detail::no_slot) {
                state_.newest = before;
                state_.next = following(before);
            }
            destroy_at(slot);
        } else if (slot == state_.oldest) {
            end_oldest(slot);
        } else {
            free_slot(slot);
            destroy_at(slot);
        }
    }

    void wear_out(std::uint32_t slot) noexcept {
        if (!detail::reuse_worn_slot<Options.generations>(limits_, [&] { generations()[slot] = 0; })) ++state_.retired;
    }

    /// Before a restore, or at the end of the pool. Each object no longer counts when its destructor runs. What is set here does not
    /// last, so nobody is told of a slot that is worn out.
    void destroy_all() noexcept {
        if constexpr (!std::is_trivially_destructible_v<T>) {
            const half_way::scope now(limits_.now(), half_way::ends);
            while (state_.size != 0) {
                const std::uint32_t slot = state_.oldest;
                const std::uint32_t after = live_after(slot, state_.newest);
                if (after != detail::no_slot) state_.oldest = after;
                --state_.size;
                detail::clear(occupied(), slot);
                auto& life = generations()[slot];
                life = static_cast<generation>(life + 1);
                if (worn(slot)) {
                    ++state_.retired;
                } else if (life == handle_type::last_generation) {
                    life = 0;
                }
                detail::destroy(object_at(slot));
            }
        }
    }

    state state_;
    memory memory_;
    detail::exhaustion<T, handle_type, Options> limits_;
    lease_list<ring_pool> leases_;
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
};

template <class T, options Options, class Storage, class Tag>
inline constexpr bool detail::replaces_always<ring_pool<T, Options, Storage, Tag>> = true;

/// The same inside the object itself: no allocation, ever.
template <class T, std::size_t N, options Options = options{}, class Tag = void>
using inline_ring_pool = ring_pool<T, Options, inline_storage<N>, Tag>;

}  // namespace lido
