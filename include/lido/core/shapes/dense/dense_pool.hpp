// dense_pool: live objects packed in [0, size), so that an update is a loop over one array. Release moves the last into the hole.
//
//   values    | row 0 | row 1 | ... | row size-1 |  free ...        one contiguous span of live objects
//   words, backs, links, birth, priority, ring, resting, changed    the handle table of rows/row_table.hpp: 9 bytes a row and what the
//                                                                   options ask for, 12 past 2^20 rows
//
// RT1, RT2 and the invariants of the map, the zones and the ages: rows/row_table.hpp. The pool itself builds, moves and ends objects, and
// keeps nothing beside the table but its leases.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/slot_count.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/lease.hpp>
#include <lido/core/parts/rows/dense_layout.hpp>
#include <lido/core/parts/rows/row_iterator.hpp>
#include <lido/core/parts/rows/row_table.hpp>
#include <lido/core/parts/surface.hpp>
#include <lido/core/shapes/dense/dense_rewind.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace lido {

/// Threads: a pool belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: an element's constructor, move and destructor must not change the pool they live in (builds with checks stop).
template <class T, options Options = options{}, class Storage = reserved_storage, class Tag = void>
class dense_pool : public detail::pool_surface<
                       dense_pool<T, Options, Storage, Tag>,
                       detail::object_types<T, typename detail::handle_for<T, Options, Tag>::type, Options>> {
    using surface = typename dense_pool::pool_surface;
    using layout = detail::dense_layout<T, Options, Tag>;
    using table = detail::row_table<T, layout, Options, Storage, T&, const T&>;
    using memory = typename table::memory;
    using diary_type = typename table::diary_type;

    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(detail::holdable<T>, "lido: a pool holds objects of a non-const, non-volatile, non-array type");
    static_assert(!Options.confirmed_ends,
                  "lido: dense_pool moves the last object into the hole that a release leaves, so an ended object "
                  "cannot wait in its place: options::confirmed_ends needs slot_pool or recycle_pool");
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
    using settings_type = typename table::settings_type;
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
    explicit dense_pool(slot_count capacity, settings_type settings = {})
        requires(memory::fixed_slots == 0 && requires(memory m) { m.open(std::size_t{}, std::size_t{}); })
        : table_(settings) {
        table_.open(capacity);
    }

    /// Inside the pool object itself: capacity is the storage's N.
    explicit dense_pool(settings_type settings = {})
        requires(memory::fixed_slots != 0)
        : table_(settings) {
        table_.open_inside();
    }

    /// On memory the caller lends: as many rows as fit (`bytes_for` tells how much that takes).
    explicit dense_pool(std::span<std::byte> buffer, settings_type settings = {})
        requires(requires(memory m) { m.open(std::span<std::byte>{}, std::size_t{}); })
        : table_(settings) {
        table_.open(buffer);
    }

    /// Steals the memory: objects stay where they are, handles and leases go on to work with the new pool. The source has
    /// capacity 0.
    dense_pool(dense_pool&& other) noexcept
        requires memory::movable
        : table_(other.table_.limits().settings()) {
        steal(other);
    }
    dense_pool& operator=(dense_pool&& other) noexcept
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
    ~dense_pool() { close_down(); }

    /// How large a lent buffer must be for `rows` rows.
    [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t rows) noexcept
        requires(requires { memory::bytes_for(std::size_t{}); })
    {
        return memory::bytes_for(rows);
    }

    // --- acquire and release -----------------------------------------------------------------------------------------------
    //
    // acquire and its kin are in parts/surface.hpp. It builds behind the last object; forward iterators do not follow, and no pointer is
    // invalidated.

    /// Builds an object under exactly this handle, for ids chosen elsewhere (a server, a save). Refused when the slot is taken,
    /// when it has had that generation or a later one (an old handle would alias), or when it is out of range.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_ENTRY acquired_type reserve(handle_type handle, Args&&... args) {
        [[maybe_unused]] const auto from = table_.diary_book().enter(LIDO_CALLER);
        expect_settled();
        size_type capacity = 0;
        if (const refusal why = table_.claimable(handle, capacity); why != refusal::none) return refuse(why);
        T* const object = construct_at_end(std::forward<Args>(args)...);
        return {object, table_.claim(handle, capacity)};
    }

    /// Ends the life that the handle names. False, counted and reported, when it has ended before or never was.
    /// Complexity: O(1). Invalidates: pointers to the object and to the last object, which moves.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = table_.diary_book().enter(LIDO_CALLER);
        expect_settled();
        const std::uint32_t row = table_.row_of(handle);
        if (row == detail::no_slot) [[unlikely]]
            return this->bad_release(handle);
        end_life(handle.index(), row);
        return true;
    }

    /// Ends the life of an object of this pool.
    LIDO_ENTRY bool release(const T& object) noexcept {
        [[maybe_unused]] const auto from = table_.diary_book().enter(LIDO_CALLER);
        expect_settled();
        const std::uint32_t row = row_of(object);
        if (row == detail::no_slot) [[unlikely]]
            return table_.limits().bad_release_of_object(table_.diary_book(), table_.counters());
        end_life(table_.slot_of(row), row);
        return true;
    }

    /// Ends every object that `gone(T&)` accepts: the one way to remove during a pass that needs no rules. Visits each once, from the
    /// last row to the first, so that what moves into a hole has been visited. Pre: `gone` does not change the pool.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = table_.diary_book().enter(LIDO_CALLER);
        expect_settled();
        size_type done = 0;
        for (std::uint32_t row = size(); row-- != 0;) {
            const std::uint64_t before = changes();
            const bool ends = ask(gone, row);
            LIDO_ASSERT(changes() == before, "release_if: the predicate changed the pool");
            static_cast<void>(before);
            if (ends && row < size()) {
                end_life(table_.slot_of(row), row);
                ++done;
            }
        }
        return done;
    }

    /// Ends every life; no handle survives it. Complexity: O(slots ever used).
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = table_.diary_book().enter(LIDO_CALLER);
        expect_settled_always();
        leases_.drop_all();
        destroy_all();
        const size_type rows = size();
        table_.end_all();
        if (rows != 0) detail::bury(base(), rows * sizeof(T));
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// The same without a report: for handles of objects that may well be gone.
    [[nodiscard]] LIDO_INLINE T* try_get(handle_type handle) noexcept {
        const std::uint32_t row = table_.row_of(handle);
        if (row == detail::no_slot) return nullptr;
        touch(row);
        return base() + row;
    }
    [[nodiscard]] LIDO_INLINE const T* try_get(handle_type handle) const noexcept {
        const std::uint32_t row = table_.row_of(handle);
        return row != detail::no_slot ? base() + row : nullptr;
    }

    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept {
        return table_.row_of(handle) != detail::no_slot;
    }

    /// The handle of a live object of this pool; null for any other object.
    [[nodiscard]] handle_type handle_of(const T& object) const noexcept {
        const std::uint32_t row = row_of(object);
        return row != detail::no_slot ? table_.handle_of_row(row) : handle_type{};
    }

    /// The handle of the object at `row`. Pre: row < size().
    [[nodiscard]] handle_type handle_of_row(std::uint32_t row) const noexcept { return table_.handle_of_row(row); }

    [[nodiscard]] size_type size() const noexcept { return table_.size(); }
    [[nodiscard]] bool empty() const noexcept { return table_.size() == 0; }

    /// Rows there are now. Growth raises it, up to max_capacity().
    [[nodiscard]] size_type capacity() const noexcept { return table_.capacity(); }
    [[nodiscard]] size_type max_capacity() const noexcept { return table_.max_capacity(); }

    /// True when the next acquire must grow, replace or refuse.
    [[nodiscard]] bool full() const noexcept { return table_.full(); }

    [[nodiscard]] const settings_type& settings() const noexcept { return table_.limits().settings(); }

    // --- iteration, in row order -------------------------------------------------------------------------------------------
    //
    // While iterating forward the pool must not change (builds with checks stop at the next step). To release the object one is
    // at, walk backward(); or use release_if.

    [[nodiscard]] T* data() noexcept {
        expect_readable();
        table_.touch_all();
        return base();
    }
    [[nodiscard]] const T* data() const noexcept {
        expect_readable();
        return base();
    }

    /// All live objects, contiguous.
    [[nodiscard]] std::span<T> values() noexcept { return {data(), size()}; }
    [[nodiscard]] std::span<const T> values() const noexcept { return {data(), size()}; }

    [[nodiscard]] iterator begin() noexcept { return detail::row_begin(*this, data()); }
    [[nodiscard]] iterator end() noexcept { return detail::row_end(*this, data()); }
    [[nodiscard]] const_iterator begin() const noexcept { return detail::row_begin(*this, data()); }
    [[nodiscard]] const_iterator end() const noexcept { return detail::row_end(*this, data()); }

    /// From the last row to the first. Releasing the object one is at is allowed: the object that moves into its row has been
    /// visited. Acquiring is allowed, unless it replaces; new objects are not visited.
    [[nodiscard]] auto backward() noexcept {
        expect_readable();
        return detail::backward_range<dense_pool, T>(this);
    }

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

    // --- memory ------------------------------------------------------------------------------------------------------------

    /// Gets the memory for the first `rows` rows now, so that no later acquire below that has to ask the system. False when it
    /// cannot be had, or is more than max_capacity().
    bool prepare(size_type rows) noexcept { return table_.prepare(rows); }

    /// Gives the whole pages past the last object back to the system, and takes growth back where it is not used. Returns the
    /// bytes given back: 0 where the storage cannot. No object moves, and stale handles stay stale.
    std::size_t trim() noexcept {
        LIDO_VERIFY(!limits().now().is(half_way::beyond),
                    "dense_pool: trim() changed the memory of an object that is being built, moved or ended");
        return table_.trim();
    }

    [[nodiscard]] pool_stats stats() const noexcept { return table_.stats(shape); }

    /// Checks every numbered invariant. Complexity: O(slots ever used).
    [[nodiscard]] verdict validate() const noexcept { return {table_.broken()}; }

