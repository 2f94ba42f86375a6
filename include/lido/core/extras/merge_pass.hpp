// merge_pass: folds neighbours into each other, in near-linear time and in memory that was taken at the start. The second line of
// defence of a pool that fills up in bursts: a thousand orbs of a boss become a hundred larger ones.
//
//   lido::merge_pass merging{1024};
//   merging.run(orbs, 24.0f, where, [](auto into, auto from) { into.template get<&orb::amount>() += ...; return true; });
//
// What a run means is this double loop over the rows that take part, with positions as of its start:
//
//   for each row `into`, from the first on:                       the lower row survives
//       for each later row `from` that has not been folded:
//           if it is within the radius, and rule(into, from):     `from` has been folded, and is no `into` itself
//   release what was folded, from the last row to the first
//
// and what it does instead is to look only at the cells around `into`:
//
//   x, y        | object 0 | object 1 | ...                        of the rows that take part, in row order
//   row         |    0     |    2     | ...
//   next        |    5     |   none   | ...                        lists of the objects that are in one cell (or share its hash)
//   first       | list 0 | list 1 | ... | 2^k lists                one to two times the objects that take part, rounded up
//
// One allocation of 28 to 32 bytes an object.
//
// MP1. Objects are numbered in row order, and every list is in rising order.
// MP2. The lists hold those that have neither been `into` nor been folded. So each pair is looked at once at most, `into` is the first
//      of its list, and what was folded costs nothing any more.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/slot_count.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/place.hpp>
#include <lido/core/extras/neighbourhood.hpp>
#include <lido/core/memory/heap_storage.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace lido {

namespace detail {

/// Rows in [0, size), and a release that moves the last into the hole: dense_pool and column_pool.
template <class Pool>
concept has_packed_rows =
    requires(Pool& pool, const Pool& there, std::uint32_t row) {
        { there.size() } -> std::same_as<std::uint32_t>;
        { there.handle_of_row(row) } -> std::same_as<typename Pool::handle_type>;
        pool.get(there.handle_of_row(row));
        pool.release(there.handle_of_row(row));
    } &&
    (
        requires(const Pool& there, std::uint32_t row) { there.row(row); } ||
        requires(const Pool& there) { there.data(); });

template <class Pool>
[[nodiscard]] LIDO_INLINE typename Pool::const_reference row_to_read(const Pool& pool, std::uint32_t row) noexcept {
    if constexpr (requires { pool.row(row); }) {
        return pool.row(row);
    } else {
        return pool.data()[row];
    }
}

/// By its handle: with mark_changes that marks this row and no other.
template <class Pool>
[[nodiscard]] LIDO_INLINE typename Pool::reference row_to_write(Pool& pool, std::uint32_t row) noexcept {
    return *pool.get(pool.handle_of_row(row));
}

}  // namespace detail

/// What the latest run of a merge_pass did.
struct merge_counts {
    std::uint32_t took_part = 0;
    std::uint32_t left_out =
        0;  ///< rows that wanted to take part, after the pass was full; the next run starts with what is left
    std::uint32_t not_finite = 0;  ///< rows whose position is no place; they take no part
    std::uint32_t folded = 0;
    std::uint64_t pairs = 0;  ///< distances computed
    std::uint64_t asked = 0;  ///< of these: near, so the rule was asked
};

/// Threads: a pass belongs to one thread at a time. It keeps nothing between runs, so it is no part of a save.
template <block_source Source = heap_source>
class basic_merge_pass {
public:
    using size_type = std::uint32_t;

    /// Room for so many objects that take part in one run. When the memory cannot be had, max_objects() is 0, no run folds anything,
    /// and the misuse handler has been told.
    explicit basic_merge_pass(slot_count max_objects) noexcept {
        if (!max_objects.sensible()) {
            report_misuse(
                {.kind = misuse_kind::bad_setting,
                 .pool = "merge_pass",
                 .what = "max_objects is a negative number, or more than a pool can have; no run folds anything"});
        }
        open(max_objects.slots());
    }

