// The slots of a ring pool: memory, generations, the ends of the ring, counts; drawn in ring_pool.hpp, with the invariants RG1 to RG4.
//
// A life begins:  next()  ->  build the object there  ->  go_live(slot)
// A life ends:    end_life(slot)
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/slot_count.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/opening.hpp>
#include <lido/core/parts/worn_slot.hpp>
#include <lido/core/shapes/ring/ring_layout.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// What entry_checks says of a ring. What an element's constructor or destructor is about does not count yet, or no longer: they may read.
struct ring_sentences {
    static constexpr const char* built = "ring_pool: an element's constructor changed the ring it is built in";
    static constexpr const char* ended = "ring_pool: an element's destructor changed the ring it lives in";
    static constexpr const char* moved = "ring_pool: the pool was moved from inside of its own callback";
};

template <class T, class Layout, options Options, class Storage>
class ring_table : public entry_checks<ring_table<T, Layout, Options, Storage>, ring_sentences> {
public:
    using value_type = T;
    using layout = Layout;
    using memory = typename Storage::template memory<Layout>;
    using handle_type = typename Layout::handle_type;
    using generation = typename Layout::generation;
    using limits_type = exhaustion<T, handle_type, Options>;
    using settings_type = typename limits_type::settings_type;
    using diary_type = diary<Options.forensics>;
    using size_type = std::uint32_t;

    /// All that a save must bring back, beside generations and objects. Trivially copyable.
    struct state {
        size_type size = 0;
        std::uint32_t oldest = 0;  ///< slots; of no meaning while nothing lives
        std::uint32_t newest = 0;
        std::uint32_t next = 0;
        size_type retired = 0;
        size_type capacity = 0;
        size_type peak = 0;
        std::uint64_t acquired = 0;
        pool_counters counters;
    };
    static_assert(std::is_trivially_copyable_v<state>);

    // --- building ----------------------------------------------------------------------------------------------------------

    explicit ring_table(const settings_type& settings) noexcept : limits_(always_replaces(settings)) {}

    void open(slot_count capacity) noexcept {
        open_memory(memory_, limits_, capacity, layout::max_slots, false);
        start();
    }
    void open_inside() noexcept {
        static_assert(memory::fixed_slots <= layout::max_slots, "lido: raise the handle's index bits");
        detail::open_inside<memory>(limits_, layout::max_slots);
        start();
    }
    void open(std::span<std::byte> buffer) noexcept {
        open_lent(memory_, limits_, buffer, layout::max_slots,
                  "the lent buffer is too small for a ring of one; the pool has capacity 0");
        start();
    }

    /// Takes all of `other`, which has capacity 0 then. Pre: no object lives here.
    void steal(ring_table& other) noexcept {
        other.expect_unmoved();
        memory_ = std::move(other.memory_);
        state_ = std::exchange(other.state_, state{});
        limits_ = other.limits_;
        other.limits_.close();
        diary_.take(other.diary_);
    }

    /// Reports the objects that live as settings.leaks says. True when the end of the pool is to end them.
    [[nodiscard]] bool check_leaks() const noexcept {
        return detail::check_leaks(diary_, limits_.settings(), size(), [this](auto&& f) {
            const std::uint32_t stop = last_live();
            for (std::uint32_t slot = first_live(); slot != no_slot; slot = live_after(slot, stop))
                f(slot, generations()[slot]);
        });
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] size_type size() const noexcept { return state_.size; }
    [[nodiscard]] size_type capacity() const noexcept { return state_.capacity; }
    [[nodiscard]] size_type max_capacity() const noexcept { return state_.capacity; }
    /// The next acquire ends the oldest.
    [[nodiscard]] bool full() const noexcept {
        return state_.retired >= state_.capacity || lives_at(following(state_.next));
    }
    /// No slot is left that could have another life.
    [[nodiscard]] bool worn_out() const noexcept { return state_.retired >= state_.capacity; }

    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept {
        const std::uint32_t slot = handle.index();
        const std::uint32_t life = handle.generation();
        return slot < slots() && (life & 1) != 0 && generations()[slot] == life;
    }

