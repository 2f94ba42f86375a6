// column_pool: a plain struct taken apart, one array a field, so that a pass over two fields of many reads those two and nothing
// else, in whole vectors. Live rows are packed in [0, size); release moves the last row into the hole, in every column.
//
//   struct orb { float x, y; int amount; };
//
//   row           0      1      2    ...  size-1 | free ...           | a line more
//   column x    | x0   | x1   | x2   ...         | ....               |              64-byte aligned: column<&orb::x>()
//   column y    | y0   | y1   | y2   ...         |                    |
//   column amount ...
//   words, backs, links, birth, priority, ring, resting               the handle table of rows/row_table.hpp, as in dense_pool
//
// The struct needs no macro and no registration: meta/fields.hpp counts and splits it. Nested structs and arrays are one column
// each. `reference` is a row (column_row.hpp) and `pointer` something like a pointer to one, so the pool models lido::pool.
//
// RT1, RT2 and the invariants of the map, the zones and the ages: rows/row_table.hpp.
// CO1. Every column starts at a line of 64 bytes.
// CO2. Every column's memory ends at least a line after the last row that is ready, and no two columns share a byte.
//
// Left out: change marks (a pass over a bare column cannot tell what it wrote), and data() and values(), which columns are instead of.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/slot_count.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/lease.hpp>
#include <lido/core/parts/rows/row_table.hpp>
#include <lido/core/parts/surface.hpp>
#include <lido/core/shapes/column/column_guard.hpp>
#include <lido/core/shapes/column/column_iterator.hpp>
#include <lido/core/shapes/column/column_layout.hpp>
#include <lido/core/shapes/column/column_pass.hpp>
#include <lido/core/shapes/column/column_rewind.hpp>
#include <lido/core/shapes/column/column_row.hpp>
#include <lido/core/shapes/column/column_struct.hpp>
#include <lido/core/shapes/column/field_steps.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido {

