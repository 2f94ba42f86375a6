// What every shape does when it is asked for more than it has: growth, headroom, the choice of a victim, refusals.
//
// A member of each pool, not a base: it knows settings and numbers, never slots or elements.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/slot_count.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/drop_report.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/place.hpp>
#include <lido/core/parts/age_order.hpp>
#include <lido/core/parts/half_way.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace lido::detail {

template <class T, class Handle, options Options, class Ref = T&, class ConstRef = const T&,
          class Settings = pool_settings<T, Handle, Ref, ConstRef>>
class exhaustion {
    static_assert(Options.kinds <= max_kinds, "lido: options::kinds is at most max_kinds (8)");

public:
    using settings_type = Settings;

    explicit exhaustion(const settings_type& settings) noexcept : settings_(settings) {}

    [[nodiscard]] const settings_type& settings() const noexcept { return settings_; }
    [[nodiscard]] std::uint32_t first_capacity() const noexcept { return first_capacity_; }
    [[nodiscard]] std::uint32_t max_capacity() const noexcept { return max_capacity_; }
    [[nodiscard]] refusal last() const noexcept { return last_; }
    [[nodiscard]] bool evicting() const noexcept { return now_.is(half_way::calls_back); }

    /// What the pool is in the middle of.
    [[nodiscard]] LIDO_INLINE half_way& now() noexcept { return now_; }
    [[nodiscard]] LIDO_INLINE const half_way& now() const noexcept { return now_; }

    void tell(misuse_kind kind, const char* what) const noexcept {
        report_misuse({.kind = kind, .pool = settings_.name, .what = what});
    }

    // --- at construction ---------------------------------------------------------------------------------------------------

    /// 0, and a report, for what is no number of slots.
    [[nodiscard]] std::uint32_t sensible(slot_count asked) const noexcept {
        if (!asked.sensible()) {
            tell(misuse_kind::bad_setting,
                 "the capacity is a negative number, or more than a pool can have; the pool has capacity 0 and refuses "
                 "every acquire");
        }
        return asked.slots();
    }

    /// The same for a number that nobody has looked at.
    [[nodiscard]] std::uint32_t plan(slot_count asked, std::uint32_t most, bool can_grow) noexcept {
        if (!asked.sensible()) {
            close();
            return sensible(asked);
        }
        return plan(asked.slots(), most, can_grow);
    }

    /// What a pool of `asked` slots may ever have, `most` being what its handles and maps can name.
    [[nodiscard]] std::uint32_t plan(std::uint32_t asked, std::uint32_t most, bool can_grow) noexcept {
        if (asked > most) {
            tell(misuse_kind::bad_setting, "the capacity is more than this pool type can have; it was lowered to that");
            asked = most;
        }
        first_capacity_ = asked;
        max_capacity_ = asked;
        const std::uint32_t cap = settings_.on_full.cap();
        if (cap == on_full::no_growth) return asked;
        if (!can_grow) {
            tell(misuse_kind::bad_setting,
                 "this pool cannot grow: on_full goes to its ending at once; use reserved_storage");
            return asked;
        }
        // Address space is not free (page tables, limits): "unlimited" reserves 64 GiB of it at most.
        constexpr std::uint64_t most_reserved = std::uint64_t{1} << (sizeof(void*) == 8 ? 36 : 28);
        const std::uint64_t by_bytes = cap == on_full::unlimited ? most_reserved / sizeof(T) : cap;
        const auto to = static_cast<std::uint32_t>(std::min<std::uint64_t>({cap, by_bytes, most}));
        max_capacity_ = (std::max)(asked, to);
        return max_capacity_;
    }

    /// The memory could not be had: the pool has no slots.
    void fail(const char* what) noexcept {
        tell(misuse_kind::no_memory, what);
        close();
    }

    void close() noexcept { first_capacity_ = max_capacity_ = gate_ = 0; }

    /// Says which settings this pool type cannot honour.
    void begin() noexcept {
        using ending = on_full::ending;
        const ending e = settings_.on_full.at_the_end();
        if (e == ending::replace_oldest && Options.tracks == track::nothing) {
            tell(misuse_kind::bad_setting,
                 "replace_oldest needs options::tracks age or priority; a full pool rejects instead");
        }
        if (e == ending::replace_lowest && Options.tracks != track::priority) {
            tell(misuse_kind::bad_setting,
                 "replace_lowest needs options::tracks priority; a full pool rejects instead");
        }
        if (Options.confirmed_ends &&
            (e == ending::replace_oldest || e == ending::replace_lowest || e == ending::replace_if)) {
            tell(misuse_kind::bad_setting,
                 "with options::confirmed_ends an ended object keeps its slot until the end is out of reach, so nobody "
                 "can be replaced; a full pool rejects instead: raise the capacity, and release objects ahead of need");
        }
        if (e == ending::replace_if && !settings_.victim) {
            tell(misuse_kind::bad_setting, "replace_if needs settings.victim; a full pool rejects instead");
        }
        if (e == ending::merge && !settings_.merge) {
            tell(misuse_kind::bad_setting, "on_full::merge needs settings.merge; a full pool rejects instead");
        }
        if constexpr (requires { settings_.keep_ages; }) {
            const bool by_age = e == ending::replace_oldest || e == ending::replace_lowest;
            if (Options.ages_by_setting && Options.tracks != track::nothing && !settings_.keep_ages && by_age) {
                tell(misuse_kind::bad_setting,
                     "replace_oldest and replace_lowest need settings.keep_ages; a full pool rejects instead");
            }
            if (!Options.ages_by_setting && Options.tracks != track::nothing && !settings_.keep_ages) {
                tell(misuse_kind::bad_setting,
                     "keep_ages = false needs options::ages_by_setting; this pool keeps the ages of its objects");
            }
        }
        begin_kinds();
        begin_headroom();
    }

