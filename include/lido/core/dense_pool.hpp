// dense_pool: live objects packed in [0, size), so that an update is a loop over one array. Release moves the last into the hole.
//
//   values    | row 0 | row 1 | ... | row size-1 |  free ...        one contiguous span of live objects
//   words     | generation and row of slot i, ...                   see rows/row_map.hpp: 9 bytes a row, 12 past 2^20 rows
//   backs     | slot of row i ...
//   links, birth, priority, ring, resting                           only where the options ask for them
//
// The zones of rows and their invariants Z1..Z3 are in rows/row_order.hpp, M1 in rows/row_map.hpp.
// D1. size <= ready_ <= rows that are committed, allowed and have a free slot.
// D2. size == lives begun - lives ended.
#pragma once

#include <lido/core/acquired.hpp>
#include <lido/core/age_order.hpp>
#include <lido/core/bits.hpp>
#include <lido/core/bulk.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/config.hpp>
#include <lido/core/construct.hpp>
#include <lido/core/exhaustion.hpp>
#include <lido/core/handle.hpp>
#include <lido/core/lease.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/misuse.hpp>
#include <lido/core/options.hpp>
#include <lido/core/rewind/marks.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/rows/dense_layout.hpp>
#include <lido/core/rows/dense_rewind.hpp>
#include <lido/core/rows/row_iterator.hpp>
#include <lido/core/rows/row_map.hpp>
#include <lido/core/rows/row_order.hpp>
#include <lido/core/stats.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido {

/// Threads: a pool belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: an element's constructor, move and destructor must not change the pool they live in (builds with checks stop).
template <class T, options Options = options{}, class Storage = reserved_storage, class Tag = void>
class dense_pool {
    using layout = detail::dense_layout<T, Options, Tag>;
    using memory = typename Storage::template memory<layout>;
    using map_type = typename layout::map_type;
    using diary_type = detail::diary<Options.forensics>;

    static constexpr bool delays = Options.reuse_delay != 0;
    static constexpr bool tracks = Options.tracks != track::nothing;
    static constexpr bool marks = Options.mark_changes;

    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(std::is_object_v<T> && !std::is_const_v<T> && !std::is_array_v<T>,
                  "lido: a pool holds objects of a non-const, non-array type");
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
    static_assert(Options.generations != generation_rule::none,
                  "lido: only flag_pool works without generations; dense_pool needs them to tell stale handles");
    static_assert(Options.order == reuse::recent,
                  "lido: rows are always packed, so dense_pool has no reuse order to choose");

public:
    using value_type = T;
    using handle_type = typename layout::handle_type;
    using acquired_type = acquired<T, handle_type>;
    using lease_type = lido::lease<dense_pool>;
    using settings_type = pool_settings<T, handle_type>;
    using size_type = std::uint32_t;
    using reference = T&;
    using const_reference = const T&;
    using pointer = T*;
    using const_pointer = const T*;
    using iterator = detail::row_iterator<dense_pool, T>;
    using const_iterator = detail::row_iterator<const dense_pool, const T>;

    using rewind_with = detail::dense_rewind;

    static constexpr options pool_options = Options;
    static constexpr const char* shape = "dense_pool";
    static constexpr bool stable_addresses = false;
    static constexpr bool can_grow = memory::grows;

    // --- building ----------------------------------------------------------------------------------------------------------

    /// Room for `capacity` objects, and for growth where the settings ask for it. When the memory cannot be had, the pool has
    /// capacity 0, refuses every acquire, and has said so through the misuse handler.
    explicit dense_pool(size_type capacity, settings_type settings = {})
        requires(memory::fixed_slots == 0 && requires(memory m) { m.open(std::size_t{}, std::size_t{}); })
        : limits_(settings) {
        const size_type most = limits_.plan(capacity, layout::max_rows, can_grow);
        if (!memory_.open(can_grow ? 0 : most, most)) {
            limits_.fail("the memory for the asked capacity could not be had; the pool has capacity 0");
        }
        start();
    }

    /// Inside the pool object itself: capacity is the storage's N.
    explicit dense_pool(settings_type settings = {})
        requires(memory::fixed_slots != 0)
        : limits_(settings) {
        static_assert(memory::fixed_slots <= layout::max_rows,
                      "lido: raise options::max_rows or the handle's index bits");
        static_cast<void>(limits_.plan(static_cast<size_type>(memory::fixed_slots), layout::max_rows, false));
        start();
    }