/// Threads: a pool belongs to one thread at a time; const functions may run together while nobody changes it, and so may jobs that
/// write to different columns or chunks while nobody acquires or releases.
/// Re-entrancy: a field's constructor, move and destructor must not change the pool they live in (builds with checks stop).
template <class T, options Options = options{}, class Storage = reserved_storage, class Tag = void>
class column_pool : public detail::pool_surface<
                        column_pool<T, Options, Storage, Tag>,
                        detail::object_types<T, typename detail::handle_for<T, Options, Tag>::type, Options,
                                             column_pointer<column_pool<T, Options, Storage, Tag>, T>,
                                             column_pointer<const column_pool<T, Options, Storage, Tag>, T>>> {
    using surface = typename column_pool::pool_surface;

    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(detail::holdable<T>, "lido: a pool holds objects of a non-const, non-volatile, non-array type");
    static_assert(!Options.confirmed_ends,
                  "lido: column_pool moves the last row into the hole that a release leaves, so an ended row cannot "
                  "wait in its place: options::confirmed_ends needs slot_pool or recycle_pool");
    static_assert(detail::column_struct<T>());
    static_assert(Options.generations != generation_rule::none,
                  "lido: only flag_pool works without generations; column_pool needs them to tell stale handles");
    static_assert(Options.order == reuse::recent,
                  "lido: rows are always packed, so column_pool has no reuse order to choose");
    static_assert(
        !Options.mark_changes,
        "lido: column_pool keeps no change marks, because a pass over a bare column cannot tell which rows it "
        "wrote: use rewind<N>, which copies whole columns");

    using layout = detail::column_layout<T, Options, Tag>;
    using guard = detail::column_guard<T>;
    using all = std::make_index_sequence<layout::columns>;
    static constexpr bool copies_safely = detail::fields_allow<field_types<T>>::safe_copies;

public:
    using value_type = T;
    using handle_type = typename layout::handle_type;
    using size_type = std::uint32_t;
    using reference = column_row<column_pool, T>;
    using const_reference = column_row<const column_pool, T>;
    using pointer = column_pointer<column_pool, T>;
    using const_pointer = column_pointer<const column_pool, T>;
    using acquired_type = acquired<T, handle_type, pointer>;
    using lease_type = lido::lease<column_pool>;
    using settings_type = pool_settings<T, handle_type, reference, const_reference>;
    using iterator = detail::column_iterator<column_pool, T>;
    using const_iterator = detail::column_iterator<const column_pool, T>;
    using chunk_type = column_chunk<column_pool, T>;
    using const_chunk_type = column_chunk<const column_pool, T>;

    using rewind_with = detail::column_rewind;

private:
    using table = detail::row_table<T, layout, Options, Storage, reference, const_reference>;
    using memory = typename table::memory;
    using diary_type = typename table::diary_type;

public:
    static constexpr options pool_options = Options;
    static constexpr const char* shape = "column_pool";
    static constexpr bool stable_addresses = false;
    static constexpr bool can_grow = memory::grows;
    static constexpr std::size_t columns = layout::columns;

    // --- building ----------------------------------------------------------------------------------------------------------

    /// Room for `capacity` objects, and for growth where the settings ask for it. When the memory cannot be had, the pool has
    /// capacity 0, refuses every acquire, and has said so through the misuse handler.
    explicit column_pool(slot_count capacity, settings_type settings = {})
        requires(memory::fixed_slots == 0 && requires(memory m) { m.open(std::size_t{}, std::size_t{}); })
        : table_(settings) {
        table_.open(capacity);
    }

    /// Inside the pool object itself: capacity is the storage's N.
    explicit column_pool(settings_type settings = {})
        requires(memory::fixed_slots != 0)
        : table_(settings) {
        table_.open_inside();
    }

    /// On memory the caller lends: as many rows as fit (`bytes_for` tells how much that takes).
    explicit column_pool(std::span<std::byte> buffer, settings_type settings = {})
        requires(requires(memory m) { m.open(std::span<std::byte>{}, std::size_t{}); })
        : table_(settings) {
        table_.open(buffer);
    }

    /// Steals the memory: columns stay where they are, handles and leases go on to work with the new pool. The source has
    /// capacity 0. Invalidates: rows and iterators, which name the pool.
    column_pool(column_pool&& other) noexcept
        requires memory::movable
        : table_(other.table_.limits().settings()) {
        steal(other);
    }
    column_pool& operator=(column_pool&& other) noexcept
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
    ~column_pool() { close_down(); }

    /// How large a lent buffer must be for `rows` rows.
    [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t rows) noexcept
        requires(requires { memory::bytes_for(std::size_t{}); })
    {
        return memory::bytes_for(rows);
    }

    // --- acquire and release -----------------------------------------------------------------------------------------------
    //
    // acquire and its kin are in parts/surface.hpp. It builds a T from the arguments, fields or a whole struct, and moves it into the row
    // behind the last one: O(fields). Forward iterators do not follow, and no span keeps up with the size.

    /// Builds an object under exactly this handle, for ids chosen elsewhere (a server, a save). Refused when the slot is taken,
    /// when it has had that generation or a later one (an old handle would alias), or when it is out of range.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_ENTRY acquired_type reserve(handle_type handle, Args&&... args) {
        [[maybe_unused]] const auto from = table_.diary_book().enter(LIDO_CALLER);
        expect_settled();
        size_type capacity = 0;
        if (const refusal why = table_.claimable(handle, capacity); why != refusal::none) return refuse(why);
        T fresh = build(half_way::beyond, std::forward<Args>(args)...);
        const std::uint32_t row = move_in(fresh);
        return {pointer(reference(this, row)), table_.claim(handle, capacity)};
    }

    /// Ends the life that the handle names. False, counted and reported, when it has ended before or never was.
    /// Complexity: O(fields). Invalidates: rows and references of the object, and of the last one, which moves.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = table_.diary_book().enter(LIDO_CALLER);
        expect_settled();
        const std::uint32_t row = table_.row_of(handle);
        if (row == detail::no_slot) [[unlikely]]
            return this->bad_release(handle);
        end_life(handle.index(), row);
        return true;
    }

    /// Ends the life of the object on a row of this pool.
    LIDO_ENTRY bool release(const_reference row) noexcept {
        [[maybe_unused]] const auto from = table_.diary_book().enter(LIDO_CALLER);
        expect_settled();
        if (!is_row(row)) [[unlikely]]
            return table_.limits().bad_release_of_object(table_.diary_book(), table_.counters());
        end_life(table_.slot_of(row.index()), row.index());
        return true;
    }

    /// Ends every object that `gone(row)` accepts: the one way to remove during a pass that needs no rules. Visits each once, from
    /// the last row to the first, so that what moves into a hole has been visited. Pre: `gone` does not change the pool.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = table_.diary_book().enter(LIDO_CALLER);
        return release_rows_if([&](std::uint32_t row) -> bool { return gone(reference(this, row)); });
    }

    /// The same over chosen columns: `release_if<&orb::life>([](float& life) { return life <= 0; })`.
    template <auto Member, auto... Members, class Predicate>
        requires std::is_member_object_pointer_v<decltype(Member)>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = table_.diary_book().enter(LIDO_CALLER);
        return release_rows_if([&](std::uint32_t row) -> bool {
            return gone(base<index<Member>()>()[row], base<index<Members>()>()[row]...);
        });
    }

    /// Ends every life; no handle survives it. Complexity: O(slots ever used).
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = table_.diary_book().enter(LIDO_CALLER);
        expect_settled_always();
        leases_.drop_all();
        destroy_all();
        const size_type rows = size();
        table_.end_all();
        guard::bury_rows(table_, 0, rows);
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// The same without a report: for handles of objects that may well be gone.
    [[nodiscard]] LIDO_INLINE pointer try_get(handle_type handle) noexcept {
        const std::uint32_t row = table_.row_of(handle);
        return row != detail::no_slot ? pointer(reference(this, row)) : pointer();
    }
    [[nodiscard]] LIDO_INLINE const_pointer try_get(handle_type handle) const noexcept {
        const std::uint32_t row = table_.row_of(handle);
        return row != detail::no_slot ? const_pointer(const_reference(this, row)) : const_pointer();
    }

    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept {
        return table_.row_of(handle) != detail::no_slot;
    }

    /// Pre: row < size().
    [[nodiscard]] LIDO_QUICK_ENTRY reference row(std::uint32_t row) noexcept {
        LIDO_ASSERT_FROM(this->name(), row < size(), "column_pool: there is no such row");
        return {this, row};
    }
    [[nodiscard]] LIDO_QUICK_ENTRY const_reference row(std::uint32_t row) const noexcept {
        LIDO_ASSERT_FROM(this->name(), row < size(), "column_pool: there is no such row");
        return {this, row};
    }

    /// Pre: contains(handle). get() asks first.
    [[nodiscard]] LIDO_QUICK_ENTRY reference row(handle_type handle) noexcept {
        return {this, live_row(handle, LIDO_CALLER)};
    }
    [[nodiscard]] LIDO_QUICK_ENTRY const_reference row(handle_type handle) const noexcept {
        return {this, live_row(handle, LIDO_CALLER)};
    }

    /// The handle of a live row of this pool; null for any other.
    [[nodiscard]] handle_type handle_of(const_reference row) const noexcept {
        return is_row(row) ? table_.handle_of_row(row.index()) : handle_type{};
    }
    /// Pre: row < size().
    [[nodiscard]] handle_type handle_of_row(std::uint32_t row) const noexcept { return table_.handle_of_row(row); }

    [[nodiscard]] size_type size() const noexcept { return table_.size(); }
    [[nodiscard]] bool empty() const noexcept { return table_.size() == 0; }

    /// Rows there are now. Growth raises it, up to max_capacity().
    [[nodiscard]] size_type capacity() const noexcept { return table_.capacity(); }
    [[nodiscard]] size_type max_capacity() const noexcept { return table_.max_capacity(); }

    /// True when the next acquire must grow, replace or refuse.
    [[nodiscard]] bool full() const noexcept { return table_.full(); }

    [[nodiscard]] const settings_type& settings() const noexcept { return table_.limits().settings(); }

    // --- columns -----------------------------------------------------------------------------------------------------------

    /// The field of every live row, in row order, aligned to 64 bytes. Up to 64 bytes past its end may be read and written, too.
    /// Invalidates it: a release, a restore; an acquire leaves it short. Growth does not move it.
    template <std::size_t I>
    [[nodiscard]] LIDO_INLINE auto column() noexcept {
        expect_readable();
        return std::span<field_type<T, I>>{base<I>(), size()};
    }
    template <std::size_t I>
    [[nodiscard]] LIDO_INLINE auto column() const noexcept {
        expect_readable();
        return std::span<const field_type<T, I>>{base<I>(), size()};
    }
    template <auto Member>
        requires std::is_member_object_pointer_v<decltype(Member)>
    [[nodiscard]] LIDO_INLINE auto column() noexcept {
        return column<index<Member>()>();
    }
    template <auto Member>
        requires std::is_member_object_pointer_v<decltype(Member)>
    [[nodiscard]] LIDO_INLINE auto column() const noexcept {
        return column<index<Member>()>();
    }

    /// Calls `f(field, field, ...)` for each row: `for_each<&orb::x, &orb::vx>([](float& x, float vx) { x += vx; })`. The fastest
    /// pass: compilers vectorise it at -O2 (column_pass.hpp says why). Pre: `f` does not change the pool.
    template <auto Member, auto... Members, class F>
        requires std::is_member_object_pointer_v<decltype(Member)>
    LIDO_INLINE void for_each(F&& f) {
        whole().template for_each<Member, Members...>(f);
    }
    template <auto Member, auto... Members, class F>
        requires std::is_member_object_pointer_v<decltype(Member)>
    LIDO_INLINE void for_each(F&& f) const {
        whole().template for_each<Member, Members...>(f);
    }

    /// Chunks start at multiples of this many rows, where every column starts a cache line.
    static constexpr std::uint32_t rows_a_line = static_cast<std::uint32_t>(layout::facts::rows_a_line());

    /// Calls `f(chunk)` for runs of `rows_per_chunk` rows (rounded up to whole cache lines of every column; the last may be
    /// shorter), in order and here. A job system asks for chunk_count() and chunk() instead, and works on them anywhere.
    template <class F>
    void for_each_chunk(std::uint32_t rows_per_chunk, F&& f) {
        const std::uint32_t count = chunk_count(rows_per_chunk);
        for (std::uint32_t i = 0; i < count; ++i) f(chunk(rows_per_chunk, i));
    }
    template <class F>
    void for_each_chunk(std::uint32_t rows_per_chunk, F&& f) const {
        const std::uint32_t count = chunk_count(rows_per_chunk);
        for (std::uint32_t i = 0; i < count; ++i) f(chunk(rows_per_chunk, i));
    }
    [[nodiscard]] std::uint32_t chunk_count(std::uint32_t rows_per_chunk) const noexcept {
        expect_readable();
        const std::uint64_t each = chunk_rows(rows_per_chunk);
        return static_cast<std::uint32_t>((size() + each - 1) / each);
    }
    /// Pre: i < chunk_count(rows_per_chunk).
    [[nodiscard]] chunk_type chunk(std::uint32_t rows_per_chunk, std::uint32_t i) noexcept {
        const auto [first, rows] = chunk_bounds(rows_per_chunk, i);
        return {this, first, rows};
    }
    [[nodiscard]] const_chunk_type chunk(std::uint32_t rows_per_chunk, std::uint32_t i) const noexcept {
        const auto [first, rows] = chunk_bounds(rows_per_chunk, i);
        return {this, first, rows};
    }

    // --- iteration, in row order -------------------------------------------------------------------------------------------
    //
    // While iterating forward the pool must not change (builds with checks stop at the next step). To release the object one is
    // at, walk backward(); or use release_if.

    [[nodiscard]] iterator begin() noexcept { return {this, 0}; }
    [[nodiscard]] iterator end() noexcept { return {this, size()}; }
    [[nodiscard]] const_iterator begin() const noexcept { return {this, 0}; }
    [[nodiscard]] const_iterator end() const noexcept { return {this, size()}; }

    /// From the last row to the first. Releasing the row one is at is allowed: the one that moves there has been visited. Acquiring
    /// is allowed, unless it replaces; new objects are not visited.
    [[nodiscard]] auto backward() noexcept {
        expect_readable();
        return detail::column_backward<column_pool, T>(this);
    }

    /// Handle and row at once: `for (auto [handle, row] : pool.each())`.
    [[nodiscard]] auto each() noexcept { return detail::column_each<column_pool, T>(this); }
    [[nodiscard]] auto each() const noexcept { return detail::column_each<const column_pool, T>(this); }

    /// Calls `f(row)` for each.
    template <class F>
    void for_each(F&& f) {
        for (auto row : *this) f(row);  // NOLINT(performance-for-range-copy): a row is a reference
    }
    template <class F>
    void for_each(F&& f) const {
        for (auto row : *this) f(row);  // NOLINT(performance-for-range-copy): a row is a reference
    }

    // --- memory ------------------------------------------------------------------------------------------------------------

    /// Gets the memory for the first `rows` rows now, so that no later acquire below that has to ask the system. False when it
    /// cannot be had, or is more than max_capacity().
    bool prepare(size_type rows) noexcept { return table_.prepare(rows); }

    /// Gives the whole pages past the last row back to the system, column by column, and takes growth back where it is not used.
    /// Returns the bytes given back: 0 where the storage cannot. No row moves, and stale handles stay stale.
    std::size_t trim() noexcept {
        LIDO_VERIFY(!limits().now().is(half_way::beyond),
                    "column_pool: trim() changed the memory of an object that is being built, moved or ended");
        return table_.trim();
    }

    [[nodiscard]] pool_stats stats() const noexcept { return table_.stats(shape); }

    /// Checks every numbered invariant. Complexity: O(slots ever used).
    [[nodiscard]] verdict validate() const noexcept {
        if (const char* const broken = table_.broken(); broken != nullptr) return {broken};
        return {broken_columns()};
    }

