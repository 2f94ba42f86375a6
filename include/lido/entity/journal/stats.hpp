// The figures of a journal.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lido {

struct journal_stats {
    const char* name = "journal";
    std::uint64_t capacity = 0;   ///< bytes for entries
    std::uint64_t used = 0;       ///< of these
    std::uint64_t open = 0;       ///< of these: not confirmed
    std::uint64_t entries = 0;    ///< so far: as many as the next one's number says
    std::uint64_t kept = 0;       ///< entries
    std::uint64_t confirmed = 0;  ///< entries so far that are confirmed
    std::uint64_t commits = 0;    ///< so far
    std::uint64_t dropped =
        0;  ///< entries, to make room; as the four below not state: a rewind does not take them back
    std::uint64_t refused = 0;  ///< commits that did not fit
    std::uint64_t cuts = 0;     ///< that dropped something
    std::uint64_t resets = 0;
    std::uint64_t peak_open =
        0;  ///< most bytes that were not confirmed, at the end of a tick or at a refusal: what `bytes` has to hold
    std::size_t readers = 0;
    std::size_t max_readers = 0;
};

}  // namespace lido
