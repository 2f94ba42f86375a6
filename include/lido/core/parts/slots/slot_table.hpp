// The bookkeeping of a pool whose objects stay in numbered slots: memory, generations, free slots, ages, counts. It knows which slots
// are free, taken and alive, and never how an object comes into one: the pool builds and ends the objects, the table says where.
// slot_pool, flag_pool and recycle_pool sit on it.
//
//   The arrays are drawn in slot_layout.hpp. layout::at_taken is the map that the search for free slots goes by: `occupied`, or the
//   map of a pool whose slots stay taken while nothing lives in them.
//
// A life begins:  take_quick(), or find_slot()  ->  build the object in the slot  ->  go_live(slot, life)
// A life ends:    leave(slot, life)  ->  end the object  ->  give(slot), unless the slot wore_out(slot, life)
//
// What is rare has a file of its own: slot_replacing (a full pool), slot_reserving (a given handle), slot_table_rewind (save, restore).
#pragma once

#include <lido/core/base/acquired.hpp>
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
#include <lido/core/parts/opening.hpp>
#include <lido/core/parts/slots/finders.hpp>
#include <lido/core/parts/slots/free_stack.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>
#include <lido/core/parts/slots/limbo.hpp>
#include <lido/core/parts/slots/slot_guard.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>
#include <lido/core/parts/worn_slot.hpp>
#include <lido/core/rewind/marks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// A count that a table does without.
struct no_slots {};

/// `State` is all that a save must bring back, beside the arrays: slot_state.hpp says what the table asks of it. `Layout` names the arrays
/// of slot_layout.hpp by their numbers there; what else it holds is the pool's.
template <class T, class Layout, options Options, class Storage, class State,
          class Settings = pool_settings<T, typename Layout::handle_type>>
class slot_table {
    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(holdable<T>, "lido: a pool holds objects of a non-const, non-volatile, non-array type");
    static_assert(std::is_nothrow_destructible_v<T>,
                  "lido: the element's destructor must not throw, or a release could leave a slot half ended");
    static_assert(std::is_trivially_copyable_v<State>);

public:
    using value_type = T;
    using layout = Layout;
    using memory = typename Storage::template memory<Layout>;
    using handle_type = typename Layout::handle_type;
    using acquired_type = acquired<T, handle_type>;
    using generation = typename Layout::generation;
    using maps_type = slot_maps<generation>;
    using limits_type = exhaustion<T, handle_type, Options, T&, const T&, Settings>;
    using settings_type = Settings;
    using diary_type = diary<Options.forensics>;
    using state = State;
    using size_type = std::uint32_t;

    static constexpr options pool_options = Options;
    static constexpr bool has_generations = Layout::has_generations;
    static constexpr bool delays = Options.reuse_delay != 0;
    static constexpr bool tracks = Options.tracks != track::nothing;
    static constexpr bool marks = Options.mark_changes;
    static constexpr bool confirms = Options.confirmed_ends;
    static constexpr bool scans = Layout::scans;
    static constexpr bool can_grow = memory::grows && !scans;
    /// A slot may be taken without a life in it: its object waits for the next one.
    static constexpr bool keeps_objects = Layout::at_taken != at_occupied;

    // --- building ----------------------------------------------------------------------------------------------------------

    explicit slot_table(const settings_type& settings) noexcept : limits_(settings) {}

