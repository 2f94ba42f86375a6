// What the arena shows: progress while it runs, a table of its pools at the end.
#pragma once

#include "simulation.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace arena {

/// One line that follows the run on a terminal, a few lines elsewhere. Goes to stderr, so that stdout holds the result alone.
class progress {
public:
    progress(std::uint64_t total, bool quiet) noexcept;
    void show(const simulation& game);
    void end();

private:
    std::uint64_t total_;
    std::uint64_t next_ = 0;
    std::uint64_t step_;
    bool terminal_;
    bool quiet_;
};

/// A row of the table of pools; `merged` counts what merge passes have folded, too.
struct pool_row {
    std::string name;
    std::string shape;
    std::uint32_t capacity;
    std::uint32_t peak;
    std::uint64_t acquired;
    std::uint64_t dropped;
    std::uint64_t replaced;
    std::uint64_t merged;
    double bytes_a_slot;
};
[[nodiscard]] std::vector<pool_row> pool_rows(const simulation& game);

/// The classes of the world, but for those of the stage.
[[nodiscard]] std::vector<lido::class_stats> class_rows(const simulation& game);

/// A class of entities. Commits, ends and locks are those that are confirmed, as the books have counted them.
struct entity_row {
    std::string name;
    std::uint32_t live;
    std::uint32_t peak;
    std::uint32_t wait;
    std::uint64_t lives;
    std::uint64_t commits;
    std::uint64_t ends;
    std::uint64_t locks;
    std::uint32_t history;
};
[[nodiscard]] std::vector<entity_row> entity_rows(const simulation& game);

/// What the stage did not do, and why not.
struct refusal_row {
    const char* reason;
    std::uint64_t times;
};
[[nodiscard]] std::vector<refusal_row> refusal_rows(const simulation& game);

/// In a sentence each: what came of the dealing, of the bosses, and what the journal holds.
[[nodiscard]] std::vector<std::string> stage_lines(const simulation& game);

/// How a run went, beside its pools.
struct outcome {
    std::uint64_t seed = 0;
    std::uint64_t ticks = 0;
    std::uint64_t hash = 0;
    std::uint64_t rollback_depth = 0;
    std::uint64_t rollbacks = 0;
    std::uint64_t inexact = 0;
    double seconds = 0;
    std::string settings;  // the file
};

void print_pools(const simulation& game);
void print_outcome(const simulation& game, const outcome& run);

}  // namespace arena