private:
    // What the surface asks for (parts/surface.hpp).
    friend surface;
    friend detail::holder_surface<dense_pool>;
    [[nodiscard]] LIDO_INLINE auto& limits() noexcept { return table_.limits(); }
    [[nodiscard]] LIDO_INLINE const auto& limits() const noexcept { return table_.limits(); }
    [[nodiscard]] LIDO_INLINE auto& book() noexcept { return table_.diary_book(); }
    [[nodiscard]] LIDO_INLINE const auto& book() const noexcept { return table_.diary_book(); }
    [[nodiscard]] pool_counters& counters() noexcept { return table_.counters(); }
    [[nodiscard]] auto& leases() noexcept { return leases_; }
    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const noexcept { return table_.generation_of(slot); }
    using surface::refuse;

    friend struct detail::table_rewind;
    friend struct detail::dense_rewind;
    template <class, class>
    friend class detail::checked_row_iterator;
    template <class, class>
    friend class detail::backward_iterator;
    template <class, class>
    friend class detail::row_range;

    [[nodiscard]] LIDO_INLINE T* base() const noexcept {
        return reinterpret_cast<T*>(table_.template array<detail::dense_values>());
    }
    LIDO_INLINE void touch(std::size_t row) noexcept { table_.touch(row); }

    // Asked where the pool is entered: an element's own constructor, move and destructor must leave it alone.
    using half_way = detail::half_way;
    LIDO_INLINE void expect_settled() const noexcept {
        LIDO_ASSERT(!limits().now().is(half_way::builds),
                    "dense_pool: an element's constructor changed the pool it is built in");
        LIDO_ASSERT(!limits().now().is(half_way::ends),
                    "dense_pool: an element's move or destructor changed the pool it lives in");
    }
    /// Where it costs nothing in every build.
    void expect_settled_always() const noexcept {
        expect_settled();
        LIDO_VERIFY(!limits().now().is(half_way::ends),
                    "dense_pool: an element's move or destructor changed the pool it lives in");
    }
    LIDO_INLINE void expect_readable() const noexcept {
        LIDO_ASSERT(!limits().now().is(half_way::unreadable),
                    "dense_pool: an element's move or destructor went through the pool while a row of it is half-way");
    }
    void expect_unmoved() const noexcept {
        expect_settled_always();
        LIDO_VERIFY(!limits().now().is(half_way::asks | half_way::calls_back),
                    "dense_pool: the pool was moved from inside of its own callback");
    }
    [[nodiscard]] std::uint64_t changes() const noexcept { return table_.changes(); }

    /// With mark_changes, a predicate that can do with a const object gets one, so that asking does not count as a change.
    template <class Predicate>
    [[nodiscard]] bool ask(Predicate& gone, std::uint32_t row) {
        if constexpr (table::marks) {
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

    [[nodiscard]] std::uint32_t row_of(const T& object) const noexcept {
        const auto first = reinterpret_cast<std::uintptr_t>(base());
        const auto at = reinterpret_cast<std::uintptr_t>(std::addressof(object));
        if (base() == nullptr || at < first || (at - first) % sizeof(T) != 0) return detail::no_slot;
        const std::size_t row = (at - first) / sizeof(T);
        return row < size() ? static_cast<std::uint32_t>(row) : detail::no_slot;
    }

    void close_down() noexcept {
        leases_.drop_all();
        if (table_.check_leaks()) destroy_all();
        table_.guard_rows(0, false);
    }

    void steal(dense_pool& other) noexcept {
        other.expect_unmoved();
        table_.steal(other.table_);
        leases_.adopt(other.leases_, *this);
    }

    // --- acquire -----------------------------------------------------------------------------------------------------------

    template <class... Args>
    LIDO_INLINE acquired_type take(request wish, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        expect_settled();
        if (const refusal why = table_.limits().kept_from(wish, size()); why != refusal::none) [[unlikely]]
            return refuse(why);
        if (!table_.ready()) [[unlikely]] {
            return acquire_slowly(wish, std::forward<Args>(args)...);
        }
        return build(wish, std::forward<Args>(args)...);
    }

    template <class... Args>
    LIDO_INLINE acquired_type build(request wish, Args&&... args) {
        T* const object = construct_at_end(std::forward<Args>(args)...);
        return {object, table_.go_live(wish)};
    }

    /// The object on row `size`, before the pool counts it: nothing to undo when the constructor throws.
    template <class... Args>
    LIDO_INLINE T* construct_at_end(Args&&... args) {
        const half_way::quick_scope now(limits().now(), half_way::builds | half_way::beyond);
        detail::open_up(base() + size(), sizeof(T));
        return detail::construct<T>(base() + size(), std::forward<Args>(args)...);
    }

    /// The object beside the pool.
    template <class... Args>
    [[nodiscard]] T make(Args&&... args) {
        const half_way::quick_scope now(limits().now(), half_way::builds);
        return detail::make<T>(std::forward<Args>(args)...);
    }

    /// No row is ready.
    template <class... Args>
    LIDO_NOINLINE acquired_type acquire_slowly(request wish,
                                               Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        const size_type capacity = table_.capacity_with_room();
        if (capacity == 0) return replace(wish, std::forward<Args>(args)...);
        T* const object = construct_at_end(std::forward<Args>(args)...);
        table_.make_room(capacity);
        return {object, table_.go_live(wish)};
    }

    /// Ends another object to make room, where on_full says so. The newcomer is built before anything is ended: a throwing constructor
    /// costs nobody's life, and its arguments may be parts of the object that goes.
    template <class... Args>
    LIDO_COLD acquired_type replace(request wish, Args&&... args) {
        if (table_.limits().evicting()) return refuse(refusal::reentrant);
        if (table_.limits().merges()) return fold(make(std::forward<Args>(args)...));
        const std::uint64_t before = changes();
        const bool found = table_.choose_victim(wish, first_match()) != detail::no_slot;
        if (!found && changes() == before) return refuse(table_.full_or_no_memory());
        T built = make(std::forward<Args>(args)...);
        if (!make_room_by_ending(wish)) return refuse(refusal::full);
        return build(wish, std::move(built));
    }

    /// Offers the newcomer to each live object, in the order of rows, until the user's rule has folded it into one.
    LIDO_COLD acquired_type fold(const T& newcomer) {
        for (std::uint32_t row = 0; row < size(); ++row) {
            const handle_type existing = handle_of_row(row);  // the rule may release others, which moves it
            if (!table_.limits().folds(base()[row], newcomer)) continue;
            if (const std::uint32_t now = table_.row_of(existing); now != detail::no_slot) touch(now);
            table_.limits().merged(existing, table_.counters());
            return {};
        }
        return refuse(table_.full_or_no_memory());
    }

    /// The first row whose object the user's rule gives away.
    [[nodiscard]] auto first_match() const noexcept {
        return [this](const auto& accepts) {
            for (std::uint32_t row = 0; row < size(); ++row) {
                if (accepts(base()[row])) return row;
            }
            return detail::no_slot;
        };
    }

    [[nodiscard]] bool make_room_by_ending(request wish) {
        return table_.make_room_by_ending(wish, first_match(), [this](handle_type victim) {
            table_.limits().announce(victim, base()[table_.row_of(victim)]);
            if (contains(victim)) end_life(victim.index(), table_.row_of(victim));
        });
    }

    // --- release -----------------------------------------------------------------------------------------------------------

    LIDO_INLINE void end_life(std::uint32_t slot, std::uint32_t row) noexcept {
        const std::uint32_t last = table_.take_off(slot, row);
        fill_hole(row, last);
        detail::bury(base() + last, sizeof(T));
        table_.settle(slot, last);
    }

    LIDO_INLINE void fill_hole(std::uint32_t row, std::uint32_t last) noexcept {
        T* const hole = base() + row;
        T* const from = base() + last;
        if constexpr (detail::is_bytes<T>) {
            // Also when row == last: a copy onto itself is cheaper than a branch that guesses wrong.
            std::memmove(static_cast<void*>(hole), static_cast<const void*>(from), sizeof(T));
        } else {
            const half_way::quick_scope now(limits().now(), half_way::ends | half_way::unreadable | half_way::beyond);
            detail::destroy(hole);
            if (row != last) {
                ::new (static_cast<void*>(hole)) T(std::move(*from));
                detail::destroy(from);
            }
        }
    }

    void destroy_all() noexcept {
        if constexpr (!std::is_trivially_destructible_v<T>) {
            const half_way::scope now(limits().now(), half_way::ends | half_way::unreadable);
            for (std::uint32_t row = 0; row < size(); ++row) detail::destroy(base() + row);
        }
    }

    // Over-aligned storage leaves room behind the table's last member: the list may lie there.
    LIDO_NO_UNIQUE_ADDRESS table table_;
    lease_list<dense_pool> leases_;
};

/// The same inside the object itself: no allocation, ever.
template <class T, std::size_t N, options Options = options{}, class Tag = void>
using inline_dense_pool = dense_pool<T, Options, inline_storage<N>, Tag>;

}  // namespace lido
