// A million lifetimes of 5000 ticks: no tick may pay for the others.
#include "bench.hpp"

#include <lido/world/world.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace world_bench {

namespace {

struct bare {
    float x, y, z;
    std::uint32_t hp;
};

[[nodiscard]] std::uint32_t lives() { return tiny ? 100 : 1'000'000; }

/// Ticks of which as many lives ran out are compared with each other: the longest, over the median of its kind. `started` is how many
/// lives begin in tick t. The best of some runs, for a machine that does other things, too.
template <class Started>
void measure(const char* name, double bar, Started started) {
    double best = 1e30, best_worst = 0, best_median = 0;
    for (int run = 0; run < (tiny ? 1 : 3); ++run) {
        const std::uint32_t lifetime = tiny ? 50 : 5000;
        lido::world world;
        world.add<bare>("bare",
                        {.prewarm = lives(), .max_lifetime = lido::ticks{lifetime}, .leaks = lido::leaks::allow});
        world.start();
        std::map<std::uint32_t, std::vector<double>> by_count;
        for (std::uint32_t t = 0; t < 2 * lifetime + 10; ++t) {
            for (std::uint32_t i = started(t, lifetime); i != 0; --i) static_cast<void>(world.spawn<bare>());
            const std::uint32_t before = world.active<bare>();
            const double took = own_nanoseconds([&] { world.tick(); });
            by_count[before - world.active<bare>()].push_back(took);
        }
        double ratio = 0, worst = 0, middle = 0;
        for (auto& [count, all] : by_count) {
            if (count == 0 || all.size() < (tiny ? 1u : 100u)) continue;  // no kind of its own
            // The slowest of two hundred is the machine's: interrupts, other programs.
            std::ranges::sort(all);
            const double longest = all[all.size() - 1 - all.size() / 200];
            const double median_of_all = all[all.size() / 2];
            if (longest / median_of_all > ratio) {
                ratio = longest / median_of_all;
                worst = longest;
                middle = median_of_all;
            }
        }
        if (ratio < best) {
            best = ratio;
            best_worst = worst;
            best_median = middle;
        }
    }
    std::printf("  %-34s %8.1f %8.1f %8.2f", name, best_median / 1000, best_worst / 1000, best);
    judge(best, bar);
}

/// All of them begin in one tick, and so end in one: there is no other tick to compare it with. What counts is that no tick before it
/// pays for the wheel.
template <class Started>
void total(const char* name, Started started) {
    const std::uint32_t lifetime = tiny ? 50 : 5000;
    lido::world world;
    world.add<bare>("bare", {.prewarm = lives(), .max_lifetime = lido::ticks{lifetime}, .leaks = lido::leaks::allow});
    world.start();
    std::uint32_t spawned = 0;
    double last = 0, longest_before = 0;
    for (std::uint32_t t = 0; t < lifetime; ++t) {
        for (std::uint32_t i = started(t, lifetime); i != 0; --i, ++spawned) static_cast<void>(world.spawn<bare>());
        last = own_nanoseconds([&] { world.tick(); });
        if (t + 1 != lifetime) longest_before = std::max(longest_before, last);
    }
    std::printf("  %-34s %8s %8.1f   before the tick in which all end: %.1f ns each\n", name, "", longest_before / 1000,
                last / spawned);
}

}  // namespace

void expiries() {
    std::printf("\n1 M lifetimes of 5000 ticks, microseconds a tick\n");
    std::printf("  %-34s %8s %8s %8s   bar\n", "", "median", "longest", "ratio");
    measure("200 begin in each tick", 3.0, [](std::uint32_t, std::uint32_t lifetime) { return lives() / lifetime; });
    measure("2000 begin in each tenth tick", 3.0,
            [](std::uint32_t t, std::uint32_t lifetime) { return t % 10 == 0 ? 10 * lives() / lifetime : 0; });
    total("all begin together", [](std::uint32_t t, std::uint32_t) { return t == 0 ? lives() : 0u; });
}

}  // namespace world_bench
