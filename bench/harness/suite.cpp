#include <bench/harness/suite.hpp>

#include <bench/harness/meter.hpp>
#include <bench/harness/options.hpp>
#include <bench/harness/progress.hpp>
#include <bench/harness/select.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

namespace bench {

const char* to_string(kind k) {
    switch (k) {
        case kind::lido: return "lido";
        case kind::peer: return "peer";
        case kind::limit: return "limit";
    }
    return "";
}

std::vector<entry>& entries() {
    static std::vector<entry> all;
    return all;
}

std::vector<std::string>& missing() {
    static std::vector<std::string> all;
    return all;
}

const std::vector<std::string>& workload_order() {
    static const std::vector<std::string> order{
        "lifo",     "fifo",    "random",    "churn",     "respawn",  "iterate100", "iterate50",    "iterate10",
        "iterate1", "get_hit", "get_chain", "get_stale", "frame100", "frame1000",  "bulk_acquire", "clear",
        "save",     "restore", "save_1pct", "columns",   "recycled", "grow",       "memory"};
    return order;
}

std::string operation_of(std::string_view workload) {
    if (workload == "lifo" || workload == "fifo" || workload == "random" || workload == "churn" ||
        workload == "recycled")
        return "ns a spawn and an end";
    if (workload == "respawn" || workload == "grow") return "ns a spawn";
    if (workload.starts_with("iterate") || workload == "columns") return "ns a live object";
    if (workload.starts_with("get_")) return "ns a lookup";
    if (workload.starts_with("frame")) return "ns a frame";
    if (workload == "memory") return "bytes an object";
    return "ns an object";
}

double median_of(std::vector<double> values, double* spread) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::sort(values.begin(), values.end());
    const auto at = [&](double part) {
        const double position = part * static_cast<double>(values.size() - 1);
        const auto low = static_cast<std::size_t>(position);
        const std::size_t high = std::min(low + 1, values.size() - 1);
        return values[low] + (values[high] - values[low]) * (position - static_cast<double>(low));
    };
    const double middle = at(0.5);
    if (spread != nullptr) {
        const bool few = values.size() <= 3;
        *spread = middle > 0 ? (at(few ? 1.0 : 0.75) - at(few ? 0.0 : 0.25)) / middle : 0;
    }
    return middle;
}

double least_of(const std::vector<double>& values) {
    return values.empty() ? std::numeric_limits<double>::quiet_NaN() : *std::min_element(values.begin(), values.end());
}

std::string short_count(std::size_t n) {
    if (n % 1'000'000 == 0 && n != 0) return std::to_string(n / 1'000'000) + " M";
    if (n % 1'000 == 0 && n != 0) return std::to_string(n / 1'000) + " k";
    return std::to_string(n);
}

const row* find(const rows& all, std::string_view workload, std::size_t size, std::size_t n, std::string_view name) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const row& r) {
        return r.workload == workload && r.size == size && r.n == n && r.name == name;
    });
    return at != all.end() ? &*at : nullptr;
}

namespace {

/// Takes the figure of every repetition; prints nothing.
class collector : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context&) override { return true; }

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
            const auto figure = run.counters.find("figure");
            if (figure != run.counters.end()) samples_[run.run_name.function_name].push_back(figure->second);
        }
    }

    [[nodiscard]] const std::vector<double>& of(const std::string& name) { return samples_[name]; }

private:
    std::map<std::string, std::vector<double>> samples_;
};

}  // namespace

rows run(const run_options& options) {
    const std::vector<chosen> cases = select(options);
    std::size_t total = 0;
    for (const chosen& c : cases) total += static_cast<std::size_t>(repetitions_of(options, c));
    progress shown(total);

    rows all;
    for (const chosen& c : cases) {
        row r;
        r.workload = c.what->workload;
        r.name = c.what->name;
        r.is = c.what->is;
        r.element = c.what->element;
        r.size = c.what->size;
        r.n = c.n;
        all.push_back(r);
    }

    // Memory is counted first, while this process is as it began: its children inherit what it has freed.
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (cases[i].what->workload != "memory") continue;
        shown.begin(label_of(cases[i]));
        meter m(meter::mode::time, options.budget, label_of(cases[i]));
        cases[i].what->body(m, cases[i].n);
        all[i].samples = m.samples();
    }

    std::string name = "lido_bench";
    std::string interleave = "--benchmark_enable_random_interleaving=true";
    char* arguments[] = {name.data(), interleave.data(), nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments);
    bool any = false;
    for (const chosen& c : cases) {
        if (c.what->workload == "memory") continue;
        any = true;
        const entry* const what = c.what;
        const std::size_t n = c.n;
        const std::string label = label_of(c);
        // One iteration of Google Benchmark is one set-up with as many timed rounds as the budget allows (meter.hpp).
        benchmark::RegisterBenchmark(label.c_str(),
                                     [what, n, label, &shown, &options](benchmark::State& state) {
                                         shown.begin(label);
                                         meter m(meter::mode::time, options.budget, label);
                                         for ([[maybe_unused]] auto _ : state) {
                                             what->body(m, n);
                                             const double figure =
                                                 options.best ? least_of(m.samples()) : median_of(m.samples());
                                             state.counters["figure"] = figure;
                                             state.SetIterationTime(figure * 1e-9);
                                         }
                                     })
            ->UseManualTime()
            ->Iterations(1)
            ->Repetitions(repetitions_of(options, c));
    }
    collector taken;
    if (any) benchmark::RunSpecifiedBenchmarks(&taken);
    shown.end();

    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (cases[i].what->workload != "memory") all[i].samples = taken.of(label_of(cases[i]));
        all[i].ns = median_of(all[i].samples, &all[i].spread);
        if (options.best) all[i].ns = least_of(all[i].samples);
    }
    return all;
}

}  // namespace bench
