// The command line of lido_bench.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

enum class extent {
    full,   ///< every element at every N
    quick,  ///< 64-byte elements at 100 k, and what the bars need beside: under a minute
    tiny,   ///< every workload and contender once at 1 k, to see that they run: a few seconds
};

struct run_options {
    extent how_much = extent::full;
    std::string filter;   ///< regular expression over "workload/size/n/name"; empty: everything
    std::string json;     ///< file; empty: none
    std::string results;  ///< folder for CSV and SVG; empty: none
    int repetitions = 0;  ///< 0: by extent
    double budget = 0;    ///< seconds of timed rounds a repetition; 0: by extent
    bool best = false;    ///< figures are of the fastest round instead of the median
    bool list = false;
    bool patterns = false;            ///< the three patterns over sizes and occupancies instead of the suite
    bool instructions = false;        ///< count instructions under callgrind instead of time
    bool instructions_child = false;  ///< this process is the one under callgrind
};

/// Exits with a message on a wrong option, and after --help.
[[nodiscard]] run_options read_options(int argc, char** argv);

}  // namespace bench