private:
    // What the surface asks for (parts/surface.hpp).
    friend surface;
    friend detail::holder_surface<column_pool>;
    [[nodiscard]] LIDO_INLINE auto& limits() noexcept { return table_.limits(); }
    [[nodiscard]] LIDO_INLINE const auto& limits() const noexcept { return table_.limits(); }
    [[nodiscard]] LIDO_INLINE auto& book() noexcept { return table_.diary_book(); }
    [[nodiscard]] LIDO_INLINE const auto& book() const noexcept { return table_.diary_book(); }
    [[nodiscard]] pool_counters& counters() noexcept { return table_.counters(); }
    [[nodiscard]] auto& leases() noexcept { return leases_; }
    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const noexcept { return table_.generation_of(slot); }
    using surface::refuse;

    friend struct detail::table_rewind;
    friend struct detail::column_rewind;
    friend struct detail::column_sections;
    template <class, class>
    friend class column_row;
    template <class, class>
    friend class column_chunk;
    template <bool>
    friend struct detail::change_stamp;

    template <auto Member>
    [[nodiscard]] static consteval std::size_t index() {
        return detail::column_index<T, Member>();
    }

    template <std::size_t I>
    [[nodiscard]] LIDO_INLINE field_type<T, I>* base() noexcept {
        return reinterpret_cast<field_type<T, I>*>(table_.template array<detail::column_array<I>>());
    }
    template <std::size_t I>
    [[nodiscard]] LIDO_INLINE const field_type<T, I>* base() const noexcept {
        return reinterpret_cast<const field_type<T, I>*>(table_.template array<detail::column_array<I>>());
    }

    /// Calls `f.operator()<I>()` for every column.
    template <class F>
    static LIDO_INLINE void for_columns(F&& f) {
        [&]<std::size_t... I>(std::index_sequence<I...>) { (f.template operator()<I>(), ...); }(all{});
    }

    [[nodiscard]] std::uint64_t changes() const noexcept { return table_.changes(); }

    // Asked where the pool is entered: a field's own constructor, move and destructor must leave it alone.
    using half_way = detail::half_way;
    LIDO_INLINE void expect_settled() const noexcept {
        LIDO_ASSERT(!limits().now().is(half_way::builds),
                    "column_pool: an element's constructor changed the pool it is built for");
        LIDO_ASSERT(!limits().now().is(half_way::ends),
                    "column_pool: a field's move or destructor changed the pool it lives in");
    }
    /// Where it costs nothing in every build.
    void expect_settled_always() const noexcept {
        expect_settled();
        LIDO_VERIFY(!limits().now().is(half_way::ends),
                    "column_pool: a field's move or destructor changed the pool it lives in");
    }
    LIDO_INLINE void expect_readable() const noexcept {
        LIDO_ASSERT(!limits().now().is(half_way::unreadable),
                    "column_pool: a field's move or destructor went through the pool while a row of it is half-way");
    }
    void expect_unmoved() const noexcept {
        expect_settled_always();
        LIDO_VERIFY(!limits().now().is(half_way::asks | half_way::calls_back),
                    "column_pool: the pool was moved from inside of its own callback");
    }
    /// What a row asks before it is used.
    [[nodiscard]] LIDO_INLINE bool has_row(std::uint32_t row) const noexcept { return row < size(); }
    [[nodiscard]] bool is_row(const const_reference& row) const noexcept {
        return row.pool() == this && row.index() < size();
    }
    [[nodiscard]] std::uint32_t live_row(handle_type handle,
                                         [[maybe_unused]] const void* caller = nullptr) const noexcept {
        const std::uint32_t row = table_.row_of(handle);
        if (row == detail::no_slot) [[unlikely]]
            LIDO_FATAL_BY(this->name(), "column_pool::row(handle): its life has ended: ask get() first", caller);
        return row;
    }
    [[nodiscard]] chunk_type whole() noexcept {
        expect_readable();
        return {this, 0, size()};
    }
    [[nodiscard]] const_chunk_type whole() const noexcept {
        expect_readable();
        return {this, 0, size()};
    }

    [[nodiscard]] static std::uint64_t chunk_rows(std::uint32_t asked) noexcept {
        const std::uint64_t lines = (std::max<std::uint64_t>(asked, 1) + rows_a_line - 1) / rows_a_line;
        return lines * rows_a_line;
    }
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> chunk_bounds(std::uint32_t asked,
                                                                       std::uint32_t i) const noexcept {
        LIDO_ASSERT(i < chunk_count(asked), "column_pool: there is no such chunk");
        const std::uint64_t first = std::min<std::uint64_t>(chunk_rows(asked) * i, size());
        const std::uint64_t rows = std::min<std::uint64_t>(chunk_rows(asked), size() - first);
        return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(rows)};
    }

    void close_down() noexcept {
        leases_.drop_all();
        if (table_.check_leaks()) destroy_all();
        table_.guard_rows(0, false);
    }

    void steal(column_pool& other) noexcept {
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
        const std::uint32_t row = size();
        put_in(row, std::forward<Args>(args)...);
        return {pointer(reference(this, row)), table_.go_live(wish)};
    }

    /// The whole struct, before the pool is touched: nothing to undo when a constructor throws. `beyond` when the row that it is for
    /// is at hand already.
    template <class... Args>
    LIDO_INLINE T build([[maybe_unused]] unsigned beyond, Args&&... args) {
        const half_way::quick_scope now(limits().now(), half_way::builds | beyond);
        return detail::make<T>(std::forward<Args>(args)...);
    }

    template <class... Args>
    static constexpr bool is_whole = sizeof...(Args) == 1 && (std::is_same_v<std::remove_cvref_t<Args>, T> && ...);

    /// What the arguments make, onto a row that does not count yet. A whole struct goes in field by field from where it is: a copy
    /// of it in between is read in other pieces than it was just written in, and the processor waits (17 ns and not 6 a row of 64
    /// bytes).
    template <class... Args>
    LIDO_INLINE void put_in(std::uint32_t row, Args&&... args) {
        const half_way::quick_scope now(limits().now(), half_way::builds | half_way::beyond);
        guard::open_row(table_, row);
        if constexpr (is_whole<Args...> && (std::is_same_v<Args&&, T&&> && ...)) {
            move_fields(row, tie_fields(args...), all{});
        } else if constexpr (is_whole<Args...> && copies_safely) {
            copy_fields(row, tie_fields(std::as_const(args)...), all{});
        } else {
            T fresh = build(half_way::beyond, std::forward<Args>(args)...);
            put_in(row, std::move(fresh));
        }
    }

    // Written out with their indexes, because GCC does not always inline a lambda in a lambda.
    template <class Fields, std::size_t... I>
    LIDO_INLINE void move_fields(std::uint32_t row, Fields fields, std::index_sequence<I...>) noexcept {
        (detail::move_field(base<I>() + row, std::addressof(std::get<I>(fields))), ...);
    }
    template <class Fields, std::size_t... I>
    LIDO_INLINE void copy_fields(std::uint32_t row, Fields fields, std::index_sequence<I...>) noexcept {
        (detail::copy_field(base<I>() + row, std::addressof(std::get<I>(fields))), ...);
    }
    template <std::size_t... I>
    LIDO_INLINE void fill_holes(std::uint32_t row, std::uint32_t last, std::index_sequence<I...>) noexcept {
        (fill_hole(base<I>() + row, base<I>() + last), ...);
    }

    /// The fields onto the row behind the last one, which does not count yet.
    LIDO_INLINE std::uint32_t move_in(T& fresh) noexcept {
        const std::uint32_t row = size();
        put_in(row, std::move(fresh));
        return row;
    }

    LIDO_INLINE acquired_type settle(T& fresh, request wish) noexcept {
        const std::uint32_t row = move_in(fresh);
        return {pointer(reference(this, row)), table_.go_live(wish)};
    }

    /// No row is ready.
    template <class... Args>
    LIDO_NOINLINE acquired_type acquire_slowly(request wish,
                                               Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        const size_type capacity = table_.capacity_with_room();
        if (capacity == 0) return replace(wish, std::forward<Args>(args)...);
        T fresh = build(half_way::beyond, std::forward<Args>(args)...);
        table_.make_room(capacity);
        return settle(fresh, wish);
    }

    /// Ends another object to make room, where on_full says so. The newcomer is built before anything is ended, so that a throwing
    /// constructor costs nobody's life.
    template <class... Args>
    LIDO_COLD acquired_type replace(request wish, Args&&... args) {
        if (table_.limits().evicting()) return refuse(refusal::reentrant);
        if (table_.limits().merges()) return fold(build(0, std::forward<Args>(args)...));
        const auto first_match = [this](const auto& accepts) {
            for (std::uint32_t row = 0; row < size(); ++row) {
                if (accepts(const_reference(this, row))) return row;
            }
            return detail::no_slot;
        };
        const std::uint64_t before = changes();
        const bool found = table_.choose_victim(wish, first_match) != detail::no_slot;
        if (!found && changes() == before) return refuse(table_.full_or_no_memory());
        T fresh = build(0, std::forward<Args>(args)...);
        const bool ended = table_.make_room_by_ending(wish, first_match, [this](handle_type victim) {
            table_.limits().announce(victim, reference(this, live_row(victim)));
            if (contains(victim)) end_life(victim.index(), live_row(victim));
        });
        if (!ended) return refuse(refusal::full);
        return settle(fresh, wish);
    }

    /// Offers the newcomer to each live row, in order, until the user's rule has folded it into one.
    LIDO_COLD acquired_type fold(const T& newcomer) {
        for (std::uint32_t row = 0; row < size(); ++row) {
            const handle_type existing = handle_of_row(row);  // the rule may release others, which moves it
            if (!table_.limits().folds(reference(this, row), newcomer)) continue;
            table_.limits().merged(existing, table_.counters());
            return {};
        }
        return refuse(table_.full_or_no_memory());
    }

    // --- release -----------------------------------------------------------------------------------------------------------

    template <class Gone>
    size_type release_rows_if(Gone&& gone) {
        expect_settled();
        size_type done = 0;
        for (std::uint32_t row = size(); row-- != 0;) {
            const std::uint64_t before = changes();
            const bool ends = gone(row);
            LIDO_ASSERT(changes() == before, "release_if: the predicate changed the pool");
            static_cast<void>(before);
            if (ends && row < size()) {
                end_life(table_.slot_of(row), row);
                ++done;
            }
        }
        return done;
    }

    LIDO_INLINE void end_life(std::uint32_t slot, std::uint32_t row) noexcept {
        const std::uint32_t last = table_.take_off(slot, row);
        {
            const half_way::quick_scope now(limits().now(), half_way::ends | half_way::unreadable | half_way::beyond);
            fill_holes(row, last, all{});
        }
        guard::bury_rows(table_, last, last + 1);
        table_.settle(slot, last);
    }

    template <class F>
    static LIDO_INLINE void fill_hole(F* hole, F* from) noexcept {
        if constexpr (detail::is_bytes<F>) {
            // Also when they are the same: a copy onto itself is cheaper than a branch that guesses wrong.
            std::memmove(static_cast<void*>(hole), static_cast<const void*>(from), sizeof(F));
        } else {
            detail::end_field(hole);
            if (hole != from) {
                detail::move_field(hole, from);
                detail::end_field(from);
            }
        }
    }

    void destroy_all() noexcept {
        const half_way::scope now(limits().now(), half_way::ends | half_way::unreadable);
        for_columns([&]<std::size_t I>() {
            if constexpr (!std::is_trivially_destructible_v<field_type<T, I>>) {
                for (std::uint32_t row = 0; row < size(); ++row) detail::end_field(base<I>() + row);
            }
        });
    }

    [[nodiscard]] const char* broken_columns() const noexcept {
        const char* broken = nullptr;
        const std::uint32_t rows = size();
        if (rows == 0) return nullptr;
        std::uintptr_t starts[columns];
        for_columns([&]<std::size_t I>() { starts[I] = reinterpret_cast<std::uintptr_t>(base<I>()); });
        for (std::size_t i = 0; i < columns; ++i) {
            if (starts[i] % layout::alignment(detail::dense_arrays + i) != 0) broken = "CO1: a column is not aligned";
            for (std::size_t k = 0; k < columns; ++k) {
                if (k != i && starts[k] >= starts[i] &&
                    starts[k] - starts[i] < layout::bytes(detail::dense_arrays + i, rows)) {
                    broken = "CO2: two columns share memory";
                }
            }
        }
        return broken;
    }

    table table_;
    lease_list<column_pool> leases_;
};

/// The same inside the object itself: no allocation, ever.
template <class T, std::size_t N, options Options = options{}, class Tag = void>
using inline_column_pool = column_pool<T, Options, inline_storage<N>, Tag>;

}  // namespace lido
