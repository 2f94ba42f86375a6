// What a journal says to a request: done, or why not.
#pragma once

#include <cstdint>

namespace lido {

enum class journal_refusal : std::uint8_t {
    none,
    full,            ///< unconfirmed entries leave no room; nothing has changed
    held_by_reader,  ///< a reader that is reading right now holds the oldest entries; nothing has changed
    too_large,       ///< more than half of the journal in one commit, or more than 16 MiB of an entry's bytes
    no_memory,       ///< the journal could not be made, or holds no bytes
    writing,         ///< a reservation is open: publish or abandon it first
    reading,         ///< a reader is reading: ask when it has returned
    confirmed,       ///< what is confirmed cannot be taken back
    cut_off,         ///< the position is of a branch that was cut off since
    other_journal,   ///< the position is of another journal, or of none
    dropped,         ///< what follows the position was dropped to make room
    not_confirmed,   ///< a reader of confirmed entries cannot go on behind them
    open_tick,       ///< the tick is not over
    past_tick,       ///< ticks only go forward; a cut goes back
    no_reader,       ///< as many readers as the journal has room for
    closed,          ///< the cursor reads no journal
};

[[nodiscard]] constexpr const char* to_string(journal_refusal why) noexcept {
    switch (why) {
        case journal_refusal::none: return "done";
        case journal_refusal::full:
            return "the journal is full of changes that are not confirmed: confirm ticks, or give it more bytes";
        case journal_refusal::held_by_reader:
            return "the journal is full, and the reader that is calling this holds its oldest entry: commit when it "
                   "has "
                   "returned, or give the journal more bytes";
        case journal_refusal::too_large:
            return "one commit takes more than half of the journal, or an entry more than 16 MiB: give it more bytes, "
                   "or commit in parts";
        case journal_refusal::no_memory: return "there was no memory for the journal";
        case journal_refusal::writing: return "a reservation is open: publish or abandon it first";
        case journal_refusal::reading: return "a reader is reading: do this when it has returned";
        case journal_refusal::confirmed:
            return "changes that are confirmed cannot be cut: restore a later tick, or reset the journal";
        case journal_refusal::cut_off:
            return "the position is of a branch that was cut off since: use one that was taken after the cut";
        case journal_refusal::other_journal: return "the position was not taken from this journal";
        case journal_refusal::dropped:
            return "what follows the position was dropped to make room: take a new snapshot and go on from its "
                   "position";
        case journal_refusal::not_confirmed:
            return "a reader of confirmed changes goes on from a confirmed position: use confirmed_position()";
        case journal_refusal::open_tick: return "the tick is not over: begin the next one before confirming it";
        case journal_refusal::past_tick: return "ticks go forward: go back with cut()";
        case journal_refusal::no_reader: return "the journal has no room for another reader: raise settings.readers";
        case journal_refusal::closed: return "the cursor reads no journal: it was not opened, or was closed";
    }
    return "refused";
}

/// True when done.
struct [[nodiscard]] journal_answer {
    journal_refusal refusal = journal_refusal::none;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return refusal == journal_refusal::none; }
    [[nodiscard]] constexpr const char* why() const noexcept { return to_string(refusal); }
};

}  // namespace lido
