// The bookkeeping of a pool that keeps its objects in packed rows: handles, zones, ages, growth. It knows how many rows there are
// and which slot owns which, never what lies in them: the pool builds, moves and ends the objects, the table says where.
//
//   words     | generation and row of slot i, ...           see row_map.hpp
//   backs     | slot of row i ...
//   links, birth, priority, ring, resting, changed          only where the options ask for them
//
// A life begins:  ready() or capacity_with_room()  ->  build the object on row size()   ->  make_room() if not ready  ->  go_live()
// A life ends:    take_off(slot, row)              ->  fill `row` from the row it says  ->  settle()
//
// The zones of rows and their invariants RO1..RO3 are in row_order.hpp, RM1 in rows/row_map.hpp.
// RT1. size <= ready <= rows that are committed, allowed and have a free slot.
// RT2. objects and retired slots together are at most the capacity, which is at most its maximum.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/slot_count.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/parts/age_order.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/opening.hpp>
#include <lido/core/parts/rows/dense_layout.hpp>
#include <lido/core/parts/rows/row_map.hpp>
#include <lido/core/parts/rows/row_order.hpp>
#include <lido/core/parts/worn_slot.hpp>
#include <lido/core/rewind/marks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// `Layout` names the arrays of rows/dense_layout.hpp by their numbers there; what else it holds is the pool's. Its guard() closes
/// and opens the memory of rows that hold no object: the table calls it where rows come and go, the pool where objects do. `Sentences`
/// says in the words of the shape what entry_checks finds.
template <class T, class Layout, options Options, class Storage, class Sentences, class Ref, class ConstRef>
class row_table : public entry_checks<row_table<T, Layout, Options, Storage, Sentences, Ref, ConstRef>, Sentences> {
public:
    using value_type = T;
    using layout = Layout;
    using memory = typename Storage::template memory<Layout>;
    using map_type = typename Layout::map_type;
    using handle_type = typename Layout::handle_type;
    using limits_type = exhaustion<T, handle_type, Options, Ref, ConstRef>;
    using settings_type = typename limits_type::settings_type;
    using diary_type = diary<Options.forensics>;
    using size_type = std::uint32_t;

    static constexpr options pool_options = Options;
    static constexpr bool delays = Options.reuse_delay != 0;
    static constexpr bool tracks = Options.tracks != track::nothing;
    static constexpr bool marks = Options.mark_changes;

    /// All that a save must bring back, beside the arrays. Trivially copyable.
    struct state {
        row_order<Options.reuse_delay> rows;
        LIDO_NO_UNIQUE_ADDRESS age_order<Options.tracks> ages;
        std::uint64_t acquired = 0;
        size_type capacity = 0;
        size_type peak = 0;
        pool_counters counters;
    };
    static_assert(std::is_trivially_copyable_v<state>);

    // --- building ----------------------------------------------------------------------------------------------------------

    explicit row_table(const settings_type& settings) noexcept : limits_(settings) {}

    void open(slot_count capacity) noexcept {
        open_memory(memory_, limits_, capacity, layout::max_rows, memory::grows);
        start();
    }
    void open_inside() noexcept {
        static_assert(memory::fixed_slots <= layout::max_rows,
                      "lido: raise options::max_rows or the handle's index bits");
        detail::open_inside<memory>(limits_, layout::max_rows);
        start();
    }
    void open(std::span<std::byte> buffer) noexcept {
        open_lent(memory_, limits_, buffer, layout::max_rows,
                  "the lent buffer is too small for one row; the pool has capacity 0");
        start();
    }

    /// Takes all of `other`, which has capacity 0 then. Pre: no object lives here.
    void steal(row_table& other) noexcept {
        other.expect_unmoved();
        memory_ = std::move(other.memory_);
        state_ = std::exchange(other.state_, state{});
        limits_ = other.limits_;
        other.limits_.close();
        ready_ = std::exchange(other.ready_, 0);
        marked_for_ = std::exchange(other.marked_for_, {});
        diary_.take(other.diary_);
    }

