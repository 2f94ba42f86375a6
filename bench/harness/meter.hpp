// Times one case. A workload sets itself up and hands over what is to be timed; nothing else is.
//
// A repetition is: set-up, one untimed round (memory is then warm: its pages are there and the allocator has aged), then timed
// rounds until the budget is used up. Its figure is the median of the rounds, so that a round in which the system took the
// processor away does not count. Rounds shorter than `least_sample` are timed several at once.
#pragma once

#include <benchmark/benchmark.h>
#include <valgrind/callgrind.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace bench {

class meter {
public:
    enum class mode { time, instructions };

    meter(mode how, double budget, std::string label) : how_(how), budget_(budget), label_(std::move(label)) {}

    /// Repeats `round`, which performs `operations` and leaves things as they were.
    template <class Round>
    void run(std::size_t operations, Round round) {
        if (how_ == mode::instructions) {
            auto nothing = [] {};
            return count(operations, nothing, round);
        }
        call(round);
        const double once = time(round);
        const std::size_t batch = once >= least_sample ? 1 : static_cast<std::size_t>(least_sample / (once + 1e-9)) + 1;
        const double per = 1e9 / (static_cast<double>(operations) * static_cast<double>(batch));
        for (double spent = 0; spent < budget_ || samples_.size() < least_rounds();) {
            const double seconds = time(round, batch);
            spent += seconds;
            samples_.push_back(seconds * per);
        }
    }

    /// The same with something untimed before each round.
    template <class Prepare, class Round>
    void run(std::size_t operations, Prepare prepare, Round round) {
        if (how_ == mode::instructions) return count(operations, prepare, round);
        call(prepare);
        call(round);
        const double per = 1e9 / static_cast<double>(operations);
        double spent = 0;
        const auto begin = clock::now();
        // What is prepared may cost more than what is timed: bounded as well, at eight times the budget.
        while (samples_.size() < least_rounds() || (spent < budget_ && seconds_since(begin) < 8 * budget_)) {
            call(prepare);
            const double seconds = time(round);
            spent += seconds;
            samples_.push_back(seconds * per);
        }
    }

    /// One cold round, for what can only be done once.
    template <class Round>
    void run_once(std::size_t operations, Round round) {
        samples_.push_back(time(round) * 1e9 / static_cast<double>(operations));
    }

    /// A figure that is not a time.
    void report(double figure) { samples_.push_back(figure); }

    [[nodiscard]] const std::vector<double>& samples() const { return samples_; }

    /// Ends the program when a workload is not what it says it is.
    void expect(bool condition, const char* what) const {
        if (condition) return;
        std::fprintf(stderr, "lido_bench: %s: %s\n", label_.c_str(), what);
        std::abort();
    }

private:
    using clock = std::chrono::steady_clock;

    /// Seconds: two thousand times what reading the clock costs.
    static constexpr double least_sample = 50e-6;

    [[nodiscard]] std::size_t least_rounds() const { return budget_ > 0 ? 3 : 1; }

    [[nodiscard]] static double seconds_since(clock::time_point begin) {
        return std::chrono::duration<double>(clock::now() - begin).count();
    }

    /// What is timed is compiled once and called: inlined into each place that runs it, it took four times as long to compile.
    template <class F>
    [[gnu::noinline]] static void call(F& f) {
        f();
        benchmark::ClobberMemory();
    }

    template <class Round>
    [[nodiscard]] static double time(Round& round, std::size_t times = 1) {
        const auto begin = clock::now();
        for (std::size_t i = 0; i < times; ++i) call(round);
        return seconds_since(begin);
    }

    template <class Prepare, class Round>
    void count(std::size_t operations, Prepare& prepare, Round& round) {
        call(prepare);
        call(round);
        call(prepare);
        CALLGRIND_ZERO_STATS;
        CALLGRIND_TOGGLE_COLLECT;
        call(round);
        CALLGRIND_TOGGLE_COLLECT;
        const std::string label = label_ + "/" + std::to_string(operations);
        CALLGRIND_DUMP_STATS_AT(label.c_str());
        samples_.push_back(1);
    }

    mode how_;
    double budget_;
    std::string label_;
    std::vector<double> samples_;
};

}  // namespace bench
