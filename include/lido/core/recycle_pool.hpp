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
//   held, built, idle               recycled/recycle_layout.hpp; 8.4 bytes of bookkeeping a slot in all (6.4 with short handles)
//
// R1. generation[s] is odd exactly while slot s is active, and then its occupied bit is set.
// R2. A slot below used() is active, or idle (in the idle stack, once), or vacant; held bits are the active and idle ones.
// R3. built bits are the slots in which an object exists: all active ones, no vacant one. Of the idle ones, hollow_ have none:
//     a restore brings back the order of idle slots, which decides the handles to come, but makes no objects. The next acquire
//     or prewarm does.
// R4. size == lives begun - lives ended == occupied bits; size + retired <= capacity <= slots.
// R5. retired counts the slots whose generation is the last one (rule retire).
// Between the start of an acquire or release and its end, where hooks of T run, a slot may be held and neither active nor idle.
#pragma once

#include <lido/core/acquired.hpp>
#include <lido/core/age_order.hpp>
#include <lido/core/bits.hpp>
#include <lido/core/bulk.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/checks/reset_check.hpp>
#include <lido/core/config.hpp>
#include <lido/core/construct.hpp>
#include <lido/core/exhaustion.hpp>
#include <lido/core/handle.hpp>
#include <lido/core/lease.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/misuse.hpp>
#include <lido/core/options.hpp>
#include <lido/core/recycled/hooks.hpp>
#include <lido/core/recycled/recycle_idle.hpp>
#include <lido/core/recycled/recycle_layout.hpp>
#include <lido/core/recycled/recycle_replacing.hpp>
#include <lido/core/recycled/recycle_rewind.hpp>
#include <lido/core/recycled/recycle_settings.hpp>
#include <lido/core/recycled/recycle_validation.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/slots/slot_iterator.hpp>
#include <lido/core/stats.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido {

/// Threads: a pool belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: hooks, constructors and destructors may acquire from and release to the pool they live in, except during a restore
/// or a prewarm (builds with checks stop).
template <class T, options Options = options{}, class Storage = reserved_storage, class Tag = void>
class recycle_pool {
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
    explicit recycle_pool(size_type capacity, settings_type settings = {})
        requires(memory::fixed_slots == 0 && requires(memory m) { m.open(std::size_t{}, std::size_t{}); })
        : limits_(settings.limits()), objects_(settings) {
        size_type most = limits_.plan(capacity, handle_type::max_slots, can_grow);
        if (settings.idle_cap != settings_type::no_idle_cap) {
            idle_slots_ = std::min(settings.idle_cap, handle_type::max_slots);
            most = std::max(most, idle_slots_);
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

    /// Begins a life: of the idle object released last, else of a new one. What the arguments do is in recycled/hooks.hpp. False
    /// when refused: why_refused() tells.
    /// Throws: what a constructor or hook throws; the pool is then as it was: a new object is destroyed, an idle one stays idle, with
    /// the content that the hook left. Complexity: O(1), amortised over growth. Invalidates: nothing.
    template <class... Args>
        requires detail::recyclable<T, Args...>
    LIDO_QUICK_ENTRY acquired_type acquire(Args&&... args) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return take(request{}, std::forward<Args>(args)...);
    }

    /// The same for a request that says how much it matters.
    template <class... Args>
        requires detail::recyclable<T, Args...>
    LIDO_QUICK_ENTRY acquired_type acquire_as(request wish, Args&&... args) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return take(wish, std::forward<Args>(args)...);
    }

    // For arguments that cannot begin a life: says so in words. It returns nothing, so `acquires<Pool, Args…>` is false.
    template <class... Args>
        requires(!detail::recyclable<T, Args...>)
    void acquire(Args&&...) {
        explain<Args...>();
    }
    template <class... Args>
        requires(!detail::recyclable<T, Args...>)
    void acquire_as(request, Args&&...) {
        explain<Args...>();
    }