    /// On memory the caller lends: as many rows as fit (`bytes_for` tells how much that takes).
    explicit dense_pool(std::span<std::byte> buffer, settings_type settings = {})
        requires(requires(memory m) { m.open(std::span<std::byte>{}, std::size_t{}); })
        : limits_(settings) {
        if (memory_.open(buffer, layout::max_rows)) {
            static_cast<void>(limits_.plan(static_cast<size_type>(memory_.max_slots()), layout::max_rows, false));
        } else {
            limits_.fail("the lent buffer is too small for one row; the pool has capacity 0");
        }
        start();
    }

    /// Steals the memory: objects stay where they are, handles and leases go on to work with the new pool. The source has
    /// capacity 0.
    dense_pool(dense_pool&& other) noexcept
        requires memory::movable
        : limits_(other.limits_) {
        steal(other);
    }
    dense_pool& operator=(dense_pool&& other) noexcept
        requires memory::movable
    {
        if (this != &other) {
            close_down();
            steal(other);
        }
        return *this;
    }

    /// Ends every object, or what settings.leaks says.
    ~dense_pool() { close_down(); }

    /// How large a lent buffer must be for `rows` rows.
    [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t rows) noexcept
        requires(requires { memory::bytes_for(std::size_t{}); })
    {
        return memory::bytes_for(rows);
    }

    // --- acquire and release -----------------------------------------------------------------------------------------------

