// recycle_pool: objects stay constructed between lives and keep the memory they own. For objects that are dear to build.
//
//                acquire: pop the idle one released last         acquire, nothing idle: construct
//        +----------------------------------------+      +-----------------------------------+
//        v                                        |      |                                   |
//     active  --- release, idle < idle_cap --->  idle  <-+- prewarm, adopt ---------------  vacant
//        |                                        |                                          ^
//        +-- release, idle == idle_cap; discard --+---- trim ----- (destroy) ----------------+
//
//   values, generations, occupied   as in slot_pool: a set bit is an active slot, and walks go by them
//   held, built, idle               recycle_layout.hpp; 8.4 bytes of bookkeeping a slot in all (6.4 with short handles)
//
// What every shape does in the same words is in parts/surface.hpp, what pools of slots do so in parts/slots/slot_surface.hpp. The walk of
// an acquire, and of a release:
//
//   acquire  ->  take (below)  ->  recycle_objects: the idle one released last begins a life  ->  slot_table: the life counts
//                              ->  recycle_taking: when none is at hand  ->  recycle_replacing: when the pool is full
//   release  ->  recycle_ending: the life ends, its object waits or goes
//
//   recycle_table       memory, slots, counts, the idle stack     recycle_objects      one object: begun, built, put to sleep, destroyed
//   recycle_layout      the arrays, drawn                         recycle_idle         prewarm, adopt, trim
//   recycle_validation  validate()                                hooks                what is done to an object, by whom
//   recycle_rewind      save, restore and hash                    reset_check          what leaked from the last life
//   recycle_state       what a save must bring back               parts/slots          the rest, as in slot_pool
//   recycle_changing    settings that change while it runs
//
// With options::confirmed_ends there is a state between active and idle: an ended object whose slot is held and that waits in a queue
// (parts/slots/limbo.hpp), hooks unrun, until confirm() lets it go. Its slot comes to the idle ones, as below, when begin_tick() says so.
//
// RC1. generation[s] is odd exactly while slot s is active, and then its occupied bit is set.
// RC2. A slot below used() is active, or idle (in the idle stack, once), or waiting (in the queue of ends, once), or vacant; held bits are
//      those of all but the vacant ones.
// RC3. built bits are the slots in which an object exists: all active ones, no vacant one. Of the idle ones, hollow_ have none:
//      a restore brings back the order of idle slots, which decides the handles to come, but makes no objects. The next acquire
//      or prewarm does.
// RC4. size == lives begun - lives ended == occupied bits; size + retired <= capacity <= slots.
// RC5. retired counts the slots whose generation is the last one (rule retire).
// Between the start of an acquire or release and its end, where hooks of T run, a slot may be held and neither active nor idle.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/handle.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/parts/lease.hpp>
#include <lido/core/parts/option_rules.hpp>
#include <lido/core/parts/slots/slot_guard.hpp>
#include <lido/core/parts/slots/slot_replacing.hpp>
#include <lido/core/parts/slots/slot_surface.hpp>
#include <lido/core/shapes/recycle/hooks.hpp>
#include <lido/core/shapes/recycle/recycle_changing.hpp>
#include <lido/core/shapes/recycle/recycle_ending.hpp>
#include <lido/core/shapes/recycle/recycle_idle.hpp>
#include <lido/core/shapes/recycle/recycle_objects.hpp>
#include <lido/core/shapes/recycle/recycle_rewind.hpp>
#include <lido/core/shapes/recycle/recycle_settings.hpp>
#include <lido/core/shapes/recycle/recycle_table.hpp>
#include <lido/core/shapes/recycle/recycle_taking.hpp>
#include <lido/core/shapes/recycle/recycle_validation.hpp>

