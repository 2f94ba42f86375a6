// Plots as SVG: one a workload (bars by contender), and one of cost over N.
#pragma once

#include <bench/harness/suite.hpp>

#include <string>

namespace bench {

/// <workload>.svg for each workload, a panel an N with 64-byte elements (another where there are none), and scaling.svg. False
/// when a file cannot be written.
[[nodiscard]] bool write_plots(const std::string& folder, const rows& all);

}  // namespace bench
