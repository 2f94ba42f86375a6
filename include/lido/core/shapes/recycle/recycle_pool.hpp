// recycle_pool: objects stay constructed between lives and keep the memory they own. For objects that are dear to build.
//
//                acquire: pop the idle one released last         acquire, nothing idle: construct
//        +----------------------------------------+      +-----------------------------------+
//        v                                        |      |                                   |
//     active  --- release, idle < idle_cap --->  idle  <-+- prewarm, adopt ---------------  vacant
//        |                                        |                                          ^
//        +------ release, idle == idle_cap -------+---- trim ----- (destroy) ----------------+
//
//   values, generations, occupied   as in slot_pool: a set bit is an active slot, and walks go by them
//   held, built, idle               recycle_layout.hpp; 8.4 bytes of bookkeeping a slot in all (6.4 with short handles)
//
// The fast paths are here. What every shape does in the same words is in parts/surface.hpp; what is rare has a room of its own, here or,
// where slot_pool has the same, in parts/slots (*):
//
//   recycle_state       all that a save must bring back    recycle_objects      one object: begun, built, put to sleep, destroyed
//   recycle_taking      acquire when nothing is idle       recycle_ending       objects that may not wait; the end of the pool
//   recycle_replacing   acquire when the pool is full      recycle_idle         prewarm, adopt, trim
//   recycle_reserving   acquire under a given handle       recycle_validation   validate()
//   recycle_rewind      save, restore and hash             hooks                what is done to an object, by whom
//   slot_guard *        memory: made ready, given back     slot_pass *          for_each
//   parts/worn_slot     a slot that is worn out            reset_check          what leaked from the last life
//
// RC1. generation[s] is odd exactly while slot s is active, and then its occupied bit is set.
// RC2. A slot below used() is active, or idle (in the idle stack, once), or vacant; held bits are the active and idle ones.
// RC3. built bits are the slots in which an object exists: all active ones, no vacant one. Of the idle ones, hollow_ have none:
//      a restore brings back the order of idle slots, which decides the handles to come, but makes no objects. The next acquire
//      or prewarm does.
// RC4. size == lives begun - lives ended == occupied bits; size + retired <= capacity <= slots.
// RC5. retired counts the slots whose generation is the last one (rule retire).
// Between the start of an acquire or release and its end, where hooks of T run, a slot may be held and neither active nor idle.
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
#include <lido/core/checks/poison.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/parts/age_order.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/lease.hpp>
#include <lido/core/parts/slots/slot_guard.hpp>
#include <lido/core/parts/slots/slot_iterator.hpp>
#include <lido/core/parts/slots/slot_pass.hpp>
#include <lido/core/parts/surface.hpp>
#include <lido/core/parts/worn_slot.hpp>
#include <lido/core/shapes/recycle/hooks.hpp>
#include <lido/core/shapes/recycle/recycle_ending.hpp>
#include <lido/core/shapes/recycle/recycle_idle.hpp>
#include <lido/core/shapes/recycle/recycle_layout.hpp>
#include <lido/core/shapes/recycle/recycle_objects.hpp>
#include <lido/core/shapes/recycle/recycle_replacing.hpp>
#include <lido/core/shapes/recycle/recycle_reserving.hpp>
#include <lido/core/shapes/recycle/recycle_rewind.hpp>
#include <lido/core/shapes/recycle/recycle_settings.hpp>
#include <lido/core/shapes/recycle/recycle_state.hpp>
#include <lido/core/shapes/recycle/recycle_taking.hpp>
#include <lido/core/shapes/recycle/recycle_validation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace lido {

namespace detail {

/// An idle object begins a life from other arguments than a constructor's (recycle/hooks.hpp), and a hook may throw.
template <class T, class Handle, options Options>
struct recycled_types : object_types<T, Handle, Options> {
    template <class... Args>
    static constexpr bool accepts = recyclable<T, Args...>;
    template <class... Args>
    [[nodiscard]] static consteval bool nothrow() noexcept {
        return false;
    }