    /// Room for `capacity` lives, and for `at_least` slots where they may be more than the lives; `reserved`: how far reach() may go.
    void open(slot_count capacity, [[maybe_unused]] size_type at_least = 0, size_type reserved = 0) noexcept {
        const size_type most = (std::max)({limits_.plan(capacity, handle_type::max_slots, can_grow), at_least,
                                           can_grow ? (std::min)(reserved, handle_type::max_slots) : 0});
        const bool had = memory_.open(can_grow ? 0 : most, most);
        if constexpr (keeps_objects) at_least_ = had ? at_least : 0;
        if (!had) limits_.fail("the memory for the asked capacity could not be had; the pool has capacity 0");
        start();
    }
    void open_inside() noexcept {
        static_assert(memory::fixed_slots <= handle_type::max_slots,
                      "lido: the handle's index bits cannot name that many slots");
        detail::open_inside<memory>(limits_, handle_type::max_slots);
        start();
    }
    void open(std::span<std::byte> buffer) noexcept {
        open_lent(memory_, limits_, buffer, handle_type::max_slots,
                  "the lent buffer is too small for one slot; the pool has capacity 0");
        start();
    }

    /// Takes all of `other`, which has capacity 0 then. Pre: no object lives here.
    void steal(slot_table& other) noexcept {
        LIDO_VERIFY(other.inside_ == 0 && !other.limits_.evicting() && inside_ == 0, moved_from_inside);
        memory_ = std::move(other.memory_);
        state_ = std::exchange(other.state_, state{});
        limits_ = other.limits_;
        other.limits_.close();
        ready_ = std::exchange(other.ready_, 0);
        at_least_ = std::exchange(other.at_least_, {});
        marked_for_ = std::exchange(other.marked_for_, {});
        if constexpr (confirms) limbo_ = std::exchange(other.limbo_, {});
        diary_.take(other.diary_);
    }

    void expect_unmoved() const noexcept { LIDO_VERIFY(inside_ == 0, moved_from_inside); }

    /// Reports the objects that live as settings.leaks says. True when the end of the pool is to end them.
    [[nodiscard]] bool check_leaks() const noexcept {
        return detail::check_leaks(diary_, limits_.settings(), size(), [this](auto&& f) {
            for_each_live([&](std::uint32_t slot) { f(slot, handle_at(slot).generation()); });
        });
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] LIDO_INLINE size_type size() const noexcept { return state_.size(); }
    [[nodiscard]] LIDO_INLINE size_type capacity() const noexcept { return state_.capacity; }
    [[nodiscard]] size_type max_capacity() const noexcept { return limits_.max_capacity(); }

    /// What the capacity is used up by: a retired slot costs one, as in every shape, and so does an end that waits.
    [[nodiscard]] LIDO_INLINE size_type used_up() const noexcept {
        if constexpr (confirms) return size() + state_.retired + state_.limbo.count;
        return size() + state_.retired;
    }
    [[nodiscard]] LIDO_INLINE bool full() const noexcept { return used_up() >= state_.capacity; }