    basic_merge_pass(basic_merge_pass&& other) noexcept : state_(std::exchange(other.state_, state{})) {}
    basic_merge_pass& operator=(basic_merge_pass&& other) noexcept {
        if (this != &other) {
            close();
            state_ = std::exchange(other.state_, state{});
        }
        return *this;
    }
    ~basic_merge_pass() { close(); }

    /// Folds neighbours of `pool`, a dense_pool or column_pool, and releases what was folded: its handles are stale after the run, not
    /// during it. Returns how many. Of two the one on the lower row survives.
    ///
    /// `position(const_reference)` gives something with x and y, or a pair: whole numbers of up to 32 bits, floats or doubles. It is
    /// asked once for each row. A position that is not finite takes no part.
    /// `radius`: at this distance two are still neighbours. Not above 0, or not a number: nothing is done.
    /// `rule(reference into, const_reference from)` returns whether it has folded `from` into `into`. It may move `into`: that counts
    /// from the next run on. Pre: it does not acquire or release (builds with checks stop).
    /// `takes_part(const_reference)` says of each row whether it may fold or be folded at all.
    ///
    /// More rows that take part than max_objects(): the first ones do, last().left_out tells of the others.
    /// Throws: what the callables throw; what the rule had folded by then is released. Complexity: O(rows + pairs that are within a
    /// cell of each other), so linear while the rule thins out crowds. Allocates nothing. Invalidates: what a release does.
    template <class Pool, class Radius, class Position, class Rule, class TakesPart>
    LIDO_ENTRY size_type run(Pool& pool, Radius radius, Position&& position, Rule&& rule, TakesPart&& takes_part) {
        [[maybe_unused]] const blame here(place_of_caller(LIDO_CALLER));
        static_assert(detail::has_packed_rows<Pool>,
                      "lido: merge_pass works on packed rows: use a dense_pool or a column_pool");
        using place = std::remove_cvref_t<decltype(position(detail::row_to_read(std::as_const(pool), 0)))>;
        if constexpr (places<place>()) {
            using x_type = decltype(detail::x_of(std::declval<const place&>()));
            using y_type = decltype(detail::y_of(std::declval<const place&>()));
            static_assert(detail::coordinate<x_type> && detail::coordinate<y_type>,
                          "lido: merge_pass: x and y are whole numbers of up to 32 bits, floats or doubles");
            // Not `near`, which is a macro of windows.h; the same below.
            using neighbours = std::conditional_t<std::integral<x_type> && std::integral<y_type>,
                                                  detail::near_in_whole_numbers, detail::near_in_real_numbers>;
            return run_near(pool, neighbours(radius), position, rule, takes_part);
        } else {
            return 0;
        }
    }

    /// The same for all rows.
    template <class Pool, class Radius, class Position, class Rule>
    LIDO_ENTRY size_type run(Pool& pool, Radius radius, Position&& position, Rule&& rule) {
        [[maybe_unused]] const blame here(place_of_caller(LIDO_CALLER));
        return run(pool, radius, position, rule, [](const auto&) { return true; });
    }

    /// How many objects can take part in one run.
    [[nodiscard]] size_type max_objects() const noexcept { return state_.max_objects; }
    [[nodiscard]] const merge_counts& last() const noexcept { return state_.last; }
    /// Memory held, without the pass itself.
    [[nodiscard]] std::size_t bytes() const noexcept { return state_.bytes; }

private:
    static constexpr std::uint32_t none = (std::numeric_limits<std::uint32_t>::max)();
    static constexpr std::uint32_t folded = none - 1;  ///< in place of an object's next: it is in no list any more
    static constexpr std::size_t alignment = 64;

    struct state {
        detail::point* places = nullptr;  ///< also the block
        std::uint32_t* rows = nullptr;
        std::uint32_t* next = nullptr;
        std::uint32_t* first = nullptr;
        std::size_t bytes = 0;
        size_type max_objects = 0;
        bool running = false;
        merge_counts last;
    };