    [[nodiscard]] LIDO_INLINE limits_type& limits() noexcept { return limits_; }
    [[nodiscard]] LIDO_INLINE const limits_type& limits() const noexcept { return limits_; }
    [[nodiscard]] const settings_type& settings() const noexcept { return limits_.settings(); }
    [[nodiscard]] const char* name() const noexcept { return limits_.settings().name; }
    [[nodiscard]] pool_counters& counters() noexcept { return state_.counters; }
    [[nodiscard]] LIDO_INLINE diary_type& book() noexcept { return diary_; }
    [[nodiscard]] LIDO_INLINE const diary_type& book() const noexcept { return diary_; }
    [[nodiscard]] state& now() noexcept { return state_; }
    [[nodiscard]] const state& now() const noexcept { return state_; }

    [[nodiscard]] pool_stats stats(const char* shape) const noexcept {
        pool_stats s = stats_of(shape, state_, size(), state_.capacity);
        s.bytes = memory_.bytes();
        s.bookkeeping_per_slot = layout::bookkeeping(state_.capacity);
        return s;
    }

    /// RG1 to RG4: the first that does not hold, or null.
    [[nodiscard]] const char* broken() const noexcept {
        size_type live = 0;
        size_type retired = 0;
        for (std::uint32_t s = 0; s < slots(); ++s) {
            if (((generations()[s] & 1) != 0) != lives_at(s)) return "RG1: a generation and the map disagree";
            live += lives_at(s) ? 1u : 0u;
            retired += worn(s) ? 1u : 0u;
        }
        if (live != size()) return "RG1: size and live slots differ";
        if (retired != state_.retired) return "RG4: the count of retired slots is wrong";
        if (live > state_.capacity) return "RG1: more objects than the capacity";
        if (slots() == 0) return nullptr;
        if (state_.next >= slots() || state_.oldest >= slots() || state_.newest >= slots()) {
            return "RG2: an end of the ring is not a slot";
        }
        if (live != 0) {
            if (!lives_at(state_.oldest) || !lives_at(state_.newest)) return "RG2: an end of the ring does not live";
            if (count_live(state_.oldest, state_.newest) != live)
                return "RG2: an object lies outside of the ring's ends";
        }
        if (state_.retired < state_.capacity) {
            if (lives_at(state_.next) || worn(state_.next)) return "RG3: the next slot is taken";
            if (live != 0 && following(state_.newest) != state_.next) return "RG3: the next slot does not follow";
        }
        return nullptr;
    }

    // --- slots -------------------------------------------------------------------------------------------------------------