    /// Rises with every life that begins or ends.
    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.changes(); }

    /// Slots whose memory may be touched.
    [[nodiscard]] LIDO_INLINE size_type ready() const noexcept {
        if constexpr (memory::fixed_slots != 0) {
            return static_cast<size_type>(memory::fixed_slots);
        } else {
            return ready_;
        }
    }
    /// Slots that there are: as many as lives may be, and no fewer than open() was asked for.
    [[nodiscard]] size_type slots() const noexcept { return (std::max)(state_.capacity, at_least()); }
    [[nodiscard]] size_type most_slots() const noexcept { return (std::max)(limits_.max_capacity(), at_least()); }
    [[nodiscard]] size_type at_least() const noexcept {
        if constexpr (keeps_objects) return at_least_;
        return 0;
    }
    /// Slots that the memory can ever have.
    [[nodiscard]] size_type reserved() const noexcept { return static_cast<size_type>(memory_.max_slots()); }
    /// As if open() had been asked for no fewer slots than that. Pre: not more than reserved().
    void reach(size_type slots) noexcept
        requires keeps_objects
    {
        at_least_ = (std::max)(at_least_, slots);
    }
    /// Slots at and above it are free.
    [[nodiscard]] LIDO_INLINE size_type used() const noexcept { return state_.finder.used(state_.capacity); }

    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept {
        const std::uint32_t slot = handle.index();
        const std::uint32_t life = handle.generation();
        if constexpr (has_generations) {
            const generation* const all = generations();  // before the check, so that a loop loads it once
            // an even generation names no life, though a free slot may hold it
            return slot < ready() && all[slot] == life && (life & 1) != 0;
        } else {
            return slot < ready() && life == 1 && test(occupied(), slot);
        }
    }
    [[nodiscard]] LIDO_INLINE handle_type handle_at(std::uint32_t slot) const noexcept {
        if constexpr (has_generations) {
            return handle_type::of(slot, generations()[slot]);
        } else {
            return handle_type::of(slot, 1);
        }
    }
    /// The slot in use whose element would start at `object`, or no_slot.
    [[nodiscard]] std::uint32_t slot_of(const void* object) const noexcept {
        return slot_at_address<T>(values(), object, used());
    }
    /// The generation of a slot now; 0 of one that never was.
    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const noexcept {
        if (slot >= state_.known) return 0;
        if constexpr (has_generations) return generations()[slot];
        return test(occupied(), slot) ? 1 : 2;
    }

    /// Calls `f(slot)` for each life, in slot order. `f` may end lives, this one and others, and begin new ones.
    template <class F>
    void for_each_live(F&& f) const {
        for (std::size_t w = 0; w < words_for(used()); ++w) {
            for (map_word left = live_in(w); left != 0; left &= left - 1) {
                const auto slot = static_cast<std::uint32_t>(w * 64 + lowest(left));
                // A destructor or hook that ran since the word was read may have ended this life too.
                if constexpr (keeps_objects || !std::is_trivially_destructible_v<T>) {
                    if (!lives(slot)) continue;
                }
                f(slot);
            }
        }
    }

    /// The first slot, in slot order, whose object `accepts(object)`, or `accepts(object, handle)`; no_slot when there is none. `accepts` may
    /// change the pool.
    template <class Accepts>
    [[nodiscard]] std::uint32_t first_live(Accepts&& accepts) {
        return first_of(*this, accepts);
    }
    template <class Accepts>
    [[nodiscard]] std::uint32_t first_live(Accepts&& accepts) const {
        return first_of(*this, accepts);
    }

    /// The slots of a word that hold a life: not those whose object is just being built or ended.
    [[nodiscard]] LIDO_INLINE map_word live_in(std::size_t word) const noexcept {
        const map_word taken = occupied()[word];
        if constexpr (calls_out<T> && !keeps_objects) {
            if (inside_ != 0) [[unlikely]]
                return only_lives(word, taken);
        }
        return taken;
    }

    [[nodiscard]] bool lives(std::uint32_t slot) const noexcept {
        if constexpr (has_generations) return test(occupied(), slot) && (generations()[slot] & 1u) != 0;
        return test(occupied(), slot);
    }

    [[nodiscard]] LIDO_INLINE limits_type& limits() noexcept { return limits_; }
    [[nodiscard]] LIDO_INLINE const limits_type& limits() const noexcept { return limits_; }
    [[nodiscard]] const settings_type& settings() const noexcept { return limits_.settings(); }
    [[nodiscard]] const char* name() const noexcept { return limits_.settings().name; }
    [[nodiscard]] LIDO_INLINE diary_type& book() noexcept { return diary_; }
    [[nodiscard]] LIDO_INLINE const diary_type& book() const noexcept { return diary_; }
    [[nodiscard]] pool_counters& counters() noexcept { return state_.counters; }
    [[nodiscard]] LIDO_INLINE state& now() noexcept { return state_; }
    [[nodiscard]] LIDO_INLINE const state& now() const noexcept { return state_; }
    [[nodiscard]] marks_owner<marks>& marked_for() noexcept { return marked_for_; }
    [[nodiscard]] const marks_owner<marks>& marked_for() const noexcept { return marked_for_; }

    /// The latest take_slot() got no memory.
    [[nodiscard]] bool memory_refused() const noexcept { return memory_refused_; }

    /// Calls of the user's code that run now, from inside of the pool.
    [[nodiscard]] LIDO_INLINE call_depth& inside() noexcept { return inside_; }
    [[nodiscard]] LIDO_INLINE call_depth inside() const noexcept { return inside_; }

    // --- arrays ------------------------------------------------------------------------------------------------------------

    /// Null for one that this table does without.
    template <std::size_t K>
    [[nodiscard]] LIDO_INLINE std::byte* array() const noexcept {
        if constexpr (K < Layout::arrays) {
            return memory_.template array<K>();
        } else {
            return nullptr;
        }
    }
    template <class U, std::size_t K>
    [[nodiscard]] LIDO_INLINE U* array() const noexcept {
        return reinterpret_cast<U*>(array<K>());
    }
    [[nodiscard]] LIDO_INLINE std::byte* values() const noexcept { return array<at_values>(); }
    [[nodiscard]] LIDO_INLINE T* at(std::size_t slot) noexcept { return slot_address<T>(values(), slot); }
    [[nodiscard]] LIDO_INLINE const T* at(std::size_t slot) const noexcept { return slot_address<T>(values(), slot); }
    [[nodiscard]] LIDO_INLINE generation* generations() const noexcept { return array<generation, at_generations>(); }
    [[nodiscard]] LIDO_INLINE map_word* occupied() const noexcept { return words_of<at_occupied>(); }
    [[nodiscard]] LIDO_INLINE map_word* taken() const noexcept { return words_of<Layout::at_taken>(); }
    /// The finder's, or null. Constness is the pool's to keep, as with the arrays.
    [[nodiscard]] LIDO_INLINE std::uint32_t* cache() const noexcept {
        return cache_in(const_cast<state&>(state_), array<at_occupied>(), array<at_ring>());
    }
    /// The same of a copy of the state and the arrays.
    [[nodiscard]] LIDO_INLINE static std::uint32_t* cache_in([[maybe_unused]] state& st,
                                                             [[maybe_unused]] std::byte* occupied,
                                                             [[maybe_unused]] std::byte* ring) noexcept {
        if constexpr (Layout::has_stack) {
            // By way of a number, as in words_of().
            return reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::uintptr_t>(ring) +
                                                    Options.reuse_delay * sizeof(std::uint32_t));
        } else if constexpr (Layout::cache_bytes != 0) {
            return reinterpret_cast<std::uint32_t*>(occupied);
        } else if constexpr (requires { st.cache.slots; }) {
            return st.cache.slots;
        } else {
            return nullptr;
        }
    }
    [[nodiscard]] map_word* resting() const noexcept { return array<map_word, at_resting>(); }
    [[nodiscard]] std::uint32_t* ring() const noexcept { return array<std::uint32_t, at_ring>(); }
    [[nodiscard]] map_word* changed() const noexcept { return array<map_word, at_changed>(); }
    [[nodiscard]] age_arrays aged() const noexcept {
        return {array<age_links, at_links>(), array<std::uint64_t, at_birth>(), array<std::uint8_t, at_priority>()};
    }
    /// As a finder sees them.
    [[nodiscard]] maps_type maps() const noexcept {
        return {taken(),
                array<map_word, at_spare_first>(),
                array<map_word, at_spare_second>(),
                delays ? resting() : nullptr,
                delays ? ring() : nullptr,
                has_generations ? generations() : nullptr,
                handle_type::last_generation,
                state_.retired != 0,
                cache()};
    }

    // --- ends that wait (limbo.hpp) ----------------------------------------------------------------------------------------

    [[nodiscard]] LIDO_INLINE waiting_end* ends() const noexcept { return array<waiting_end, Layout::at_ends>(); }
    [[nodiscard]] LIDO_INLINE std::uint64_t* owed() const noexcept { return array<std::uint64_t, Layout::at_owed>(); }
    [[nodiscard]] LIDO_INLINE limbo_own<confirms>& limbo() noexcept { return limbo_; }
    [[nodiscard]] LIDO_INLINE const limbo_own<confirms>& limbo() const noexcept { return limbo_; }

    // --- change marks ------------------------------------------------------------------------------------------------------

    /// With mark_changes: the slot is no longer what it was at the latest save of a history.
    LIDO_INLINE void touch([[maybe_unused]] std::size_t slot) noexcept {
        if constexpr (marks) set(changed(), slot);
    }
    LIDO_INLINE void touch_word([[maybe_unused]] std::size_t word, [[maybe_unused]] map_word slots) noexcept {
        if constexpr (marks) changed()[word] |= slots;
    }

    // --- a free slot -------------------------------------------------------------------------------------------------------

    /// True when take_quick() has a slot.
    [[nodiscard]] LIDO_INLINE bool quick() const noexcept { return state_.finder.quick(); }
    [[nodiscard]] LIDO_INLINE std::uint32_t take_quick() noexcept { return state_.finder.take_quick(cache()); }

    /// A free slot that take_quick() does not know of: from the maps, then fresh, then one that still rests.
    [[nodiscard]] std::uint32_t take_slot() noexcept {
        std::uint32_t slot = state_.finder.take_known(maps());
        if (slot != no_slot) return slot;
        memory_refused_ = false;
        while (state_.finder.fresh_left(slots())) {
            if (!make_ready(state_.finder.fresh_need(slots()))) {
                memory_refused_ = true;
                break;
            }
            slot = state_.finder.take_fresh(maps(), slots());
            state_.known = (std::max)(state_.known, used());
            if (slot != no_slot) return slot;
            if constexpr (scans) break;  // one scan has seen all there is
        }
        if constexpr (delays) {
            slot = state_.rest.pop(ring(), resting());
            if (slot != no_slot) ++state_.counters.rests_cut_short;
        }
        return slot;
    }

    /// The same, by growth where that is needed and allowed.
    [[nodiscard]] LIDO_INLINE std::uint32_t find_slot() noexcept {
        std::uint32_t slot = take_slot();
        if (slot == no_slot) [[unlikely]]
            slot = take_by_growth();
        return slot;
    }

    /// Raises the capacity. False where it may not.
    [[nodiscard]] bool grow() noexcept {
        if (!limits_.grows_from(state_.capacity)) return false;
        grow_to(limits_.grown(state_.capacity, 0));
        return true;
    }
    void grow_to(size_type capacity) noexcept {
        state_.counters.grown += capacity != state_.capacity ? 1u : 0u;
        state_.capacity = capacity;
    }

    /// A slot that find_slot() gave, and in which no life began.
    void put_back(std::uint32_t slot) noexcept { state_.finder.put_back(maps(), slot); }

    /// The order of free slots, the delay queue and the capacity are those of `before`; the maps beside them are already.
    void go_back_to(const state& before) noexcept {
        const state failed = std::exchange(state_, before);
        state_.keep_counts_of(failed);
        state_.finder.rebuild(maps());
    }

    /// Why nothing is free.
    [[nodiscard]] refusal full_or_no_memory() const noexcept {
        return memory_refused_ ? refusal::no_memory : refusal::full;
    }

    LIDO_COLD acquired_type refuse(refusal why) noexcept {
        limits_.refused(why, state_.counters);
        return {};
    }
    LIDO_COLD acquired_type refuse_while_letting_go() noexcept {
        limits_.refused(refusal::reentrant, state_.counters, changed_while_letting_go);
        return {};
    }

    // --- a life begins and ends --------------------------------------------------------------------------------------------

    /// The generation of the life that would begin in `slot`.
    [[nodiscard]] LIDO_INLINE std::uint32_t next_life(std::uint32_t slot) const noexcept {
        if constexpr (has_generations) return generations()[slot] + 1u;
        return 1;
    }

    /// The object in `slot` is built and the slot's occupied bit set: counts it as live.
    LIDO_INLINE void go_live(std::uint32_t slot, std::uint32_t life, [[maybe_unused]] request wish) noexcept {
        if constexpr (has_generations) generations()[slot] = static_cast<generation>(life);
        if constexpr (confirms) owed()[slot] = ++limbo_.numbers;
        state_.one_more();
        touch(slot);
        if (ageing()) {
            state_.ages.enter(aged(), slot, wish.priority);
            touch_ends(slot);
        }
        diary_.begin(slot, life);
    }

    /// The life is over; its object is still there, and the slot's occupied bit set. The diary is the caller's to tell.
    LIDO_INLINE void leave(std::uint32_t slot, [[maybe_unused]] std::uint32_t life) noexcept {
        state_.one_less();
        touch(slot);
        if (ageing()) {
            touch_ends(slot);
            state_.ages.leave(aged(), slot);
        }
        if constexpr (has_generations) generations()[slot] = static_cast<generation>(life + 1);
    }

    /// Whether this pool keeps the order of ages: all of its type do, or its settings decide.
    [[nodiscard]] LIDO_INLINE bool ageing() const noexcept {
        if constexpr (Options.ages_by_setting && requires { limits_.settings().keep_ages; }) {
            return tracks && limits_.settings().keep_ages;
        } else {
            return tracks;
        }
    }

    /// After the end of life `life`: true when the slot is out of generations and retires.
    [[nodiscard]] LIDO_INLINE bool wore_out(std::uint32_t slot, [[maybe_unused]] std::uint32_t life) noexcept {
        if constexpr (has_generations) {
            if (life + 1 == handle_type::last_generation) [[unlikely]]
                return !reuse_worn(slot);
        }
        return false;
    }

    /// The slot is at its last generation. False when it is retired.
    [[nodiscard]] bool reuse_worn(std::uint32_t slot) noexcept {
        if (reuse_worn_slot<Options.generations>(limits_, [&] { generations()[slot] = 0; })) return true;
        ++state_.retired;
        return false;
    }

    /// The slot is free. True, always, so that a release can end in it.
    LIDO_INLINE bool give(std::uint32_t slot) noexcept {
        if constexpr (delays) {
            slot = state_.rest.push(ring(), resting(), slot);
            if (slot == no_slot) return true;
        }
        if (!state_.finder.give_quick(cache(), slot)) [[unlikely]]
            return give_slow(slot);
        return true;
    }

    // --- memory ------------------------------------------------------------------------------------------------------------

    [[nodiscard]] bool make_ready(size_type slots) noexcept {
        // Written out for the inside of an object, where all slots are always ready: GCC inlines less otherwise.
        if constexpr (memory::fixed_slots != 0) return slots <= memory::fixed_slots;
        return slot_guard<T>::make_ready(memory_, ready_, slots);
    }

    /// The pool has ended: its memory is anybody's.
    void unguard() noexcept { slot_guard<T>::open(values(), 0, ready()); }

    /// Free slots past the last taken one are as if never used, but for their generations; growth that is not used goes. Returns the
    /// bytes that went back to the system.
    std::size_t trim() noexcept {
        std::uint32_t limit = 0;
        for (std::size_t w = words_for(used()); w-- != 0 && limit == 0;) {
            if (taken()[w] != 0) limit = static_cast<std::uint32_t>(w * 64 + highest(taken()[w]) + 1);
        }
        state_.finder.trim_to(maps(), limit, state_.capacity);
        if constexpr (delays) state_.rest.drop_if(ring(), resting(), [limit](std::uint32_t s) { return s >= limit; });
        if (state_.retired == 0) {
            const size_type first = (std::min)(state_.capacity, limits_.first_capacity());
            state_.capacity = (std::max)({first, used_up(), limit > at_least() ? limit : 0});
        }
        return slot_guard<T>::give_back(memory_, ready_, limit);
    }

    [[nodiscard]] pool_stats stats(const char* shape) const noexcept {
        pool_stats s = stats_of(shape, state_, size(), limits_.max_capacity());
        if constexpr (confirms) s.waiting_ends = state_.limbo.count;
        s.bytes = memory_.bytes();
        s.bookkeeping_per_slot = layout::bookkeeping(slots());
        return s;
    }

