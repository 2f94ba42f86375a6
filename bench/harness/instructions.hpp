// Instructions an operation: the same workloads, run once each under callgrind, which counts instead of timing. The counts do not
// depend on what else the machine does.
#pragma once

#include <bench/harness/options.hpp>

namespace bench {

/// In the parent: runs this program under callgrind, reads its counts and prints the table. Answers the exit status.
[[nodiscard]] int count_instructions(const run_options& options, const char* program);

/// In the child: runs the chosen cases once.
[[nodiscard]] int run_under_callgrind(const run_options& options);

}  // namespace bench
