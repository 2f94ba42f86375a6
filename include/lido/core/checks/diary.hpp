// The diary of a pool: where and when its lives began and ended, so that a report can say whose mistake it is.
//
// A member of each pool, empty where options::forensics is false. The functions that users call `enter` it with the address they
// return to; what the pool does until they leave is written down for that place. Not part of the state: a save does not hold it,
// and hashes are the same with and without it.
//
// DI1. A note that has begun and not ended names a life of this pool.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/checks/blame_report.hpp>
#include <lido/core/checks/leak_groups.hpp>
#include <lido/core/checks/life_notes.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/place.hpp>
#include <lido/core/checks/report.hpp>
#include <lido/core/meta/type_identity.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// One for each handle type: pools whose handles could be taken for each other share it.
template <class Handle>
inline constexpr const type_identity& handle_kind = handle_identity<Handle>;

class kept_diary;

/// Every diary of the program.
struct diary_list {
    std::atomic_flag busy = ATOMIC_FLAG_INIT;
    kept_diary* first = nullptr;
};
LIDO_SHARED inline constinit diary_list all_diaries{};

/// What a diary does when there is one.
class kept_diary {
public:
    static constexpr bool kept = true;

    kept_diary() noexcept {
        tell_promise.store(&tell_who_broke, std::memory_order_release);
        join();
    }
    kept_diary(const kept_diary&) = delete;
    kept_diary& operator=(const kept_diary&) = delete;
    ~kept_diary() { leave(); }

    /// `life_shift`: generations go up by 2^life_shift from one life to the next. 0: they start over, so that an earlier one does
    /// not say that its life was in this pool.
    void open(const char* pool, const type_identity* kind, unsigned life_shift = 1) noexcept {
        pool_ = pool;
        kind_ = kind;
        life_shift_ = life_shift;
    }

