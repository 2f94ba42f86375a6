// The journal of a stage: one ordered, bounded stream of stamped changes, which everybody else reads through cursors.
//
//                      confirmed                        open                     free
//   |······dropped·····|== tick 5 ==|== tick 6 ==|======= tick 7 ========|···················|
//                      ^ net        ^ store      ^                       ^ signals
//                                                confirm(6)              position()
//
// A commit appends all of its entries or none. Entries that are not confirmed are never dropped: where there is no room, the commit is
// refused before anything is changed. Confirmed ones go, oldest first, when room is needed; a reader that had not read them is behind, is
// told, takes a snapshot and goes on. A cut takes back what is not confirmed.
//
// Memory is taken once, when the journal is made. Nothing here throws but the functions of readers.
#pragma once

#include <lido/entity/journal/cursor.hpp>
#include <lido/entity/journal/journal_core.hpp>
#include <lido/entity/journal/reservation.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace lido {

struct journal_rewind;

/// Threads: belongs to one thread at a time, with its cursors and reservations.
/// Re-entrancy: from inside of a reader's function everything works but cut(), reset() and the end of the journal.
class journal {
public:
    using rewind_with = journal_rewind;

    explicit journal(const journal_settings& settings = {}) noexcept : core_(settings) {}
    journal(const journal&) = delete;
    journal& operator=(const journal&) = delete;
    ~journal() {
        for (std::size_t i = 0; i < core_.slot_count(); ++i) {
            if (core_.slot(i).cursor != nullptr) core_.slot(i).cursor->forget();
        }
    }

    // --- writing: a stage, and nobody else --------------------------------------------------------------------------

    /// Bytes that reserve() is asked for, per entry.
    [[nodiscard]] static constexpr std::size_t bytes_of(const entry_shape& shape) noexcept {
        return static_cast<std::size_t>(entity_detail::whole_words(entity_detail::record_size(shape)));
    }

    /// Room for one commit: the sum of bytes_of its entries. May drop entries that are confirmed. False where refused, with nothing
    /// changed. While it is open every other one is refused.
    LIDO_INLINE journal_reservation reserve(std::size_t bytes) noexcept {
        journal_refusal why = journal_refusal::none;
        if (bytes > entity_detail::entry_ring::most)
            bytes = entity_detail::entry_ring::most;  // and refused; no sum overflows
        const std::uint64_t whole = entity_detail::whole_words(bytes);
        const std::uint64_t start = core_.reserve(whole, why);
        if (start == entity_detail::entry_ring::no_place) [[unlikely]]
            return journal_reservation(why);
        return {core_, start, whole};
    }

    /// A commit of one entry, copied. Pre: as for journal_reservation::add.
    journal_answer append(const stamp& what, std::span<const std::byte> before, std::span<const std::byte> after,
                          std::string_view id = {}, changed_fields changed = {}) noexcept {
        if (before.size() > entry_shape::max_bytes || after.size() > entry_shape::max_bytes) [[unlikely]]
            return {journal_refusal::too_large};
        LIDO_VERIFY(id.size() <= entry_shape::max_id, "journal: an id has 63 bytes at most");
        const entry_shape shape{changed.fields(), static_cast<std::uint8_t>(id.size()),
                                static_cast<std::uint32_t>(before.size()), static_cast<std::uint32_t>(after.size())};
        journal_reservation r = reserve(bytes_of(shape));
        if (!r) [[unlikely]]
            return {r.why_refused()};
        const entry_room room = r.add(what, shape);
        copy(room.changed.data(), changed.bytes().data(), room.changed.size());
        copy(room.before.data(), before.data(), before.size());
        copy(room.after.data(), after.data(), after.size());
        copy(room.id.data(), id.data(), id.size());
        r.publish();
        return {};
    }

    /// For a stage that knows the sizes of its records (entity_detail::journal_core::quick_commit).
    [[nodiscard]] LIDO_INLINE entity_detail::journal_core& core() noexcept { return core_; }