    /// The same, released at the end of the lease's scope.
    template <class... Args>
        requires detail::recyclable<T, Args...>
    [[nodiscard]] LIDO_ENTRY lease_type lease(Args&&... args) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return lease_type(*this, leases_, take(request{}, std::forward<Args>(args)...));
    }

    /// Begins a life under exactly this handle, for ids chosen elsewhere (a server, a save). Refused when the slot is taken, when it
    /// has had that generation or a later one (an old handle would alias), or when it is out of range.
    /// Complexity: O(idle objects), to take one out of the middle of the stack.
    template <class... Args>
        requires detail::recyclable<T, Args...>
    LIDO_ENTRY acquired_type reserve(handle_type handle, Args&&... args) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        const std::uint32_t slot = handle.index();
        const std::uint32_t life = handle.generation();
        if ((life & 1) == 0 || life > handle_type::last_generation || slot >= most_slots()) {
            return refuse(refusal::out_of_range);
        }
        std::uint32_t place = state_.idle;
        if (slot < used() && detail::test(held(), slot)) {
            while (place != 0 && stack()[place - 1] != slot) --place;
            if (place == 0) return refuse(refusal::slot_taken);
            --place;
        }
        if (slot < state_.known && generations()[slot] >= life) return refuse(refusal::generation_passed);
        size_type capacity = state_.capacity;
        if (slot >= slots()) {
            if (!limits_.grows_from(capacity)) return refuse(refusal::out_of_range);
            capacity = limits_.grown(capacity, std::uint64_t{slot} + 1);
        }
        if (taken() >= capacity) {
            if (!limits_.grows_from(capacity)) return refuse(refusal::full);
            capacity = limits_.grown(capacity, 0);
        }
        if (!make_ready(slot + 1)) return refuse(refusal::no_memory);
        const bool was_idle = place != state_.idle;
        const bool there = was_idle && detail::test(built(), slot);
        if (!there && !objects_.template can_build<Args...>()) return refuse(refusal::no_creator);

        const state before = state_;
        const generation life_before = generations()[slot];
        state_.counters.grown += capacity != state_.capacity ? 1u : 0u;
        state_.capacity = capacity;
        if (was_idle) {
            std::copy(stack() + place + 1, stack() + state_.idle, stack() + place);
            --state_.idle;
            if (!there) --hollow_;
        } else {
            state_.finder.remove(maps(), slot);
            state_.known = std::max(state_.known, used());
            detail::set(held(), slot);
        }
        generations()[slot] = static_cast<generation>(life - 1);
        T* object = nullptr;
        LIDO_TRY { object = there ? begin_in<Args...>(slot, args...) : build_in<Args...>(slot, args...); }
        LIDO_CATCH_ALL {
            generations()[slot] = life_before;
            sleep_or_close(slot);
            if (changes() != before.changes()) {
                drop_back(slot, was_idle);
            } else {
                if (was_idle) {
                    std::copy_backward(stack() + place, stack() + state_.idle, stack() + state_.idle + 1);
                    stack()[place] = slot;
                    if (!detail::test(built(), slot)) ++hollow_;
                } else {
                    detail::clear(held(), slot);
                }
                go_back_to(before);
            }
            LIDO_RETHROW;
        }
        return go_live(slot, object, request{});
    }

    /// Begins up to `out.size()` lives from the same arguments and writes their handles. Answers how many fit.
    /// Throws: what a constructor or hook throws; the lives that this call began have then ended again and `out` holds nulls.
    template <class... Args>
        requires detail::recyclable<T, const Args&...>
    LIDO_ENTRY size_type acquire_n(std::span<handle_type> out, const Args&... args) {
        [[maybe_unused]] const auto from = diary_.enter_for_all(LIDO_CALLER);
        return detail::acquire_each(*this, out, args...);
    }

    /// Ends the life that the handle names; the object waits for the next one. False, counted and reported, when it has ended before
    /// or never was. Complexity: O(1). Invalidates: the object.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        if (!contains(handle)) [[unlikely]] {
            const std::uint32_t slot = handle.index();
            return limits_.bad_release(diary_, slot, handle.generation(), generation_of(slot), state_.counters);
        }
        end_life(handle.index(), handle.generation());
        return true;
    }

    /// Ends the life of an object of this pool.
    LIDO_ENTRY bool release(const T& object) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        const handle_type handle = handle_of(object);
        if (!handle) [[unlikely]]
            return bad_release(object);
        end_life(handle.index(), handle.generation());
        return true;
    }

    /// Ends each of them; answers how many lived.
    LIDO_ENTRY size_type release_n(std::span<const handle_type> handles) noexcept {
        [[maybe_unused]] const auto from = diary_.enter_for_all(LIDO_CALLER);
        return detail::release_each(*this, handles);
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
        end_all();
        if (empty()) state_.ages.reset();
    }

    // --- idle objects ------------------------------------------------------------------------------------------------------

    /// Objects that wait.
    [[nodiscard]] size_type idle() const noexcept { return state_.idle - hollow_; }
    [[nodiscard]] size_type idle_cap() const noexcept { return objects_.settings().idle_cap; }

    /// Makes objects until `target` wait (or as many as may). Answers how many do.
    /// Throws: what making one throws; those made before stay.
    size_type prewarm(size_type target) {
        static_cast<void>(prewarm_while(target, [] { return true; }));
        return idle();
    }

    /// The same in slices: makes at most `most` now. Answers how many are left to make; 0 also when no more can be made.
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

    /// The object, or nullptr once its life has ended. Any bits may be asked about. With forensics, asking for a life that has ended
    /// is reported: where that is no mistake, ask try_get().
    [[nodiscard]] LIDO_QUICK_ENTRY T* get(handle_type handle) noexcept {
        const auto object = try_get(handle);
        if constexpr (diary_type::kept) tell_if_stale(object != nullptr, handle, LIDO_CALLER);
        return object;
    }
    [[nodiscard]] LIDO_QUICK_ENTRY const T* get(handle_type handle) const noexcept {
        const auto object = try_get(handle);
        if constexpr (diary_type::kept) tell_if_stale(object != nullptr, handle, LIDO_CALLER);
        return object;
    }

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
        const std::uint32_t slot = detail::slot_of_address(values(), std::addressof(object), used());
        if (slot == detail::no_slot || !detail::test(occupied(), slot)) return {};
        return handle_at(slot);
    }

    /// Active objects.
    [[nodiscard]] size_type size() const noexcept { return state_.size; }
    [[nodiscard]] bool empty() const noexcept { return state_.size == 0; }

    /// The most objects that may be active now. Growth raises it, up to max_capacity().
    [[nodiscard]] size_type capacity() const noexcept { return state_.capacity; }
    [[nodiscard]] size_type max_capacity() const noexcept { return limits_.max_capacity(); }

    /// True when the next acquire must grow, replace or refuse.
    [[nodiscard]] LIDO_INLINE bool full() const noexcept { return taken() >= state_.capacity; }

    /// Why the latest refused acquire or reserve was refused. A later success does not change it.
    [[nodiscard]] refusal why_refused() const noexcept { return limits_.last(); }
    /// Where the latest newcomer that on_full::merge folded lives on.
    [[nodiscard]] handle_type merged_into() const noexcept { return limits_.merged_into(); }
    [[nodiscard]] const char* name() const noexcept { return limits_.settings().name; }
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
        visit(*this, f);
    }
    template <class F>
    void for_each(F&& f) const {
        visit(*this, f);
    }

    // --- rewind (see rewind/save.hpp) --------------------------------------------------------------------------------------
    //
    // State is: the active objects, every generation, and which slots are idle in which order. Not state: the content of idle
    // objects and the memory they own. So a restore leaves an idle object where it is, destroys those that the saved state has no
    // slot for, and makes none. A life that it undoes ends as by release, hooks included; one that it brings back gets no
    // on_acquire: it is as it was.

    /// The whole state into a snapshot, for restore() in this run. False when there is no memory for it.
    bool save(snapshot& to) const { return lido::save(to, *this); }

    /// The whole state as an image, for outside: a file, a network.
    void save(std::vector<std::byte>& to) const { lido::save(to, *this); }

    /// Exactly the saved state: the next acquire gives the handle it gave then. Handles made since are refused until then.
    /// Nothing changes when it is refused, or when a copy of an element throws.
    restore_result restore(const snapshot& from) { return lido::restore(from, *this); }
    restore_result restore(std::span<const std::byte> image) { return lido::restore(image, *this); }

    /// Equal for equal states on every compiler and machine.
    [[nodiscard]] std::uint64_t state_hash() const { return lido::state_hash(*this); }

    // --- memory ------------------------------------------------------------------------------------------------------------

    /// Gets the memory of the first `slots` slots now, without making objects in them. False when it cannot be had, or is more than
    /// the pool may have.
    bool prepare(size_type slots) noexcept { return slots <= most_slots() && make_ready(slots); }

    /// Destroys idle objects, those that wait longest first, until `keep_idle` are left; gives the whole pages past the last object
    /// back to the system, and takes growth back where it is not used. Answers the bytes of pages given back (what the objects
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
    friend struct detail::recycle_idle;
    friend struct detail::recycle_replacing;
    friend struct detail::recycle_rewind;
    friend struct detail::recycle_validation;
    template <class, class, class>
    friend class detail::slot_iterator;

    /// All that a save must bring back, beside the arrays. Trivially copyable. What acquire and release touch comes first.
    struct state {
        size_type idle = 0;
        size_type size = 0;
        size_type capacity = 0;
        size_type retired = 0;
        std::uint64_t acquired = 0;
        size_type peak = 0;
        size_type known = 0;
        detail::lowest_first finder;
        LIDO_NO_UNIQUE_ADDRESS detail::age_order<Options.tracks> ages;
        std::uint64_t first_lives = 0;  ///< lives begun by a new object
        std::uint64_t created = 0;
        std::uint64_t destroyed = 0;
        std::uint64_t idle_overflow = 0;
        pool_counters counters;

        [[nodiscard]] std::uint64_t changes() const noexcept { return acquired * 2 - size; }
    };
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
    [[nodiscard]] LIDO_INLINE size_type taken() const noexcept { return state_.size + state_.retired; }
    [[nodiscard]] size_type slots() const noexcept { return std::max(state_.capacity, idle_slots_); }
    [[nodiscard]] size_type most_slots() const noexcept { return std::max(limits_.max_capacity(), idle_slots_); }
    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.changes(); }
    [[nodiscard]] LIDO_INLINE handle_type handle_at(std::uint32_t slot) const noexcept {
        return handle_type::of(slot, generations()[slot]);
    }

    /// slot_iterator's word for mark_changes, which this shape does not have.
    LIDO_INLINE void touch(std::size_t) noexcept {}

    template <class... Args>
    static void explain() {
        static_assert(
            detail::recyclable<T, Args...>,
            "lido: an idle object cannot begin a life from these arguments: give the element "
            "`void on_acquire(args…)`, which sets it up anew and keeps the memory it owns, or acquire() without "
            "arguments and set its fields");
    }
    static void require_adoptable() noexcept {
        static_assert(std::is_nothrow_move_constructible_v<T>,
                      "lido: adopt moves the object into the pool, which must not fail: make the element's move "
                      "constructor noexcept, or let settings.create make the objects in place");
    }

    void start() noexcept {
        state_.capacity = limits_.first_capacity();
        ready_ = static_cast<size_type>(memory_.ready());
        limits_.begin();
        diary_.open(name(), &detail::handle_kind<handle_type>);
        guard_slots(0, ready(), true);
    }

    void close_down() noexcept {
        leases_.drop_all();
        if (detail::check_leaks(diary_, settings(), size(), [this](auto&& f) {
                for (auto [handle, object] : each()) f(handle.index(), handle.generation());
            })) {
            destroy_all();
        }
        guard_slots(0, ready(), false);
    }

    void steal(recycle_pool& other) noexcept {
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

    // --- objects -----------------------------------------------------------------------------------------------------------

    /// Begins a life of the object in `slot`. When it throws, the object is there still, or its built bit is not.
    template <class... Args>
    LIDO_INLINE T* begin_in(std::uint32_t slot, Args&... args) {
        detail::open_again(at(slot), sizeof(T));
        if constexpr (diary_type::kept && detail::reset_checkable<T, Args...>) {
            if (detail::reset_check<T, hooks_type, Args...>::due(objects_))
                return begin_checked<Args...>(slot, args...);
        }
        return begin_unchecked<Args...>(slot, args...);
    }

    template <class... Args>
    LIDO_INLINE T* begin_unchecked(std::uint32_t slot, Args&... args) {
        if constexpr (hooks_type::template survives<Args...>()) {
            return objects_.begin(at(slot), std::forward<Args>(args)...);
        } else {
            T* object = nullptr;
            LIDO_TRY { object = objects_.begin(at(slot), std::forward<Args>(args)...); }
            LIDO_CATCH_ALL {
                detail::clear(built(), slot);  // a trivial destructor need not run
                ++state_.destroyed;
                LIDO_RETHROW;
            }
            return object;
        }
    }

    template <class... Args>
    LIDO_NOINLINE T* begin_checked(std::uint32_t slot, Args&... args) {
        // What the check itself throws is nobody's business: without it, this acquire would not have thrown.
        std::optional<detail::reset_check<T, hooks_type, Args...>> check;
        LIDO_TRY { check.emplace(objects_, args...); }
        LIDO_CATCH_ALL { check.reset(); }
        T* const object = begin_unchecked<Args...>(slot, args...);
        detail::text_line names;
        bool leaks = false;
        LIDO_TRY { leaks = check && check->leaks(*object, names); }
        LIDO_CATCH_ALL { leaks = false; }
        if (leaks) diary_.tell_kept(name(), slot, generations()[slot] - 1u, names.text());
        return object;
    }

    template <class... Args>
    T* build_in(std::uint32_t slot, Args&... args) {
        detail::open_up(at(slot), sizeof(T));
        T* const object = objects_.build(at(slot), std::forward<Args>(args)...);
        detail::set(built(), slot);
        ++state_.created;
        ++state_.first_lives;
        return object;
    }

    void destroy_object(std::uint32_t slot) noexcept {
        detail::open_again(at(slot), sizeof(T));
        objects_.destroy(*at(slot));
        detail::bury(at(slot), sizeof(T));
        detail::clear(built(), slot);
        ++state_.destroyed;
    }

    // --- slots -------------------------------------------------------------------------------------------------------------

    [[nodiscard]] bool make_ready(size_type slots) noexcept {
        if (slots <= ready()) return true;
        const size_type before = ready();
        ready_ = static_cast<size_type>(memory_.make_ready(slots));
        guard_slots(before, ready(), true);
        return slots <= ready();
    }

    /// Closes the memory of slots from..to-1, which hold no object, or opens it as it is.
    void guard_slots(std::size_t from, std::size_t to, bool closed) noexcept {
        if (!detail::guarded() || from >= to) return;
        const auto* const first = reinterpret_cast<const std::byte*>(at(from));
        const auto bytes = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(at(to - 1) + 1) - first);
        closed ? detail::close_off(first, bytes) : detail::open_again(first, bytes);
    }

    /// An object that waits is nobody's to touch either, where the settings say so.
    void put_to_sleep(std::uint32_t slot) noexcept {
        if (objects_.settings().poison_idle) detail::close_off(at(slot), sizeof(T));
    }

    /// After a restore, for which all slots were opened.
    void close_dead() noexcept {
        if (!detail::guarded()) return;
        for (std::uint32_t slot = 0; slot < ready(); ++slot) {
            if (!detail::test(built(), slot)) {
                guard_slots(slot, slot + 1, true);
            } else if (!detail::test(occupied(), slot)) {
                put_to_sleep(slot);
            }
        }
    }

    /// The lowest slot that holds nothing, or no_slot.
    [[nodiscard]] std::uint32_t take_vacant() noexcept {
        std::uint32_t slot = state_.finder.take_known(maps());
        memory_refused_ = false;
        while (slot == detail::no_slot && state_.finder.fresh_left(slots())) {
            if (!make_ready(state_.finder.fresh_need(slots()))) {
                memory_refused_ = true;
                break;
            }
            slot = state_.finder.take_fresh(maps(), slots());
            state_.known = std::max(state_.known, used());
        }
        return slot;
    }

    /// A slot that was taken for a life which did not begin.
    LIDO_COLD void drop_back(std::uint32_t slot, bool was_idle) noexcept {
        sleep_or_close(slot);
        if (was_idle) {
            stack()[state_.idle++] = slot;
            if (!detail::test(built(), slot)) ++hollow_;
        } else {
            detail::clear(held(), slot);
            state_.finder.put_back(maps(), slot);
        }
    }

    void sleep_or_close(std::uint32_t slot) noexcept {
        if (detail::test(built(), slot)) {
            put_to_sleep(slot);
        } else {
            guard_slots(slot, slot + 1, true);
        }
    }

    /// Undoes what a failed acquire did to the order and the capacity; the maps beside them are as they were.
    void go_back_to(const state& before) noexcept {
        state now = state_;
        state_ = before;
        state_.counters = now.counters;
        state_.counters.grown = before.counters.grown;
        state_.created = now.created;
        state_.destroyed = now.destroyed;
        state_.finder.rebuild(maps());
    }

    [[nodiscard]] bool grow() noexcept {
        if (!limits_.grows_from(state_.capacity)) return false;
        state_.capacity = limits_.grown(state_.capacity, 0);
        ++state_.counters.grown;
        return true;
    }

    // --- acquire -----------------------------------------------------------------------------------------------------------

    template <class... Args>
    LIDO_INLINE acquired_type take(request wish, Args&&... args) {
        if (const refusal why = limits_.kept_from(wish, size()); why != refusal::none) [[unlikely]]
            return refuse(why);
        if (state_.idle == 0 || hollow_ != 0 || full()) [[unlikely]]
            return acquire_slowly(wish, std::forward<Args>(args)...);
        return wake(stack()[--state_.idle], wish, std::forward<Args>(args)...);
    }

    /// A life of an idle object that is there. `slot` has just been popped.
    template <class... Args>
    LIDO_INLINE acquired_type wake(std::uint32_t slot, request wish, Args&&... args) {
        T* object = nullptr;
        LIDO_TRY { object = begin_in<Args...>(slot, args...); }
        LIDO_CATCH_ALL {
            drop_back(slot, true);
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
        if constexpr (tracks) state_.ages.enter(aged(), slot, wish.priority);
        diary_.begin(slot, life);
        return {object, handle_type::of(slot, life)};
    }

    /// Nothing idle, or full.
    template <class... Args>
    LIDO_NOINLINE acquired_type acquire_slowly(request wish, Args&&... args) {
        const state before = state_;
        if (full() && !grow()) return detail::recycle_replacing::replace<Args...>(*this, wish, args...);
        const bool was_idle = state_.idle != 0;
        const std::uint32_t slot = was_idle ? stack()[--state_.idle] : take_vacant();
        if (slot == detail::no_slot) {
            go_back_to(before);
            return detail::recycle_replacing::replace<Args...>(*this, wish, args...);
        }
        const bool there = was_idle && detail::test(built(), slot);
        if (!there && !objects_.template can_build<Args...>()) {
            if (was_idle) stack()[state_.idle++] = slot;
            go_back_to(before);
            return refuse(refusal::no_creator);
        }
        if (was_idle) {
            if (!there) --hollow_;
        } else {
            detail::set(held(), slot);
        }
        T* object = nullptr;
        LIDO_TRY { object = there ? begin_in<Args...>(slot, args...) : build_in<Args...>(slot, args...); }
        LIDO_CATCH_ALL {
            const bool alone = changes() == before.changes();
            drop_back(slot, was_idle);
            if (alone) go_back_to(before);
            LIDO_RETHROW;
        }
        return go_live(slot, object, wish);
    }

    LIDO_COLD acquired_type refuse(refusal why) noexcept {
        limits_.refused(why, state_.counters);
        return {};
    }

    // --- release -----------------------------------------------------------------------------------------------------------

    LIDO_INLINE void end_life(std::uint32_t slot, std::uint32_t life) noexcept {
        diary_.end(slot, life);
        if (state_.size > state_.peak) state_.peak = state_.size;
        --state_.size;
        if constexpr (tracks) state_.ages.leave(aged(), slot);
        generations()[slot] = static_cast<generation>(life + 1);
        detail::clear(occupied(), slot);
        objects_.end(*at(slot));
        if (life + 1 == handle_type::last_generation || state_.idle >= idle_cap()) [[unlikely]] {
            if (!waits(slot)) return;
        }
        put_to_sleep(slot);
        stack()[state_.idle++] = slot;
    }

    /// The slot is out of generations, or as many objects wait as may. True when its object waits all the same.
    LIDO_COLD bool waits(std::uint32_t slot) noexcept {
        if (generations()[slot] == static_cast<generation>(handle_type::last_generation) && !starts_over(slot)) {
            destroy_object(slot);
            detail::clear(held(), slot);
            return false;
        }
        if (keep_next_ || state_.idle < idle_cap()) return true;
        ++state_.idle_overflow;
        destroy_object(slot);
        detail::clear(held(), slot);
        state_.finder.give(maps(), slot);
        return false;
    }

    /// The slot is at its last generation. True when it may be used again all the same.
    bool starts_over(std::uint32_t slot) noexcept {
        if constexpr (Options.generations == generation_rule::wrap) {
            generations()[slot] = 0;
            return true;
        } else if constexpr (Options.generations == generation_rule::abort) {
            limits_.tell(misuse_kind::bad_setting,
                         "a slot has used up its generations, and the pool's rule is to abort");
            LIDO_FATAL("a slot has used up its generations (generation_rule::abort)");
            return false;  // only where LIDO_FATAL was replaced by something that returns
        } else {
            static_cast<void>(slot);
            ++state_.retired;
            return false;
        }
    }

    /// From the last slot to the first, so that the first is the next to be acquired. Hooks may begin and end other lives.
    void end_all() noexcept {
        for (std::size_t w = detail::words_for(used()); w-- != 0;) {
            for (detail::map_word left = occupied()[w]; left != 0;) {
                const unsigned top = detail::highest(left);
                left &= ~detail::bit(top);
                const auto slot = static_cast<std::uint32_t>(w * 64 + top);
                if (detail::test(occupied(), slot)) end_life(slot, generations()[slot]);
            }
        }
    }

    /// Destroys the idle object on top; its slot is vacant then.
    void vacate_top() noexcept {
        const std::uint32_t slot = stack()[--state_.idle];
        if (detail::test(built(), slot)) {
            destroy_object(slot);
        } else {
            --hollow_;
        }
        detail::clear(held(), slot);
        state_.finder.give(maps(), slot);
    }

    /// For the end of the pool.
    void destroy_all() noexcept {
        if (!objects_.ends_matter()) return;
        constexpr int patience = 1000;  // passes; a hook or destructor that acquires makes one more necessary
        for (int pass = 0; !empty() || state_.idle != 0; ++pass) {
            LIDO_VERIFY(pass < patience, "an element keeps acquiring from the pool that is ending");
            end_all();
            while (state_.idle != 0) vacate_top();
        }
    }

    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const noexcept {
        return slot < state_.known ? generations()[slot] : 0u;
    }

    LIDO_COLD bool bad_release(const T& object) noexcept {
        const std::uint32_t slot = detail::slot_of_address(values(), std::addressof(object), used());
        return limits_.bad_release_of_object(diary_, state_.counters, slot,
                                             slot != detail::no_slot ? generation_of(slot) - 1 : 0);
    }

    LIDO_INLINE void tell_if_stale(bool found, handle_type handle, const void* caller) const noexcept {
        if (found || !handle) return;
        diary_.tell_stale_get(name(), handle.index(), handle.generation(), generation_of(handle.index()), caller);
    }

    template <class Self, class F>
    static void visit(Self& self, F& f) {
        for (std::size_t w = 0; w < detail::words_for(self.used()); ++w) {
            detail::map_word left = self.occupied()[w];
            if (left == detail::full_word) {
                for (std::size_t i = 0; i < 64; ++i) {
                    LIDO_ASSERT(detail::test(self.occupied(), w * 64 + i),
                                "for_each: an object not yet visited was released");
                    f(*self.at(w * 64 + i));
                }
                continue;
            }
            for (; left != 0; left &= left - 1) {
                const std::size_t slot = w * 64 + detail::lowest(left);
                LIDO_ASSERT(detail::test(self.occupied(), slot), "for_each: an object not yet visited was released");
                f(*self.at(slot));
            }
        }
    }

    // The members that acquire and release touch come first.
    state state_;
    memory memory_;
    size_type ready_ = 0;
    size_type hollow_ = 0;      ///< idle slots without an object
    size_type idle_slots_ = 0;  ///< settings.idle_cap where it was given
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
