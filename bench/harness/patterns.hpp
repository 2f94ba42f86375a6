// ./dev bench patterns: what a spawn and a pass cost in the three patterns of 8-bit games, over pool sizes and occupancies.
#pragma once

#include <bench/harness/crossovers.hpp>
#include <bench/harness/options.hpp>
#include <bench/harness/suite.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace bench {

class meter;

/// One contender at one size. The sizes are part of the types: arrays inside an object.
struct pattern_entry {
    pattern_name name;
    std::size_t slots = 0;
    void (*spawn)(meter& m, std::size_t slots, std::size_t live) = nullptr;
    void (*update)(meter& m, std::size_t slots, std::size_t live) = nullptr;
};

/// Every size of every contender (contenders/patterns.cpp).
[[nodiscard]] const std::vector<pattern_entry>& pattern_entries();

/// Measures, prints the table and the crossovers, writes the files. Answers the exit status.
[[nodiscard]] int run_patterns(const run_options& options);

/// patterns.svg: a spawn over the size, a pass over the occupancy. False when it cannot be written.
[[nodiscard]] bool draw_patterns(const std::string& folder, const pattern_table& table);

}  // namespace bench