    // --- time -------------------------------------------------------------------------------------------------------

    /// From here on changes are of this tick: the one before is over, and confirmed in a journal without rollback. A new journal is in
    /// tick 0. Refused where the tick is not a later one.
    journal_answer begin_tick(ticks tick) noexcept { return core_.begin_tick(tick.count); }

    /// The changes of all ticks up to this one are final. Refused while the tick is open; does nothing where it was confirmed before.
    /// Complexity: O(1); O(entries) for ticks beyond settings.rollback.
    journal_answer confirm(ticks tick) noexcept { return core_.confirm(tick.count); }

    /// In a journal without rollback: the changes so far of the tick that is open are final, too. False, and nothing changes, in others, and
    /// while a reservation is open.
    bool confirm_so_far() noexcept { return core_.confirm_so_far(); }

    /// The first tick that is not confirmed.
    [[nodiscard]] ticks first_open_tick() const noexcept { return {core_.confirmed_before()}; }
    [[nodiscard]] ticks tick() const noexcept { return {core_.tick()}; }

    // --- going back -------------------------------------------------------------------------------------------------

    /// Behind all there is: what a save keeps of a journal. Between commits.
    [[nodiscard]] journal_position position() const noexcept { return core_.position(); }
    /// Behind all that is confirmed.
    [[nodiscard]] journal_position confirmed_position() const noexcept { return core_.confirmed_position(); }

    /// Drops what came after, and is in the position's tick again. A reader that had read of it is told by a `cut` entry, before what comes
    /// then. Refused, with nothing changed, where that would take back what is confirmed, for a position that a cut has left behind, and
    /// from inside of a reader's function. Complexity: O(readers).
    journal_answer cut(const journal_position& to) noexcept { return core_.cut(to); }
    /// What cut() would say.
    [[nodiscard]] journal_answer can_cut(const journal_position& to) const noexcept { return core_.can_cut(to); }

    /// The stage is another one now, in this state: all entries go, no position that was taken before holds, and each reader is told once.
    /// Refused from inside of a reader's function.
    journal_answer reset(reset_cause cause, const journal_state& to) noexcept { return core_.reset(cause, to); }

    /// Calls f(entry) for each entry that is not confirmed, the latest first: applying `before` of each to the live state gives the
    /// confirmed one. f may commit, and does not see it.
    template <class F>
    void undo(F&& f) {
        core_.walk_back(core_.confirmed(), f);
    }

    // --- reading ----------------------------------------------------------------------------------------------------

    /// For tools that show what has just happened: calls f(entry) for the last entries that are kept, the latest first, at most so many,
    /// confirmed or not. No reader is opened, and f may not write. Whoever must not miss anything opens a cursor.
    template <class F>
    void look_back(std::uint64_t most, F&& f) const {
        core_.look_back(most, f);
    }

    /// A reader. False where there is no room for another (settings.readers).
    [[nodiscard]] journal_cursor open(const reader_settings& settings = {}) noexcept { return {core_, settings}; }

    // --- figures ----------------------------------------------------------------------------------------------------

    [[nodiscard]] journal_state state() const noexcept { return core_.state(); }
    [[nodiscard]] journal_stats stats() const noexcept { return core_.stats(); }
    /// Calls f(reader_stats) for each reader.
    template <class F>
    void for_each_reader(F&& f) const {
        for (std::size_t i = 0; i < core_.slot_count(); ++i) {
            if (core_.slot(i).used) f(core_.stats_of(core_.slot(i)));
        }
    }

    /// ER1 to ER5, EJ1 to EJ3, EM1, EC1. Complexity: O(bytes and readers).
    [[nodiscard]] verdict validate() const noexcept { return core_.validate(); }

    /// journal_state, and nothing else.
    void hash(hasher& h) const { state().hash(h); }

private:
    static void copy(void* to, const void* from, std::size_t bytes) noexcept {
        if (bytes != 0) std::memcpy(to, from, bytes);
    }

    entity_detail::journal_core core_;
};

}  // namespace lido