    static constexpr bool explains = true;
    template <class... Args>
    static void explain() {
        static_assert(
            recyclable<T, Args...>,
            "lido: an idle object cannot begin a life from these arguments: give the element "
            "`void on_acquire(args…)`, which sets it up anew and keeps the memory it owns, or acquire() without "
            "arguments and set its fields");
    }
};

}  // namespace detail

/// Threads: a pool belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: hooks, constructors and destructors may acquire from and release to the pool they live in, except during a restore
/// (builds with checks stop).
template <class T, options Options = options{}, class Storage = reserved_storage, class Tag = void>
class recycle_pool : public detail::pool_surface<
                         recycle_pool<T, Options, Storage, Tag>,
                         detail::recycled_types<T, typename detail::handle_for<T, Options, Tag>::type, Options>> {
    using surface = typename recycle_pool::pool_surface;
    using layout = detail::recycle_layout<T, Options, Tag>;
    using memory = typename Storage::template memory<layout>;
    using generation = typename layout::generation;
    using maps_type = detail::slot_maps<generation>;
    using diary_type = detail::diary<Options.forensics>;
    using hooks_type = detail::recycle_hooks<T, typename layout::handle_type>;

    static constexpr bool tracks = Options.tracks != track::nothing;

    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(std::is_object_v<T> && !std::is_const_v<T> && !std::is_array_v<T>,
                  "lido: a pool holds objects of a non-const, non-array type");
    static_assert(std::is_nothrow_destructible_v<T>,
                  "lido: the element's destructor must not throw, or a release could leave a slot half ended");
    static_assert(Options.generations != generation_rule::none,
                  "lido: only flag_pool works without generations; recycle_pool needs them to tell stale handles");
    static_assert(Options.order == reuse::recent,
                  "lido: recycle_pool always takes the idle object released last, so it has no reuse order to choose");
    static_assert(
        Options.reuse_delay == 0,
        "lido: recycle_pool always takes the idle object released last; reuse_delay needs slot_pool or dense_pool");
    static_assert(!Options.mark_changes,
                  "lido: lido::history copies elements as bytes, and recycle_pool is for elements that own memory: use "
                  "lido::rewind, or slot_pool with mark_changes");

public:
    using value_type = T;
    using handle_type = typename layout::handle_type;
    using acquired_type = acquired<T, handle_type>;
    using lease_type = lido::lease<recycle_pool>;
    using settings_type = recycle_settings<T, handle_type>;
    using size_type = std::uint32_t;
    using reference = T&;
    using const_reference = const T&;
    using pointer = T*;
    using const_pointer = const T*;
    using iterator = detail::slot_iterator<recycle_pool, T, detail::slot_gives_object>;
    using const_iterator = detail::slot_iterator<const recycle_pool, const T, detail::slot_gives_object>;

    using rewind_with = detail::recycle_rewind;

    static constexpr options pool_options = Options;
    static constexpr const char* shape = "recycle_pool";
    static constexpr bool stable_addresses = true;
    static constexpr bool can_grow = memory::grows;

    // --- building ----------------------------------------------------------------------------------------------------------

    /// Room for `capacity` active objects, for settings.idle_cap idle ones where that is more, and for growth where the settings ask
    /// for it. When the memory cannot be had, the pool has capacity 0, refuses every acquire, and has said so through the misuse
    /// handler.
    explicit recycle_pool(slot_count capacity, settings_type settings = {})
        requires(memory::fixed_slots == 0 && requires(memory m) { m.open(std::size_t{}, std::size_t{}); })
        : limits_(settings.limits()), objects_(settings) {
        size_type most = limits_.plan(capacity, handle_type::max_slots, can_grow);
        if (settings.idle_cap != settings_type::no_idle_cap) {
            idle_slots_ = (std::min)(settings.idle_cap, handle_type::max_slots);
            most = (std::max)(most, idle_slots_);
        }
        if (!memory_.open(can_grow ? 0 : most, most)) {
            limits_.fail("the memory for the asked capacity could not be had; the pool has capacity 0");
            idle_slots_ = 0;
        }
        start();
    }

    /// Inside the pool object itself: the storage's N slots are capacity and idle cap in one.
    explicit recycle_pool(settings_type settings = {})
        requires(memory::fixed_slots != 0)
        : limits_(settings.limits()), objects_(settings) {
        static_assert(memory::fixed_slots <= handle_type::max_slots,
                      "lido: the handle's index bits cannot name that many slots");
        static_cast<void>(limits_.plan(static_cast<size_type>(memory::fixed_slots), handle_type::max_slots, false));
        start();
    }

    /// On memory the caller lends: as many slots as fit (`bytes_for` tells how much that takes).
    explicit recycle_pool(std::span<std::byte> buffer, settings_type settings = {})
        requires(requires(memory m) { m.open(std::span<std::byte>{}, std::size_t{}); })
        : limits_(settings.limits()), objects_(settings) {
        if (memory_.open(buffer, handle_type::max_slots)) {
            static_cast<void>(limits_.plan(static_cast<size_type>(memory_.max_slots()), handle_type::max_slots, false));
        } else {
            limits_.fail("the lent buffer is too small for one slot; the pool has capacity 0");
        }
        start();
    }

    /// Steals the memory: objects stay where they are, handles and leases go on to work with the new pool. The source has
    /// capacity 0.
    recycle_pool(recycle_pool&& other) noexcept
        requires memory::movable
        : limits_(other.limits_), objects_(other.objects_) {
        steal(other);
    }
    recycle_pool& operator=(recycle_pool&& other) noexcept
        requires memory::movable
    {
        if (this != &other) {
            close_down();
            steal(other);
        }
        return *this;
    }

    /// Ends every life and destroys every object, active and idle; or what settings.leaks says.
    ~recycle_pool() { close_down(); }

    /// How large a lent buffer must be for `slots` slots.
    [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t slots) noexcept
        requires(requires { memory::bytes_for(std::size_t{}); })
    {
        return memory::bytes_for(slots);
    }

    // --- acquire and release -----------------------------------------------------------------------------------------------
    //
    // acquire and its kin are in parts/surface.hpp. It begins a life of the idle object released last, else of a new one; what the
    // arguments do is in shapes/recycle/hooks.hpp. When a constructor or hook throws, a new object is destroyed and an idle one stays
    // idle, with the content that the hook left. Invalidates: nothing.

    /// Begins a life under exactly this handle, for ids chosen elsewhere (a server, a save). Refused when the slot is taken, when it
    /// has had that generation or a later one (an old handle would alias), or when it is out of range.
    /// Complexity: O(idle objects), to take one out of the middle of the stack.
    template <class... Args>
        requires detail::recyclable<T, Args...>
    LIDO_ENTRY acquired_type reserve(handle_type handle, Args&&... args) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return detail::recycle_reserving::reserve<Args...>(*this, handle, args...);
    }

    /// Ends the life that the handle names; the object waits for the next one. False, counted and reported, when it has ended before
    /// or never was. Complexity: O(1). Invalidates: the object.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        if (!contains(handle)) [[unlikely]]
            return this->bad_release(handle);
        end_life(handle.index(), handle.generation());
        return true;
    }

    /// Ends the life of an object of this pool.
    LIDO_ENTRY bool release(const T& object) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        const handle_type handle = handle_of(object);
        if (!handle) [[unlikely]]
            return this->bad_release_at(detail::slot_of_address(values(), std::addressof(object), used()));
        end_life(handle.index(), handle.generation());
        return true;
    }

    /// The same for callers that have just found the life in this pool. Pre: contains(handle).
    LIDO_INLINE void release_found(handle_type handle) noexcept {
        LIDO_ASSERT(contains(handle), "release_found: the handle names no life of this pool");
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        end_life(handle.index(), handle.generation());
    }

    /// Ends every object that `gone(T&)` accepts: the one way to remove during a pass that needs no rules. Visits each once, in slot
    /// order. Pre: `gone` does not change the pool.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        size_type done = 0;
        for (std::size_t w = 0; w < detail::words_for(used()); ++w) {
            for (detail::map_word left = occupied()[w]; left != 0; left &= left - 1) {
                const auto slot = static_cast<std::uint32_t>(w * 64 + detail::lowest(left));
                if (!detail::test(occupied(), slot)) continue;  // a hook has ended it
                const std::uint64_t before = changes();
                const bool ends = gone(*at(slot));
                LIDO_ASSERT(changes() == before, "release_if: the predicate changed the pool");
                static_cast<void>(before);
                if (!ends) continue;
                end_life(slot, generations()[slot]);
                ++done;
            }
        }
        return done;
    }

    /// Ends every life; no handle survives it. The objects wait, as after a release of each from the last slot to the first.
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        leases_.drop_all();
        detail::recycle_ending::end_all(*this);
        if (empty()) state_.ages.reset();
    }

    // --- idle objects ------------------------------------------------------------------------------------------------------

    /// Objects that wait.
    [[nodiscard]] size_type idle() const noexcept { return state_.idle - hollow_; }
    /// Slots that wait, with an object or, after a restore, without one yet. Part of the state, as idle() is not: what must be
    /// played again exactly goes by this.
    [[nodiscard]] size_type waiting() const noexcept { return state_.idle; }
    [[nodiscard]] size_type idle_cap() const noexcept { return objects_.settings().idle_cap; }

    /// Makes objects until `target` wait (or as many as may). Returns how many do.
    /// Throws: what making one throws; those made before stay.
    size_type prewarm(size_type target) {
        static_cast<void>(prewarm_while(target, [] { return true; }));
        return idle();
    }

    /// The same in slices: makes at most `most` now. Returns how many are left to make; 0 also when no more can be made.
    size_type prewarm_some(size_type target, size_type most) {
        return prewarm_while(target, [&most] { return most-- != 0; });
    }

    /// The same while `go_on()`, asked before each, says so: `[&] { return clock::now() < deadline; }`.
    /// Which handles come next depends on how many were made, so simulations that must agree slice by number, not by time.
    template <class GoOn>
    size_type prewarm_while(size_type target, GoOn&& go_on) {
        return detail::recycle_idle::make_while(*this, target, go_on);
    }

    /// An object made elsewhere joins the idle ones, and is the next to be acquired. False when as many wait as may.
    bool adopt(T&& object) noexcept {
        require_adoptable();
        return detail::recycle_idle::adopt(*this, std::move(object));
    }

    /// An object made elsewhere joins the active ones as it is: no hook is called. Grows a full pool where that is allowed, and is
    /// refused otherwise.
    LIDO_ENTRY acquired_type adopt_active(T&& object, request wish = {}) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        require_adoptable();
        return detail::recycle_idle::adopt_active(*this, std::move(object), wish);
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// The same without a report: for handles of objects that may well be gone.
    [[nodiscard]] LIDO_INLINE T* try_get(handle_type handle) noexcept {
        return contains(handle) ? at(handle.index()) : nullptr;
    }
    [[nodiscard]] LIDO_INLINE const T* try_get(handle_type handle) const noexcept {
        return contains(handle) ? at(handle.index()) : nullptr;
    }

    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept {
        const std::uint32_t slot = handle.index();
        const std::uint32_t life = handle.generation();
        // an even generation names no life, though a slot that is not active may hold it
        return slot < ready() && generations()[slot] == life && (life & 1) != 0;
    }

    /// The handle of an active object of this pool; null for any other object.
    [[nodiscard]] handle_type handle_of(const T& object) const noexcept {
        return handle_at_address(std::addressof(object));
    }
    /// The same by the address, which need not be that of a T at all.
    [[nodiscard]] handle_type handle_at_address(const void* object) const noexcept {
        const std::uint32_t slot = detail::slot_at_address<T>(values(), object, used());
        if (slot == detail::no_slot || !detail::test(occupied(), slot)) return {};
        return handle_at(slot);
    }

    /// The first active object, in slot order, for which `accepts(T&)` says yes; null when there is none. Unlike a loop over the pool,
    /// `accepts` may release any object, which is then not asked about, and acquire.
    template <class F>
    [[nodiscard]] handle_type find_if(F&& accepts) {
        const std::uint32_t slot = detail::recycle_replacing::first_active(*this, accepts);
        return slot != detail::no_slot ? handle_at(slot) : handle_type{};
    }

    /// Whom that rule would end to make room for this request; null for nobody. For who ends objects in a way of their own before
    /// they acquire.
    [[nodiscard]] handle_type victim_by(on_full rule, request wish = {}) const {
        const std::uint32_t slot = detail::recycle_replacing::choose_victim(*this, wish, rule);
        return slot != detail::no_slot ? handle_at(slot) : handle_type{};
    }
    /// The same among those that `may(const T&)` lets go.
    template <class May>
    [[nodiscard]] handle_type victim_by(on_full rule, request wish, May&& may) const {
        const std::uint32_t slot = detail::recycle_replacing::choose_victim_among(*this, wish, rule, may);
        return slot != detail::no_slot ? handle_at(slot) : handle_type{};
    }

    /// Reports the active objects as the end of the pool would (settings.leaks), for who ends them one by one.
    void report_active() const noexcept {
        static_cast<void>(detail::check_leaks(diary_, settings(), size(), active_lives()));
    }

    /// Whether fields of an element, or of a part of one, can be compared, and builds like this one do.
    template <class Part>
    static constexpr bool compares_resets = diary_type::kept && detail::compared_by_field<Part>;

    /// The reset check for who sets objects up after the acquire: reports the fields of an object that begins another life in which it
    /// differs from a fresh one that was set up alike. Pre: contains(handle); `now` is its object, or a part of it.
    template <class Part>
        requires compares_resets<Part>
    void tell_kept(handle_type handle, const Part& now, const Part& fresh) {
        if (!reports.resets.load(std::memory_order_relaxed)) return;
        [[maybe_unused]] const auto from = diary_.enter({});
        detail::text_line names;
        if (detail::name_differences(now, fresh, names))
            diary_.tell_kept(this->name(), handle.index(), handle.generation() - 2u, names.text());
    }

    /// Active objects.
    [[nodiscard]] size_type size() const noexcept { return state_.size; }
    [[nodiscard]] bool empty() const noexcept { return state_.size == 0; }

    /// The most objects that may be active now. Growth raises it, up to max_capacity().
    [[nodiscard]] size_type capacity() const noexcept { return state_.capacity; }
    [[nodiscard]] size_type max_capacity() const noexcept { return limits_.max_capacity(); }

    /// True when the next acquire must grow, replace or refuse.
    [[nodiscard]] LIDO_INLINE bool full() const noexcept { return taken() >= state_.capacity; }

    [[nodiscard]] const settings_type& settings() const noexcept { return objects_.settings(); }

    // --- iteration over the active objects, in slot order --------------------------------------------------------------------
    //
    // While iterating: releasing the object one is at is allowed; acquiring is allowed, and a new object may or may not be
    // visited; releasing another object is not (builds with checks stop at the visit), and neither is an acquire that replaces
    // one: use release_if.

    [[nodiscard]] iterator begin() noexcept { return iterator(this, 0); }
    [[nodiscard]] const_iterator begin() const noexcept { return const_iterator(this, 0); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

    /// Handle and object at once: `for (auto [handle, object] : pool.each())`.
    [[nodiscard]] auto each() noexcept { return detail::slot_range<recycle_pool, T>(this); }
    [[nodiscard]] auto each() const noexcept { return detail::slot_range<const recycle_pool, const T>(this); }

    /// Calls `f(object)` for each.
    template <class F>
    void for_each(F&& f) {
        detail::visit_slots<T>(
            values(), occupied(), [this] { return used(); }, [this](std::size_t word) { return live_in(word); }, f);
    }
    template <class F>
    void for_each(F&& f) const {
        detail::visit_slots<const T>(
            values(), occupied(), [this] { return used(); }, [this](std::size_t word) { return live_in(word); }, f);
    }

    // --- rewind (see rewind/save.hpp) --------------------------------------------------------------------------------------
    //
    // State is: the active objects, every generation, and which slots are idle in which order. Not state: the content of idle
    // objects and the memory they own. So a restore leaves an idle object where it is, destroys those that the saved state has no
    // slot for, and makes none. A life that it undoes ends as by release, hooks included; one that it brings back gets no
    // on_acquire: it is as it was.

    // --- memory ------------------------------------------------------------------------------------------------------------

    /// Gets the memory of the first `slots` slots now, without making objects in them. False when it cannot be had, or is more than
    /// the pool may have.
    bool prepare(size_type slots) noexcept { return slots <= most_slots() && make_ready(slots); }

    /// Destroys idle objects, those that wait longest first, until `keep_idle` are left; gives the whole pages past the last object
    /// back to the system, and takes growth back where it is not used. Returns the bytes of pages given back (what the objects
    /// owned is not in it). No object moves, and stale handles stay stale.
    std::size_t trim(size_type keep_idle = 0) noexcept { return detail::recycle_idle::trim(*this, keep_idle); }

    [[nodiscard]] pool_stats stats() const noexcept {
        pool_stats s = detail::stats_of(shape, state_, size(), limits_.max_capacity());
        s.idle = idle();
        s.created = state_.created;
        s.destroyed = state_.destroyed;
        s.reused = state_.acquired - state_.first_lives;
        s.idle_overflow = state_.idle_overflow;
        s.bytes = memory_.bytes();
        s.bookkeeping_per_slot = layout::bookkeeping(slots());
        return s;
    }

    /// Checks every numbered invariant. Complexity: O(slots). Pre: not called from a hook, constructor or destructor of T.
    [[nodiscard]] verdict validate() const noexcept { return {detail::recycle_validation::broken(*this)}; }

private:
    // What the surface asks for (parts/surface.hpp).
    friend surface;
    friend detail::holder_surface<recycle_pool>;
    [[nodiscard]] LIDO_INLINE auto& limits() noexcept { return limits_; }
    [[nodiscard]] LIDO_INLINE const auto& limits() const noexcept { return limits_; }
    [[nodiscard]] LIDO_INLINE auto& book() noexcept { return diary_; }
    [[nodiscard]] LIDO_INLINE const auto& book() const noexcept { return diary_; }
    [[nodiscard]] pool_counters& counters() noexcept { return state_.counters; }
    [[nodiscard]] auto& leases() noexcept { return leases_; }
    using surface::refuse;

    friend struct detail::recycle_ending;
    friend struct detail::recycle_idle;
    friend struct detail::recycle_objects;
    friend struct detail::recycle_replacing;
    friend struct detail::recycle_reserving;
    friend struct detail::recycle_rewind;
    friend struct detail::recycle_taking;
    friend struct detail::recycle_validation;
    template <class, class, class>
    friend class detail::slot_iterator;

    using state = detail::recycle_state<Options>;
    static_assert(std::is_trivially_copyable_v<state>);

    // --- where things are --------------------------------------------------------------------------------------------------

    [[nodiscard]] LIDO_INLINE std::byte* values() const noexcept { return memory_.template array<detail::at_values>(); }
    [[nodiscard]] LIDO_INLINE T* at(std::size_t slot) noexcept { return detail::slot_address<T>(values(), slot); }
    [[nodiscard]] LIDO_INLINE const T* at(std::size_t slot) const noexcept {
        return detail::slot_address<T>(values(), slot);
    }
    template <class U, std::size_t K>
    [[nodiscard]] LIDO_INLINE U* array() const noexcept {
        return reinterpret_cast<U*>(memory_.template array<K>());
    }
    [[nodiscard]] LIDO_INLINE generation* generations() const noexcept {
        return array<generation, detail::at_generations>();
    }
    [[nodiscard]] LIDO_INLINE detail::map_word* occupied() const noexcept {
        return array<detail::map_word, detail::at_occupied>();
    }
    [[nodiscard]] detail::map_word* held() const noexcept { return array<detail::map_word, detail::at_held>(); }
    [[nodiscard]] detail::map_word* built() const noexcept { return array<detail::map_word, detail::at_built>(); }
    [[nodiscard]] LIDO_INLINE std::uint32_t* stack() const noexcept { return array<std::uint32_t, detail::at_idle>(); }
    [[nodiscard]] detail::age_arrays aged() const noexcept {
        return {array<detail::age_links, detail::at_links>(), array<std::uint64_t, detail::at_birth>(),
                array<std::uint8_t, detail::at_priority>()};
    }

    /// As the search for vacant slots sees it: what is held is not to be had.
    [[nodiscard]] maps_type maps() const noexcept {
        return {held(),
                array<detail::map_word, detail::at_spare_first>(),
                array<detail::map_word, detail::at_spare_second>(),
                nullptr,
                nullptr,
                generations(),
                handle_type::last_generation,
                state_.retired != 0};
    }

    /// Slots whose memory may be touched.
    [[nodiscard]] LIDO_INLINE size_type ready() const noexcept {
        if constexpr (memory::fixed_slots != 0) {
            return static_cast<size_type>(memory::fixed_slots);
        } else {
            return ready_;
        }
    }
    [[nodiscard]] size_type used() const noexcept { return state_.finder.used(0); }
    /// Whether this pool keeps the order of ages: all of its type do, or its settings decide.
    [[nodiscard]] LIDO_INLINE bool ageing() const noexcept {
        if constexpr (Options.ages_by_setting) return tracks && objects_.settings().keep_ages;
        return tracks;
    }
    [[nodiscard]] LIDO_INLINE size_type taken() const noexcept { return state_.size + state_.retired; }
    [[nodiscard]] size_type slots() const noexcept { return (std::max)(state_.capacity, idle_slots_); }
    [[nodiscard]] size_type most_slots() const noexcept { return (std::max)(limits_.max_capacity(), idle_slots_); }
    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.changes(); }
    [[nodiscard]] LIDO_INLINE handle_type handle_at(std::uint32_t slot) const noexcept {
        return handle_type::of(slot, generations()[slot]);
    }

    /// For passes: an object that is being set up or put to rest is not in the map.
    [[nodiscard]] LIDO_INLINE detail::map_word live_in(std::size_t word) const noexcept { return occupied()[word]; }

    /// slot_iterator's word for mark_changes, which this shape does not have.
    LIDO_INLINE void touch(std::size_t) noexcept {}

    static void require_adoptable() noexcept {
        static_assert(std::is_nothrow_move_constructible_v<T>,
                      "lido: adopt moves the object into the pool, which must not fail: make the element's move "
                      "constructor noexcept, or let settings.create make the objects in place");
    }

    void start() noexcept {
        state_.capacity = limits_.first_capacity();
        state_.ages_kept = Options.ages_by_setting && ageing();
        ready_ = static_cast<size_type>(memory_.ready());
        limits_.begin();
        diary_.open(this->name(), &detail::handle_kind<handle_type>);
        detail::slot_guard<T>::close(values(), 0, ready());
    }

    /// For check_leaks.
    [[nodiscard]] auto active_lives() const noexcept {
        return [this](auto&& f) {
            for (auto [handle, object] : each()) f(handle.index(), handle.generation());
        };
    }

    void close_down() noexcept {
        leases_.drop_all();
        if (detail::check_leaks(diary_, settings(), size(), active_lives())) {
            detail::recycle_ending::destroy_all(*this);
        }
        detail::slot_guard<T>::open_as_is(values(), 0, ready());
    }

    void steal(recycle_pool& other) noexcept {
        LIDO_VERIFY(other.inside_ == 0 && !other.limits_.evicting() && inside_ == 0, detail::moved_from_inside);
        memory_ = std::move(other.memory_);
        state_ = std::exchange(other.state_, state{});
        limits_ = other.limits_;
        other.limits_.close();
        objects_ = other.objects_;
        ready_ = std::exchange(other.ready_, 0);
        hollow_ = std::exchange(other.hollow_, 0);
        idle_slots_ = std::exchange(other.idle_slots_, 0);
        leases_.adopt(other.leases_, *this);
        diary_.take(other.diary_);
    }

    // --- acquire -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] bool make_ready(size_type slots) noexcept {
        // Written out for the inside of an object, where all slots are always ready: GCC inlines less otherwise.
        if constexpr (memory::fixed_slots != 0) return slots <= memory::fixed_slots;
        return detail::slot_guard<T>::make_ready(memory_, ready_, slots);
    }

    [[nodiscard]] bool grow() noexcept {
        if (!limits_.grows_from(state_.capacity)) return false;
        state_.capacity = limits_.grown(state_.capacity, 0);
        ++state_.counters.grown;
        return true;
    }

    template <class... Args>
    LIDO_INLINE acquired_type take(request wish, Args&&... args) {
        if (const refusal why = limits_.kept_from(wish, size()); why != refusal::none) [[unlikely]]
            return refuse(why);
        if (state_.idle == 0 || hollow_ != 0 || full()) [[unlikely]]
            return detail::recycle_taking::acquire<Args...>(*this, wish, args...);
        return wake(stack()[--state_.idle], wish, std::forward<Args>(args)...);
    }

    /// A life of an idle object that is there. `slot` has just been popped.
    template <class... Args>
    LIDO_INLINE acquired_type wake(std::uint32_t slot, request wish, Args&&... args) {
        T* object = nullptr;
        LIDO_TRY { object = detail::recycle_objects::begin<Args...>(*this, slot, args...); }
        LIDO_CATCH_ALL {
            detail::recycle_taking::drop_back(*this, slot, true);
            LIDO_RETHROW;
        }
        return go_live(slot, object, wish);
    }

    LIDO_INLINE acquired_type go_live(std::uint32_t slot, T* object, [[maybe_unused]] request wish) noexcept {
        const std::uint32_t life = generations()[slot] + 1u;
        generations()[slot] = static_cast<generation>(life);
        detail::set(occupied(), slot);
        ++state_.acquired;
        ++state_.size;
        if (ageing()) state_.ages.enter(aged(), slot, wish.priority);
        diary_.begin(slot, life);
        return {object, handle_type::of(slot, life)};
    }

    // --- release -----------------------------------------------------------------------------------------------------------

    LIDO_INLINE void end_life(std::uint32_t slot, std::uint32_t life) noexcept {
        diary_.end(slot, life);
        if (state_.size > state_.peak) state_.peak = state_.size;
        --state_.size;
        if (ageing()) state_.ages.leave(aged(), slot);
        generations()[slot] = static_cast<generation>(life + 1);
        detail::clear(occupied(), slot);
        objects_.end(inside_, *at(slot));
        if (life + 1 == handle_type::last_generation || state_.idle >= idle_cap()) [[unlikely]] {
            if (!detail::recycle_ending::waits(*this, slot)) return;
        }
        detail::recycle_objects::put_to_sleep(*this, slot);
        stack()[state_.idle++] = slot;
    }

    /// The slot is at its last generation. False when it is retired.
    [[nodiscard]] bool reuse_worn(std::uint32_t slot) noexcept {
        if (detail::reuse_worn_slot<Options.generations>(limits_, [&] { generations()[slot] = 0; })) return true;
        ++state_.retired;
        return false;
    }

    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const noexcept {
        return slot < state_.known ? generations()[slot] : 0u;
    }

    // The members that acquire and release touch come first.
    state state_;
    memory memory_;
    size_type ready_ = 0;
    size_type hollow_ = 0;           ///< idle slots without an object
    size_type idle_slots_ = 0;       ///< settings.idle_cap where it was given
    detail::call_depth inside_ = 0;  ///< hooks, constructors and destructors of elements that run now
    bool memory_refused_ = false;
    bool keep_next_ = false;  ///< the idle cap is not asked: a replacement is under way
    detail::exhaustion<T, handle_type, Options> limits_;
    hooks_type objects_;
    lease_list<recycle_pool> leases_;
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
};

/// The same inside the object itself: the pool allocates nothing, whatever its objects do.
template <class T, std::size_t N, options Options = options{}, class Tag = void>
using inline_recycle_pool = recycle_pool<T, Options, inline_storage<N>, Tag>;

}  // namespace lido
