// A game with a store, on a disk that fails, from one seed in virtual time: a program runs, is ended in any moment by a kill or a loss of power,
// and is started again, some times over. The real stage, store and SQLite; ledger.hpp says what has to hold.
//
//   game    every 50 ms: creations, edits of one and several entities, ends, rewinds; a tick; the store's tick
//   writer  a step when the store has one, after some milliseconds; now and then a stall of seconds
//   fate    lets calls of the disk fail, and chooses the call that is the last
//   reader  another program, which reads the database and compares
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/sim/ledger.hpp"

namespace store_sim {

struct setting {
    std::uint64_t seed = 1;
    std::uint32_t programs = 4;     ///< one after the other, on one disk
    std::uint32_t seconds = 12;     ///< of virtual time, at most, for each
    bool lies_about_syncs = false;  ///< a disk that no store can be true on: to check the checks
    bool quiet = false;             ///< nothing fails and nobody is killed
};

struct outcome {
    std::string wrong;               ///< empty: all rules held
    std::vector<std::string> trace;  ///< the last things that happened
    ledger::figures book;
    std::uint64_t acts = 0, kills = 0, power_cuts = 0, failed_calls = 0, sectors_lost = 0, retries = 0, rewinds = 0,
                  flushes = 0, whole_ends = 0, trades = 0, loads_refused = 0, bulk_loads = 0, starts_refused = 0;
    void add(const outcome& o);
};

[[nodiscard]] outcome simulate(const setting& how);

/// What to say of a seed that failed.
[[nodiscard]] std::string how_to_repeat(const setting& how, const outcome& what);

}  // namespace store_sim
