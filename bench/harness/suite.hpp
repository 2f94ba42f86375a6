// The list of everything that can be measured, and the results of a run.
//
// An entry is one contender in one workload with one element; a case is an entry at one N. Contenders add entries before main()
// (workloads/all.hpp); the options choose the cases; Google Benchmark runs them in random order.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

class meter;
struct run_options;

/// lido: ours. peer: what a user would take instead. limit: what the machine allows, without handles or checks.
enum class kind { lido, peer, limit };

[[nodiscard]] const char* to_string(kind k);

struct entry {
    std::string workload;
    std::string name;  ///< of the contender
    kind is = kind::peer;
    std::string element;    ///< "plain" or "string"
    std::size_t size = 0;   ///< of the element, bytes
    std::size_t least = 0;  ///< the smallest and the largest N at which this entry makes sense
    std::size_t most = 0;
    std::function<void(meter&, std::size_t n)> body;
};

struct row {
    std::string workload;
    std::string name;
    kind is = kind::peer;
    std::string element;
    std::size_t size = 0;
    std::size_t n = 0;
    double ns = 0;  ///< median over the repetitions; for the workload `memory`, bytes
    double spread =
        0;  ///< distance of the quartiles (three or fewer repetitions: of the extremes), relative to the median
    std::vector<double> samples;
};

using rows = std::vector<row>;

/// Every entry there is, in the order of registration.
[[nodiscard]] std::vector<entry>& entries();

/// Contenders that could not be loaded, with the reason.
[[nodiscard]] std::vector<std::string>& missing();

/// The workloads in the order in which they are printed.
[[nodiscard]] const std::vector<std::string>& workload_order();

/// What one operation of a workload is, for headings.
[[nodiscard]] std::string operation_of(std::string_view workload);

/// Runs what the options choose; prints progress to stderr. Rows are in print order.
[[nodiscard]] rows run(const run_options& options);

/// The row, or nullptr.
[[nodiscard]] const row* find(const rows& all, std::string_view workload, std::size_t size, std::size_t n,
                              std::string_view name);

/// The median and, in `spread`, the relative distance of the quartiles.
[[nodiscard]] double median_of(std::vector<double> values, double* spread = nullptr);

/// The least; NaN of none.
[[nodiscard]] double least_of(const std::vector<double>& values);

/// "1 k", "100 k", "1 M".
[[nodiscard]] std::string short_count(std::size_t n);

}  // namespace bench
