// flag_column_pool: parallel arrays with an active flag. A plain struct taken apart, one array a field; an object stays on its row
// until it ends, and the next takes the first free row. What 8-bit games keep their bullets in; up to a few hundred rows.
//
//   struct bullet { std::uint8_t x, y; std::int8_t vx, vy; };
//
//   row             0     1     2     3     4     5  ...  capacity-1
//   generations   | 1   | 2   | 3   | 1   | 2   | 0   | ...           odd: lives          4 bytes a row; 2, or none
//   occupied      | 1     0     1     1     0     0     ...           64 rows a word      1 bit a row
//   column x      | x0  | (x1)| x2  | x3  | (x4)| 0   | ...           each column starts at 16 bytes
//   column y      | y0  | (y1)| y2  | y3  | (y4)| 0   | ...
//   ...                                ^ used() is 4: rows past the last live one
//   links, birth, priority                                            with track::age or ::priority only
//
// (x1) is what the object that ended there left: fields that are plain bytes may be read and written on every row of [0, used()), and mean
// nothing where no bit is set. Other fields (a std::string) exist on live rows only.
//
// FC1. A row's bit is set exactly while an object is on it, is moved in or is ended; with generations, its generation is odd
//      exactly while the object lives.
// FC2. size is the number of set bits, and no bit at or past the capacity is set.
// FC3. Rows at their last generation are retired (with generation_rule::retire), and counted.
// FC4. Every column starts at 16 bytes, and no two share a byte.
//
// A shape of its own and not an option of column_pool: docs/decisions/0022-columns-with-stable-rows.md. Left out, because a pool this small
// has no use for it: growth, a reuse delay, chunks for jobs; and change marks, as in column_pool.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/parts/age_order.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/option_rules.hpp>
#include <lido/core/parts/slots/finders.hpp>
#include <lido/core/parts/table_pool.hpp>
#include <lido/core/parts/worn_slot.hpp>
#include <lido/core/shapes/column/column_fields.hpp>
#include <lido/core/shapes/column/column_pass.hpp>
#include <lido/core/shapes/column/column_row.hpp>
#include <lido/core/shapes/column/column_struct.hpp>
#include <lido/core/shapes/column/field_steps.hpp>
#include <lido/core/shapes/column/flag_column_iterator.hpp>
#include <lido/core/shapes/column/flag_column_layout.hpp>
#include <lido/core/shapes/column/flag_column_replacing.hpp>
#include <lido/core/shapes/column/flag_column_rewind.hpp>
#include <lido/core/shapes/column/flag_column_table.hpp>
#include <lido/core/shapes/column/flag_column_validation.hpp>

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

template <class Pool, class T, options Options, class Storage, class Tag>
using flag_table = flag_column_table<T, flag_column_layout<T, Options, Tag>, Options, Storage, column_row<Pool, T>,
                                     column_row<const Pool, T>>;

}  // namespace detail