    /// The pool of `other` has moved here.
    void take(kept_diary& other) noexcept {
        open(other.pool_, other.kind_, other.life_shift_);
        notes_ = std::move(other.notes_);
        owner_.store(other.owner_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }

    // --- places ------------------------------------------------------------------------------------------------------------

    /// While it lives, the diary writes for one place.
    class scope {
    public:
        scope(kept_diary& diary, source_place at, bool pinned) noexcept
            : diary_(diary),
              before_(diary.here_),
              was_pinned_(diary.pinned_),
              outer_(current_call),
              call_{diary.pool_, at} {
            diary.here_ = at;
            diary.pinned_ = pinned;
            current_call = &call_;
        }
        scope(const scope&) = delete;
        scope& operator=(const scope&) = delete;
        ~scope() {
            diary_.here_ = before_;
            diary_.pinned_ = was_pinned_;
            current_call = outer_;
        }

    private:
        kept_diary& diary_;
        source_place before_;
        bool was_pinned_;
        const pool_call* outer_;
        pool_call call_;
    };

    [[nodiscard]] scope enter(const void* caller) noexcept { return {*this, seen_from(caller), pinned_}; }

    /// The same for a function that calls others which enter: they count as this one's.
    [[nodiscard]] scope enter_for_all(const void* caller) noexcept { return {*this, seen_from(caller), true}; }

    // --- lives -------------------------------------------------------------------------------------------------------------

    void begin(std::uint32_t slot, std::uint32_t generation) noexcept {
        owner_.store(this_thread(), std::memory_order_relaxed);
        life_note* const note = notes_.make(slot);
        if (note == nullptr) return;
        const std::uint64_t tick = current_tick();
        note[place_of(generation)] = {here_.bits(),
                                      0,
                                      static_cast<std::uint32_t>(tick),
                                      0,
                                      generation,
                                      life_note::begun | (tick != no_tick ? life_note::begun_has_tick : 0u)};
    }

    void end(std::uint32_t slot, std::uint32_t generation) noexcept {
        life_note* const notes = notes_.make(slot);
        if (notes == nullptr) return;
        life_note& note = notes[place_of(generation)];
        if (note.generation != generation || (note.flags & life_note::begun) == 0) {
            // A life from an image, or one that a rewind brought back after others had taken its note.
            note = {0, 0, 0, 0, generation, life_note::begun};
        }
        const std::uint64_t tick = current_tick();
        note.released = here_.bits();
        note.released_tick = static_cast<std::uint32_t>(tick);
        note.flags |= life_note::ended | (tick != no_tick ? life_note::ended_has_tick : 0u);
    }

    /// capped_list: the element of row `from` is that of row `to` now.
    void move(std::uint32_t to, std::uint32_t from) noexcept {
        life_note* const a = notes_.make(to);
        const life_note* const b = notes_.find(from);
        if (a != nullptr && b != nullptr) std::copy(b, b + 2, a);
    }

    /// After a restore: `generation_of(slot)` is what the first `slots` slots have now. Lives that came back have not ended, and
    /// those that were undone never began.
    template <class GenerationOf>
    void restored(std::uint32_t slots, GenerationOf&& generation_of) noexcept {
        for (std::uint32_t s = 0; s < slots; ++s) {
            if (notes_.find(s) == nullptr) continue;
            life_note* const notes = notes_.make(s);
            const std::uint32_t now = generation_of(s);
            for (life_note* note : {notes, notes + 1}) {
                const bool to_come = life_shift_ != 0 && note->generation > now;
                if (note->generation == now) {
                    note->flags &= ~std::uint32_t{life_note::ended | life_note::ended_has_tick};
                } else if (to_come) {
                    note->flags =
                        (note->flags & life_note::begun_has_tick) |
                        ((note->flags & (life_note::begun | life_note::undone)) != 0 ? life_note::undone : 0u);
                } else if ((note->flags & life_note::ended) == 0) {
                    *note = {};
                }
            }
        }
    }

    /// What is known of a life, or null.
    [[nodiscard]] const life_note* find(std::uint32_t slot, std::uint32_t generation) const noexcept {
        const life_note* const notes = notes_.find(slot);
        if (notes == nullptr) return nullptr;
        const life_note& note = notes[place_of(generation)];
        return (note.flags & life_note::begun) != 0 && note.generation == generation ? &note : nullptr;
    }

    /// The same for a life that a restore undid, until another takes its note.
    [[nodiscard]] const life_note* find_undone(std::uint32_t slot, std::uint32_t generation) const noexcept {
        const life_note* const notes = notes_.find(slot);
        if (notes == nullptr) return nullptr;
        const life_note& note = notes[place_of(generation)];
        return (note.flags & life_note::undone) != 0 && note.generation == generation ? &note : nullptr;
    }

    [[nodiscard]] std::size_t bytes() const noexcept { return notes_.bytes(); }

    // --- reports -----------------------------------------------------------------------------------------------------------

    /// A release of a handle that names no life now. `m` says what a build without forensics would.
    LIDO_COLD void tell(misuse m) const noexcept { tell_handle(m, here_, "released"); }

    /// get() of a handle that is not null and names no life. `m` says what a release of it would.
    LIDO_COLD void tell_stale_get(misuse m, const void* caller) const noexcept {
        if (!reports.stale_gets.load(std::memory_order_relaxed)) return;
        if (m.kind == misuse_kind::wild_handle) {
            m.what = "the handle that was looked up never came from this pool";
        } else {
            m.kind = misuse_kind::stale_get;
            m.what = m.end_waits ? "the handle that was looked up is stale: its life has ended, and its object waits "
                                   "until the end is confirmed"
                                 : "the handle that was looked up is stale: its life has ended";
        }
        tell_handle(m, seen_from(caller), "used");
    }

    /// The released object is no live one of this pool. `slot` is where it lies, or no_slot; `life` was the last one there.
    LIDO_COLD void tell_object(misuse m, std::uint32_t slot, std::uint32_t life) const noexcept {
        if (!due(m, here_)) return;
        text_line story;
        const life_note* const last = slot != no_slot ? find(slot, life) : nullptr;
        if (last != nullptr) {
            story.add("the released object's life in slot %lu has ended", static_cast<unsigned long>(slot));
            tell_of(*last, m, story);
        } else {
            story.add("%s", m.what);
        }
        add_use(story, "released", here_, m.count);
        m.story = story.text();
        report_misuse(m);
    }

    /// The object of `slot`, whose last life was `life`, begins the next one with fields of that one: `names`.
    LIDO_COLD void tell_kept(const char* pool, std::uint32_t slot, std::uint32_t life,
                             const char* names) const noexcept {
        misuse m{.kind = misuse_kind::kept_field,
                 .pool = pool,
                 .what =
                     "a recycled object has something of its last life after its reset: reset it, or name it in "
                     "kept_fields",
                 .names_slot = true,
                 .slot = slot,
                 .generation = life};
        if (!due(m, here_)) return;
        text_line story;
        story.add(
            "the object of slot %lu was recycled and not reset: %s; reset it in on_acquire, or name it in "
            "kept_fields",
            static_cast<unsigned long>(slot), names);
        if (const life_note* const last = find(slot, life); last != nullptr) {
            story.add("; last life");
            tell_of(*last, m, story);
        }
        add_use(story, "acquired", here_, m.count);
        m.story = story.text();
        report_misuse(m);
    }

    /// `active` objects live while the pool ends; `each(f)` calls f(slot, generation) for every one.
    template <class Each>
    LIDO_COLD void tell_leaks(misuse m, std::uint32_t active, Each&& each) const noexcept {
        leak_groups groups;
        each([&](std::uint32_t slot, std::uint32_t generation) {
            const life_note* const note = find(slot, generation);
            groups.add(note != nullptr ? source_place::from_bits(note->acquired) : source_place{});
        });
        groups.tell(m, active);
    }

private:
    friend class scope;

    [[nodiscard]] std::size_t place_of(std::uint32_t generation) const noexcept {
        return (generation >> life_shift_) & 1;
    }

    [[nodiscard]] source_place seen_from(const void* caller) const noexcept {
        if (pinned_) return here_;
        return blamed_place ? blamed_place : source_place::returning_to(caller);
    }

    /// Whether this is to be told once more; then with the place and the count.
    [[nodiscard]] static bool due(misuse& m, source_place used) noexcept {
        m.used = used;
        m.count = all_report_counts.due(m.kind, used, m.pool);
        return m.count != 0;
    }

    static void tell_of(const life_note& life, misuse& m, text_line& story) noexcept {
        m.acquired = source_place::from_bits(life.acquired);
        m.released = source_place::from_bits(life.released);
        add_note(story, life);
    }

    LIDO_COLD void tell_handle(misuse m, source_place used, const char* verb) const noexcept {
        // First of all: a mistake in a loop is only counted, and the other pools are not searched each time.
        if (!due(m, used)) return;
        text_line story;
        char other[64] = {};
        life_note elsewhere;
        const life_note* life = find(m.slot, m.generation);
        // This pool's own lives come first: handles of equal numbers live in every other pool, and those are innocent.
        if (life == nullptr && !had(m) && find_owner(m.slot, m.generation, elsewhere, other, sizeof(other))) {
            m.kind = misuse_kind::wrong_pool;
            m.what = "the handle is of another pool of the same type";
            life = &elsewhere;
        }
        if (const life_note* const undone = life == nullptr ? find_undone(m.slot, m.generation) : nullptr;
            undone != nullptr) {
            story.add("handle {slot %lu, gen %lu} is of a life that a restore undid",
                      static_cast<unsigned long>(m.slot), static_cast<unsigned long>(m.generation));
            life = undone;
        } else {
            add_lead(story, m, other);
        }
        if (life != nullptr) tell_of(*life, m, story);
        if (m.end_waits) {
            story.add("; its object waits in the slot until the end is confirmed");
        } else if (m.kind == misuse_kind::stale_get || m.kind == misuse_kind::stale_release) {
            add_slot_now(story, m);
        }
        add_use(story, m.kind == misuse_kind::double_release ? "again" : verb, used, m.count);
        m.story = story.text();
        report_misuse(m);
    }

    /// The generations say that this pool has had the life, whether or not the diary still knows of it; and so it is for null, which is
    /// nobody's.
    [[nodiscard]] bool had(const misuse& m) const noexcept {
        if (m.generation == 0 || find_undone(m.slot, m.generation) != nullptr) return true;
        return life_shift_ != 0 && m.kind != misuse_kind::wild_handle;
    }

    static void add_lead(text_line& story, const misuse& m, const char* other) noexcept {
        const auto slot = static_cast<unsigned long>(m.slot);
        const auto life = static_cast<unsigned long>(m.generation);
        switch (m.kind) {
            case misuse_kind::double_release:
                story.add("handle {slot %lu, gen %lu} is released twice", slot, life);
                break;
            case misuse_kind::wrong_pool:
                story.add("handle {slot %lu, gen %lu} is of another pool, \"%s\"", slot, life, other);
                break;
            case misuse_kind::wild_handle:
                if (m.generation == 0 && m.slot == 0) {
                    story.add("%s", m.what);
                } else {
                    story.add("handle {slot %lu, gen %lu} never came from this pool", slot, life);
                }
                break;
            default: story.add("handle {slot %lu, gen %lu} is stale", slot, life); break;
        }
    }

    /// Who lives there now.
    LIDO_COLD void add_slot_now(text_line& story, const misuse& m) const noexcept {
        const life_note* const now = find(m.slot, m.slot_generation);
        if (now != nullptr && (now->flags & life_note::ended) == 0) {
            story.add("; slot now holds gen %lu from ", static_cast<unsigned long>(m.slot_generation));
            add_place(story, source_place::from_bits(now->acquired));
        } else {
            story.add("; the slot is free now");
        }
    }

    // --- the other pools ---------------------------------------------------------------------------------------------------
    //
    // All diaries in one list, so that a handle can be found in the pool it came from. Only pools that this thread was the last to
    // acquire from are looked into: those of other threads may be changing.

    [[nodiscard]] static std::uintptr_t this_thread() noexcept {
        return reinterpret_cast<std::uintptr_t>(&blamed_place);
    }

    void join() noexcept {
        const spin_lock lock(all_diaries.busy);
        next_ = all_diaries.first;
        if (next_ != nullptr) next_->before_ = this;
        all_diaries.first = this;
    }
    void leave() noexcept {
        const spin_lock lock(all_diaries.busy);
        if (next_ != nullptr) next_->before_ = before_;
        (before_ != nullptr ? before_->next_ : all_diaries.first) = next_;
    }

    [[nodiscard]] bool find_owner(std::uint32_t slot, std::uint32_t generation, life_note& to, char* name,
                                  std::size_t size) const noexcept {
        const spin_lock lock(all_diaries.busy);
        for (const kept_diary* d = all_diaries.first; d != nullptr; d = d->next_) {
            if (d == this || d->owner_.load(std::memory_order_relaxed) != this_thread() || !same_type(d->kind_, kind_))
                continue;
            const life_note* const note = d->find(slot, generation);
            if (note == nullptr || (note->flags & life_note::ended) != 0) continue;
            to = *note;
            std::snprintf(name, size, "%s", d->pool_);
            return true;
        }
        return false;
    }

    life_notes notes_;
    source_place here_;
    bool pinned_ = false;
    unsigned life_shift_ = 1;
    const char* pool_ = "pool";
    const type_identity* kind_ = nullptr;
    std::atomic<std::uintptr_t> owner_{0};
    kept_diary* before_ = nullptr;
    kept_diary* next_ = nullptr;
};

/// What a diary does when there is none: nothing, in no bytes and no instructions.
class no_diary {
public:
    static constexpr bool kept = false;

    struct scope {};

    LIDO_INLINE void open(const char*, const type_identity*, unsigned = 1) noexcept {}
    LIDO_INLINE void take(no_diary&) noexcept {}
    LIDO_INLINE scope enter(const void*) noexcept { return {}; }
    LIDO_INLINE scope enter_for_all(const void*) noexcept { return {}; }
    LIDO_INLINE void begin(std::uint32_t, std::uint32_t) noexcept {}
    LIDO_INLINE void end(std::uint32_t, std::uint32_t) noexcept {}
    LIDO_INLINE void move(std::uint32_t, std::uint32_t) noexcept {}
    template <class GenerationOf>
    LIDO_INLINE void restored(std::uint32_t, GenerationOf&&) noexcept {}
    [[nodiscard]] static constexpr std::size_t bytes() noexcept { return 0; }

    LIDO_COLD void tell(const misuse& m) const noexcept { report_misuse(m); }
    LIDO_COLD void tell_object(const misuse& m, std::uint32_t, std::uint32_t) const noexcept { report_misuse(m); }
    LIDO_INLINE void tell_stale_get(const misuse&, const void*) const noexcept {}
};

template <bool On>
using diary = std::conditional_t<On, kept_diary, no_diary>;

}  // namespace lido::detail
