// The slots of a byte map: objects, state bytes, the next-fit search, counts; drawn in bytemap_pool.hpp, with the invariants BM1 to BM3.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/opening.hpp>
#include <lido/core/shapes/bytemap/bytemap_layout.hpp>
#include <lido/core/shapes/bytemap/bytemap_working.hpp>
#include <lido/core/shapes/bytemap/state_bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace lido::detail {

template <class Base, class Handle, std::size_t SlotBytes, class Storage, bool Forensics>
class bytemap_table {
    using working = bytemap_working;

public:
    using value_type = Base;
    using handle_type = Handle;
    using layout = bytemap_layout<Base, SlotBytes>;
    using memory = typename Storage::template memory<layout>;
    using limits_type = exhaustion<Base, Handle, options{}>;
    using settings_type = typename limits_type::settings_type;
    using diary_type = diary<Forensics>;
    using size_type = std::uint32_t;

    static constexpr bool opens = requires(memory m) { m.open(std::size_t{}, std::size_t{}); };
    static constexpr bool lent = requires(memory m) { m.open(std::span<std::byte>{}, std::size_t{}); };
    static constexpr std::size_t slot_bytes = layout::slot_bytes;
    static constexpr size_type max_slots = Handle::max_slots;

    /// All that a save must bring back, beside map and objects. Trivially copyable.
    struct state {
        std::int32_t first_free = 0;
        size_type capacity = 0;
        size_type size = 0;
        size_type peak = 0;
        size_type retired = 0;  ///< always 0: seeds wrap
        std::uint64_t acquired = 0;
        pool_counters counters;
    };
    static_assert(std::is_trivially_copyable_v<state>);

    // --- building ----------------------------------------------------------------------------------------------------------

    explicit bytemap_table(const settings_type& settings) noexcept : limits_(settings) {}

    /// False, with a capacity of 0 and a report, when there is no memory for so many.
    bool open(size_type count) noexcept {
        if (!memory_.open(count, count)) {
            limits_.fail("the memory for the asked capacity could not be had; the pool has capacity 0");
            return false;
        }
        begin(count);
        return true;
    }

    void begin(size_type count) noexcept {
        state_.capacity = limits_.plan(count, max_slots, false);
        state_.first_free = -1;
        if (count != 0) std::memset(map(), free_flag, count);
        limits_.begin();
        diary_.open(this->name(), &handle_kind<handle_type>, 0);
        guard_slots(true);
    }

    void open(std::span<std::byte> buffer) noexcept {
        if (memory_.open(buffer, max_slots)) {
            begin(static_cast<size_type>(memory_.max_slots()));
        } else {
            limits_.fail("the lent buffer is too small for one slot; the pool has capacity 0");
        }
    }

    /// No slots until open() or begin(). Pre: no object lives.
    void close() noexcept {
        guard_slots(false);
        if constexpr (opens) memory_ = memory{};
        state_.capacity = 0;
        state_.first_free = 0;
        limits_.close();
    }
    /// The slots that the memory has, open or not.
    [[nodiscard]] std::size_t slots_there() const noexcept { return memory_.max_slots(); }