private:
    template <std::size_t K>
    [[nodiscard]] LIDO_INLINE map_word* words_of() const noexcept {
        constexpr std::size_t before = K == at_occupied ? Layout::cache_bytes : 0;
        // By way of a number: a table without memory has no address, to which nothing may be added.
        return reinterpret_cast<map_word*>(reinterpret_cast<std::uintptr_t>(array<K>()) + before);
    }

    void start() noexcept {
        state_.capacity = limits_.first_capacity();
        ready_ = static_cast<size_type>(memory_.ready());
        if constexpr (scans) state_.known = state_.capacity;
        if constexpr (confirms) state_.limbo.past = new_past();
        limits_.begin();
        diary_.open(limits_.settings().name, &handle_kind<handle_type>, has_generations ? 1 : 0);
        slot_guard<T>::close(values(), 0, ready());
    }

    template <class Table, class Accepts>
    [[nodiscard]] static std::uint32_t first_of(Table& table, Accepts& accepts) {
        for (std::size_t w = 0; w < words_for(table.used()); ++w) {
            for (map_word left = table.occupied()[w]; left != 0; left &= left - 1) {
                const auto slot = static_cast<std::uint32_t>(w * 64 + lowest(left));
                if (!table.lives(slot)) continue;
                if constexpr (std::is_invocable_v<Accepts&, decltype(*table.at(slot)), handle_type>) {
                    if (accepts(*table.at(slot), table.handle_at(slot))) return slot;
                } else {
                    if (accepts(*table.at(slot))) return slot;
                }
            }
        }
        return no_slot;
    }

    [[nodiscard]] LIDO_COLD map_word only_lives([[maybe_unused]] std::size_t word,
                                                [[maybe_unused]] map_word taken) const noexcept {
        if constexpr (has_generations) {
            return with_lives(generations() + word * 64, taken);
        } else {
            LIDO_FATAL(
                "a pool without generations was walked or saved from a constructor or destructor of one of its "
                "elements");
        }
    }

    /// The age order writes to the neighbours of a slot too.
    void touch_ends([[maybe_unused]] std::uint32_t slot) noexcept {
        if constexpr (marks && tracks) {
            const age_links links = aged().links[slot];
            if (links.before != no_slot) touch(links.before);
            if (links.after != no_slot) touch(links.after);
        }
    }

    [[nodiscard]] LIDO_COLD std::uint32_t take_by_growth() noexcept {
        const size_type before = state_.capacity;
        if (!grow()) return no_slot;
        const std::uint32_t slot = take_slot();
        if (slot == no_slot) {
            state_.capacity = (std::max)(before, used());
            --state_.counters.grown;
        }
        return slot;
    }

    LIDO_NOINLINE bool give_slow(std::uint32_t slot) noexcept {
        state_.finder.give(maps(), slot);
        return true;
    }

    // What acquire, release and get touch comes first and together: the addresses of the arrays, then the head of the state.
    size_type ready_ = 0;
    call_depth inside_ = 0;
    bool memory_refused_ = false;
    LIDO_NO_UNIQUE_ADDRESS std::conditional_t<keeps_objects, size_type, no_slots> at_least_{};
    memory memory_;
    state state_;
    limits_type limits_;
    LIDO_NO_UNIQUE_ADDRESS marks_owner<marks> marked_for_;
    LIDO_NO_UNIQUE_ADDRESS limbo_own<confirms> limbo_;
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
};

}  // namespace lido::detail
