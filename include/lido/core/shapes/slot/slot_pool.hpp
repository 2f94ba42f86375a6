// slot_pool: the default pool. Objects never move, handles never alias, acquire and release are O(1).
//
// The arrays are drawn in parts/slots/slot_layout.hpp, the search for free slots in parts/slots/finders.hpp. flag_pool is the same class
// with a finder that keeps nothing but the occupancy bits. The fast paths are here. What every shape does in the same words is in
// parts/surface.hpp; what is rare has a room of its own, here or in parts/slots (*):
//
//   slot_state        all that a save must bring back          slot_guard *        memory: made ready, closed to others, given back
//   slot_taking       acquire when no free slot is at hand     slot_pass *         for_each
//   slot_replacing    acquire when the pool is full            slot_ending         clear, trim and the end of the pool
//   slot_reserving    acquire under a given handle             parts/worn_slot     a slot that is worn out
//   slot_bulk         acquire_n                                slot_validation     validate()
//   slot_rewind       save, restore and hash                   inner_calls *       calls from constructors and destructors
//
// SP1. generation[s] is odd exactly while slot s holds a life (from the end of the constructor to the start of release).
// SP2. occupied bit s is set exactly while an element exists or is being built or ended in slot s. Outside of an element's
//      constructor and destructor, SP1 and SP2 say the same.
// SP3. Slots at and above used() are free; slots at and above `known` have generation 0 and were never acquired.
// SP4. size == lives begun - lives ended == occupied bits.
// SP5. retired counts the slots whose generation is the last one (rule retire).
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
#include <lido/core/parts/slots/finders.hpp>
#include <lido/core/parts/slots/free_stack.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>
#include <lido/core/parts/slots/slot_guard.hpp>
#include <lido/core/parts/slots/slot_iterator.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>
#include <lido/core/parts/slots/slot_pass.hpp>
#include <lido/core/parts/surface.hpp>
#include <lido/core/parts/worn_slot.hpp>
#include <lido/core/rewind/marks.hpp>
#include <lido/core/shapes/slot/slot_bulk.hpp>
#include <lido/core/shapes/slot/slot_ending.hpp>
#include <lido/core/shapes/slot/slot_replacing.hpp>
#include <lido/core/shapes/slot/slot_reserving.hpp>
#include <lido/core/shapes/slot/slot_rewind.hpp>
#include <lido/core/shapes/slot/slot_state.hpp>
#include <lido/core/shapes/slot/slot_taking.hpp>
#include <lido/core/shapes/slot/slot_validation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace lido {

