// Tables, JSON, CSV.
#pragma once

#include <bench/harness/suite.hpp>

#include <string>

namespace bench {

/// One table a workload, element and N: figure, spread, ratio to the best peer and to the limit. Losses are marked.
void print_tables(const rows& all);

/// The description of the machine.
void print_machine();

/// False when the file cannot be written.
[[nodiscard]] bool write_json(const std::string& file, const rows& all, const std::string& unit = "ns");

/// A CSV a workload. False when a file cannot be written.
[[nodiscard]] bool write_csv(const std::string& folder, const rows& all);

}  // namespace bench
