// Who reads a journal, and how far.
#pragma once

#include <lido/entity/journal/answer.hpp>
#include <lido/entity/journal/change.hpp>
#include <lido/entity/journal/numbers.hpp>

#include <cstddef>
#include <cstdint>

namespace lido {

class journal_cursor;

/// Which entries a reader is given.
enum class reads : std::uint8_t {
    confirmed,   ///< what cannot be taken back: for whatever cannot take back what it did of it
    everything,  ///< at once; after a rewind a `cut`
};

/// Where a reader begins.
enum class read_from : std::uint8_t {
    now,     ///< behind what there is: what went before comes from a snapshot, if at all
    oldest,  ///< with the oldest entry that is kept
};

struct reader_settings {
    const char* name = "reader";  ///< for figures and messages; 31 bytes of it are kept
    reads what = reads::confirmed;
    read_from from = read_from::now;
    bool tell_confirmed = false;  ///< `confirmed` entries, too, each behind the last entry that it confirms
};

enum class reader_state : std::uint8_t {
    ready,
    behind,  ///< entries that it had not read were dropped: take a snapshot, then resume()
    reset,   ///< the stage was reset: take a snapshot, then resume()
    busy,    ///< said by a read from inside of a read with the same cursor, which does nothing
    closed,  ///< it reads no journal
};

[[nodiscard]] constexpr const char* to_string(reader_state state) noexcept {
    switch (state) {
        case reader_state::ready: return "ready";
        case reader_state::behind:
            return "behind: entries were dropped before they were read; take a snapshot and resume from its position";
        case reader_state::reset:
            return "reset: the stage is another one now; take a snapshot and resume from its position";
        case reader_state::busy:
            return "busy: a cursor cannot be read from inside of a read with it; read when that has returned";
        case reader_state::closed: return "closed: the cursor reads no journal; open one";
    }
    return "unknown";
}

/// What a read did. True where the reader is in order, whether there was anything to read or not. To let it be is safe: a reader that is behind or
/// was reset is given nothing more, and its state() says so.
struct read_result {
    std::uint64_t entries = 0;  ///< that it was given, and took
    reader_state state = reader_state::ready;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return state == reader_state::ready; }
    [[nodiscard]] constexpr const char* why() const noexcept { return to_string(state); }
};

/// How much of what it may read a reader has not read.
struct reader_lag {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
};

struct reader_stats {
    const char* name = "";
    reads what = reads::confirmed;
    reader_state state = reader_state::ready;
    reader_lag lag = {};
    std::uint64_t read = 0;         ///< entries, notices of the journal included
    std::uint64_t fell_behind = 0;  ///< how often
};

namespace entity_detail {

struct reader_slot {
    std::uint64_t at = 0;         // of the next entry
    std::uint64_t entries = 0;    // its number
    std::uint64_t commit_at = 0;  // where the commit begins that is being read
    std::uint64_t cut_tick = 0;
    std::uint64_t confirmed_before = 0;  // the reader knows that ticks before this one are confirmed
    std::uint64_t read = 0;
    std::uint64_t fell_behind = 0;
    journal_cursor* cursor = nullptr;  // null while nobody has it
    reads what = reads::confirmed;
    reader_state state = reader_state::ready;
    reset_cause cause = reset_cause::loaded;
    bool used = false;
    bool busy = false;  // being read; it is then freed by that read
    bool tell_confirmed = false;
    bool cut = false;    // to be told
    bool reset = false;  // to be told
    char name[32] = {};

    void set_name(const char* text) noexcept {
        std::size_t i = 0;
        for (; text != nullptr && text[i] != '\0' && i + 1 < sizeof name; ++i) name[i] = text[i];
        name[i] = '\0';
    }
};

}  // namespace entity_detail
}  // namespace lido
