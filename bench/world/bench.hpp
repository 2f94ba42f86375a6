// What the benchmarks of a world share: a clock, a median, and a line of two contenders that take turns in one program, so that a
// machine that changes its speed changes both.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#define LIDO_BENCH_APART __attribute__((noinline))

namespace world_bench {

/// Each part once and small, so that the suite cannot rot.
inline bool tiny = false;
/// Of the first column.
inline int name_width = 34;

using clock = std::chrono::steady_clock;

template <class F>
[[nodiscard]] LIDO_BENCH_APART double nanoseconds(F&& f) {
    const auto begin = clock::now();
    f();
    return std::chrono::duration<double, std::nano>(clock::now() - begin).count();
}

/// The same in time of this thread alone, which other programs of a busy machine do not lengthen. Reading it costs some 300 ns.
template <class F>
[[nodiscard]] LIDO_BENCH_APART double own_nanoseconds(F&& f) {
#if defined(CLOCK_THREAD_CPUTIME_ID)
    const auto now = [] {
        timespec t{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
    };
    const double begin = now();
    f();
    return now() - begin;
#else
    return nanoseconds(f);
#endif
}

[[nodiscard]] inline double median(std::vector<double> of) {
    std::ranges::sort(of);
    return of[of.size() / 2];
}

inline void judge(double is, double bar) {
    if (bar > 0) std::printf("   %.1f %s", bar, is <= bar ? "met" : "MISSED");
    std::printf("\n");
}

/// Both take turns; `each` is how many operations a call does. The best ns of each, and the median of the rounds' ratios.
template <class Peer, class World>
void compare(const char* name, double bar, double each, Peer&& peer, World&& world, int rounds = 61) {
    if (tiny) rounds = 1;
    std::vector<double> ratios;
    double best_peer = 1e30;
    double best_world = 1e30;
    for (int i = 0; i < rounds; ++i) {
        const double a = own_nanoseconds(peer) / each;
        const double b = own_nanoseconds(world) / each;
        ratios.push_back(b / a);
        best_peer = std::min(best_peer, a);
        best_world = std::min(best_world, b);
    }
    const double ratio = median(ratios);
    std::printf("  %-*s %8.2f %8.2f %8.2f", name_width, name, best_peer, best_world, ratio);
    judge(ratio, bar);
}

// One function a file beside this one.
void churn();
void classes();
void expiries();
void hashes();

}  // namespace world_bench