    /// The pool ends with what lives in it. True when the objects are to be ended, as settings.leaks says.
    [[nodiscard]] bool check_leaks() const noexcept {
        return detail::check_leaks(diary_, limits_.settings(), size(), [this](auto&& f) {
            for (std::uint32_t row = 0; row < size(); ++row) f(slot_of(row), generation_of(slot_of(row)));
        });
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] LIDO_INLINE size_type size() const noexcept { return state_.rows.size; }
    [[nodiscard]] size_type capacity() const noexcept { return state_.capacity; }
    [[nodiscard]] size_type max_capacity() const noexcept { return limits_.max_capacity(); }

    /// What the capacity is used up by: a retired slot costs one, as in every shape.
    [[nodiscard]] size_type taken() const noexcept { return state_.rows.size + state_.rows.retired; }
    [[nodiscard]] bool full() const noexcept { return taken() >= state_.capacity; }

    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept { return row_of(handle) != no_slot; }
    [[nodiscard]] LIDO_INLINE bool has_row(std::uint32_t row) const noexcept { return row < size(); }

    /// Rises with every life that begins or ends.
    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.acquired * 2 - state_.rows.size; }

    /// The row of a live handle, or no_slot. One load, one compare.
    [[nodiscard]] LIDO_INLINE std::uint32_t row_of(handle_type handle) const noexcept {
        const std::uint32_t slot = handle.index();
        const std::uint32_t life = handle.generation();
        if (slot >= state_.rows.known) return no_slot;
        const auto entry = map().entry(slot);
        // an even generation names no life, though a free slot may hold it
        return map_type::generation_in(entry) == life && (life & 1) != 0 ? map_type::row_in(entry) : no_slot;
    }
    [[nodiscard]] std::uint32_t slot_of(std::uint32_t row) const noexcept { return map().slot(row); }
    [[nodiscard]] handle_type handle_of_slot(std::uint32_t slot) const noexcept {
        return handle_type::of(slot, map().generation(slot));
    }
    [[nodiscard]] handle_type handle_of_row(std::uint32_t row) const noexcept {
        LIDO_ASSERT(row < size(), "handle_of_row: there is no such row");
        return handle_of_slot(map().slot(row));
    }

    [[nodiscard]] limits_type& limits() noexcept { return limits_; }
    [[nodiscard]] const limits_type& limits() const noexcept { return limits_; }
    [[nodiscard]] pool_counters& counters() noexcept { return state_.counters; }
    [[nodiscard]] const settings_type& settings() const noexcept { return limits_.settings(); }
    [[nodiscard]] const char* name() const noexcept { return limits_.settings().name; }
    [[nodiscard]] LIDO_INLINE diary_type& book() noexcept { return diary_; }
    [[nodiscard]] LIDO_INLINE const diary_type& book() const noexcept { return diary_; }
    [[nodiscard]] state& now() noexcept { return state_; }
    [[nodiscard]] const state& now() const noexcept { return state_; }
    [[nodiscard]] marks_owner<marks>& marked_for() noexcept { return marked_for_; }
    [[nodiscard]] const marks_owner<marks>& marked_for() const noexcept { return marked_for_; }

    /// The generation of a slot now; 0 of one that never was.
    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const noexcept {
        return slot < state_.rows.known ? map().generation(slot) : 0u;
    }

    // --- arrays ------------------------------------------------------------------------------------------------------------

    template <std::size_t K>
    [[nodiscard]] LIDO_INLINE std::byte* array() const noexcept {
        return memory_.template array<K>();
    }
    template <class U, std::size_t K>
    [[nodiscard]] LIDO_INLINE U* array() const noexcept {
        return reinterpret_cast<U*>(array<K>());
    }
    /// Where the objects of a pool lie that keeps them whole. Constness is the pool's to keep, as with the other arrays.
    [[nodiscard]] LIDO_INLINE T* values() const noexcept { return array<T, dense_values>(); }
    [[nodiscard]] LIDO_INLINE map_type map() const noexcept {
        const typename layout::plain_map plain{
            {array<typename map_type::word_type, dense_words>(), array<typename map_type::back_type, dense_backs>()}};
        if constexpr (marks) {
            return {plain, changed()};
        } else {
            return plain;
        }
    }
    [[nodiscard]] map_word* changed() const noexcept { return array<map_word, dense_changed>(); }
    [[nodiscard]] map_word* resting() const noexcept { return array<map_word, dense_resting>(); }
    [[nodiscard]] std::uint32_t* ring() const noexcept { return array<std::uint32_t, dense_ring>(); }
    [[nodiscard]] age_arrays aged() const noexcept {
        return {array<age_links, dense_links>(), array<std::uint64_t, dense_birth>(),
                array<std::uint8_t, dense_priority>()};
    }

    // --- change marks ------------------------------------------------------------------------------------------------------

    /// With mark_changes: what is at this index (the row's value, the entries of row and slot) is no longer what it was at the
    /// latest save of a history. The map marks its own changes.
    LIDO_INLINE void touch([[maybe_unused]] std::size_t index) noexcept {
        if constexpr (marks) set(changed(), index);
    }
    void touch_all() noexcept {
        if constexpr (marks) {
            for (std::size_t w = 0; w < words_for(size()); ++w) changed()[w] |= below(w, size());
        }
    }

    // --- a life begins -----------------------------------------------------------------------------------------------------

    /// True when row size() may be built on at once.
    [[nodiscard]] LIDO_INLINE bool ready() const noexcept { return state_.rows.size != ready_; }

    /// The capacity at which one more object fits without ending another, its memory at hand; 0 when there is none. Changes
    /// nothing else, so that a constructor may still throw.
    [[nodiscard]] size_type capacity_with_room() noexcept {
        if (has_room(state_.capacity)) return state_.capacity;
        if (!limits_.grows_from(state_.capacity)) return 0;
        const size_type more = limits_.grown(state_.capacity, 0);
        return has_room(more) ? more : 0;
    }

    /// Makes the row that capacity_with_room() promised the next one.
    void make_room(size_type capacity) noexcept {
        grow(capacity);
        auto& rows = state_.rows;
        map_type entries = map();
        if (rows.free_rows() == 0) {
            const auto committed = static_cast<size_type>(memory_.ready());
            const size_type to = (std::min)({state_.capacity, rows.known + 64, committed});
            while (rows.known < to) rows.add_fresh(entries);
        }
        if (rows.free_rows() == 0 && rows.cut_rest_short(entries, ring(), resting())) ++state_.counters.rests_cut_short;
        update_ready();
    }

    /// Counts the object on row size(), which is built, as live. Pre: ready().
    LIDO_INLINE handle_type go_live([[maybe_unused]] request wish) noexcept {
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
        return handle_type::of(slot, rows.generation(slot));
    }

    /// Whether a life may begin under exactly this handle; `capacity` is what claim() will raise the capacity to.
    [[nodiscard]] refusal claimable(handle_type handle, size_type& capacity) noexcept {
        const std::uint32_t slot = handle.index();
        const std::uint32_t life = handle.generation();
        if ((life & 1) == 0 || life > handle_type::last_generation || slot >= limits_.max_capacity()) {
            return refusal::out_of_range;
        }
        if (slot < state_.rows.known) {
            const std::uint32_t had = map().generation(slot);
            if ((had & 1) != 0) return refusal::slot_taken;
            if (had >= life) return refusal::generation_passed;
        }
        capacity = state_.capacity;
        if (slot >= capacity || taken() >= capacity) {
            if (limits_.grows_from(capacity)) capacity = limits_.grown(capacity, std::uint64_t{slot} + 1);
            if (taken() >= capacity) return refusal::full;
            if (slot >= capacity) return refusal::out_of_range;
        }
        return make_ready((std::max)(slot, size()) + 1) ? refusal::none : refusal::no_memory;
    }

    /// The object on row size() goes live under this handle. Pre: claimable() said so.
    handle_type claim(handle_type handle, size_type capacity) noexcept {
        const std::uint32_t slot = handle.index();
        grow(capacity);
        map_type rows = map();
        while (state_.rows.known <= slot) state_.rows.add_fresh(rows);
        state_.rows.bring_forward(rows, ring(), resting(), slot);
        rows.set_generation(slot, handle.generation() - 1);
        const handle_type lives = go_live(request{});
        update_ready();
        return lives;
    }

    /// Why nothing fits.
    [[nodiscard]] refusal full_or_no_memory() const noexcept {
        return memory_refused_ ? refusal::no_memory : refusal::full;
    }

    // --- a life ends -------------------------------------------------------------------------------------------------------

    /// Takes a live slot off its row; returns the row whose object must fill that one (or is it). Then: settle().
    LIDO_INLINE std::uint32_t take_off(std::uint32_t slot, std::uint32_t row) noexcept {
        if (size() > state_.peak) state_.peak = size();
        if constexpr (tracks) {
            touch_ends(aged().links[slot]);
            state_.ages.leave(aged(), slot);
        }
        map_type rows = map();
        diary_.end(slot, rows.generation(slot));
        rows.add_to_generation(slot);
        return state_.rows.go_free(rows, slot, row);
    }

    LIDO_INLINE void settle(std::uint32_t slot, std::uint32_t last) noexcept {
        map_type rows = map();
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

    /// Every life ends. Pre: the objects have ended.
    void end_all() noexcept {
        map_type rows = map();
        if constexpr (diary_type::kept) {
            for (std::uint32_t row = 0; row < size(); ++row)
                diary_.end(rows.slot(row), rows.generation(rows.slot(row)));
        }
        const std::uint32_t worn = rows.end_all(state_.rows.known, handle_type::last_generation);
        state_.peak = (std::max)(state_.peak, size());
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

    /// The slot that on_full would end for this request, or no_slot. `first_match(accepts)` returns a row. A callback that changes
    /// the pool while it is asked has chosen nobody: the row may hold another object by now, or none.
    template <class FirstMatch>
    [[nodiscard]] std::uint32_t choose_victim(request wish, FirstMatch&& first_match) {
        const half_way::scope asking(limits_.now(), half_way::asks);
        return limits_.victim(state_.ages, aged(), wish, [&](const auto& accepts) {
            const std::uint64_t before = changes();
            const std::uint32_t row = first_match(accepts);
            return row < size() && changes() == before ? map().slot(row) : no_slot;
        });
    }

    /// Ends victims until a row is free: one, unless its slot was at its last generation. `end(handle)` tells the user and ends it
    /// if it still lives. A callback that acquires what it has just released keeps it, and this request is refused.
    template <class FirstMatch, class End>
    [[nodiscard]] bool make_room_by_ending(request wish, FirstMatch&& first_match, End&& end) {
        for (;;) {
            if (ready()) return true;
            if (has_room(state_.capacity)) {
                make_room(state_.capacity);
                return true;
            }
            const std::uint32_t victim = choose_victim(wish, first_match);
            if (victim == no_slot) return false;
            const std::uint64_t begun = state_.acquired;
            end(handle_of_slot(victim));
            ++state_.counters.replaced;
            if (state_.acquired != begun) return false;
        }
    }

    // --- memory ------------------------------------------------------------------------------------------------------------

    /// All rows from this one on hold no object: nobody may touch them, or the storage gets them back.
    void guard_rows(std::size_t from, bool closed) noexcept { layout::guard(memory_, from, memory_.ready(), closed); }

    /// The pool has ended: its memory is anybody's.
    void unguard() noexcept { guard_rows(0, false); }

    bool prepare(size_type rows) noexcept {
        const bool had = rows <= limits_.max_capacity() && make_ready(rows);
        update_ready();
        return had;
    }

    /// RT1 anew, after rows, memory or capacity became others.
    void update_ready() noexcept {
        const auto& rows = state_.rows;
        const auto committed = static_cast<size_type>(memory_.ready());
        ready_ = (std::min)({rows.known - rows.retired - rows.rest.count, committed, state_.capacity - rows.retired});
    }

    /// Gets the memory for the first `rows` rows. False when it cannot be had.
    [[nodiscard]] bool make_ready(size_type rows) noexcept {
        const std::size_t before = memory_.ready();
        if (rows <= before) return true;
        const bool had = memory_.make_ready(rows) >= rows;
        guard_rows(before, true);
        memory_refused_ = memory_refused_ || !had;
        return had;
    }

    std::size_t trim() noexcept {
        if (state_.rows.retired == 0) {
            state_.capacity = (std::max)(size(), (std::min)(state_.capacity, limits_.first_capacity()));
        }
        guard_rows(size(), false);
        const std::size_t bytes = memory_.give_back(size());
        guard_rows(size(), true);
        update_ready();
        return bytes;
    }

    [[nodiscard]] pool_stats stats(const char* shape) const noexcept {
        struct figures {
            size_type capacity, peak, retired;
            std::uint64_t acquired;
            const pool_counters& counters;
        };
        pool_stats s = stats_of(
            shape, figures{state_.capacity, state_.peak, state_.rows.retired, state_.acquired, state_.counters}, size(),
            limits_.max_capacity());
        s.bytes = memory_.bytes();
        s.bookkeeping_per_slot = layout::bookkeeping(state_.capacity);
        return s;
    }

    /// RT1, RT2, RM1, RO1..RO3 and the ages.
    [[nodiscard]] const char* broken() const noexcept {
        if (size() > ready_) return "RT1: more objects than rows that are ready";
        if (ready_ > memory_.ready()) return "RT1: more rows are ready than are committed";
        if (state_.capacity > limits_.max_capacity()) return "RT2: the capacity is past its maximum";
        if (taken() > state_.capacity) return "RT2: more objects and retired slots than the capacity";
        constexpr bool retires = Options.generations == generation_rule::retire;
        if (const char* const wrong = state_.rows.broken(map(), resting(), retires, handle_type::last_generation)) {
            return wrong;
        }
        if constexpr (tracks) {
            return state_.ages.validate(aged(), size(), [this](std::uint32_t slot) {
                return slot < state_.rows.known && map().row(slot) < size();
            });
        }
        return nullptr;
    }

private:
    void start() noexcept {
        state_.capacity = limits_.first_capacity();
        limits_.begin();
        update_ready();
        diary_.open(limits_.settings().name, &handle_kind<handle_type>);
        guard_rows(0, true);
    }

    /// The age order writes to the neighbours of a slot too.
    void touch_ends([[maybe_unused]] age_links links) noexcept {
        if constexpr (marks) {
            if (links.before != no_slot) touch(links.before);
            if (links.after != no_slot) touch(links.after);
        }
    }

    /// True when one more object fits below `capacity` without ending another, with the memory for it at hand.
    [[nodiscard]] bool has_room(size_type capacity) noexcept {
        const auto& rows = state_.rows;
        memory_refused_ = false;
        if (taken() >= capacity) return false;
        if (rows.free_rows() != 0) return make_ready(size() + 1);
        if (rows.known < capacity && make_ready((std::min)(capacity, rows.known + 64))) return true;
        return rows.rest.count != 0 && make_ready(size() + 1);
    }

    void grow(size_type capacity) noexcept {
        state_.counters.grown += capacity != state_.capacity ? 1u : 0u;
        state_.capacity = capacity;
    }

    /// The slot on `row`, the first after the live ones, is at its last generation. True when it leaves the free zone.
    bool wear_out(map_type rows, std::uint32_t row) noexcept {
        if (reuse_worn_slot<Options.generations>(limits_, [&] { rows.set_generation(rows.slot(row), 0); }))
            return false;
        state_.rows.retire(rows, row);
        return true;
    }

    state state_;
    size_type ready_ = 0;
    bool memory_refused_ = false;
    memory memory_;
    limits_type limits_;
    LIDO_NO_UNIQUE_ADDRESS marks_owner<marks> marked_for_;
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
};

}  // namespace lido::detail
