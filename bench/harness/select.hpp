// Which cases a run consists of.
#pragma once

#include <bench/harness/options.hpp>
#include <bench/harness/suite.hpp>

#include <string>
#include <vector>

namespace bench {

struct chosen {
    const entry* what;
    std::size_t n;
};

/// In print order: by workload, element, N, then as registered.
[[nodiscard]] std::vector<chosen> select(const run_options& options);

/// "workload/size/n/name", which is also what a filter is matched with.
[[nodiscard]] std::string label_of(const chosen& c);

[[nodiscard]] int repetitions_of(const run_options& options, const chosen& c);

/// The N of the game frames; live objects.
inline constexpr std::size_t frame_n = 10'000;

/// The N of `grow`.
inline constexpr std::size_t grow_n = 10'000'000;

}  // namespace bench