    /// A walk along one list. `link` is what names the object at hand, so that it can be taken out.
    struct walk {
        std::uint32_t* link;
        [[nodiscard]] std::uint32_t at() const noexcept { return *link; }
    };

    template <class Place>
    [[nodiscard]] static consteval bool places() {
        constexpr bool fine = detail::has_x_and_y<Place> || detail::has_two_parts<Place>;
        static_assert(fine,
                      "lido: merge_pass: position(object) has to give something with x and y, or a pair of numbers");
        return fine;
    }

    /// Lists for `objects`: a power of two, one to two times as many, and at most 2^31.
    [[nodiscard]] static constexpr int list_bits(std::uint64_t objects) noexcept {
        return std::clamp(static_cast<int>(std::bit_width(std::max<std::uint64_t>(objects, 2) - 1)), 1, 31);
    }

    void open(size_type max_objects) noexcept {
        if (max_objects == 0) return;
        const std::uint64_t most = (std::min)(max_objects, folded);
        const std::uint64_t each = sizeof(detail::point) + 2 * sizeof(std::uint32_t);
        const std::uint64_t bytes = most * each + (std::uint64_t{1} << list_bits(most)) * sizeof(std::uint32_t);
        void* const block = bytes <= (std::numeric_limits<std::size_t>::max)() / 2
                                ? Source::allocate(static_cast<std::size_t>(bytes), alignment)
                                : nullptr;
        if (block == nullptr) {
            report_misuse(
                {.kind = misuse_kind::no_memory,
                 .pool = "merge_pass",
                 .what = "the memory for the asked number of objects could not be had; no run folds anything"});
            return;
        }
        state_.max_objects = static_cast<size_type>(most);
        state_.bytes = static_cast<std::size_t>(bytes);
        state_.places = static_cast<detail::point*>(block);
        state_.rows = reinterpret_cast<std::uint32_t*>(state_.places + most);
        state_.next = state_.rows + most;
        state_.first = state_.next + most;
    }

    void close() noexcept {
        if (state_.places != nullptr) Source::release(state_.places, state_.bytes, alignment);
        state_ = state{};
    }

    /// Ends a run, also one that a callable has thrown out of: what the rule has folded lives on in another object and must not live
    /// twice. From the last row to the first, so that what moves into a hole stays.
    template <class Pool>
    struct ending {
        basic_merge_pass& pass;
        Pool& pool;
        ending(basic_merge_pass& of, Pool& on) noexcept : pass(of), pool(on) { pass.state_.running = true; }
        ending(const ending&) = delete;
        ending& operator=(const ending&) = delete;
        ~ending() {
            state& s = pass.state_;
            for (std::uint32_t i = s.last.folded != 0 ? s.last.took_part : 0; i-- != 0;) {
                if (s.next[i] == folded) pool.release(pool.handle_of_row(s.rows[i]));
            }
            s.running = false;
        }
    };

    template <class Pool, class Near, class Position, class Rule, class TakesPart>
    size_type run_near(Pool& pool, Near is_near, Position& position, Rule& rule, TakesPart& takes_part) {
        LIDO_VERIFY(!state_.running, "merge_pass: a run was started from inside a run of the same pass");
        state_.last = {};
        if (!(is_near.radius() > 0) || state_.max_objects == 0) return 0;
        {
            const ending<Pool> at_the_end(*this, pool);
            gather(std::as_const(pool), position, takes_part);
            if (state_.last.took_part > 1) fold_all(pool, is_near, rule);
        }
        return state_.last.folded;
    }

