// What the arena shows: progress while it runs, a table of its pools at the end.
#pragma once

#include "simulation.hpp"

#include <cstdint>
#include <cstdio>

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

void print_pools(const simulation& game);

}  // namespace arena