/// Threads: a pool belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: a field's move and destructor must not change the pool they live in (builds with checks stop).
template <class T, options Options = options{}, class Storage = heap_storage, class Tag = void>
class flag_column_pool
    : public detail::table_pool<
          flag_column_pool<T, Options, Storage, Tag>,
          detail::flag_table<flag_column_pool<T, Options, Storage, Tag>, T, Options, Storage, Tag>,
          detail::pool_surface<flag_column_pool<T, Options, Storage, Tag>,
                               detail::column_types<flag_column_pool<T, Options, Storage, Tag>, T, Options, Tag>>> {
    using base = typename flag_column_pool::table_pool;
    using surface = typename flag_column_pool::pool_surface;

    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(detail::holdable<T>, "lido: a pool holds objects of a non-const, non-volatile, non-array type");
    static_assert(detail::option_rules::flag_column<Options>());
    static_assert(detail::column_struct<T>());

    using layout = detail::flag_column_layout<T, Options, Tag>;
    using table = detail::flag_table<flag_column_pool, T, Options, Storage, Tag>;
    // The drawing.
    static_assert(layout::bytes(detail::flag_occupied, 64) == sizeof(detail::map_word));
    static_assert(layout::bytes(detail::flag_generations, 1) ==
                  (layout::has_generations ? sizeof(typename layout::generation) : 0));
    static_assert(layout::alignment(detail::flag_arrays) >= 16);

public:
    using value_type = T;
    using typename base::handle_type;
    using typename base::settings_type;
    using typename base::size_type;
    using reference = column_row<flag_column_pool, T>;
    using const_reference = column_row<const flag_column_pool, T>;
    using pointer = column_pointer<flag_column_pool, T>;
    using const_pointer = column_pointer<const flag_column_pool, T>;
    using acquired_type = acquired<T, handle_type, pointer>;
    using lease_type = lido::lease<flag_column_pool>;
    using iterator = detail::flag_column_iterator<flag_column_pool, T, false>;
    using const_iterator = detail::flag_column_iterator<const flag_column_pool, T, false>;

    using rewind_with = detail::flag_column_rewind;

    static constexpr options pool_options = Options;
    static constexpr const char* shape = "flag_column_pool";
    static constexpr bool stable_addresses = true;
    static constexpr bool can_grow = false;
    static constexpr std::size_t columns = layout::columns;

    // --- building, on memory of its own, inside the object, or lent: parts/table_pool.hpp ------------------------------------

    using base::base;
    flag_column_pool(flag_column_pool&&) = default;
    flag_column_pool& operator=(flag_column_pool&&) = default;
    /// Ends every object, or what settings.leaks says.
    ~flag_column_pool() { this->close_down(); }

    // --- acquire and release -----------------------------------------------------------------------------------------------
    //
    // acquire and its kin are in parts/surface.hpp. It builds a T from the arguments, fields or a whole struct, and moves it onto the first
    // free row: a scan of 64 rows a step, and O(fields). Invalidates nothing.

    /// Builds an object under exactly this handle, for ids chosen elsewhere (a server, a save). Refused when the row is taken,
    /// when it has had that generation or a later one (an old handle would alias), or when it is out of range.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_ENTRY acquired_type reserve(handle_type handle, Args&&... args) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        if (const refusal why = table_.claimable(handle); why != refusal::none) return refuse(why);
        T fresh = detail::make<T>(std::forward<Args>(args)...);
        if (const refusal why = table_.claimable(handle); why != refusal::none)
            return refuse(why);  // its constructor was here
        table_.claim(handle);
        return settle(handle.index(), request{}, std::move(fresh));
    }

    /// Ends the life that the handle names. False, counted and reported, when it has ended before or never was.
    /// Complexity: O(fields). Invalidates: the object's row.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        if (!table_.contains(handle)) [[unlikely]]
            return this->bad_release(handle);
        table_.end_life(handle.index());
        return true;
    }

    /// Ends the life of the object on a row of this pool.
    LIDO_ENTRY bool release(const_reference row) noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled();
        if (!is_live_row(row)) [[unlikely]] {
            const bool mine = row.pool() == this && row.index() < table_.capacity();
            return this->bad_release_at(mine ? row.index() : detail::no_slot);
        }
        table_.end_life(row.index());
        return true;
    }

    /// Ends every object that `gone(row)` accepts, each asked once, in row order. Pre: `gone` does not change the pool.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        return release_rows_if([&](std::uint32_t row) -> bool { return gone(reference(this, row)); });
    }

    /// The same over chosen columns: `release_if<&bullet::y>([](std::uint8_t y) { return y > 239; })`.
    template <auto Member, auto... Members, class Predicate>
        requires std::is_member_object_pointer_v<decltype(Member)>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        return release_rows_if(
            [&](std::uint32_t row) -> bool { return gone(column_at<Member>()[row], column_at<Members>()[row]...); });
    }

    /// Ends every life; no handle survives it, but where there are no generations. Complexity: O(capacity).
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = table_.book().enter(LIDO_CALLER);
        table_.expect_settled_always();
        leases_.drop_all();
        table_.for_each_live([this](std::uint32_t row) { table_.end_life(row); });
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// The same without a report: for handles of objects that may well be gone.
    [[nodiscard]] LIDO_INLINE pointer try_get(handle_type handle) noexcept {
        return table_.contains(handle) ? pointer(reference(this, handle.index())) : pointer();
    }
    [[nodiscard]] LIDO_INLINE const_pointer try_get(handle_type handle) const noexcept {
        return table_.contains(handle) ? const_pointer(const_reference(this, handle.index())) : const_pointer();
    }

    /// The object on a row, which stays there for its whole life. Pre: something lives on it.
    [[nodiscard]] LIDO_INLINE reference row(std::uint32_t row) noexcept {
        LIDO_ASSERT(table_.has_row(row), "flag_column_pool: no object is on this row");
        return {this, row};
    }
    [[nodiscard]] LIDO_INLINE const_reference row(std::uint32_t row) const noexcept {
        LIDO_ASSERT(table_.has_row(row), "flag_column_pool: no object is on this row");
        return {this, row};
    }

    /// Pre: contains(handle). get() asks first.
    [[nodiscard]] LIDO_INLINE reference row(handle_type handle) noexcept {
        expect_found(handle);
        return {this, handle.index()};
    }
    [[nodiscard]] LIDO_INLINE const_reference row(handle_type handle) const noexcept {
        expect_found(handle);
        return {this, handle.index()};
    }

    /// The handle of a live row of this pool; null for any other.
    [[nodiscard]] handle_type handle_of(const_reference row) const noexcept {
        if (!is_live_row(row)) return {};
        const handle_type handle = table_.handle_at(row.index());
        return table_.contains(handle) ? handle : handle_type{};
    }
    /// Pre: something lives on this row.
    [[nodiscard]] handle_type handle_of_row(std::uint32_t row) const noexcept {
        LIDO_ASSERT(table_.has_row(row), "flag_column_pool: no object is on this row");
        return table_.handle_at(row);
    }

    // --- columns -----------------------------------------------------------------------------------------------------------

    /// Rows that a pass must go over: up to the last that holds an object. Complexity: O(capacity / 64).
    [[nodiscard]] size_type used() const noexcept { return table_.used(); }

    /// Which rows of [0, used()) hold an object: row r is bit r % 64 of word r / 64. Invalidates it: acquire, release, restore.
    [[nodiscard]] std::span<const std::uint64_t> live_bits() const noexcept {
        table_.expect_readable();
        return {table_.occupied(), detail::words_for(used())};
    }
    /// Whether an object is on this row. Any row may be asked about.
    [[nodiscard]] LIDO_INLINE bool lives(std::uint32_t row) const noexcept { return table_.has_row(row); }

    /// The field of rows [0, used()), those without an object included: they may be read and written and mean nothing. For fields
    /// that are plain bytes. Nothing moves it; an acquire leaves it short.
    template <std::size_t I>
    [[nodiscard]] LIDO_INLINE auto column() noexcept {
        return span_of<I>(*this);
    }
    template <std::size_t I>
    [[nodiscard]] LIDO_INLINE auto column() const noexcept {
        return span_of<I>(*this);
    }
    template <auto Member>
        requires std::is_member_object_pointer_v<decltype(Member)>
    [[nodiscard]] LIDO_INLINE auto column() noexcept {
        return span_of<index<Member>()>(*this);
    }
    template <auto Member>
        requires std::is_member_object_pointer_v<decltype(Member)>
    [[nodiscard]] LIDO_INLINE auto column() const noexcept {
        return span_of<index<Member>()>(*this);
    }

    /// Calls `f(field, field, ...)` for each row that holds an object: `for_each<&bullet::x, &bullet::vx>([](auto& x, auto vx) {...})`.
    /// 64 rows that are all live are one plain loop. Pre: `f` does not change the pool.
    template <auto Member, auto... Members, class F>
        requires std::is_member_object_pointer_v<decltype(Member)>
    void for_each(F&& f) {
        pass<Member, Members...>(*this, f);
    }
    template <auto Member, auto... Members, class F>
        requires std::is_member_object_pointer_v<decltype(Member)>
    void for_each(F&& f) const {
        pass<Member, Members...>(*this, f);
    }

    // --- iteration, in row order -------------------------------------------------------------------------------------------
    //
    // While iterating: releasing the object one is at is allowed; acquiring is allowed, and a new object may or may not be
    // visited; releasing another object is not (builds with checks stop at the visit), and neither is an acquire that replaces
    // one: use release_if.

    [[nodiscard]] iterator begin() noexcept { return iterator(this); }
    [[nodiscard]] const_iterator begin() const noexcept { return const_iterator(this); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

    /// Handle and row at once: `for (auto [handle, row] : pool.each())`.
    [[nodiscard]] auto each() noexcept { return detail::flag_column_each<flag_column_pool, T>(this); }
    [[nodiscard]] auto each() const noexcept { return detail::flag_column_each<const flag_column_pool, T>(this); }

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

    /// All rows have their memory from the start.
    bool prepare(size_type rows) noexcept { return rows <= table_.capacity(); }

    /// Gives nothing back: the pool is small, and rows do not move.
    std::size_t trim() noexcept { return 0; }

    [[nodiscard]] pool_stats stats() const noexcept { return table_.stats(shape); }

    /// Checks every numbered invariant. Complexity: O(capacity). Pre: not called while a field is moved or ended.
    [[nodiscard]] verdict validate() const noexcept { return {detail::flag_column_validation::broken(table_)}; }

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

    template <std::size_t I, class Pool>
    [[nodiscard]] static LIDO_INLINE auto span_of(Pool& pool) noexcept {
        static_assert(detail::is_bytes<field_type<T, I>>,
                      "lido: a row without an object has no such field, because it is not plain bytes: use "
                      "for_each<&struct::field>(...), which visits live rows only");
        pool.table_.expect_readable();
        return std::span(detail::column_of<I>(pool.table_), pool.used());
    }

    template <auto... Members, class Pool, class F>
    static void pass(Pool& pool, F& f) {
        static_assert(
            !detail::repeats<index<Members>()...>(),
            "lido: for_each over columns: a column is named twice, and its references would be to the same field");
        const auto live = pool.live_bits();
        for (std::size_t w = 0; w < live.size(); ++w) {
            detail::map_word left = live[w];
            if (left == detail::full_word) {
                detail::pass_in_blocks(64, f, detail::column_of<index<Members>()>(pool.table_) + w * 64 ...);
                continue;
            }
            for (; left != 0; left &= left - 1) {
                const std::size_t row = w * 64 + detail::lowest(left);
                f(detail::column_of<index<Members>()>(pool.table_)[row]...);
            }
        }
    }

    [[nodiscard]] bool is_live_row(const const_reference& row) const noexcept {
        return row.pool() == this && table_.has_row(row.index());
    }
    void expect_found([[maybe_unused]] handle_type handle) const noexcept {
        LIDO_VERIFY(table_.contains(handle), "flag_column_pool::row(handle): its life has ended: ask get() first");
    }

    // --- lives -------------------------------------------------------------------------------------------------------------

    void destroy_all() noexcept { table_.destroy_all(); }

    template <class... Args>
    LIDO_INLINE acquired_type take(request wish, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        table_.expect_settled();
        if (const refusal why = table_.limits().kept_from(wish, table_.size()); why != refusal::none) [[unlikely]]
            return refuse(why);
        if (table_.full()) [[unlikely]]
            return replace(wish, std::forward<Args>(args)...);
        if constexpr (table::plain && sizeof...(Args) == 1 && (std::is_same_v<std::remove_cvref_t<Args>, T> && ...)) {
            // From where it is: a copy of it in between is read in other pieces than it was just written in (column_pool.hpp).
            return settle(table_.free_row(), wish, args...);
        } else {
            T fresh = detail::make<T>(std::forward<Args>(args)...);
            return settle_anywhere(wish, std::move(fresh));
        }
    }

    /// The newcomer's own constructor may have taken the row that was free.
    LIDO_INLINE acquired_type settle_anywhere(request wish, T&& fresh) noexcept {
        const std::uint32_t row = table_.free_row();
        if (row == detail::no_slot) [[unlikely]]
            return refuse(refusal::full);
        return settle(row, wish, std::move(fresh));
    }

    template <class Whole>
    LIDO_INLINE acquired_type settle(std::uint32_t row, request wish, Whole&& whole) noexcept {
        const handle_type handle = table_.settle(row, wish, std::forward<Whole>(whole));
        return {pointer(reference(this, row)), handle};
    }

    template <class... Args>
    LIDO_COLD acquired_type replace(request wish, Args&&... args) {
        return detail::flag_column_replacing::replace(
            table_, wish, [this](std::uint32_t row) { return reference(this, row); },
            [&] { return detail::make<T>(std::forward<Args>(args)...); },
            [&](T&& fresh) { return settle_anywhere(wish, std::move(fresh)); });
    }

    template <class Gone>
    size_type release_rows_if(Gone&& gone) {
        table_.expect_settled();
        size_type done = 0;
        table_.for_each_live([&](std::uint32_t row) {
            const std::uint64_t before = table_.changes();
            const bool ends = gone(row);
            LIDO_ASSERT(table_.changes() == before, "release_if: the predicate changed the pool");
            static_cast<void>(before);
            if (!ends || !table_.has_row(row)) return;
            table_.end_life(row);
            ++done;
        });
        return done;
    }
};

/// The same inside the object itself: no allocation, ever.
template <class T, std::size_t N, options Options = options{}, class Tag = void>
using inline_flag_column_pool = flag_column_pool<T, Options, inline_storage<N>, Tag>;

}  // namespace lido