    /// Takes all of `other`, which has capacity 0 then. Pre: no object lives here.
    void steal(bytemap_table& other) noexcept {
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
            for (std::uint32_t slot = first_live(); slot != no_slot; slot = live_after(slot, no_slot))
                f(slot, handle_at(slot).seed());
        });
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] size_type size() const noexcept { return state_.size; }
    [[nodiscard]] size_type capacity() const noexcept { return state_.capacity; }
    [[nodiscard]] bool full() const noexcept { return state_.size == state_.capacity; }

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
        s.bookkeeping_per_slot = state_.capacity != 0 ? 1.0 : 0.0;
        return s;
    }

    /// BM1 to BM3: the first that does not hold, or null.
    [[nodiscard]] const char* broken() const noexcept {
        if (state_.capacity > memory_.max_slots() || state_.capacity > max_slots) {
            return "BM3: more slots than the storage has or handles name";
        }
        if (state_.first_free < -1 || state_.first_free > static_cast<std::int32_t>(state_.capacity)) {
            return "BM2: first_free is not a slot";
        }
        size_type busy_slots = 0;
        for (const std::uint8_t s : byte_map()) busy_slots += is_free(s) ? 0u : 1u;
        if (busy_slots != state_.size) return "BM1: size and busy slots differ";
        return nullptr;
    }

    /// `byte_map`, as it lies in memory.
    [[nodiscard]] std::span<const std::uint8_t> byte_map() const noexcept { return {map(), state_.capacity}; }

    // --- slots in hand -----------------------------------------------------------------------------------------------------

    /// An object is just being built or ended.
    [[nodiscard]] bool busy_inside() const noexcept { return working_ != nullptr; }
    [[nodiscard]] bool in_hand(std::uint32_t slot) const noexcept { return working_ != nullptr && working_->on(slot); }
    [[nodiscard]] size_type count_in_hand() const noexcept { return working_ != nullptr ? working_->count() : 0; }

    /// What takes the slots away waits until all objects are whole and no predicate is asked.
    void expect_unmoved() const noexcept {
        LIDO_VERIFY(working_ == nullptr, "bytemap_pool: an object's own constructor or destructor ends the whole pool");
        LIDO_VERIFY(!limits_.now().is(half_way::asks),
                    "bytemap_pool: the pool was moved from inside of its own callback");
    }

    /// What a save is about: a slot that is in hand is free, with the seed of the life that begins or ends there.
    [[nodiscard]] state settled_state() const noexcept {
        state s = state_;
        s.size -= count_in_hand();
        return s;
    }
    [[nodiscard]] state_byte settled_byte(std::uint32_t slot) const noexcept {
        return in_hand(slot) ? static_cast<state_byte>(map()[slot] | free_flag) : map()[slot];
    }

    // --- slots -------------------------------------------------------------------------------------------------------------

    [[nodiscard]] state_byte* map() const noexcept {
        return reinterpret_cast<state_byte*>(memory_.template array<bytemap_states>());
    }
    [[nodiscard]] Base* object_at(std::uint32_t slot) const noexcept {
        return reinterpret_cast<Base*>(memory_.template array<bytemap_slots>() + std::size_t{slot} * slot_bytes);
    }
    [[nodiscard]] handle_type handle_at(std::uint32_t slot) const noexcept {
        return handle_type::of(slot, map()[slot]);
    }
    [[nodiscard]] bool lives_at(std::uint32_t slot) const noexcept {
        return slot < state_.capacity && !is_free(map()[slot]);
    }
    /// What the diary knows a life by: its seed. ~0 of a slot in which none lives.
    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const noexcept {
        return lives_at(slot) ? map()[slot] & seed_mask : ~0u;
    }
    [[nodiscard]] bool busy(std::int32_t index) const noexcept {
        return index >= 0 && lives_at(static_cast<std::uint32_t>(index));
    }

    [[nodiscard]] std::uint32_t first_live() const noexcept {
        return whole_from(first_state<false>(map(), 0, state_.capacity));
    }
    [[nodiscard]] std::uint32_t last_live() const noexcept { return no_slot; }
    [[nodiscard]] std::uint32_t live_after(std::uint32_t slot, std::uint32_t) const noexcept {
        return whole_from(first_state<false>(map(), slot + 1, state_.capacity));
    }
    /// This busy slot, or the next whose object is whole: passes leave out what is just built or ended.
    [[nodiscard]] LIDO_INLINE std::uint32_t whole_from(std::uint32_t slot) const noexcept {
        return working_ == nullptr ? slot : skip_in_hand(slot);
    }
    [[nodiscard]] LIDO_COLD std::uint32_t skip_in_hand(std::uint32_t slot) const noexcept {
        while (slot != no_slot && in_hand(slot)) {
            slot = first_state<false>(map(), slot + 1, state_.capacity);
        }
        return slot;
    }

    [[nodiscard]] LIDO_INLINE std::uint32_t slot_of(handle_type handle) const noexcept {
        const std::int32_t index = handle.index();
        if (index < 0 || static_cast<std::uint32_t>(index) >= state_.capacity) return no_slot;
        const state_byte s = map()[index];
        // A free slot's byte may well be the handle's; it names no life for that.
        return s == handle.state() && !is_free(s) ? static_cast<std::uint32_t>(index) : no_slot;
    }

    /// The slot that starts where the object does, busy or free, or no_slot.
    [[nodiscard]] std::uint32_t place_of(const Base& object) const noexcept {
        const std::byte* const slots = memory_.template array<bytemap_slots>();
        const auto first = reinterpret_cast<std::uintptr_t>(slots);
        const auto at = reinterpret_cast<std::uintptr_t>(std::addressof(object));
        if (slots == nullptr || at < first || (at - first) % slot_bytes != 0) return no_slot;
        const std::size_t slot = (at - first) / slot_bytes;
        return slot < state_.capacity ? static_cast<std::uint32_t>(slot) : no_slot;
    }

    /// Opens every slot, or closes those that hold no object.
    void guard_slots(bool closed) noexcept {
        if (!guarded() || state_.capacity == 0) return;
        if (!closed) open_up(object_at(0), state_.capacity * slot_bytes);
        for (std::uint32_t slot = 0; closed && slot < state_.capacity; ++slot) {
            if (!lives_at(slot)) close_off(object_at(slot), slot_bytes);
        }
    }

    /// Next-fit. Pre: a slot is free.
    [[nodiscard]] std::uint32_t next_free() const noexcept {
        const auto after = static_cast<std::uint32_t>(state_.first_free + 1);
        const std::uint32_t slot = first_state<true>(map(), after, state_.capacity);
        return slot != no_slot ? slot : first_state<true>(map(), 0, (std::min)(after, state_.capacity));
    }

    // --- lives -------------------------------------------------------------------------------------------------------------

    /// The slot is busy while the constructor runs, so that what it acquires itself goes elsewhere.
    template <class Derived, class... Args>
    Derived* build(std::uint32_t slot, state_byte life, std::int32_t hint, Args&&... args) {
        const state_byte life_before = std::exchange(map()[slot], life);
        const std::int32_t hint_before = std::exchange(state_.first_free, hint);
        ++state_.size;
        ++state_.acquired;
        Derived* object = nullptr;
        LIDO_TRY {
            const working at(working_, slot);
            open_up(object_at(slot), slot_bytes);
            object = construct<Derived>(object_at(slot), std::forward<Args>(args)...);
        }
        LIDO_CATCH_ALL {
            bury(object_at(slot), slot_bytes);
            map()[slot] = life_before;
            if (state_.first_free == hint) state_.first_free = hint_before;
            --state_.size;
            --state_.acquired;
            LIDO_RETHROW;
        }
        // Folded away wherever it holds. Handles find the base at the start of the slot.
        LIDO_VERIFY(static_cast<const void*>(static_cast<Base*>(object)) == object_at(slot),
                    "bytemap_pool: in this class its base does not come first");
        state_.peak = (std::max)(state_.peak, state_.size);
        diary_.begin(slot, life & seed_mask);
        return object;
    }

    void end_life(std::uint32_t slot) noexcept {
        diary_.end(slot, map()[slot] & seed_mask);
        {
            const working at(working_, slot);
            destroy(object_at(slot));
        }
        bury(object_at(slot), slot_bytes);
        map()[slot] |= free_flag;
        --state_.size;
        if (static_cast<std::int32_t>(slot) < state_.first_free) state_.first_free = static_cast<std::int32_t>(slot);
    }

    /// Ends every object but those in hand, and leaves first_free. A destructor that acquires costs another pass.
    void end_all() noexcept {
        const std::int32_t hint = state_.first_free;
        for (int pass = 0; state_.size != count_in_hand(); ++pass) {
            LIDO_VERIFY(pass < 1000, "a destructor acquires from a pool that is being ended, without end");
            const auto all = [](const Base&) { return true; };
            static_cast<void>(end_if(all));
        }
        state_.first_free = hint;
    }

    template <class Predicate>
    size_type end_if(Predicate& gone) {
        size_type done = 0;
        for (std::uint32_t slot = first_live(); slot != no_slot; slot = live_after(slot, no_slot)) {
            const bool ends = [&] {
                const half_way::scope asking(limits_.now(), half_way::asks);
                return static_cast<bool>(gone(*object_at(slot)));
            }();
            if (!ends) continue;
            LIDO_ASSERT(lives_at(slot), "release_if: the predicate changed the pool");
            if (!lives_at(slot)) continue;
            end_life(slot);
            ++done;
        }
        return done;
    }

    /// Every slot but those in hand is free with seed 0. Pre: the objects have ended.
    void clear_map() noexcept {
        if (working_ == nullptr && state_.capacity != 0) std::memset(map(), free_flag, state_.capacity);
        for (size_type slot = 0; working_ != nullptr && slot < state_.capacity; ++slot) {
            if (!in_hand(slot)) map()[slot] = free_flag;
        }
    }

    /// With a handle that names no life now. The seed takes the place of a generation; a slot keeps that of its last life.
    [[nodiscard]] misuse what_is_wrong(handle_type handle) const noexcept {
        const std::int32_t index = handle.index();
        misuse m{misuse_kind::wild_handle,
                 name(),
                 "the released handle never came from this pool",
                 true,
                 static_cast<std::uint32_t>(index),
                 handle.seed(),
                 0};
        if (index >= 0 && static_cast<size_type>(index) < state_.capacity && !is_free(handle.state())) {
            const state_byte now = map()[index];
            const bool same = (now & seed_mask) == handle.seed();
            m.slot_generation = now & seed_mask;
            m.kind = same ? misuse_kind::double_release : misuse_kind::stale_release;
            m.what = same ? "the released object's life has ended or is just ending"
                          : "the released handle's life ended earlier, or never was: its slot has another seed";
        }
        return m;
    }

private:
    state state_;
    memory memory_;
    exhaustion<Base, handle_type, options{}> limits_;
    const working* working_ = nullptr;
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
};

}  // namespace lido::detail
