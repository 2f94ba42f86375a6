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
#include <lido/core/base/stats.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/option_rules.hpp>
#include <lido/core/parts/rows/row_replacing.hpp>
#include <lido/core/parts/rows/row_table.hpp>
#include <lido/core/parts/table_pool.hpp>
#include <lido/core/shapes/column/column_fields.hpp>
#include <lido/core/shapes/column/column_guard.hpp>
#include <lido/core/shapes/column/column_iterator.hpp>
#include <lido/core/shapes/column/column_layout.hpp>
#include <lido/core/shapes/column/column_lives.hpp>
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

namespace detail {

template <class Pool, class T, options Options, class Storage, class Tag>
using column_table = row_table<T, column_layout<T, Options, Tag>, Options, Storage, column_sentences,
                               column_row<Pool, T>, column_row<const Pool, T>>;

}  // namespace detail

/// Threads: a pool belongs to one thread at a time; const functions may run together while nobody changes it, and so may jobs that
/// write to different columns or chunks while nobody acquires or releases.
/// Re-entrancy: a field's constructor, move and destructor must not change the pool they live in (builds with checks stop).
template <class T, options Options = options{}, class Storage = reserved_storage, class Tag = void>
class column_pool
    : public detail::table_pool<
          column_pool<T, Options, Storage, Tag>,
          detail::column_table<column_pool<T, Options, Storage, Tag>, T, Options, Storage, Tag>,
          detail::pool_surface<column_pool<T, Options, Storage, Tag>,
                               detail::column_types<column_pool<T, Options, Storage, Tag>, T, Options, Tag>>> {
    using base = typename column_pool::table_pool;
    using surface = typename column_pool::pool_surface;

    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(detail::holdable<T>, "lido: a pool holds objects of a non-const, non-volatile, non-array type");
    static_assert(detail::option_rules::column<Options>());
    static_assert(detail::column_struct<T>());

    using layout = detail::column_layout<T, Options, Tag>;
    using lives = detail::column_lives;
    using table = detail::column_table<column_pool, T, Options, Storage, Tag>;
    using memory = typename table::memory;

public:
    using value_type = T;
    using typename base::handle_type;
    using typename base::settings_type;
    using typename base::size_type;
    using reference = column_row<column_pool, T>;
    using const_reference = column_row<const column_pool, T>;
    using pointer = column_pointer<column_pool, T>;
    using const_pointer = column_pointer<const column_pool, T>;
    using acquired_type = acquired<T, handle_type, pointer>;
    using lease_type = lido::lease<column_pool>;
    using iterator = detail::column_iterator<column_pool, T>;
    using const_iterator = detail::column_iterator<const column_pool, T>;
    using chunk_type = column_chunk<column_pool, T>;
    using const_chunk_type = column_chunk<const column_pool, T>;

    using rewind_with = detail::column_rewind;

    static constexpr options pool_options = Options;
    static constexpr const char* shape = "column_pool";
    static constexpr bool stable_addresses = false;
    static constexpr bool can_grow = memory::grows;
    static constexpr std::size_t columns = layout::columns;

    // --- building, on memory of its own, inside the object, or lent: parts/table_pool.hpp ------------------------------------

    using base::base;
    column_pool(column_pool&&) = default;
    column_pool& operator=(column_pool&&) = default;
    /// Ends every object, or what settings.leaks says.
    ~column_pool() { this->close_down(); }

    // --- acquire and release -----------------------------------------------------------------------------------------------
    //
    // acquire and its kin are in parts/surface.hpp. It builds a T from the arguments, fields or a whole struct, and moves it into the row
    // behind the last one: O(fields). Forward iterators do not follow, and no span keeps up with the size.

    /// Builds an object under exactly this handle, for ids chosen elsewhere (a server, a save). Refused when the slot is taken,
    /// when it has had that generation or a later one (an old handle would alias), or when it is out of range.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_ENTRY acquired_type reserve(handle_type handle, Args&&... args) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        size_type capacity = 0;
        if (const refusal why = table_.claimable(handle, capacity); why != refusal::none) return refuse(why);
        T fresh = lives::build(table_, detail::half_way::beyond, std::forward<Args>(args)...);
        const std::uint32_t row = table_.size();
        lives::put_in(table_, row, std::move(fresh));
        return {pointer(reference(this, row)), table_.claim(handle, capacity)};
    }

    /// Ends the life that the handle names. False, counted and reported, when it has ended before or never was.
    /// Complexity: O(fields). Invalidates: rows and references of the object, and of the last one, which moves.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        const std::uint32_t row = table_.row_of(handle);
        if (row == detail::no_slot) [[unlikely]]
            return this->bad_release(handle);
        lives::end(table_, handle.index(), row);
        return true;
    }

    /// Ends the life of the object on a row of this pool.
    LIDO_ENTRY bool release(const_reference row) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        if (!is_row(row)) [[unlikely]]
            return table_.limits().bad_release_of_object(table_.book(), table_.counters());
        lives::end(table_, table_.slot_of(row.index()), row.index());
        return true;
    }

    /// Ends every object that `gone(row)` accepts: the one way to remove during a pass that needs no rules. Visits each once, from
    /// the last row to the first, so that what moves into a hole has been visited. Pre: `gone` does not change the pool.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        return release_rows_if([&](std::uint32_t row) -> bool { return gone(reference(this, row)); });
    }

    /// The same over chosen columns: `release_if<&orb::life>([](float& life) { return life <= 0; })`.
    template <auto Member, auto... Members, class Predicate>
        requires std::is_member_object_pointer_v<decltype(Member)>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        return release_rows_if(
            [&](std::uint32_t row) -> bool { return gone(column_at<Member>()[row], column_at<Members>()[row]...); });
    }

    /// Ends every life; no handle survives it. Complexity: O(slots ever used).
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled_always();
        leases_.drop_all();
        lives::destroy_all(table_);
        const size_type rows = table_.size();
        table_.end_all();
        detail::column_guard<T>::bury_rows(table_, 0, rows);
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

    /// Pre: row < size().
    [[nodiscard]] LIDO_QUICK_ENTRY reference row(std::uint32_t row) noexcept {
        LIDO_ASSERT_FROM(this->name(), row < table_.size(), "column_pool: there is no such row");
        return {this, row};
    }
    [[nodiscard]] LIDO_QUICK_ENTRY const_reference row(std::uint32_t row) const noexcept {
        LIDO_ASSERT_FROM(this->name(), row < table_.size(), "column_pool: there is no such row");
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

    // --- columns -----------------------------------------------------------------------------------------------------------

    /// The field of every live row, in row order, aligned to 64 bytes. Up to 64 bytes past its end may be read and written, too.
    /// Invalidates it: a release, a restore; an acquire leaves it short. Growth does not move it.
    template <std::size_t I>
    [[nodiscard]] LIDO_INLINE auto column() noexcept {
        table_.expect_readable();
        return std::span<field_type<T, I>>{detail::column_of<I>(table_), table_.size()};
    }
    template <std::size_t I>
    [[nodiscard]] LIDO_INLINE auto column() const noexcept {
        table_.expect_readable();
        return std::span<const field_type<T, I>>{detail::column_of<I>(table_), table_.size()};
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
        table_.expect_readable();
        const std::uint64_t each = chunk_rows(rows_per_chunk);
        return static_cast<std::uint32_t>((table_.size() + each - 1) / each);
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
    [[nodiscard]] iterator end() noexcept { return {this, table_.size()}; }
    [[nodiscard]] const_iterator begin() const noexcept { return {this, 0}; }
    [[nodiscard]] const_iterator end() const noexcept { return {this, table_.size()}; }

    /// From the last row to the first. Releasing the row one is at is allowed: the one that moves there has been visited. Acquiring
    /// is allowed, unless it replaces; new objects are not visited.
    [[nodiscard]] auto backward() noexcept {
        table_.expect_readable();
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
        table_.expect_trimmable();
        return table_.trim();
    }

    [[nodiscard]] pool_stats stats() const noexcept { return table_.stats(shape); }

    /// Checks every numbered invariant. Complexity: O(slots ever used).
    [[nodiscard]] verdict validate() const noexcept {
        if (const char* const broken = table_.broken(); broken != nullptr) return {broken};
        if (table_.size() == 0) return {};
        return {detail::broken_columns(table_, table_.size(), "CO1: a column is not aligned",
                                       "CO2: two columns share memory")};
    }

private:
    friend surface;
    friend base;
    using base::leases_;
    using base::table_;
    using surface::refuse;

    template <auto Member>
    [[nodiscard]] static consteval std::size_t index() {
        return detail::column_index<T, Member>();
    }

    template <auto Member>
    [[nodiscard]] LIDO_INLINE auto* column_at() noexcept {
        return detail::column_of<index<Member>()>(table_);
    }

    [[nodiscard]] bool is_row(const const_reference& row) const noexcept {
        return row.pool() == this && row.index() < table_.size();
    }
    [[nodiscard]] std::uint32_t live_row(handle_type handle,
                                         [[maybe_unused]] const void* caller = nullptr) const noexcept {
        const std::uint32_t row = table_.row_of(handle);
        if (row == detail::no_slot) [[unlikely]]
            LIDO_FATAL_BY(this->name(), "column_pool::row(handle): its life has ended: ask get() first", caller);
        return row;
    }
    [[nodiscard]] chunk_type whole() noexcept {
        table_.expect_readable();
        return {this, 0, table_.size()};
    }
    [[nodiscard]] const_chunk_type whole() const noexcept {
        table_.expect_readable();
        return {this, 0, table_.size()};
    }

    [[nodiscard]] static std::uint64_t chunk_rows(std::uint32_t asked) noexcept {
        const std::uint64_t lines = (std::max<std::uint64_t>(asked, 1) + rows_a_line - 1) / rows_a_line;
        return lines * rows_a_line;
    }
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> chunk_bounds(std::uint32_t asked,
                                                                       std::uint32_t i) const noexcept {
        LIDO_ASSERT(i < chunk_count(asked), "column_pool: there is no such chunk");
        const std::uint64_t first = std::min<std::uint64_t>(chunk_rows(asked) * i, table_.size());
        const std::uint64_t rows = std::min<std::uint64_t>(chunk_rows(asked), table_.size() - first);
        return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(rows)};
    }

    void destroy_all() noexcept { lives::destroy_all(table_); }

    // --- acquire -----------------------------------------------------------------------------------------------------------

    template <class... Args>
    LIDO_INLINE acquired_type take(request wish, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        table_.expect_settled();
        if (const refusal why = table_.limits().kept_from(wish, table_.size()); why != refusal::none) [[unlikely]]
            return refuse(why);
        if (!table_.ready()) [[unlikely]] {
            return acquire_slowly(wish, std::forward<Args>(args)...);
        }
        const std::uint32_t row = table_.size();
        lives::put_in(table_, row, std::forward<Args>(args)...);
        return {pointer(reference(this, row)), table_.go_live(wish)};
    }

    LIDO_INLINE acquired_type settle(T& fresh, request wish) noexcept {
        const std::uint32_t row = table_.size();
        lives::put_in(table_, row, std::move(fresh));
        return {pointer(reference(this, row)), table_.go_live(wish)};
    }

    /// No row is ready.
    template <class... Args>
    LIDO_NOINLINE acquired_type acquire_slowly(request wish,
                                               Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        const size_type capacity = table_.capacity_with_room();
        if (capacity == 0) return replace(wish, std::forward<Args>(args)...);
        T fresh = lives::build(table_, detail::half_way::beyond, std::forward<Args>(args)...);
        table_.make_room(capacity);
        return settle(fresh, wish);
    }

    template <class... Args>
    LIDO_COLD acquired_type replace(request wish, Args&&... args) {
        return detail::row_replacing::replace(
            table_, wish, [this](std::uint32_t row) { return reference(this, row); },
            [&] { return lives::build(table_, 0, std::forward<Args>(args)...); },
            [&](T& newcomer) { return settle(newcomer, wish); },
            [this](std::uint32_t slot, std::uint32_t row) { lives::end(table_, slot, row); });
    }

    // --- release -----------------------------------------------------------------------------------------------------------

    template <class Gone>
    size_type release_rows_if(Gone&& gone) {
        table_.expect_settled();
        size_type done = 0;
        for (std::uint32_t row = table_.size(); row-- != 0;) {
            const std::uint64_t before = table_.changes();
            const bool ends = gone(row);
            LIDO_ASSERT(table_.changes() == before, "release_if: the predicate changed the pool");
            static_cast<void>(before);
            if (ends && row < table_.size()) {
                lives::end(table_, table_.slot_of(row), row);
                ++done;
            }
        }
        return done;
    }
};

/// The same inside the object itself: no allocation, ever.
template <class T, std::size_t N, options Options = options{}, class Tag = void>
using inline_column_pool = column_pool<T, Options, inline_storage<N>, Tag>;

}  // namespace lido