    // --- while the pool runs -------------------------------------------------------------------------------------------------

    /// Settings that are read whenever they count.
    [[nodiscard]] settings_type& changing() noexcept { return settings_; }

    /// Pre: neither number is less than it was, and the memory reaches the second.
    void raise(std::uint32_t first, std::uint32_t most, on_full rule) noexcept {
        first_capacity_ = first;
        max_capacity_ = most;
        settings_.on_full = rule;
        begin_headroom();
    }
    void keep_headroom(headroom kept) noexcept {
        settings_.headroom = kept;
        begin_headroom();
    }

    // --- at an acquire -----------------------------------------------------------------------------------------------------

    /// Whether a request must go without, although slots may be free: refusal::none when it need not.
    [[nodiscard]] LIDO_INLINE refusal kept_from([[maybe_unused]] request wish,
                                                [[maybe_unused]] std::uint32_t size) const noexcept {
        if constexpr (Options.kinds != 0) {
            // A kind that the pool does not know has the cap of the last it knows, and never more.
            const std::uint32_t cap = settings_.kind_caps[std::min<unsigned>(wish.kind, Options.kinds - 1)];
            if (cap != 0 && size >= cap) return refusal::kind_cap;
        }
        if constexpr (Options.headroom) {
            if (size >= gate_ && wish.priority < settings_.headroom.priority) return refusal::headroom;
        }
        return refusal::none;
    }

    /// Growth was asked for and there is some left.
    [[nodiscard]] bool grows_from(std::uint32_t capacity) const noexcept {
        return settings_.on_full.cap() != on_full::no_growth && capacity < max_capacity_;
    }

