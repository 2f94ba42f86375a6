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
/// lives begin in tick t. All runs are the same, so the shortest time of each tick is its own, and the rest that of other programs.
template <class Started>
void measure(const char* name, double bar, Started started) {
    const std::uint32_t lifetime = tiny ? 50 : 5000;
    const std::uint32_t ticks = 2 * lifetime + 10;
    std::vector<double> took(ticks, 1e30);
    std::vector<std::uint32_t> ended(ticks);
    for (int run = 0; run < (tiny ? 1 : 4); ++run) {
        lido::world world;
        world.add<bare>("bare",
                        {.prewarm = lives(), .max_lifetime = lido::ticks{lifetime}, .leaks = lido::leaks::allow});
        world.start();
        for (std::uint32_t t = 0; t < ticks; ++t) {
            for (std::uint32_t i = started(t, lifetime); i != 0; --i) static_cast<void>(world.spawn<bare>());
            const std::uint32_t before = world.active<bare>();
            took[t] = std::min(took[t], own_nanoseconds([&] { world.tick(); }));
            ended[t] = before - world.active<bare>();
        }
    }
    std::map<std::uint32_t, std::vector<double>> by_count;
    for (std::uint32_t t = 0; t < ticks; ++t) by_count[ended[t]].push_back(took[t]);
    double ratio = 0, longest = 0, middle = 0;
    for (const auto& [count, all] : by_count) {
        if (count == 0 || all.size() < (tiny ? 1u : 100u)) continue;  // no kind of its own
        const double most = std::ranges::max(all);
        const double median_of_all = median(all);
        if (most / median_of_all <= ratio) continue;
        ratio = most / median_of_all;
        longest = most;
        middle = median_of_all;
    }
    std::printf("  %-34s %8.1f %8.1f %8.2f", name, middle / 1000, longest / 1000, ratio);
    judge(ratio, bar);
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
