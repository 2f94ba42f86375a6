// A place between two commits of one journal: what a save of a stage keeps of it, and where a reader goes on after a snapshot.
#pragma once

#include <lido/core/meta/hash.hpp>
#include <lido/entity/journal/numbers.hpp>
#include <lido/world/ticks.hpp>

#include <cstdint>
#include <type_traits>

namespace lido {

/// What of a journal is state: equal in two stages that did the same. Its size, readers, cuts, what is confirmed and what was dropped are not.
struct journal_state {
    ticks tick = {};            ///< the one that is open
    commit_number commit = {};  ///< the last one
    entry_number next = {};     ///< of the entry to come

    void hash(hasher& h) const {
        h.add(tick.count);
        h.add(commit.value);
        h.add(next.value);
    }
    friend constexpr bool operator==(const journal_state&, const journal_state&) noexcept = default;
};

/// Trivially copyable. Good for one journal, until a cut goes back behind it or what follows it is dropped.
struct journal_position {
    journal_state state = {};
    std::uint64_t at = 0;       ///< bytes
    std::uint64_t cuts = 0;     ///< how many there had been
    std::uint64_t journal = 0;  ///< which one; 0 for none

    [[nodiscard]] constexpr entry_number next() const noexcept { return state.next; }
};
static_assert(std::is_trivially_copyable_v<journal_position>);

}  // namespace lido