    /// The capacity to go to from `capacity` so that at least `need` slots are there: doubled, within the maximum.
    [[nodiscard]] std::uint32_t grown(std::uint32_t capacity, std::uint64_t need) const noexcept {
        constexpr std::uint64_t least = 64;  // slots: one word of the maps
        std::uint64_t to = std::max<std::uint64_t>(least, std::uint64_t{capacity} * 2);
        while (to < need) to *= 2;
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(to, max_capacity_));
    }

    /// The slot to take from, or no_slot. `first_match` returns the first slot whose object `settings.victim` accepts.
    template <class Ages, class FirstMatch>
    [[nodiscard]] std::uint32_t victim([[maybe_unused]] const Ages& ages, [[maybe_unused]] age_arrays arrays,
                                       [[maybe_unused]] request wish, FirstMatch&& first_match) const {
        return victim_by(settings_.on_full, ages, arrays, wish, first_match);
    }
    /// The same by another rule than that of the settings.
    template <class Ages, class FirstMatch>
    [[nodiscard]] std::uint32_t victim_by(on_full rule, [[maybe_unused]] const Ages& ages,
                                          [[maybe_unused]] age_arrays arrays, [[maybe_unused]] request wish,
                                          FirstMatch&& first_match) const {
        using ending = on_full::ending;
        switch (rule.at_the_end()) {
            case ending::reject:
            case ending::merge: break;
            case ending::replace_oldest:
                if constexpr (Options.tracks != track::nothing) return ages.oldest(arrays);
                break;
            case ending::replace_lowest:
                if constexpr (Options.tracks == track::priority) return ages.lowest(wish.priority);
                break;
            case ending::replace_if:
                if (settings_.victim) return first_match(settings_.victim);
                break;
        }
        return no_slot;
    }

    /// True when a full pool folds newcomers into what lives.
    [[nodiscard]] bool merges() const noexcept {
        return settings_.on_full.at_the_end() == on_full::ending::merge && static_cast<bool>(settings_.merge);
    }

    /// Asks the user's rule; pools call it for each object in iteration order until it says true.
    [[nodiscard]] bool folds(Ref existing, const T& newcomer) {
        const half_way::scope guard(now_, half_way::calls_back);
        return settings_.merge(existing, newcomer);
    }

    /// The newcomer lives on in the object `into`. Counted apart from refusals, because nothing was lost.
    void merged(Handle into, pool_counters& counters) noexcept {
        last_ = refusal::merged;
        merged_into_ = into;
        ++counters.merged;
    }
    [[nodiscard]] Handle merged_into() const noexcept { return merged_into_; }

    /// Tells the user of an object about to be ended. An acquire from inside is refused meanwhile.
    void announce(Handle handle, Ref object) {
        if (!settings_.on_evict) return;
        const half_way::scope guard(now_, half_way::calls_back);
        settings_.on_evict(handle, object);
    }

    // --- where a handle is a row ------------------------------------------------------------------------------------------
    //
    // A capped_list names elements by rows, which move. While a callback runs, merged_into_ is the row that it was given, and the
    // list keeps it up to date: no_slot once that element has ended.

    /// announce(); returns where the object is then.
    [[nodiscard]] Handle announce_row(Handle row, Ref object) {
        const Handle before = std::exchange(merged_into_, row);
        announce(row, object);
        return std::exchange(merged_into_, before);
    }

    struct folded_row {
        bool folded;
        Handle row;
    };
    /// folds(); returns where the existing object is then.
    [[nodiscard]] folded_row folds_row(Handle row, Ref existing, const T& newcomer) {
        const Handle before = std::exchange(merged_into_, row);
        const bool folded = folds(existing, newcomer);
        return {folded, std::exchange(merged_into_, before)};
    }

    [[nodiscard]] Handle followed() const noexcept { return merged_into_; }
    void follow(Handle row) noexcept { merged_into_ = row; }
    /// The object on `row` has ended, and the one on `last` is there now.
    void follow(Handle row, Handle last) noexcept {
        if (merged_into_ == row) {
            merged_into_ = no_slot;
        } else if (merged_into_ == last) {
            merged_into_ = row;
        }
    }

    /// `words` say why where asking from inside was the mistake.
    LIDO_COLD void refused(refusal why, pool_counters& counters,
                           const char* words =
                               "an eviction or merge callback acquired from the pool that called it; "
                               "refused") noexcept {
        last_ = why;
        if constexpr (checks) {
            note_refusal(last_refusal, settings_.name, to_string(why),
                         current_call != nullptr ? current_call->at : source_place{});
        }
        ++counters.refused;
        if (settings_.report_drops != 0 && is_drop(why)) tell_drop(settings_.name, settings_.report_drops, why);
        if (why == refusal::headroom) ++counters.refused_headroom;
        if (why == refusal::kind_cap) ++counters.refused_kind_cap;
        if (why == refusal::no_memory) ++counters.refused_no_memory;
        if (why == refusal::reentrant) {
            tell(misuse_kind::reentrant_call, words);
        }
    }

    // --- at a release ------------------------------------------------------------------------------------------------------

    template <class Diary>
    LIDO_COLD bool bad_release(const Diary& diary, std::uint32_t slot, std::uint32_t life, std::uint32_t slot_life,
                               pool_counters& counters) const noexcept {
        ++counters.bad_releases;
        diary.tell(detail::bad_release(settings_.name, slot, life, slot_life));
        return false;
    }

    /// `slot` is where the object lies, if in this pool at all; `life` was the last one there.
    template <class Diary>
    LIDO_COLD bool bad_release_of_object(const Diary& diary, pool_counters& counters, std::uint32_t slot = no_slot,
                                         std::uint32_t life = 0) const noexcept {
        ++counters.bad_releases;
        diary.tell_object({.kind = misuse_kind::foreign_object,
                           .pool = settings_.name,
                           .what = "the released object is not a live element of this pool"},
                          slot, life);
        return false;
    }

private:
    void begin_kinds() const noexcept {
        const auto& caps = settings_.kind_caps;
        if (std::all_of(caps.begin() + Options.kinds, caps.end(), [](std::uint32_t cap) { return cap == 0; })) return;
        tell(misuse_kind::bad_setting,
             Options.kinds == 0
                 ? "kind_caps need options::kinds; no kind has a cap"
                 : "kind_caps has caps for more kinds than options::kinds; those are not kept, and the kinds "
                   "have the cap of the last that the pool knows");
    }

    void begin_headroom() noexcept {
        headroom& kept = settings_.headroom;
        if (!Options.headroom && kept.priority != 0) {
            tell(misuse_kind::bad_setting, "headroom needs options::headroom; none is kept");
        }
        if (kept.priority != 0 && settings_.on_full.cap() == on_full::unlimited) {
            tell(misuse_kind::bad_setting,
                 "headroom is a share of the most slots, which on_full::grow() does not bound; use grow_to");
        }
        if (Options.headroom && kept.above_percent > 100) {
            tell(misuse_kind::bad_setting, "headroom.above_percent is more than 100; it counts as 100");
            kept.above_percent = 100;
        }
        kept.priority = (std::min)(kept.priority, max_priority);
        const std::uint64_t slots = max_capacity_;
        // Rounded up: the gate closes at `size >= slots * 0.8`, not a slot before.
        gate_ = static_cast<std::uint32_t>((slots * std::min<unsigned>(kept.above_percent, 100) + 99) / 100);
    }

    std::uint32_t gate_ = 0;
    std::uint32_t first_capacity_ = 0;
    std::uint32_t max_capacity_ = 0;
    refusal last_ = refusal::none;
    half_way now_;
    Handle merged_into_{};
    settings_type settings_;
};

}  // namespace lido::detail