#include <cstddef>
#include <cstdint>
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
class recycle_pool : public detail::slot_surface<
                         recycle_pool<T, Options, Storage, Tag>, detail::recycle_table<T, Options, Storage, Tag>,
                         detail::recycled_types<T, typename detail::handle_for<T, Options, Tag>::type, Options>> {
    using surface = typename recycle_pool::slot_surface;
    using table_type = detail::recycle_table<T, Options, Storage, Tag>;
    using memory = typename table_type::memory;
    using generation = typename table_type::generation;  // debuggers read it (tools/debugger)

    static_assert(detail::option_rules::recycle<Options>());

public:
    using typename surface::acquired_type;
    using typename surface::handle_type;
    using typename surface::size_type;
    using settings_type = recycle_settings<T, handle_type, Options.confirmed_ends>;
    using rewind_with = detail::recycle_rewind;

    static constexpr options pool_options = Options;
    static constexpr const char* shape = "recycle_pool";
    static constexpr bool can_grow = table_type::can_grow;

    // --- building ----------------------------------------------------------------------------------------------------------

    /// Room for `capacity` active objects, for settings.idle_cap idle ones where that is more, and for growth where the settings ask
    /// for it. When the memory cannot be had, the pool has capacity 0, refuses every acquire, and has said so through the misuse
    /// handler.
    explicit recycle_pool(slot_count capacity, settings_type settings = {})
        requires(memory::fixed_slots == 0 && requires(memory m) { m.open(std::size_t{}, std::size_t{}); })
        : table_(settings) {
        table_.open(capacity);
    }

    /// Inside the pool object itself: the storage's N slots are capacity and idle cap in one.
    explicit recycle_pool(settings_type settings = {})
        requires(memory::fixed_slots != 0)
        : table_(settings) {
        table_.open_inside();
    }

    /// On memory the caller lends: as many slots as fit (`bytes_for` tells how much that takes).
    explicit recycle_pool(std::span<std::byte> buffer, settings_type settings = {})
        requires(requires(memory m) { m.open(std::span<std::byte>{}, std::size_t{}); })
        : table_(settings) {
        table_.open(buffer);
    }

    /// Steals the memory: objects stay where they are, handles and leases go on to work with the new pool. The source has
    /// capacity 0.
    recycle_pool(recycle_pool&& other) noexcept
        requires memory::movable
        : table_(other.settings()) {
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
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        if constexpr (Options.confirmed_ends) {
            if (table_.limbo().letting_go) return table_.refuse_while_letting_go();
        }
        return detail::recycle_taking::reserve<Args...>(table_, handle, args...);
    }

    /// Ends every life; no handle survives it. The objects wait, as after a release of each from the last slot to the first.
    /// With confirmed_ends all ends are for good, those that wait first.
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        if constexpr (Options.confirmed_ends) {
            if (detail::limbo::from_inside(table_)) return;
        }
        leases_.drop_all();
        detail::recycle_ending::end_all(table_);
        if (this->empty()) table_.now().ages.reset();
    }

    // --- idle objects ------------------------------------------------------------------------------------------------------

    /// Objects that wait.
    [[nodiscard]] size_type idle() const noexcept { return table_.idle(); }
    /// Slots that wait, with an object or, after a restore, without one yet. Part of the state, as idle() is not: what must be
    /// played again exactly goes by this.
    [[nodiscard]] size_type waiting() const noexcept { return table_.now().idle; }
    /// With confirmed_ends: whether an object that ends now may join the idle ones when its slot is free, by what waits already. Part of
    /// the state.
    [[nodiscard]] bool idle_has_room() const noexcept
        requires(Options.confirmed_ends)
    {
        const auto& st = table_.now();
        return std::uint64_t{st.idle} + st.limbo.count - st.limbo.for_good < table_.idle_cap();
    }
    [[nodiscard]] size_type idle_cap() const noexcept { return table_.idle_cap(); }

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
        return detail::recycle_idle::make_while(table_, target, go_on);
    }

    /// The same, counted in slots that wait (waiting()): how many a slice makes depends on the state alone, so that a replay makes as
    /// many. Counts `most` down; slots that a restore brought back without an object stay so until they are acquired.
    size_type prewarm_slots(size_type target, size_type& most) {
        return detail::recycle_idle::extend(table_, target, most);
    }

    /// An object made elsewhere joins the idle ones, and is the next to be acquired. False when as many wait as may.
    bool adopt(T&& object) noexcept {
        require_adoptable();
        return detail::recycle_idle::adopt(table_, std::move(object));
    }

    /// An object made elsewhere joins the active ones as it is: no hook is called. Grows a full pool where that is allowed, and is
    /// refused otherwise.
    LIDO_ENTRY acquired_type adopt_active(T&& object, request wish = {}) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        require_adoptable();
        return detail::recycle_idle::adopt_active(table_, std::move(object), wish);
    }

    /// release_found() for who has called the hooks of the end: the pool calls none. Pre: contains(handle).
    LIDO_INLINE void release_told(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        LIDO_ASSERT(table_.contains(handle), "release_told: the handle names no life of this pool");
        detail::recycle_ending::end_life<true>(table_, handle.index(), handle.generation());
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// handle_of() by the address, which need not be that of a T at all.
    [[nodiscard]] handle_type handle_at_address(const void* object) const noexcept {
        const std::uint32_t slot = table_.slot_of(object);
        return slot != detail::no_slot && table_.lives(slot) ? table_.handle_at(slot) : handle_type{};
    }

    /// The first active object, in slot order, for which `accepts(T&)` or `accepts(T&, handle)` says yes; null when there is none. Unlike a loop over the pool,
    /// `accepts` may release any object, which is then not asked about, and acquire.
    template <class F>
    [[nodiscard]] handle_type find_if(F&& accepts) {
        const std::uint32_t slot = table_.first_live(accepts);
        return slot != detail::no_slot ? table_.handle_at(slot) : handle_type{};
    }

    /// Whom that rule would end to make room for this request; null for nobody. For who ends objects in a way of their own before
    /// they acquire.
    [[nodiscard]] handle_type victim_by(on_full rule, request wish = {}) const {
        const std::uint32_t slot = detail::slot_replacing::choose_victim(table_, wish, rule);
        return slot != detail::no_slot ? table_.handle_at(slot) : handle_type{};
    }
    /// The same among those that `may(const T&)` lets go.
    template <class May>
    [[nodiscard]] handle_type victim_by(on_full rule, request wish, May&& may) const {
        const std::uint32_t slot = detail::slot_replacing::choose_victim_among(table_, wish, rule, may);
        return slot != detail::no_slot ? table_.handle_at(slot) : handle_type{};
    }

    /// Reports the active objects as the end of the pool would (settings.leaks), for who ends them one by one.
    void report_active() const noexcept { static_cast<void>(table_.check_leaks()); }

    /// Whether fields of an element, or of a part of one, can be compared, and builds like this one do.
    template <class Part>
    static constexpr bool compares_resets = table_type::diary_type::kept && detail::compared_by_field<Part>;

    /// The reset check for who sets objects up after the acquire: reports the fields of an object that begins another life in which it
    /// differs from a fresh one that was set up alike. Pre: contains(handle); `now` is its object, or a part of it.
    template <class Part>
        requires compares_resets<Part>
    void tell_kept(handle_type handle, const Part& now, const Part& fresh) {
        if (!reports.resets.load(std::memory_order_relaxed)) return;
        [[maybe_unused]] const auto from = table_.book().enter({});
        detail::text_line names;
        if (detail::name_differences(now, fresh, names))
            table_.book().tell_kept(this->name(), handle.index(), handle.generation() - 2u, names.text());
    }

    [[nodiscard]] const settings_type& settings() const noexcept { return table_.settings(); }

    // --- settings, while it runs: no part of a rewind --------------------------------------------------------------------------
    // Pre: not called from a hook, constructor or destructor of T.

    /// What it begins with, and keeps in a trim.
    [[nodiscard]] size_type first_capacity() const noexcept { return table_.limits().first_capacity(); }
    /// Slots that there is address space for: how far raise() may go.
    [[nodiscard]] size_type reserved() const noexcept { return table_.reserved(); }

    /// Room for `capacity` active objects at once, and growth beyond as far as the rule says. False, and nothing changes, for a rule
    /// whose cap is below what the pool may have already (a save of that many must still fit), and for more than reserved().
    bool raise(size_type capacity, on_full rule) noexcept
        requires can_grow
    {
        return detail::recycle_changing::raise(table_, capacity, rule);
    }

    /// How many may wait from now on; those above it go with a trim. False, and nothing changes, for a higher one above reserved().
    bool set_idle_cap(size_type cap) noexcept { return detail::recycle_changing::set_idle_cap(table_, cap); }

    /// With options::ages_by_setting: tracks from now on. Those that are active are taken for older than all that come, in the order of
    /// their slots, at priority 0. Complexity: O(slots). False where the options do not track.
    bool keep_ages() noexcept { return detail::recycle_changing::keep_ages(table_); }

    void set_headroom(headroom kept) noexcept { table_.limits().keep_headroom(kept); }
    void set_leaks(leaks policy) noexcept { table_.limits().changing().leaks = policy; }

    // --- rewind (see rewind/save.hpp) --------------------------------------------------------------------------------------
    //
    // State is: the active objects, every generation, and which slots are idle in which order. Not state: the content of idle
    // objects and the memory they own. So a restore leaves an idle object where it is, destroys those that the saved state has no
    // slot for, and makes none. A life that it undoes ends as by release, hooks included; one that it brings back gets no
    // on_acquire: it is as it was.

    // --- ends for good -------------------------------------------------------------------------------------------------------

    /// release() of an object that is not kept for another life: it is destroyed, and its slot is vacant, for a new object.
    LIDO_ENTRY bool discard(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        if (!table_.contains(handle)) [[unlikely]]
            return this->bad_release(handle);
        discard_found(handle);
        return true;
    }
    /// The same for callers that know it is alive. Pre: contains(handle).
    void discard_found(handle_type handle) noexcept {
        static_assert(
            !Options.confirmed_ends,
            "lido: an object whose end waits to be confirmed may come back, so it cannot be discarded: release "
            "it, and trim() the pool later");
        LIDO_ASSERT(table_.contains(handle), "discard_found: the handle names no life of this pool");
        ending::end_and_destroy(table_, handle.index(), handle.generation());
    }

    // --- memory ------------------------------------------------------------------------------------------------------------

    /// Gets the memory of the first `slots` slots now, without making objects in them. False when it cannot be had, or is more than
    /// the pool may have.
    bool prepare(size_type slots) noexcept { return slots <= table_.most_slots() && table_.make_ready(slots); }

    /// Destroys idle objects, those that wait longest first, until `keep_idle` are left; gives the whole pages past the last object
    /// back to the system, and takes growth back where it is not used. Returns the bytes of pages given back (what the objects
    /// owned is not in it); nothing happens, and 0 is returned, from inside of a constructor, destructor or hook. No object moves, and
    /// stale handles stay stale.
    std::size_t trim(size_type keep_idle = 0) noexcept { return detail::recycle_idle::trim(table_, keep_idle); }

    [[nodiscard]] pool_stats stats() const noexcept {
        const auto& now = table_.now();
        pool_stats s = table_.stats(shape);
        s.idle = table_.idle();
        s.created = now.created;
        s.destroyed = now.destroyed;
        s.reused = now.acquired - now.first_lives;
        s.idle_overflow = now.idle_overflow;
        return s;
    }

    /// Checks every numbered invariant. Complexity: O(slots). Pre: not called from a hook, constructor or destructor of T.
    [[nodiscard]] verdict validate() const noexcept { return {detail::recycle_validation::broken(table_)}; }

private:
    friend surface;
    friend typename recycle_pool::pool_surface;
    friend detail::holder_surface<recycle_pool>;
    friend detail::rewind_door;
    using ending = detail::recycle_ending;
    [[nodiscard]] auto& leases() noexcept { return leases_; }
    [[nodiscard]] LIDO_INLINE auto& the_table() noexcept { return table_; }
    [[nodiscard]] LIDO_INLINE const auto& the_table() const noexcept { return table_; }

    template <class... Args>
    LIDO_INLINE acquired_type take(request wish, Args&&... args) {
        if constexpr (Options.confirmed_ends) {
            if (table_.limbo().letting_go) [[unlikely]]
                return table_.refuse_while_letting_go();
        }
        if (const refusal why = table_.limits().kept_from(wish, table_.size()); why != refusal::none) [[unlikely]]
            return table_.refuse(why);
        if (!table_.quick()) [[unlikely]]
            return detail::recycle_taking::acquire<Args...>(table_, wish, args...);
        return detail::recycle_objects::wake<Args...>(table_, table_.pop(), wish, args...);
    }

    LIDO_INLINE bool end_life(std::uint32_t slot, std::uint32_t life) noexcept {
        if (detail::limbo::forbids_change(table_)) return false;
        detail::recycle_ending::end_life(table_, slot, life);
        return true;
    }

    static void require_adoptable() noexcept {
        static_assert(std::is_nothrow_move_constructible_v<T>,
                      "lido: adopt moves the object into the pool, which must not fail: make the element's move "
                      "constructor noexcept, or let settings.create make the objects in place");
    }

    void close_down() noexcept {
        leases_.drop_all();
        if (table_.check_leaks()) detail::recycle_ending::destroy_all(table_);
        detail::slot_guard<T>::open_as_is(table_.values(), 0, table_.ready());
    }

    void steal(recycle_pool& other) noexcept {
        table_.steal(other.table_);
        leases_.adopt(other.leases_, *this);
    }

    LIDO_NO_UNIQUE_ADDRESS table_type table_;  // so that the leases lie in its padding, where it has any
    lease_list<recycle_pool> leases_;
};

/// The same inside the object itself: the pool allocates nothing, whatever its objects do.
template <class T, std::size_t N, options Options = options{}, class Tag = void>
using inline_recycle_pool = recycle_pool<T, Options, inline_storage<N>, Tag>;

}  // namespace lido
