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
#include <lido/core/parts/lease.hpp>
#include <lido/core/parts/slots/finders.hpp>
#include <lido/core/parts/surface.hpp>
#include <lido/core/parts/worn_slot.hpp>
#include <lido/core/shapes/column/column_pass.hpp>
#include <lido/core/shapes/column/column_row.hpp>
#include <lido/core/shapes/column/column_struct.hpp>
#include <lido/core/shapes/column/field_steps.hpp>
#include <lido/core/shapes/column/flag_column_iterator.hpp>
#include <lido/core/shapes/column/flag_column_layout.hpp>
#include <lido/core/shapes/column/flag_column_replacing.hpp>
#include <lido/core/shapes/column/flag_column_rewind.hpp>
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

/// Threads: a pool belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: a field's move and destructor must not change the pool they live in (builds with checks stop).
template <class T, options Options = options{}, class Storage = heap_storage, class Tag = void>
class flag_column_pool
    : public detail::pool_surface<
          flag_column_pool<T, Options, Storage, Tag>,
          detail::object_types<T, typename detail::handle_for<T, Options, Tag>::type, Options,
                               column_pointer<flag_column_pool<T, Options, Storage, Tag>, T>,
                               column_pointer<const flag_column_pool<T, Options, Storage, Tag>, T>>> {
    using surface = typename flag_column_pool::pool_surface;

    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(detail::holdable<T>, "lido: a pool holds objects of a non-const, non-volatile, non-array type");
    static_assert(!Options.confirmed_ends,
                  "lido: flag_column_pool ends the fields of a row with its life, so an ended row cannot wait in its "
                  "place: options::confirmed_ends needs slot_pool or recycle_pool");
    static_assert(detail::column_struct<T>());
    static_assert(Options.order == reuse::recent && Options.reuse_delay == 0,
                  "lido: flag_column_pool always takes the lowest free row: it has neither a reuse order nor a reuse "
                  "delay to choose");
    static_assert(!Options.mark_changes,
                  "lido: flag_column_pool keeps no change marks, because a pass over a bare column cannot tell which "
                  "rows it wrote: use rewind<N>");

    using layout = detail::flag_column_layout<T, Options, Tag>;
    using memory = typename Storage::template memory<layout>;
    using generation = typename layout::generation;
    using maps_type = detail::slot_maps<generation>;
    using diary_type = detail::diary<Options.forensics>;
    using all = std::make_index_sequence<layout::columns>;

    static constexpr bool has_generations = layout::has_generations;
    static constexpr bool tracks = Options.tracks != track::nothing;
    static constexpr bool plain = detail::fields_without_objects<field_types<T>>::all;

    // The drawing.
    static_assert(layout::bytes(detail::flag_occupied, 64) == sizeof(detail::map_word));
    static_assert(layout::bytes(detail::flag_generations, 1) == (has_generations ? sizeof(generation) : 0));
    static_assert(layout::alignment(detail::flag_arrays) >= 16);

public:
    using value_type = T;
    using handle_type = typename layout::handle_type;
    using size_type = std::uint32_t;
    using reference = column_row<flag_column_pool, T>;
    using const_reference = column_row<const flag_column_pool, T>;
    using pointer = column_pointer<flag_column_pool, T>;
    using const_pointer = column_pointer<const flag_column_pool, T>;
    using acquired_type = acquired<T, handle_type, pointer>;
    using lease_type = lido::lease<flag_column_pool>;
    using settings_type = pool_settings<T, handle_type, reference, const_reference>;
    using iterator = detail::flag_column_iterator<flag_column_pool, T, false>;
    using const_iterator = detail::flag_column_iterator<const flag_column_pool, T, false>;

    using rewind_with = detail::flag_column_rewind;

    static constexpr options pool_options = Options;
    static constexpr const char* shape = "flag_column_pool";
    static constexpr bool stable_addresses = true;
    static constexpr bool can_grow = false;
    static constexpr std::size_t columns = layout::columns;

    // --- building ----------------------------------------------------------------------------------------------------------

    /// Room for `capacity` objects. When the memory cannot be had, the pool has capacity 0, refuses every acquire, and has said so
    /// through the misuse handler.
    explicit flag_column_pool(size_type capacity, settings_type settings = {})
        requires(memory::fixed_slots == 0 && requires(memory m) { m.open(std::size_t{}, std::size_t{}); })
        : limits_(settings) {
        const size_type most = limits_.plan(capacity, layout::max_rows, false);
        if (!memory_.open(most, most)) {
            limits_.fail("the memory for the asked capacity could not be had; the pool has capacity 0");
        }
        start();
    }

    /// Inside the pool object itself: capacity is the storage's N.
    explicit flag_column_pool(settings_type settings = {})
        requires(memory::fixed_slots != 0)
        : limits_(settings) {
        static_assert(memory::fixed_slots <= layout::max_rows,
                      "lido: the handle's index bits cannot name that many rows");
        static_cast<void>(limits_.plan(static_cast<size_type>(memory::fixed_slots), layout::max_rows, false));
        start();
    }

    /// On memory the caller lends: as many rows as fit (`bytes_for` tells how much that takes).
    explicit flag_column_pool(std::span<std::byte> buffer, settings_type settings = {})
        requires(requires(memory m) { m.open(std::span<std::byte>{}, std::size_t{}); })
        : limits_(settings) {
        if (memory_.open(buffer, layout::max_rows)) {
            static_cast<void>(limits_.plan(static_cast<size_type>(memory_.max_slots()), layout::max_rows, false));
        } else {
            limits_.fail("the lent buffer is too small for one row; the pool has capacity 0");
        }
        start();
    }

    /// Steals the memory: fields stay where they are, handles and leases go on to work with the new pool. The source has
    /// capacity 0. Invalidates: rows and iterators, which name the pool.
    flag_column_pool(flag_column_pool&& other) noexcept
        requires memory::movable
        : limits_(other.limits_.settings()) {
        steal(other);
    }
    flag_column_pool& operator=(flag_column_pool&& other) noexcept
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
    ~flag_column_pool() { close_down(); }

    /// How large a lent buffer must be for `rows` rows.
    [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t rows) noexcept
        requires(requires { memory::bytes_for(std::size_t{}); })
    {
        return memory::bytes_for(rows);
    }

    // --- acquire and release -----------------------------------------------------------------------------------------------
    //
    // acquire and its kin are in parts/surface.hpp. It builds a T from the arguments, fields or a whole struct, and moves it onto the first
    // free row: a scan of 64 rows a step, and O(fields). Invalidates nothing.

    /// Builds an object under exactly this handle, for ids chosen elsewhere (a server, a save). Refused when the row is taken,
    /// when it has had that generation or a later one (an old handle would alias), or when it is out of range.
    template <class... Args>
        requires detail::constructible<T, Args...>
    LIDO_ENTRY acquired_type reserve(handle_type handle, Args&&... args) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled();
        if (const refusal why = claimable(handle); why != refusal::none) return refuse(why);
        T fresh = detail::make<T>(std::forward<Args>(args)...);
        if (const refusal why = claimable(handle); why != refusal::none)
            return refuse(why);  // its constructor was here
        if constexpr (has_generations) generations()[handle.index()] = static_cast<generation>(handle.generation() - 1);
        return settle(handle.index(), request{}, std::move(fresh));
    }

    /// Ends the life that the handle names. False, counted and reported, when it has ended before or never was.
    /// Complexity: O(fields). Invalidates: the object's row.
    LIDO_ENTRY bool release(handle_type handle) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled();
        if (!contains(handle)) [[unlikely]]
            return this->bad_release(handle);
        end_life(handle.index());
        return true;
    }

    /// Ends the life of the object on a row of this pool.
    LIDO_ENTRY bool release(const_reference row) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled();
        if (!is_live_row(row)) [[unlikely]] {
            const bool mine = row.pool() == this && row.index() < capacity();
            return this->bad_release_at(mine ? row.index() : detail::no_slot);
        }
        end_life(row.index());
        return true;
    }

    /// Ends every object that `gone(row)` accepts, each asked once, in row order. Pre: `gone` does not change the pool.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return release_rows_if([&](std::uint32_t row) -> bool { return gone(reference(this, row)); });
    }

    /// The same over chosen columns: `release_if<&bullet::y>([](std::uint8_t y) { return y > 239; })`.
    template <auto Member, auto... Members, class Predicate>
        requires std::is_member_object_pointer_v<decltype(Member)>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return release_rows_if([&](std::uint32_t row) -> bool {
            return gone(base<index<Member>()>()[row], base<index<Members>()>()[row]...);
        });
    }

    /// Ends every life; no handle survives it, but where there are no generations. Complexity: O(capacity).
    LIDO_ENTRY void clear() noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled_always();
        leases_.drop_all();
        for_each_live([this](std::uint32_t row) { end_life(row); });
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// The same without a report: for handles of objects that may well be gone.
    [[nodiscard]] LIDO_INLINE pointer try_get(handle_type handle) noexcept {
        return contains(handle) ? pointer(reference(this, handle.index())) : pointer();
    }
    [[nodiscard]] LIDO_INLINE const_pointer try_get(handle_type handle) const noexcept {
        return contains(handle) ? const_pointer(const_reference(this, handle.index())) : const_pointer();
    }

    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept {
        const std::uint32_t row = handle.index();
        const std::uint32_t life = handle.generation();
        if constexpr (has_generations) {
            // an even generation names no life, though a free row may hold it
            return row < capacity() && generations()[row] == life && (life & 1) != 0;
        } else {
            return row < capacity() && life == 1 && detail::test(occupied(), row);
        }
    }

    /// The object on a row, which stays there for its whole life. Pre: something lives on it.
    [[nodiscard]] LIDO_INLINE reference row(std::uint32_t row) noexcept {
        LIDO_ASSERT(has_row(row), "flag_column_pool: no object is on this row");
        return {this, row};
    }
    [[nodiscard]] LIDO_INLINE const_reference row(std::uint32_t row) const noexcept {
        LIDO_ASSERT(has_row(row), "flag_column_pool: no object is on this row");
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
        const handle_type handle = handle_at(row.index());
        return contains(handle) ? handle : handle_type{};
    }
    /// Pre: something lives on this row.
    [[nodiscard]] handle_type handle_of_row(std::uint32_t row) const noexcept {
        LIDO_ASSERT(has_row(row), "flag_column_pool: no object is on this row");
        return handle_at(row);
    }

    [[nodiscard]] size_type size() const noexcept { return state_.size; }
    [[nodiscard]] bool empty() const noexcept { return state_.size == 0; }
    [[nodiscard]] size_type capacity() const noexcept { return state_.capacity; }
    [[nodiscard]] size_type max_capacity() const noexcept { return state_.capacity; }

    /// True when the next acquire must replace or refuse.
    [[nodiscard]] bool full() const noexcept { return state_.size + state_.retired >= state_.capacity; }

    [[nodiscard]] const settings_type& settings() const noexcept { return limits_.settings(); }

    // --- columns -----------------------------------------------------------------------------------------------------------

    /// Rows that a pass must go over: up to the last that holds an object. Complexity: O(capacity / 64).
    [[nodiscard]] size_type used() const noexcept {
        for (std::size_t w = detail::words_for(capacity()); w-- != 0;) {
            if (occupied()[w] != 0) return static_cast<size_type>(w * 64 + detail::highest(occupied()[w]) + 1);
        }
        return 0;
    }

    /// Which rows of [0, used()) hold an object: row r is bit r % 64 of word r / 64. Invalidates it: acquire, release, restore.
    [[nodiscard]] std::span<const std::uint64_t> live_bits() const noexcept {
        expect_readable();
        return {occupied(), detail::words_for(used())};
    }
    /// Whether an object is on this row. Any row may be asked about.
    [[nodiscard]] LIDO_INLINE bool lives(std::uint32_t row) const noexcept { return has_row(row); }

    /// The field of rows [0, used()), those without an object included: they may be read and written and mean nothing. For fields
    /// that are plain bytes. Nothing moves it; an acquire leaves it short.
    template <std::size_t I>
    [[nodiscard]] LIDO_INLINE auto column() noexcept {
        return column_of<I>(*this);
    }
    template <std::size_t I>
    [[nodiscard]] LIDO_INLINE auto column() const noexcept {
        return column_of<I>(*this);
    }
    template <auto Member>
        requires std::is_member_object_pointer_v<decltype(Member)>
    [[nodiscard]] LIDO_INLINE auto column() noexcept {
        return column_of<index<Member>()>(*this);
    }
    template <auto Member>
        requires std::is_member_object_pointer_v<decltype(Member)>
    [[nodiscard]] LIDO_INLINE auto column() const noexcept {
        return column_of<index<Member>()>(*this);
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
    bool prepare(size_type rows) noexcept { return rows <= capacity(); }

    /// Gives nothing back: the pool is small, and rows do not move.
    std::size_t trim() noexcept { return 0; }

    [[nodiscard]] pool_stats stats() const noexcept {
        pool_stats s = detail::stats_of(shape, state_, size(), capacity());
        s.bytes = memory_.bytes();
        s.bookkeeping_per_slot = layout::bookkeeping(capacity());
        return s;
    }

    /// Checks every numbered invariant. Complexity: O(capacity). Pre: not called while a field is moved or ended.
    [[nodiscard]] verdict validate() const noexcept { return {detail::flag_column_validation::broken(*this)}; }

private:
    // What the surface asks for (parts/surface.hpp).
    friend surface;
    friend detail::holder_surface<flag_column_pool>;
    [[nodiscard]] LIDO_INLINE auto& limits() noexcept { return limits_; }
    [[nodiscard]] LIDO_INLINE const auto& limits() const noexcept { return limits_; }
    [[nodiscard]] LIDO_INLINE auto& book() noexcept { return diary_; }
    [[nodiscard]] LIDO_INLINE const auto& book() const noexcept { return diary_; }
    [[nodiscard]] pool_counters& counters() noexcept { return state_.counters; }
    [[nodiscard]] auto& leases() noexcept { return leases_; }
    using surface::refuse;

    friend struct detail::column_sections;
    friend struct detail::flag_column_replacing;
    friend struct detail::flag_column_rewind;
    friend struct detail::flag_column_validation;
    template <class, class>
    friend class column_row;
    template <class, class, bool>
    friend class detail::flag_column_iterator;

    /// All that a save must bring back, beside the arrays. Trivially copyable.
    struct state {
        size_type size = 0;
        size_type capacity = 0;
        size_type retired = 0;
        size_type peak = 0;
        std::uint64_t acquired = 0;
        LIDO_NO_UNIQUE_ADDRESS detail::age_order<Options.tracks> ages;
        pool_counters counters;
    };
    static_assert(std::is_trivially_copyable_v<state>);

    // --- where things are --------------------------------------------------------------------------------------------------

    template <class U, std::size_t K>
    [[nodiscard]] LIDO_INLINE U* array() const noexcept {
        return reinterpret_cast<U*>(memory_.template array<K>());
    }
    [[nodiscard]] LIDO_INLINE generation* generations() const noexcept {
        return array<generation, detail::flag_generations>();
    }
    [[nodiscard]] LIDO_INLINE detail::map_word* occupied() const noexcept {
        return array<detail::map_word, detail::flag_occupied>();
    }
    template <std::size_t I>
    [[nodiscard]] LIDO_INLINE field_type<T, I>* base() noexcept {
        return array<field_type<T, I>, detail::flag_arrays + I>();
    }
    template <std::size_t I>
    [[nodiscard]] LIDO_INLINE const field_type<T, I>* base() const noexcept {
        return array<const field_type<T, I>, detail::flag_arrays + I>();
    }
    [[nodiscard]] detail::age_arrays aged() const noexcept {
        return {array<detail::age_links, detail::flag_links>(), array<std::uint64_t, detail::flag_birth>(),
                array<std::uint8_t, detail::flag_priority>()};
    }
    [[nodiscard]] maps_type maps() const noexcept {
        return {occupied(),
                nullptr,
                nullptr,
                nullptr,
                nullptr,
                has_generations ? generations() : nullptr,
                handle_type::last_generation,
                state_.retired != 0};
    }

    template <auto Member>
    [[nodiscard]] static consteval std::size_t index() {
        return detail::column_index<T, Member>();
    }
    template <class F>
    static LIDO_INLINE void for_columns(F&& f) {
        [&]<std::size_t... I>(std::index_sequence<I...>) { (f.template operator()<I>(), ...); }(all{});
    }

    template <std::size_t I, class Pool>
    [[nodiscard]] static LIDO_INLINE auto column_of(Pool& pool) noexcept {
        static_assert(detail::is_bytes<field_type<T, I>>,
                      "lido: a row without an object has no such field, because it is not plain bytes: use "
                      "for_each<&struct::field>(...), which visits live rows only");
        pool.expect_readable();
        return std::span(pool.template base<I>(), pool.used());
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
                detail::pass_in_blocks(64, f, pool.template base<index<Members>()>() + w * 64 ...);
                continue;
            }
            for (; left != 0; left &= left - 1) {
                const std::size_t row = w * 64 + detail::lowest(left);
                f(pool.template base<index<Members>()>()[row]...);
            }
        }
    }

    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.acquired * 2 - state_.size; }
    [[nodiscard]] LIDO_INLINE bool has_row(std::uint32_t row) const noexcept {
        return row < capacity() && detail::test(occupied(), row);
    }
    /// For a pass that began when the map had more words: none is there after a move.
    [[nodiscard]] detail::map_word map_word_at(std::size_t word) const noexcept {
        return word < detail::words_for(capacity()) ? occupied()[word] : 0;
    }
    [[nodiscard]] bool is_live_row(const const_reference& row) const noexcept {
        return row.pool() == this && has_row(row.index());
    }
    [[nodiscard]] LIDO_INLINE handle_type handle_at(std::uint32_t row) const noexcept {
        if constexpr (has_generations) {
            return handle_type::of(row, generations()[row]);
        } else {
            return handle_type::of(row, 1);
        }
    }
    [[nodiscard]] std::uint32_t generation_of(std::uint32_t row) const noexcept {
        if (row >= capacity()) return 0;
        if constexpr (has_generations) return generations()[row];
        return detail::test(occupied(), row) ? 1 : 2;
    }

    /// Calls `f(row)` for each live row. `f` may end lives, the current and others.
    template <class F>
    void for_each_live(F&& f) const {
        for (std::size_t w = 0; w < detail::words_for(capacity()); ++w) {
            for (detail::map_word left = occupied()[w]; left != 0; left &= left - 1) {
                const auto row = static_cast<std::uint32_t>(w * 64 + detail::lowest(left));
                if (has_row(row)) f(row);
            }
        }
    }

    // Asked where the pool is entered: a field's own move and destructor must leave it alone. A constructor may do what it likes: what
    // it builds is not in the pool yet.
    using half_way = detail::half_way;
    LIDO_INLINE void expect_settled() const noexcept {
        LIDO_ASSERT(!limits_.now().is(half_way::builds | half_way::ends),
                    "flag_column_pool: a field's move or destructor changed the pool it lives in");
    }
    /// Where it costs nothing in every build.
    void expect_settled_always() const noexcept {
        LIDO_VERIFY(!limits_.now().is(half_way::builds | half_way::ends),
                    "flag_column_pool: a field's move or destructor changed the pool it lives in");
    }
    LIDO_INLINE void expect_readable() const noexcept {
        LIDO_ASSERT(
            !limits_.now().is(half_way::unreadable),
            "flag_column_pool: a field's move or destructor went through the pool while a row of it is half-way");
    }
    void expect_unmoved() const noexcept {
        expect_settled_always();
        LIDO_VERIFY(!limits_.now().is(half_way::asks | half_way::calls_back),
                    "flag_column_pool: the pool was moved from inside of its own callback");
    }
    void expect_found([[maybe_unused]] handle_type handle) const noexcept {
        LIDO_VERIFY(contains(handle), "flag_column_pool::row(handle): its life has ended: ask get() first");
    }

    // --- lives -------------------------------------------------------------------------------------------------------------

    void start() noexcept {
        state_.capacity = limits_.first_capacity();
        limits_.begin();
        diary_.open(this->name(), &detail::handle_kind<handle_type>, has_generations ? 1 : 0);
        guard_rows(true);
    }

    void close_down() noexcept {
        leases_.drop_all();
        if (detail::check_leaks(diary_, settings(), size(), [this](auto&& f) {
                for_each_live([&](std::uint32_t row) { f(row, handle_at(row).generation()); });
            })) {
            destroy_all();
        }
        guard_rows(false);
    }

    void steal(flag_column_pool& other) noexcept {
        other.expect_unmoved();
        memory_ = std::move(other.memory_);
        state_ = std::exchange(other.state_, state{});
        limits_ = other.limits_;
        other.limits_.close();
        diary_.take(other.diary_);
        leases_.adopt(other.leases_, *this);
    }

    /// Fields that are objects are closed on rows without one, or opened again for who gets the memory. Plain bytes are open on every row.
    void guard_rows([[maybe_unused]] bool closed) noexcept {
        if constexpr (!plain) {
            if (!detail::guarded()) return;
            for_object_columns([&]<std::size_t I>() {
                for (std::uint32_t row = 0; row < capacity(); ++row) {
                    if (has_row(row)) continue;
                    closed ? detail::close_off(base<I>() + row, sizeof(field_type<T, I>))
                           : detail::open_up(base<I>() + row, sizeof(field_type<T, I>));
                }
            });
        }
    }
    template <class F>
    static LIDO_INLINE void for_object_columns(F&& f) {
        for_columns([&]<std::size_t I>() {
            if constexpr (!detail::is_bytes<field_type<T, I>>) f.template operator()<I>();
        });
    }

    [[nodiscard]] std::uint32_t free_row() const noexcept { return detail::flag_scan{}.take_fresh(maps(), capacity()); }

    template <class... Args>
    LIDO_INLINE acquired_type take(request wish, Args&&... args) noexcept(detail::nothrow_constructible<T, Args...>()) {
        expect_settled();
        if (const refusal why = limits_.kept_from(wish, size()); why != refusal::none) [[unlikely]]
            return refuse(why);
        if (full()) [[unlikely]]
            return detail::flag_column_replacing::replace(*this, wish, std::forward<Args>(args)...);
        if constexpr (plain && sizeof...(Args) == 1 && (std::is_same_v<std::remove_cvref_t<Args>, T> && ...)) {
            // From where it is: a copy of it in between is read in other pieces than it was just written in (column_pool.hpp).
            return settle(free_row(), wish, args...);
        } else {
            T fresh = detail::make<T>(std::forward<Args>(args)...);
            return settle_anywhere(wish, std::move(fresh));
        }
    }

    /// The newcomer's own constructor may have taken the row that was free.
    LIDO_INLINE acquired_type settle_anywhere(request wish, T&& fresh) noexcept {
        const std::uint32_t row = free_row();
        if (row == detail::no_slot) [[unlikely]]
            return refuse(refusal::full);
        return settle(row, wish, std::move(fresh));
    }

    /// Onto a free row. Plain structs are copied, others moved.
    template <class Whole>
    LIDO_INLINE acquired_type settle(std::uint32_t row, [[maybe_unused]] request wish, Whole&& whole) noexcept {
        detail::set(occupied(), row);
        {
            const half_way::quick_scope now(limits_.now(), half_way::builds | half_way::unreadable);
            auto fields = tie_fields(whole);
            for_columns([&]<std::size_t I>() {
                auto* const to = base<I>() + row;
                if constexpr (plain) {
                    detail::copy_field(to, std::addressof(std::as_const(std::get<I>(fields))));
                } else {
                    if constexpr (!detail::is_bytes<field_type<T, I>>) detail::open_up(to, sizeof(*to));
                    detail::move_field(to, std::addressof(std::get<I>(fields)));
                }
            });
        }
        if constexpr (has_generations) ++generations()[row];
        ++state_.acquired;
        state_.peak = (std::max)(state_.peak, ++state_.size);
        if constexpr (tracks) state_.ages.enter(aged(), row, wish.priority);
        const handle_type handle = handle_at(row);
        diary_.begin(row, handle.generation());
        return {pointer(reference(this, row)), handle};
    }

    [[nodiscard]] refusal claimable(handle_type handle) const noexcept {
        const std::uint32_t row = handle.index();
        const std::uint32_t life = handle.generation();
        if ((life & 1) == 0 || row >= capacity() ||
            (has_generations ? life > handle_type::last_generation : life != 1)) {
            return refusal::out_of_range;
        }
        if (detail::test(occupied(), row)) return refusal::slot_taken;
        if constexpr (has_generations) {
            if (generations()[row] >= life) return refusal::generation_passed;
        }
        return refusal::none;
    }

    LIDO_INLINE void end_life(std::uint32_t row) noexcept {
        diary_.end(row, handle_at(row).generation());
        end_object(row);
        if constexpr (has_generations) {
            if (generations()[row] == handle_type::last_generation) [[unlikely]]
                wear_out(row);
        }
    }

    /// The life is over before its fields end, and the row is free after.
    LIDO_INLINE void end_object(std::uint32_t row) noexcept {
        --state_.size;
        if constexpr (tracks) state_.ages.leave(aged(), row);
        if constexpr (has_generations) ++generations()[row];
        if constexpr (!plain) {
            const half_way::quick_scope now(limits_.now(), half_way::ends | half_way::unreadable);
            for_object_columns([&]<std::size_t I>() {
                detail::end_field(base<I>() + row);
                detail::bury(base<I>() + row, sizeof(field_type<T, I>));
            });
        }
        detail::clear(occupied(), row);
    }

    void wear_out(std::uint32_t row) noexcept {
        if (!detail::reuse_worn_slot<Options.generations>(limits_, [&] { generations()[row] = 0; })) ++state_.retired;
    }

    template <class Gone>
    size_type release_rows_if(Gone&& gone) {
        expect_settled();
        size_type done = 0;
        for_each_live([&](std::uint32_t row) {
            const std::uint64_t before = changes();
            const bool ends = gone(row);
            LIDO_ASSERT(changes() == before, "release_if: the predicate changed the pool");
            static_cast<void>(before);
            if (!ends || !has_row(row)) return;
            end_life(row);
            ++done;
        });
        return done;
    }

    /// For a restore and for the end of the pool.
    void destroy_all() noexcept {
        if constexpr (!plain) for_each_live([this](std::uint32_t row) { end_object(row); });
    }

    state state_;
    memory memory_;
    detail::exhaustion<T, handle_type, Options, reference, const_reference> limits_;
    lease_list<flag_column_pool> leases_;
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
};

/// The same inside the object itself: no allocation, ever.
template <class T, std::size_t N, options Options = options{}, class Tag = void>
using inline_flag_column_pool = flag_column_pool<T, Options, inline_storage<N>, Tag>;

}  // namespace lido