    /// Who takes part, and where. Pre: the callables do not change the pool.
    template <class Pool, class Position, class TakesPart>
    void gather(const Pool& pool, Position& position, TakesPart& takes_part) {
        std::uint32_t count = 0;
        const std::uint32_t size = pool.size();
        for (std::uint32_t row = 0; row < size; ++row) {
            if (!static_cast<bool>(takes_part(detail::row_to_read(pool, row)))) continue;
            if (count == state_.max_objects) {
                ++state_.last.left_out;
                continue;
            }
            const auto where = position(detail::row_to_read(pool, row));
            const detail::point p{static_cast<double>(detail::x_of(where)), static_cast<double>(detail::y_of(where))};
            if (!detail::is_finite(p.x) || !detail::is_finite(p.y)) {
                ++state_.last.not_finite;
                continue;
            }
            state_.places[count] = p;
            state_.rows[count] = row;
            state_.next[count] = none;
            ++count;
        }
        state_.last.took_part = count;
    }

    template <class Pool, class Near, class Rule>
    void fold_all(Pool& pool, Near is_near, Rule& rule) {
        const std::uint32_t count = state_.last.took_part;
        const int bits = list_bits(count);
        const detail::cell_grid grid(is_near.radius());
        std::fill_n(state_.first, std::size_t{1} << bits, none);
        for (std::uint32_t i = count; i-- != 0;) {  // MP1: each goes in front of those of higher rows
            std::uint32_t& first = state_.first[detail::list_of(grid.of(state_.places[i]), bits)];
            state_.next[i] = first;
            first = i;
        }

        for (std::uint32_t i = 0; i < count; ++i) {
            if (state_.next[i] == folded) continue;
            const detail::point at = state_.places[i];
            const detail::cell_grid::cell cell = grid.of(at);
            state_.first[detail::list_of(cell, bits)] = state_.next[i];  // MP2: it was the first

            walk walks[9];
            unsigned going = 0;
            std::uint32_t seen[9];
            unsigned lists = 0;
            for (std::int32_t dy = -1; dy <= 1; ++dy) {
                for (std::int32_t dx = -1; dx <= 1; ++dx) {
                    const std::uint32_t list = detail::list_of({cell.x + dx, cell.y + dy}, bits);
                    if (state_.first[list] == none) continue;
                    if (std::find(seen, seen + lists, list) != seen + lists) continue;  // two cells of one hash
                    seen[lists++] = list;
                    walks[going].link = &state_.first[list];
                    going += find_near(walks[going], at, is_near) ? 1u : 0u;
                }
            }
            // The near ones in row order, whatever cells they are in.
            while (going != 0) {
                walk* const lowest = std::min_element(walks, walks + going,
                                                      [](const walk& a, const walk& b) { return a.at() < b.at(); });
                const std::uint32_t other = lowest->at();
                if (ask(pool, rule, state_.rows[i], state_.rows[other])) {
                    *lowest->link = state_.next[other];
                    state_.next[other] = folded;
                    ++state_.last.folded;
                } else {
                    lowest->link = &state_.next[other];
                }
                if (!find_near(*lowest, at, is_near)) *lowest = walks[--going];
            }
        }
    }

    template <class Near>
    [[nodiscard]] LIDO_INLINE bool find_near(walk& w, detail::point at, Near is_near) noexcept {
        while (w.at() != none) {
            ++state_.last.pairs;
            if (is_near(at, state_.places[w.at()])) return true;
            w.link = &state_.next[w.at()];
        }
        return false;
    }

    template <class Pool, class Rule>
    [[nodiscard]] LIDO_INLINE bool ask(Pool& pool, Rule& rule, std::uint32_t into, std::uint32_t from) {
        ++state_.last.asked;
        const std::uint32_t size = pool.size();
        const auto handle = pool.handle_of_row(from);
        const bool done =
            static_cast<bool>(rule(detail::row_to_write(pool, into), detail::row_to_read(std::as_const(pool), from)));
        LIDO_ASSERT(pool.size() == size && pool.contains(handle), "merge_pass: the rule changed the pool");
        static_cast<void>(size);
        static_cast<void>(handle);
        return done;
    }

    state state_;
};

using merge_pass = basic_merge_pass<>;

}  // namespace lido
