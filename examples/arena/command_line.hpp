// What the arena can be asked to do.
#pragma once

#include "pace.hpp"
#include "serve.hpp"

#include <cstdint>
#include <string>

namespace arena {

struct command_line {
    std::uint64_t seed = 7;
    std::uint64_t ticks = 40'000;
    pace play = overload_play;
    std::string pools;   // the file of settings; empty: the usual one
    std::string report;  // the page to write; empty: none
    std::string store;   // the file of the vaults; empty: they begin anew
    bool quiet = false;  // no progress
    bool serve = false;  // in real time, until it is ended
    serve_options serving;
    bool help = false;
    std::string error;  // one plain sentence; empty when all is well
};

[[nodiscard]] command_line parse(int count, const char* const* arguments);

extern const char* const help_text;

}  // namespace arena