    /// Builds an object behind the last one. False when refused: why_refused() tells.
    /// Throws: what the constructor throws; the pool is then as it was. Complexity: O(1), amortised over growth. Invalidates:
    /// forward iterators, which do not follow; no pointer.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_QUICK_ENTRY acquired_type acquire(Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return take(request{}, std::forward<Args>(args)...);
    }

    /// The same for a request that says how much it matters.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_QUICK_ENTRY acquired_type acquire_as(request wish,
                                              Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return take(wish, std::forward<Args>(args)...);
    }

    /// The same, released at the end of the lease's scope.
    template <class... Args>
        requires detail::constructible<T, Args...>
    [[nodiscard]] LIDO_ENTRY lease_type lease(Args&&... args) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return lease_type(*this, leases_, take(request{}, std::forward<Args>(args)...));
    }

    /// Builds an object under exactly this handle, for ids chosen elsewhere (a server, a save). Refused when the slot is taken,
    /// when it has had that generation or a later one (an old handle would alias), or when it is out of range.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_ENTRY acquired_type reserve(handle_type handle, Args&&... args) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        const std::uint32_t slot = handle.index();
        const std::uint32_t life = handle.generation();
        if ((life & 1) == 0 || life > handle_type::last_generation || slot >= limits_.max_capacity()) {
            return refuse(refusal::out_of_range);
        }
        if (slot < state_.rows.known) {
            const std::uint32_t had = map().generation(slot);
            if ((had & 1) != 0) return refuse(refusal::slot_taken);
            if (had >= life) return refuse(refusal::generation_passed);
        }
        size_type capacity = state_.capacity;
        if (slot >= capacity || taken() >= capacity) {
            if (limits_.grows_from(capacity)) capacity = limits_.grown(capacity, std::uint64_t{slot} + 1);
            if (taken() >= capacity) return refuse(refusal::full);
            if (slot >= capacity) return refuse(refusal::out_of_range);
        }
        if (!memory_has(std::max(slot, size()) + 1)) return refuse(refusal::no_memory);

        T* const object = construct_at_end(std::forward<Args>(args)...);
        state_.counters.grown += capacity != state_.capacity ? 1u : 0u;
        state_.capacity = capacity;
        map_type rows = map();
        while (state_.rows.known <= slot) state_.rows.add_fresh(rows);
        state_.rows.bring_forward(rows, ring(), resting(), slot);
        rows.set_generation(slot, life - 1);
        const acquired_type result = go_live(object, request{});
        update_ready();
        return result;
    }

    /// Builds up to `out.size()` objects from the same arguments and writes their handles. Answers how many fit.
    /// Throws: what a constructor throws; the lives that this call began have then ended again and `out` holds nulls.
    template <class... Args>
        requires detail::constructible<T, const Args&...>
    LIDO_ENTRY size_type acquire_n(std::span<handle_type> out, const Args&... args) {
        [[maybe_unused]] const auto from = diary_.enter_for_all(LIDO_CALLER);
        return detail::acquire_each(*this, out, args...);
    }

    /// Ends the life that the handle names. False, counted and reported, when it has ended before or never was.
    /// Complexity: O(1). Invalidates: pointers to the object and to the last object, which moves.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        const std::uint32_t slot = handle.index();
        if (!contains(handle)) [[unlikely]] {
            return limits_.bad_release(diary_, slot, handle.generation(), generation_of(slot), state_.counters);
        }
        end_life(slot, map().row(slot));
        return true;
    }

    /// Ends the life of an object of this pool.
    LIDO_ENTRY bool release(const T& object) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        const std::uint32_t row = row_of(object);
        if (row == detail::no_slot) [[unlikely]]
            return limits_.bad_release_of_object(diary_, state_.counters);
        end_life(map().slot(row), row);
        return true;
    }

    /// Ends each of them; answers how many lived.
    LIDO_ENTRY size_type release_n(std::span<const handle_type> handles) noexcept {
        [[maybe_unused]] const auto from = diary_.enter_for_all(LIDO_CALLER);
        return detail::release_each(*this, handles);
    }

    /// Ends every object that `gone(T&)` accepts: the one way to remove during a pass that needs no rules. Visits each once, from the
    /// last row to the first, so that what moves into a hole has been visited. Pre: `gone` does not change the pool.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        size_type done = 0;
        for (std::uint32_t row = size(); row-- != 0;) {
            const std::uint64_t before = changes();
            const bool ends = ask(gone, row);
            LIDO_ASSERT(changes() == before, "release_if: the predicate changed the pool");
            static_cast<void>(before);
            if (ends) {
                end_life(map().slot(row), row);
                ++done;
            }
        }
        return done;
    }

    /// Ends every life; no handle survives it. Complexity: O(slots ever used).
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        leases_.drop_all();
        destroy_all();
        bury_rows();
        map_type rows = map();
        const std::uint32_t worn = rows.end_all(state_.rows.known, handle_type::last_generation);
        state_.peak = std::max(state_.peak, size());
        state_.rows.size = 0;
        if constexpr (delays) state_.rows.rest.drop_if(ring(), resting(), [](std::uint32_t) { return true; });
        state_.ages.reset();
        if (worn != state_.rows.retired) [[unlikely]] {
            // Slots at their last generation leave the free zone; what takes their row is looked at next.
            for (std::uint32_t row = 0; row < state_.rows.known - state_.rows.retired;) {
                if (rows.generation(rows.slot(row)) != handle_type::last_generation || !wear_out(rows, row)) ++row;
            }
        }
        update_ready();
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
        const std::uint32_t row = row_of(handle);
        if (row == detail::no_slot) return nullptr;
        touch(row);
        return base() + row;
    }
    [[nodiscard]] LIDO_INLINE const T* try_get(handle_type handle) const noexcept {
        const std::uint32_t row = row_of(handle);
        return row != detail::no_slot ? base() + row : nullptr;
    }

    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept {
        return row_of(handle) != detail::no_slot;
    }

    /// The handle of a live object of this pool; null for any other object.
    [[nodiscard]] handle_type handle_of(const T& object) const noexcept {
        const std::uint32_t row = row_of(object);
        return row != detail::no_slot ? handle_of_row(row) : handle_type{};
    }

    /// The handle of the object at `row`. Pre: row < size().
    [[nodiscard]] handle_type handle_of_row(std::uint32_t row) const noexcept {
        LIDO_ASSERT(row < size(), "handle_of_row: there is no such row");
        const std::uint32_t slot = map().slot(row);
        return handle_type::of(slot, map().generation(slot));
    }

    [[nodiscard]] size_type size() const noexcept { return state_.rows.size; }
    [[nodiscard]] bool empty() const noexcept { return state_.rows.size == 0; }

    /// Rows there are now. Growth raises it, up to max_capacity().
    [[nodiscard]] size_type capacity() const noexcept { return state_.capacity; }
    [[nodiscard]] size_type max_capacity() const noexcept { return limits_.max_capacity(); }

    /// True when the next acquire must grow, replace or refuse.
    [[nodiscard]] bool full() const noexcept { return taken() >= state_.capacity; }

    /// Why the latest refused acquire or reserve was refused. A later success does not change it.
    [[nodiscard]] refusal why_refused() const noexcept { return limits_.last(); }
    /// Where the latest newcomer that on_full::merge folded lives on.
    [[nodiscard]] handle_type merged_into() const noexcept { return limits_.merged_into(); }
    [[nodiscard]] const char* name() const noexcept { return limits_.settings().name; }
    [[nodiscard]] const settings_type& settings() const noexcept { return limits_.settings(); }

    // --- iteration, in row order -------------------------------------------------------------------------------------------
    //
    // While iterating forward the pool must not change (builds with checks stop at the next step). To release the object one is
    // at, walk backward(); or use release_if.

    [[nodiscard]] T* data() noexcept {
        touch_all();
        return base();
    }
    [[nodiscard]] const T* data() const noexcept { return base(); }

    /// All live objects, contiguous.
    [[nodiscard]] std::span<T> values() noexcept { return {data(), size()}; }
    [[nodiscard]] std::span<const T> values() const noexcept { return {data(), size()}; }

    [[nodiscard]] iterator begin() noexcept { return detail::row_begin(*this, data()); }
    [[nodiscard]] iterator end() noexcept { return detail::row_end(*this, data()); }
    [[nodiscard]] const_iterator begin() const noexcept { return detail::row_begin(*this, data()); }
    [[nodiscard]] const_iterator end() const noexcept { return detail::row_end(*this, data()); }

    /// From the last row to the first. Releasing the object one is at is allowed: the object that moves into its row has been
    /// visited. Acquiring is allowed, unless it replaces; new objects are not visited.
    [[nodiscard]] auto backward() noexcept { return detail::backward_range<dense_pool, T>(this); }

    /// Handle and object at once: `for (auto [handle, object] : pool.each())`.
    [[nodiscard]] auto each() noexcept { return detail::row_range<dense_pool, T>(this); }
    [[nodiscard]] auto each() const noexcept { return detail::row_range<const dense_pool, const T>(this); }

    /// Calls `f(object)` for each.
    template <class F>
    void for_each(F&& f) {
        for (T& object : *this) f(object);
    }
    template <class F>
    void for_each(F&& f) const {
        for (const T& object : *this) f(object);
    }

    // --- rewind (see rewind/save.hpp) --------------------------------------------------------------------------------------

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

    /// Gets the memory for the first `rows` rows now, so that no later acquire below that has to ask the system. False when it
    /// cannot be had, or is more than max_capacity().
    bool prepare(size_type rows) noexcept {
        const bool had = rows <= limits_.max_capacity() && memory_has(rows);
        update_ready();
        return had;
    }

    /// Gives the whole pages past the last object back to the system, and takes growth back where it is not used. Answers the
    /// bytes given back: 0 where the storage cannot. No object moves, and stale handles stay stale.
    std::size_t trim() noexcept {
        if (state_.rows.retired == 0) {
            state_.capacity = std::max(size(), std::min(state_.capacity, limits_.first_capacity()));
        }
        guard_rows(size(), memory_.ready(), false);
        const std::size_t bytes = memory_.give_back(size());
        guard_rows(size(), memory_.ready(), true);
        update_ready();
        return bytes;
    }

    [[nodiscard]] pool_stats stats() const noexcept {
        struct figures {
            size_type capacity, peak, retired;
            std::uint64_t acquired;
            const pool_counters& counters;
        };
        pool_stats s = detail::stats_of(
            shape, figures{state_.capacity, state_.peak, state_.rows.retired, state_.acquired, state_.counters}, size(),
            limits_.max_capacity());
        s.bytes = memory_.bytes();
        s.bookkeeping_per_slot = layout::bookkeeping(state_.capacity);
        return s;
    }

    /// Checks every numbered invariant. Complexity: O(slots ever used).
    [[nodiscard]] verdict validate() const noexcept {
        const auto& rows = state_.rows;
        if (size() > ready_) return {"D1: more objects than rows that are ready"};
        if (state_.capacity > limits_.max_capacity()) return {"D1: the capacity is past its maximum"};
        if (taken() > state_.capacity) return {"D1: more objects and retired slots than the capacity"};
        if (rows.size + rows.rest.count + rows.retired > rows.known) return {"Z2: the zones overlap"};
        for (std::uint32_t s = 0; s < rows.known; ++s) {
            const std::uint32_t row = map().row(s);
            if (row >= rows.known || map().slot(row) != s) return {"M1: rows and slots disagree"};
            const std::uint32_t life = map().generation(s);
            if (((life & 1) != 0) != (row < rows.size)) return {"Z1: a generation and a zone disagree"};
            if constexpr (delays) {
                if (detail::test(resting(), s) != (row >= rows.size && row < rows.first_free())) {
                    return {"Z2: a resting slot lies outside of its zone"};
                }
            }
            if (Options.generations == generation_rule::retire &&
                (life == handle_type::last_generation) != (row >= rows.known - rows.retired)) {
                return {"Z3: a retired slot lies outside of its zone"};
            }
        }
        return {validate_ages()};
    }