    [[nodiscard]] std::uint32_t slots() const noexcept { return state_.capacity != 0 ? state_.capacity + 1 : 0; }
    [[nodiscard]] LIDO_INLINE T* object_at(std::uint32_t slot) const noexcept {
        return reinterpret_cast<T*>(memory_.template array<ring_values>()) + slot;
    }
    [[nodiscard]] LIDO_INLINE generation* generations() const noexcept {
        return reinterpret_cast<generation*>(memory_.template array<ring_generations>());
    }
    [[nodiscard]] map_word* occupied() const noexcept {
        return reinterpret_cast<map_word*>(memory_.template array<ring_occupied>());
    }
    [[nodiscard]] bool lives_at(std::uint32_t slot) const noexcept { return slot < slots() && test(occupied(), slot); }
    [[nodiscard]] handle_type handle_at(std::uint32_t slot) const noexcept {
        return handle_type::of(slot, generations()[slot]);
    }
    [[nodiscard]] bool worn(std::uint32_t slot) const noexcept {
        return Options.generations == generation_rule::retire && generations()[slot] == handle_type::last_generation;
    }
    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.acquired * 2 - state_.size; }

    /// Where the object lies, alive or not; no_slot for one from elsewhere.
    [[nodiscard]] std::uint32_t place_of(const T& object) const noexcept {
        const auto first = reinterpret_cast<std::uintptr_t>(memory_.template array<ring_values>());
        const auto at = reinterpret_cast<std::uintptr_t>(std::addressof(object));
        if (first == 0 || at < first || (at - first) % sizeof(T) != 0) return no_slot;
        const std::size_t slot = (at - first) / sizeof(T);
        return slot < slots() ? static_cast<std::uint32_t>(slot) : no_slot;
    }
    [[nodiscard]] std::uint32_t slot_of(const T& object) const noexcept {
        const std::uint32_t slot = place_of(object);
        return slot != no_slot && lives_at(slot) ? slot : no_slot;
    }
    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const noexcept {
        return slot < slots() ? generations()[slot] : 0u;
    }

    /// Opens every slot, or closes those that hold no object.
    void guard_slots(bool closed) noexcept {
        if (!guarded() || slots() == 0) return;
        if (!closed) open_up(object_at(0), slots() * sizeof(T));
        for (std::uint32_t slot = 0; closed && slot < slots(); ++slot) {
            if (!lives_at(slot)) close_off(object_at(slot), sizeof(T));
        }
    }

    /// The pool has ended: its memory is anybody's.
    void unguard() noexcept { guard_slots(false); }

    // --- round the ring ----------------------------------------------------------------------------------------------------

    /// The first slot after this one that is not retired; this one, when there is no other.
    [[nodiscard]] std::uint32_t following(std::uint32_t slot) const noexcept {
        std::uint32_t at = slot;
        do {
            at = at + 1 >= slots() ? 0 : at + 1;
        } while (worn(at) && at != slot);
        return at;
    }

    [[nodiscard]] std::uint32_t first_live() const noexcept { return size() != 0 ? state_.oldest : no_slot; }
    [[nodiscard]] std::uint32_t last_live() const noexcept { return size() != 0 ? state_.newest : no_slot; }

    /// The next slot in which something lives, on the way round to `stop` and with it; no_slot when there is none.
    [[nodiscard]] std::uint32_t live_after(std::uint32_t slot, std::uint32_t stop) const noexcept {
        if (slot == stop) return no_slot;
        if (slot < stop) return first_set(occupied(), slot + 1, stop + 1);
        const std::uint32_t found = first_set(occupied(), slot + 1, slots());
        return found != no_slot ? found : first_set(occupied(), 0, stop + 1);
    }
    [[nodiscard]] std::uint32_t live_before(std::uint32_t slot, std::uint32_t stop) const noexcept {
        if (slot == stop) return no_slot;
        if (slot > stop) return last_set(occupied(), stop, slot);
        const std::uint32_t found = last_set(occupied(), 0, slot);
        return found != no_slot ? found : last_set(occupied(), stop, slots());
    }

    [[nodiscard]] size_type count_live(std::uint32_t from, std::uint32_t to) const noexcept {
        if (from <= to) return count_set(occupied(), from, to + 1);
        return count_set(occupied(), from, slots()) + count_set(occupied(), 0, to + 1);
    }

    /// Slots from the oldest to the newest, holes included. Pre: something lives.
    [[nodiscard]] size_type span_length() const noexcept {
        return (state_.newest >= state_.oldest ? 0 : slots()) + state_.newest - state_.oldest + 1;
    }

    /// The slot of the nth oldest. Pre: nth < size().
    [[nodiscard]] std::uint32_t aged(size_type nth) const noexcept {
        if (span_length() == size()) {
            const std::uint32_t slot = state_.oldest + nth;
            return slot >= slots() ? slot - slots() : slot;
        }
        const size_type to_the_end = count_set(occupied(), state_.oldest, slots());
        return nth < to_the_end ? nth_set(occupied(), state_.oldest, nth) : nth_set(occupied(), 0, nth - to_the_end);
    }

    // --- lives -------------------------------------------------------------------------------------------------------------

    [[nodiscard]] std::uint32_t next() const noexcept { return state_.next; }

    /// The object in the next slot is built; the ring has room for it.
    handle_type go_live(std::uint32_t slot) noexcept {
        ++generations()[slot];
        set(occupied(), slot);
        if (state_.size == 0) state_.oldest = slot;
        state_.newest = slot;
        ++state_.size;
        ++state_.acquired;
        state_.peak = (std::max)(state_.peak, state_.size);
        state_.next = following(slot);
        diary_.begin(slot, generations()[slot]);
        return handle_at(slot);
    }

    // A life ends in three steps: the slot is free, the ends of the ring are at others, the destructor runs. So the ring is whole
    // while it runs.

    void free_slot(std::uint32_t slot) noexcept {
        diary_.end(slot, generations()[slot]);
        --state_.size;
        clear(occupied(), slot);
        const auto life = static_cast<generation>(generations()[slot] + 1);
        generations()[slot] = life;
        if (life == handle_type::last_generation) [[unlikely]]
            wear_out(slot);
    }

    void destroy_at(std::uint32_t slot) noexcept {
        {
            const half_way::quick_scope now(limits_.now(), half_way::ends);
            destroy(object_at(slot));
        }
        bury(object_at(slot), sizeof(T));
    }

    void end_oldest(std::uint32_t slot) noexcept {
        const std::uint32_t after = live_after(slot, state_.newest);
        free_slot(slot);
        if (after != no_slot) state_.oldest = after;
        destroy_at(slot);
    }

    void end_life(std::uint32_t slot) noexcept {
        if (slot == state_.newest) {
            const std::uint32_t before = live_before(slot, state_.oldest);
            free_slot(slot);
            if (before != no_slot) {
                state_.newest = before;
                state_.next = following(before);
            }
            destroy_at(slot);
        } else if (slot == state_.oldest) {
            end_oldest(slot);
        } else {
            free_slot(slot);
            destroy_at(slot);
        }
    }

    void wear_out(std::uint32_t slot) noexcept {
        if (!reuse_worn_slot<Options.generations>(limits_, [&] { generations()[slot] = 0; })) ++state_.retired;
    }

    /// Before a restore, or at the end of the pool. Each object no longer counts when its destructor runs. What is set here does not
    /// last, so nobody is told of a slot that is worn out.
    void destroy_all() noexcept {
        if constexpr (!std::is_trivially_destructible_v<T>) {
            const half_way::scope now(limits_.now(), half_way::ends);
            while (state_.size != 0) {
                const std::uint32_t slot = state_.oldest;
                const std::uint32_t after = live_after(slot, state_.newest);
                if (after != no_slot) state_.oldest = after;
                --state_.size;
                clear(occupied(), slot);
                auto& life = generations()[slot];
                life = static_cast<generation>(life + 1);
                if (worn(slot)) {
                    ++state_.retired;
                } else if (life == handle_type::last_generation) {
                    life = 0;
                }
                destroy(object_at(slot));
            }
        }
    }

private:
    /// on_full cannot choose anything here: the default is taken as nothing said, the rest is told.
    [[nodiscard]] static settings_type always_replaces(settings_type settings) noexcept {
        if (settings.on_full != on_full::reject && settings.on_full != on_full::replace_oldest) {
            report_misuse({.kind = misuse_kind::bad_setting,
                           .pool = settings.name,
                           .what = "a ring_pool always replaces the oldest, and does"});
        }
        settings.on_full = on_full::reject;
        return settings;
    }

    void start() noexcept {
        state_.capacity = limits_.first_capacity();
        limits_.begin();
        diary_.open(name(), &handle_kind<handle_type>);
        guard_slots(true);
    }

    state state_;
    memory memory_;
    limits_type limits_;
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
};

}  // namespace lido::detail