/// Threads: a pool belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: an element's constructor and destructor may acquire from and release to the pool they live in.
template <class T, options Options, class Storage, class Tag, class Finder>
class basic_slot_pool : public detail::pool_surface<
                            basic_slot_pool<T, Options, Storage, Tag, Finder>,
                            detail::object_types<T, typename detail::handle_for<T, Options, Tag>::type, Options>> {
    using surface = typename basic_slot_pool::pool_surface;
    using layout = detail::slot_layout<T, Options, Tag, Finder>;
    using memory = typename Storage::template memory<layout>;
    using generation = typename layout::generation;
    using maps_type = detail::slot_maps<generation>;
    using diary_type = detail::diary<Options.forensics>;

    static constexpr bool has_generations = layout::has_generations;
    static constexpr bool delays = Options.reuse_delay != 0;
    static constexpr bool tracks = Options.tracks != track::nothing;
    static constexpr bool marks = Options.mark_changes;
    static constexpr bool scans = !Finder::uses_spare_words;  // flag_pool
    /// acquire_n may take 64 slots at once: nothing but the maps and generations has to hear of each.
    static constexpr bool takes_words =
        Options.order == reuse::recent && !scans && !delays && !tracks && !Options.headroom && Options.kinds == 0;

    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(std::is_object_v<T> && !std::is_const_v<T> && !std::is_array_v<T>,
                  "lido: a pool holds objects of a non-const, non-array type");
    static_assert(std::is_nothrow_destructible_v<T>,
                  "lido: the element's destructor must not throw, or a release could leave a slot half ended");
    static_assert(has_generations || scans,
                  "lido: only flag_pool works without generations; slot_pool needs them to tell stale handles");
    static_assert(!marks || has_generations, "lido: mark_changes needs generations: a change of life is told by them");
    static_assert(!(scans && Options.order == reuse::last),
                  "lido: flag_pool always takes the lowest free slot; reuse::last needs slot_pool");
    static_assert(!(scans && delays),
                  "lido: flag_pool always takes the lowest free slot; reuse_delay needs slot_pool or dense_pool");

public:
    using value_type = T;
    using handle_type = typename layout::handle_type;
    using acquired_type = acquired<T, handle_type>;
    using lease_type = lido::lease<basic_slot_pool>;
    using settings_type = pool_settings<T, handle_type>;
    using size_type = std::uint32_t;
    using reference = T&;
    using const_reference = const T&;
    using pointer = T*;
    using const_pointer = const T*;
    using iterator = detail::slot_iterator<basic_slot_pool, T, detail::slot_gives_object>;
    using const_iterator = detail::slot_iterator<const basic_slot_pool, const T, detail::slot_gives_object>;

    using rewind_with = detail::slot_rewind;

    static constexpr options pool_options = Options;
    static constexpr const char* shape = scans ? "flag_pool" : "slot_pool";
    static constexpr bool stable_addresses = true;
    static constexpr bool can_grow = memory::grows && !scans;

    // --- building ----------------------------------------------------------------------------------------------------------

    /// Room for `capacity` objects, and for growth where the settings ask for it. When the memory cannot be had, the pool has
    /// capacity 0, refuses every acquire, and has said so through the misuse handler.
    explicit basic_slot_pool(slot_count capacity, settings_type settings = {})
        requires(memory::fixed_slots == 0 && requires(memory m) { m.open(std::size_t{}, std::size_t{}); })
        : limits_(settings) {
        const size_type most = limits_.plan(capacity, handle_type::max_slots, can_grow);
        if (!memory_.open(can_grow ? 0 : most, most)) {
            limits_.fail("the memory for the asked capacity could not be had; the pool has capacity 0");
        }
        start();
    }

    /// Inside the pool object itself: capacity is the storage's N.
    explicit basic_slot_pool(settings_type settings = {})
        requires(memory::fixed_slots != 0)
        : limits_(settings) {
        static_assert(memory::fixed_slots <= handle_type::max_slots,
                      "lido: the handle's index bits cannot name that many slots");
        static_cast<void>(limits_.plan(static_cast<size_type>(memory::fixed_slots), handle_type::max_slots, false));
        start();
    }

    /// On memory the caller lends: as many slots as fit (`bytes_for` tells how much that takes).
    explicit basic_slot_pool(std::span<std::byte> buffer, settings_type settings = {})
        requires(requires(memory m) { m.open(std::span<std::byte>{}, std::size_t{}); })
        : limits_(settings) {
        if (memory_.open(buffer, handle_type::max_slots)) {
            static_cast<void>(limits_.plan(static_cast<size_type>(memory_.max_slots()), handle_type::max_slots, false));
        } else {
            limits_.fail("the lent buffer is too small for one slot; the pool has capacity 0");
        }
        start();
    }

    /// Steals the memory: objects stay where they are, handles and leases go on to work with the new pool. The source has
    /// capacity 0.
    basic_slot_pool(basic_slot_pool&& other) noexcept
        requires memory::movable
        : limits_(other.limits_) {
        steal(other);
    }
    basic_slot_pool& operator=(basic_slot_pool&& other) noexcept
        requires memory::movable
    {
        if (this != &other) {
            close_down();
            steal(other);
        }
        return *this;
    }

    /// Ends every object, or what settings.leaks says.
    ~basic_slot_pool() { close_down(); }

    /// How large a lent buffer must be for `slots` slots.
    [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t slots) noexcept
        requires(requires { memory::bytes_for(std::size_t{}); })
    {
        return memory::bytes_for(slots);
    }

    // --- acquire and release -----------------------------------------------------------------------------------------------
    //
    // acquire and its kin are in parts/surface.hpp. It builds in a free slot and invalidates nothing; flag_pool scans 64 slots a step.

    /// Builds an object under exactly this handle, for ids chosen elsewhere (a server, a save). Refused when the slot is taken,
    /// when it has had that generation or a later one (an old handle would alias), or when it is out of range.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_ENTRY acquired_type reserve(handle_type handle, Args&&... args) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return detail::slot_reserving::reserve(*this, handle, std::forward<Args>(args)...);
    }

    /// Builds up to `out.size()` objects from the same arguments and writes their handles. Returns how many fit.
    /// Throws: what a constructor throws; the lives that this call began have then ended again and `out` holds nulls.
    template <class... Args>
        requires detail::constructible<T, const Args&...>
    LIDO_ENTRY size_type acquire_n(std::span<handle_type> out, const Args&... args) {
        [[maybe_unused]] const auto from = diary_.enter_for_all(LIDO_CALLER);
        if constexpr (takes_words && detail::nothrow_constructible<T, const Args&...>()) {
            if (!detail::replaces(*this)) return detail::slot_bulk::acquire(*this, out, args...);
        }
        return detail::acquire_each(*this, out, args...);
    }

    /// Ends the life that the handle names. False, counted and reported, when it has ended before or never was.
    /// Complexity: O(1). Invalidates: the object.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        if (!contains(handle)) [[unlikely]]
            return this->bad_release(handle);
        return end_life(handle.index(), handle.generation());
    }

    /// Ends the life of an object of this pool.
    LIDO_ENTRY bool release(const T& object) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        const handle_type handle = handle_of(object);
        if (!handle) [[unlikely]]
            return this->bad_release_at(detail::slot_of_address(values(), std::addressof(object), used()));
        return end_life(handle.index(), handle.generation());
    }

    /// The same for callers that know it is alive. Pre: contains(handle).
    LIDO_INLINE void release_found(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        LIDO_ASSERT(contains(handle), "release_found: the handle names no life of this pool");
        static_cast<void>(end_life(handle.index(), handle.generation()));
    }

    /// Ends every object that `gone(T&)` accepts: the one way to remove during a pass that needs no rules. Visits each once, in slot
    /// order. Pre: `gone` does not change the pool.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        size_type done = 0;
        for_each_live([&](std::uint32_t slot) {
            const std::uint64_t before = changes();
            const bool ends = ask(gone, slot);
            LIDO_ASSERT(changes() == before, "release_if: the predicate changed the pool");
            static_cast<void>(before);
            if (ends) {
                end_life(slot);
                ++done;
            }
        });
        return done;
    }

    /// Ends every life; no handle survives it. Slots are then handed out from 0 again, each with its next generation.
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        leases_.drop_all();
        detail::slot_ending::clear(*this);
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// The same without a report: for handles of objects that may well be gone.
    [[nodiscard]] LIDO_INLINE T* try_get(handle_type handle) noexcept {
        std::byte* const first = values();  // before the check, so that a loop loads it once
        if (!contains(handle)) return nullptr;
        touch(handle.index());
        T* const object = detail::slot_address<T>(first, handle.index());
        LIDO_ASSUME(object != nullptr);  // so that a caller's test of a found object costs nothing
        return object;
    }
    [[nodiscard]] LIDO_INLINE const T* try_get(handle_type handle) const noexcept {
        std::byte* const first = values();
        if (!contains(handle)) return nullptr;
        const T* const object = detail::slot_address<T>(first, handle.index());
        LIDO_ASSUME(object != nullptr);
        return object;
    }

    /// The object, for callers that know it is alive. Pre: contains(handle).
    [[nodiscard]] LIDO_QUICK_ENTRY T& get_found(handle_type handle) noexcept {
        LIDO_ASSERT_FROM(this->name(), contains(handle), "get_found: the handle names no life of this pool");
        touch(handle.index());
        return *at(handle.index());
    }
    [[nodiscard]] LIDO_QUICK_ENTRY const T& get_found(handle_type handle) const noexcept {
        LIDO_ASSERT_FROM(this->name(), contains(handle), "get_found: the handle names no life of this pool");
        return *at(handle.index());
    }

    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept {
        const std::uint32_t slot = handle.index();
        const std::uint32_t life = handle.generation();
        if constexpr (has_generations) {
            const generation* const all = generations();  // before the check, so that a loop loads it once
            // an even generation names no life, though a free slot may hold it
            return slot < ready() && all[slot] == life && (life & 1) != 0;
        } else {
            return slot < ready() && life == 1 && detail::test(occupied(), slot);
        }
    }

    /// The handle of a live object of this pool; null for any other object.
    [[nodiscard]] handle_type handle_of(const T& object) const noexcept {
        const std::uint32_t slot = detail::slot_of_address(values(), std::addressof(object), used());
        if (slot == detail::no_slot) return {};
        const handle_type handle = handle_at(slot);
        return contains(handle) ? handle : handle_type{};
    }

    [[nodiscard]] size_type size() const noexcept { return state_.size(); }
    [[nodiscard]] bool empty() const noexcept { return state_.size() == 0; }

    /// Slots there are now. Growth raises it, up to max_capacity().
    [[nodiscard]] size_type capacity() const noexcept { return state_.capacity; }
    [[nodiscard]] size_type max_capacity() const noexcept { return limits_.max_capacity(); }

    /// True when the next acquire must grow, replace or refuse.
    [[nodiscard]] bool full() const noexcept { return size() + state_.retired >= state_.capacity; }

    [[nodiscard]] const settings_type& settings() const noexcept { return limits_.settings(); }

    // --- iteration, in slot order ------------------------------------------------------------------------------------------
    //
    // While iterating: releasing the object one is at is allowed; acquiring is allowed, and a new object may or may not be
    // visited; releasing another object is not (builds with checks stop at the visit), and neither is an acquire that replaces
    // one: use release_if.

    [[nodiscard]] iterator begin() noexcept { return iterator(this, 0); }
    [[nodiscard]] const_iterator begin() const noexcept { return const_iterator(this, 0); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

    /// Handle and object at once: `for (auto [handle, object] : pool.each())`.
    [[nodiscard]] auto each() noexcept { return detail::slot_range<basic_slot_pool, T>(this); }
    [[nodiscard]] auto each() const noexcept { return detail::slot_range<const basic_slot_pool, const T>(this); }

    /// Calls `f(object)` for each, with a plain loop over words whose 64 slots are all live: the fastest pass.
    template <class F>
    void for_each(F&& f) {
        detail::visit_slots<T>(
            values(), occupied(), [this] { return used(); },
            [this](std::size_t word) {
                const detail::map_word live = live_in(word);
                touch_word(word, live);
                return live;
            },
            f);
    }
    template <class F>
    void for_each(F&& f) const {
        detail::visit_slots<const T>(
            values(), occupied(), [this] { return used(); }, [this](std::size_t word) { return live_in(word); }, f);
    }

    // --- memory ------------------------------------------------------------------------------------------------------------

    /// Gets the memory for the first `slots` slots now, so that no later acquire below that has to ask the system. False when it
    /// cannot be had, or is more than max_capacity().
    bool prepare(size_type slots) noexcept { return slots <= limits_.max_capacity() && make_ready(slots); }

    /// Gives the whole pages past the last live object back to the system, and takes growth back where it is not used. Returns
    /// the bytes given back: 0 where the storage cannot, and from inside of a constructor or destructor. No object moves, and stale
    /// handles stay stale.
    std::size_t trim() noexcept {
        if constexpr (scans) {
            return 0;
        } else {
            return detail::slot_ending::trim(*this);
        }
    }

    [[nodiscard]] pool_stats stats() const noexcept {
        pool_stats s = detail::stats_of(shape, state_, size(), limits_.max_capacity());
        s.bytes = memory_.bytes();
        s.bookkeeping_per_slot = layout::bookkeeping(state_.capacity);
        return s;
    }

    /// Checks every numbered invariant. Complexity: O(capacity). Pre: not called from an element's constructor or destructor.
    [[nodiscard]] verdict validate() const noexcept { return {detail::slot_validation::broken(*this)}; }

private:
    // What the surface asks for (parts/surface.hpp).
    friend surface;
    friend detail::holder_surface<basic_slot_pool>;
    [[nodiscard]] LIDO_INLINE auto& limits() noexcept { return limits_; }
    [[nodiscard]] LIDO_INLINE const auto& limits() const noexcept { return limits_; }
    [[nodiscard]] LIDO_INLINE auto& book() noexcept { return diary_; }
    [[nodiscard]] LIDO_INLINE const auto& book() const noexcept { return diary_; }
    [[nodiscard]] pool_counters& counters() noexcept { return state_.counters; }
    [[nodiscard]] auto& leases() noexcept { return leases_; }
    using surface::refuse;

    friend struct detail::slot_bulk;
    friend struct detail::slot_ending;
    friend struct detail::slot_replacing;
    friend struct detail::slot_reserving;
    friend struct detail::slot_rewind;
    friend struct detail::slot_taking;
    friend struct detail::slot_validation;
    template <class, class, class>
    friend class detail::slot_iterator;

    using state = detail::slot_state<Options, Finder>;
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
    [[nodiscard]] detail::map_word* resting() const noexcept { return array<detail::map_word, detail::at_resting>(); }
    [[nodiscard]] std::uint32_t* ring() const noexcept { return array<std::uint32_t, detail::at_ring>(); }

    [[nodiscard]] detail::map_word* changed() const noexcept { return array<detail::map_word, detail::at_changed>(); }

    /// The slots of a word that hold a life: those that are taken, but for objects that are just being built or ended.
    [[nodiscard]] LIDO_INLINE detail::map_word live_in(std::size_t word) const noexcept {
        const detail::map_word taken = occupied()[word];
        if constexpr (detail::calls_out<T>) {
            if (inside_ != 0) [[unlikely]]
                return only_lives(word, taken);
        }
        return taken;
    }
    [[nodiscard]] LIDO_COLD detail::map_word only_lives([[maybe_unused]] std::size_t word,
                                                        [[maybe_unused]] detail::map_word taken) const noexcept {
        if constexpr (has_generations) {
            return detail::with_lives(generations() + word * 64, taken);
        } else {
            LIDO_FATAL(
                "a pool without generations was walked or saved from a constructor or destructor of one of its "
                "elements");
        }
    }

    /// With mark_changes: the slot is no longer what it was at the latest save of a history.
    LIDO_INLINE void touch([[maybe_unused]] std::size_t slot) noexcept {
        if constexpr (marks) detail::set(changed(), slot);
    }

    LIDO_INLINE void touch_word([[maybe_unused]] std::size_t word, [[maybe_unused]] detail::map_word slots) noexcept {
        if constexpr (marks) changed()[word] |= slots;
    }

    /// The age order writes to the neighbours of a slot too.
    void touch_ends([[maybe_unused]] detail::age_links links) noexcept {
        if constexpr (marks) {
            if (links.before != detail::no_slot) touch(links.before);
            if (links.after != detail::no_slot) touch(links.after);
        }
    }

    /// With mark_changes, a predicate that can do with a const object gets one, so that asking does not count as a change.
    template <class Predicate>
    [[nodiscard]] bool ask(Predicate& gone, std::uint32_t slot) {
        if constexpr (marks) {
            if constexpr (std::is_invocable_v<Predicate&, const T&>) {
                return gone(std::as_const(*at(slot)));
            } else {
                touch(slot);
                return gone(*at(slot));
            }
        } else {
            return gone(*at(slot));
        }
    }

    [[nodiscard]] detail::age_arrays aged() const noexcept {
        return {array<detail::age_links, detail::at_links>(), array<std::uint64_t, detail::at_birth>(),
                array<std::uint8_t, detail::at_priority>()};
    }

    [[nodiscard]] maps_type maps() const noexcept {
        return {occupied(),
                array<detail::map_word, detail::at_spare_first>(),
                array<detail::map_word, detail::at_spare_second>(),
                delays ? resting() : nullptr,
                delays ? ring() : nullptr,
                has_generations ? generations() : nullptr,
                handle_type::last_generation,
                state_.retired != 0,
                layout::has_stack ? ring() + Options.reuse_delay : nullptr};
    }

    /// Slots whose memory may be touched.
    [[nodiscard]] LIDO_INLINE size_type ready() const noexcept {
        if constexpr (memory::fixed_slots != 0) {
            return static_cast<size_type>(memory::fixed_slots);
        } else {
            return ready_;
        }
    }
    [[nodiscard]] LIDO_INLINE size_type used() const noexcept { return state_.finder.used(state_.capacity); }
    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.changes(); }

    [[nodiscard]] LIDO_INLINE handle_type handle_at(std::uint32_t slot) const noexcept {
        if constexpr (has_generations) {
            return handle_type::of(slot, generations()[slot]);
        } else {
            return handle_type::of(slot, 1);
        }
    }

    // --- building ----------------------------------------------------------------------------------------------------------

    void start() noexcept {
        state_.capacity = limits_.first_capacity();
        ready_ = static_cast<size_type>(memory_.ready());
        if constexpr (scans) state_.known = state_.capacity;
        limits_.begin();
        diary_.open(this->name(), &detail::handle_kind<handle_type>, has_generations ? 1 : 0);
        detail::slot_guard<T>::close(values(), 0, ready());
    }

    void close_down() noexcept {
        leases_.drop_all();
        if (detail::check_leaks(diary_, settings(), size(), [this](auto&& f) {
                for_each_live([&](std::uint32_t slot) { f(slot, handle_at(slot).generation()); });
            })) {
            detail::slot_ending::destroy_all(*this);
        }
        detail::slot_guard<T>::open(values(), 0, ready());
    }

    void steal(basic_slot_pool& other) noexcept {
        LIDO_VERIFY(other.inside_ == 0 && !other.limits_.evicting() && inside_ == 0, detail::moved_from_inside);
        memory_ = std::move(other.memory_);
        state_ = std::exchange(other.state_, state{});
        limits_ = other.limits_;
        other.limits_.close();
        ready_ = std::exchange(other.ready_, 0);
        marked_for_ = std::exchange(other.marked_for_, {});
        diary_.take(other.diary_);
        leases_.adopt(other.leases_, *this);
    }

    // --- acquire -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] bool make_ready(size_type slots) noexcept {
        // Written out for the inside of an object, where all slots are always ready: GCC inlines less otherwise.
        if constexpr (memory::fixed_slots != 0) return slots <= memory::fixed_slots;
        return detail::slot_guard<T>::make_ready(memory_, ready_, slots);
    }

    /// A free slot that the quick path does not know of: from the maps, then fresh, then one that still rests.
    [[nodiscard]] std::uint32_t take_slow() noexcept {
        std::uint32_t slot = state_.finder.take_known(maps());
        if (slot != detail::no_slot) return slot;
        memory_refused_ = false;
        while (state_.finder.fresh_left(state_.capacity)) {
            if (!make_ready(state_.finder.fresh_need(state_.capacity))) {
                memory_refused_ = true;
                break;
            }
            slot = state_.finder.take_fresh(maps(), state_.capacity);
            state_.known = (std::max)(state_.known, used());
            if (slot != detail::no_slot) return slot;
            if constexpr (scans) break;  // one scan has seen all there is
        }
        if constexpr (delays) {
            slot = state_.rest.pop(ring(), resting());
            if (slot != detail::no_slot) ++state_.counters.rests_cut_short;
        }
        return slot;
    }

    template <class... Args>
    LIDO_INLINE acquired_type take(request wish, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        if (const refusal why = limits_.kept_from(wish, size()); why != refusal::none) [[unlikely]]
            return refuse(why);
        if (!state_.finder.quick()) [[unlikely]]
            return detail::slot_taking::acquire(*this, wish, std::forward<Args>(args)...);
        return build(state_.finder.take_quick(), wish, std::forward<Args>(args)...);
    }

    template <class... Args>
    LIDO_INLINE acquired_type build(std::uint32_t slot, [[maybe_unused]] request wish, Args&&... args) {
        T* object = at(slot);
        detail::open_up(object, sizeof(T));
        detail::set(occupied(), slot);
        std::uint32_t life = 1;
        if constexpr (has_generations) life = generations()[slot] + 1u;
        if constexpr (detail::nothrow_constructible<T, Args...>()) {
            const detail::inner_call<T> building(inside_);
            object = detail::construct<T>(object, std::forward<Args>(args)...);
        } else {
            LIDO_TRY {
                const detail::inner_call<T> building(inside_);
                object = detail::construct<T>(object, std::forward<Args>(args)...);
            }
            LIDO_CATCH_ALL {
                detail::bury(object, sizeof(T));
                detail::clear(occupied(), slot);
                state_.finder.put_back(maps(), slot);
                LIDO_RETHROW;
            }
        }
        if constexpr (has_generations) generations()[slot] = static_cast<generation>(life);
        state_.one_more();
        touch(slot);
        if constexpr (tracks) {
            state_.ages.enter(aged(), slot, wish.priority);
            touch_ends(aged().links[slot]);
        }
        diary_.begin(slot, life);
        LIDO_ASSUME(object != nullptr);
        return {object, handle_type::of(slot, life)};
    }

    // --- release -----------------------------------------------------------------------------------------------------------

    /// `life` is the slot's generation, which the caller has just compared: not loaded again.
    /// True, always, so that release() can end in it.
    LIDO_INLINE bool end_life(std::uint32_t slot, std::uint32_t life) noexcept {
        diary_.end(slot, life);
        end_object(slot, life);
        if constexpr (has_generations) {
            if (life + 1 == handle_type::last_generation) [[unlikely]] {
                if (!reuse_worn(slot)) return true;
            }
        }
        if constexpr (delays) {
            slot = state_.rest.push(ring(), resting(), slot);
            if (slot == detail::no_slot) return true;
        }
        if (!state_.finder.give_quick(slot)) [[unlikely]]
            return give_slow(slot);
        return true;
    }
    void end_life(std::uint32_t slot) noexcept { end_life(slot, handle_at(slot).generation()); }

    /// The life is over, and the slot is nobody's: not free before it is given to the finder.
    LIDO_INLINE void end_object(std::uint32_t slot, [[maybe_unused]] std::uint32_t life) noexcept {
        state_.one_less();
        touch(slot);
        if constexpr (tracks) {
            touch_ends(aged().links[slot]);
            state_.ages.leave(aged(), slot);
        }
        if constexpr (has_generations) generations()[slot] = static_cast<generation>(life + 1);
        if constexpr (!std::is_trivially_destructible_v<T>) {
            const detail::inner_call<T> ending(inside_);
            detail::destroy(at(slot));
        }
        detail::bury(at(slot), sizeof(T));
        detail::clear(occupied(), slot);
    }

    /// The slot is at its last generation. False when it is retired.
    [[nodiscard]] bool reuse_worn(std::uint32_t slot) noexcept {
        if (detail::reuse_worn_slot<Options.generations>(limits_, [&] { generations()[slot] = 0; })) return true;
        ++state_.retired;
        return false;
    }

    LIDO_NOINLINE bool give_slow(std::uint32_t slot) noexcept {
        state_.finder.give(maps(), slot);
        return true;
    }

    /// Calls `f(slot)` for each live slot. `f` may end lives, the current and others, and begin new ones.
    template <class F>
    void for_each_live(F&& f) {
        for (std::size_t w = 0; w < detail::words_for(used()); ++w) {
            for (detail::map_word left = live_in(w); left != 0; left &= left - 1) {
                const auto slot = static_cast<std::uint32_t>(w * 64 + detail::lowest(left));
                // A destructor that ran since the word was read may have ended this life too.
                if constexpr (!std::is_trivially_destructible_v<T>) {
                    if (!detail::test(occupied(), slot) || !contains(handle_at(slot))) continue;
                }
                f(slot);
            }
        }
    }

    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const noexcept {
        if (slot >= state_.known) return 0;
        if constexpr (has_generations) return generations()[slot];
        return detail::test(occupied(), slot) ? 1 : 2;
    }

    // What acquire, release and get touch comes first and together: the addresses of the arrays, then the head of the state.
    size_type ready_ = 0;
    detail::call_depth inside_ = 0;  ///< constructors and destructors of elements that run now
    bool memory_refused_ = false;
    memory memory_;
    state state_;
    detail::exhaustion<T, handle_type, Options> limits_;
    lease_list<basic_slot_pool> leases_;
    LIDO_NO_UNIQUE_ADDRESS detail::marks_owner<marks> marked_for_;
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
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