private:
    friend struct detail::dense_rewind;

    /// All that a save must bring back, beside the arrays. Trivially copyable.
    struct state {
        detail::row_order<Options.reuse_delay> rows;
        LIDO_NO_UNIQUE_ADDRESS detail::age_order<Options.tracks> ages;
        std::uint64_t acquired = 0;
        size_type capacity = 0;
        size_type peak = 0;
        pool_counters counters;
    };
    static_assert(std::is_trivially_copyable_v<state>);

    template <class U, std::size_t K>
    [[nodiscard]] LIDO_INLINE U* array() const noexcept {
        return reinterpret_cast<U*>(memory_.template array<K>());
    }
    [[nodiscard]] LIDO_INLINE T* base() const noexcept {
        return reinterpret_cast<T*>(memory_.template array<detail::dense_values>());
    }
    [[nodiscard]] detail::map_word* changed() const noexcept {
        return array<detail::map_word, detail::dense_changed>();
    }

    /// With mark_changes: what is at this index (the row's value, the entries of row and slot) is no longer what it was at the
    /// latest save of a history. The map marks its own changes.
    LIDO_INLINE void touch([[maybe_unused]] std::size_t index) noexcept {
        if constexpr (marks) detail::set(changed(), index);
    }
    void touch_all() noexcept {
        if constexpr (marks) {
            for (std::size_t w = 0; w < detail::words_for(size()); ++w) changed()[w] |= detail::below(w, size());
        }
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
    [[nodiscard]] bool ask(Predicate& gone, std::uint32_t row) {
        if constexpr (marks) {
            if constexpr (std::is_invocable_v<Predicate&, const T&>) {
                return gone(std::as_const(base()[row]));
            } else {
                touch(row);
                return gone(base()[row]);
            }
        } else {
            return gone(base()[row]);
        }
    }

    [[nodiscard]] LIDO_INLINE map_type map() const noexcept {
        const typename layout::plain_map plain{{array<typename map_type::word_type, detail::dense_words>(),
                                                array<typename map_type::back_type, detail::dense_backs>()}};
        if constexpr (marks) {
            return {plain, changed()};
        } else {
            return plain;
        }
    }
    [[nodiscard]] detail::map_word* resting() const noexcept {
        return array<detail::map_word, detail::dense_resting>();
    }
    [[nodiscard]] std::uint32_t* ring() const noexcept { return array<std::uint32_t, detail::dense_ring>(); }
    [[nodiscard]] detail::age_arrays aged() const noexcept {
        return {array<detail::age_links, detail::dense_links>(), array<std::uint64_t, detail::dense_birth>(),
                array<std::uint8_t, detail::dense_priority>()};
    }

    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.acquired * 2 - state_.rows.size; }
    template <class, class>
    friend class detail::checked_row_iterator;
    template <class, class>
    friend class detail::backward_iterator;
    template <class, class>
    friend class detail::row_range;

    /// The row of a live handle, or no_slot. One load, one compare.
    [[nodiscard]] LIDO_INLINE std::uint32_t row_of(handle_type handle) const noexcept {
        const std::uint32_t slot = handle.index();
        const std::uint32_t life = handle.generation();
        if (slot >= state_.rows.known) return detail::no_slot;
        const auto entry = map().entry(slot);
        // an even generation names no life, though a free slot may hold it
        return map_type::generation_in(entry) == life && (life & 1) != 0 ? map_type::row_in(entry) : detail::no_slot;
    }

    [[nodiscard]] std::uint32_t row_of(const T& object) const noexcept {
        const auto first = reinterpret_cast<std::uintptr_t>(base());
        const auto at = reinterpret_cast<std::uintptr_t>(std::addressof(object));
        if (base() == nullptr || at < first || (at - first) % sizeof(T) != 0) return detail::no_slot;
        const std::size_t row = (at - first) / sizeof(T);
        return row < size() ? static_cast<std::uint32_t>(row) : detail::no_slot;
    }

    void start() noexcept {
        state_.capacity = limits_.first_capacity();
        limits_.begin();
        update_ready();
        diary_.open(name(), &detail::handle_kind<handle_type>);
        guard_rows(0, memory_.ready(), true);
    }

    void close_down() noexcept {
        leases_.drop_all();
        if (detail::check_leaks(diary_, settings(), size(), [this](auto&& f) {
                for (std::uint32_t row = 0; row < size(); ++row) f(map().slot(row), generation_of(map().slot(row)));
            })) {
            destroy_all();
        }
        guard_rows(0, memory_.ready(), false);
    }

    /// Closes or opens the memory of rows from..to-1, which hold no object.
    void guard_rows(std::size_t from, std::size_t to, bool closed) noexcept {
        if (!detail::guarded() || from >= to) return;
        closed ? detail::close_off(base() + from, (to - from) * sizeof(T))
               : detail::open_up(base() + from, (to - from) * sizeof(T));
    }

    /// Every life has ended, and every object.
    void bury_rows() noexcept {
        if constexpr (diary_type::kept) {
            for (std::uint32_t row = 0; row < size(); ++row)
                diary_.end(map().slot(row), generation_of(map().slot(row)));
        }
        if (size() != 0) detail::bury(base(), size() * sizeof(T));
    }

    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const noexcept {
        return slot < state_.rows.known ? map().generation(slot) : 0u;
    }

    LIDO_INLINE void tell_if_stale(bool found, handle_type handle, const void* caller) const noexcept {
        if (found || !handle) return;
        diary_.tell_stale_get(name(), handle.index(), handle.generation(), generation_of(handle.index()), caller);
    }

    void steal(dense_pool& other) noexcept {
        memory_ = std::move(other.memory_);
        state_ = std::exchange(other.state_, state{});
        limits_ = other.limits_;
        other.limits_.close();
        ready_ = std::exchange(other.ready_, 0);
        marked_for_ = std::exchange(other.marked_for_, {});
        leases_.adopt(other.leases_, *this);
        diary_.take(other.diary_);
    }

    // --- acquire -----------------------------------------------------------------------------------------------------------

    /// What the capacity is used up by: a retired slot costs one, as in every shape.
    [[nodiscard]] size_type taken() const noexcept { return state_.rows.size + state_.rows.retired; }

    void update_ready() noexcept {
        const auto& rows = state_.rows;
        const auto committed = static_cast<size_type>(memory_.ready());
        ready_ = std::min({rows.known - rows.retired - rows.rest.count, committed, state_.capacity - rows.retired});
    }

    [[nodiscard]] bool memory_has(size_type rows) noexcept {
        const std::size_t before = memory_.ready();
        if (rows <= before) return true;
        const bool had = memory_.make_ready(rows) >= rows;
        guard_rows(before, memory_.ready(), true);
        memory_refused_ = memory_refused_ || !had;
        return had;
    }

    /// True when one more object fits below `capacity` without ending another, with the memory for it at hand. Changes nothing
    /// else, so that a constructor may still throw.
    [[nodiscard]] bool has_room(size_type capacity) noexcept {
        const auto& rows = state_.rows;
        memory_refused_ = false;
        if (taken() >= capacity) return false;
        if (rows.free_rows() != 0) return memory_has(size() + 1);
        if (rows.known < capacity && memory_has(std::min(capacity, rows.known + 64))) return true;
        return rows.rest.count != 0 && memory_has(size() + 1);
    }

    /// Makes the row that has_room() promised the next one.
    void make_room() noexcept {
        auto& rows = state_.rows;
        map_type entries = map();
        if (rows.free_rows() == 0) {
            const auto committed = static_cast<size_type>(memory_.ready());
            const size_type to = std::min({state_.capacity, rows.known + 64, committed});
            while (rows.known < to) rows.add_fresh(entries);
        }
        if (rows.free_rows() == 0 && rows.cut_rest_short(entries, ring(), resting())) ++state_.counters.rests_cut_short;
        update_ready();
    }

    template <class... Args>
    LIDO_INLINE acquired_type take(request wish, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        if (const refusal why = limits_.kept_from(wish, size()); why != refusal::none) [[unlikely]]
            return refuse(why);
        if (state_.rows.size == ready_) [[unlikely]] {
            return acquire_slowly(wish, std::forward<Args>(args)...);
        }
        return build(wish, std::forward<Args>(args)...);
    }

    template <class... Args>
    LIDO_INLINE acquired_type build(request wish, Args&&... args) {
        return go_live(construct_at_end(std::forward<Args>(args)...), wish);
    }

    /// The object on row `size`, before the pool counts it: nothing to undo when the constructor throws.
    template <class... Args>
    LIDO_INLINE T* construct_at_end(Args&&... args) {
        const std::uint64_t before = changes();
        detail::open_up(base() + state_.rows.size, sizeof(T));
        T* const object = detail::construct<T>(base() + state_.rows.size, std::forward<Args>(args)...);
        LIDO_ASSERT(changes() == before, "dense_pool: an element's constructor changed the pool it is built in");
        static_cast<void>(before);
        return object;
    }

    LIDO_INLINE acquired_type go_live(T* object, [[maybe_unused]] request wish) noexcept {
        map_type rows = map();
        const std::uint32_t slot = state_.rows.next(rows);
        state_.rows.go_live(rows);
        rows.add_to_generation(slot);
        ++state_.acquired;
        touch(state_.rows.size - 1);
        if constexpr (tracks) {
            state_.ages.enter(aged(), slot, wish.priority);
            touch_ends(aged().links[slot]);
        }
        diary_.begin(slot, rows.generation(slot));
        return {object, handle_type::of(slot, rows.generation(slot))};
    }

    /// No row is ready.
    template <class... Args>
    LIDO_NOINLINE acquired_type acquire_slowly(request wish,
                                               Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        size_type capacity = state_.capacity;
        if (!has_room(capacity)) {
            if (!limits_.grows_from(capacity)) return replace(wish, std::forward<Args>(args)...);
            capacity = limits_.grown(capacity, 0);
            if (!has_room(capacity)) return replace(wish, std::forward<Args>(args)...);
        }
        T* const object = construct_at_end(std::forward<Args>(args)...);
        state_.counters.grown += capacity != state_.capacity ? 1u : 0u;
        state_.capacity = capacity;
        make_room();
        return go_live(object, wish);
    }

    /// Ends another object to make room, where on_full says so.
    template <class... Args>
    LIDO_COLD acquired_type replace(request wish, Args&&... args) {
        if (limits_.evicting()) return refuse(refusal::reentrant);
        if (limits_.merges()) return fold(detail::make<T>(std::forward<Args>(args)...));
        if (choose_victim(wish) == detail::no_slot) {
            return refuse(memory_refused_ ? refusal::no_memory : refusal::full);
        }
        if constexpr (detail::nothrow_constructible<T, Args...>()) {
            if (!make_room_by_ending(wish)) return refuse(refusal::full);
            return build(wish, std::forward<Args>(args)...);
        } else {
            // Built before anything is ended, so that a throwing constructor costs nobody's life.
            const std::uint64_t before = changes();
            auto built = detail::make<T>(std::forward<Args>(args)...);
            LIDO_ASSERT(changes() == before, "dense_pool: an element's constructor changed the pool it is built in");
            static_cast<void>(before);
            if (!make_room_by_ending(wish)) return refuse(refusal::full);
            return build(wish, std::move(built));
        }
    }

    /// Offers the newcomer to each live object, in the order of rows, until the user's rule has folded it into one.
    LIDO_COLD acquired_type fold(const T& newcomer) {
        for (std::uint32_t row = 0; row < size(); ++row) {
            if (!limits_.folds(base()[row], newcomer)) continue;
            touch(row);
            limits_.merged(handle_of_row(row), state_.counters);
            return {};
        }
        return refuse(memory_refused_ ? refusal::no_memory : refusal::full);
    }

    [[nodiscard]] std::uint32_t choose_victim(request wish) const {
        return limits_.victim(state_.ages, aged(), wish, [this](const auto& accepts) {
            for (std::uint32_t row = 0; row < size(); ++row) {
                if (accepts(base()[row])) return map().slot(row);
            }
            return detail::no_slot;
        });
    }

    /// Ends victims until a row is free: one, unless its slot was at its last generation. A callback that acquires what it has
    /// just released keeps it, and this request is refused.
    [[nodiscard]] bool make_room_by_ending(request wish) {
        for (;;) {
            if (size() < ready_) return true;
            if (has_room(state_.capacity)) {
                make_room();
                return true;
            }
            const std::uint32_t victim = choose_victim(wish);
            if (victim == detail::no_slot) return false;
            const handle_type handle = handle_type::of(victim, map().generation(victim));
            const std::uint64_t begun = state_.acquired;
            limits_.announce(handle, base()[map().row(victim)]);
            if (contains(handle)) end_life(victim, map().row(victim));
            ++state_.counters.replaced;
            if (state_.acquired != begun) return false;
        }
    }

    LIDO_COLD acquired_type refuse(refusal why) noexcept {
        limits_.refused(why, state_.counters);
        return {};
    }

    // --- release -----------------------------------------------------------------------------------------------------------

    LIDO_INLINE void end_life(std::uint32_t slot, std::uint32_t row) noexcept {
        if (size() > state_.peak) state_.peak = size();
        if constexpr (tracks) {
            touch_ends(aged().links[slot]);
            state_.ages.leave(aged(), slot);
        }
        map_type rows = map();
        diary_.end(slot, rows.generation(slot));
        rows.add_to_generation(slot);
        const std::uint32_t last = state_.rows.go_free(rows, slot, row);
        fill_hole(row, last);
        detail::bury(base() + last, sizeof(T));
        if (rows.generation(slot) == handle_type::last_generation) [[unlikely]] {
            if (wear_out(rows, last)) {
                update_ready();
                return;
            }
        }
        if constexpr (delays) {
            state_.rows.start_rest(rows, ring(), resting(), slot);
            update_ready();
        }
    }

    LIDO_INLINE void fill_hole(std::uint32_t row, std::uint32_t last) noexcept {
        const std::uint64_t before = changes();
        T* const hole = base() + row;
        T* const from = base() + last;
        if constexpr (detail::is_bytes<T>) {
            // Also when row == last: a copy onto itself is cheaper than a branch that guesses wrong.
            std::memmove(static_cast<void*>(hole), static_cast<const void*>(from), sizeof(T));
        } else {
            detail::destroy(hole);
            if (row != last) {
                ::new (static_cast<void*>(hole)) T(std::move(*from));
                detail::destroy(from);
            }
        }
        LIDO_ASSERT(changes() == before, "dense_pool: an element's move or destructor changed the pool it lives in");
        static_cast<void>(before);
    }

    /// The slot on `row`, the first after the live ones, is at its last generation. True when it leaves the free zone.
    LIDO_COLD bool wear_out(map_type rows, std::uint32_t row) noexcept {
        if constexpr (Options.generations == generation_rule::wrap) {
            rows.set_generation(rows.slot(row), 0);
            return false;
        } else if constexpr (Options.generations == generation_rule::abort) {
            limits_.tell(misuse_kind::bad_setting,
                         "a slot has used up its generations, and the pool's rule is to abort");
            LIDO_FATAL("a slot has used up its generations (generation_rule::abort)");
            return false;  // only where LIDO_FATAL was replaced by something that returns
        } else {
            state_.rows.retire(rows, row);
            return true;
        }
    }

    void destroy_all() noexcept {
        if constexpr (!std::is_trivially_destructible_v<T>) {
            const std::uint64_t before = changes();
            for (std::uint32_t row = 0; row < size(); ++row) {
                detail::destroy(base() + row);
                LIDO_ASSERT(changes() == before,
                            "dense_pool: an element's move or destructor changed the pool it lives in");
            }
            static_cast<void>(before);
        }
    }

    [[nodiscard]] const char* validate_ages() const noexcept {
        if constexpr (tracks) {
            return state_.ages.validate(aged(), size(), [this](std::uint32_t slot) {
                return slot < state_.rows.known && map().row(slot) < size();
            });
        }
        return nullptr;
    }

    state state_;
    size_type ready_ = 0;
    bool memory_refused_ = false;
    memory memory_;
    detail::exhaustion<T, handle_type, Options> limits_;
    lease_list<dense_pool> leases_;
    LIDO_NO_UNIQUE_ADDRESS detail::marks_owner<marks> marked_for_;
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
};

/// The same inside the object itself: no allocation, ever.
template <class T, std::size_t N, options Options = options{}, class Tag = void>
using inline_dense_pool = dense_pool<T, Options, inline_storage<N>, Tag>;

}  // namespace lido
