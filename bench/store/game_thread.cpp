// What the game's thread pays in store.tick(): each round changes every entity, and the database is done with the round before. Nothing is
// coalesced, so each change is drained, copied, handed over and settled.
#include <support/allocation_counter.hpp>

#include <algorithm>
#include <memory>

#include "store_bench.hpp"

namespace store_bench {

namespace {

using stepped = chests<lido::store::store>;

lido::store::store_options by_steps(const std::chrono::nanoseconds& now) {
    lido::store::store_options o;
    o.wait = std::chrono::milliseconds{0};
    o.by = lido::store::runner::step;
    o.clock = [&now] { return now; };
    o.wall_clock = [] { return lido::store::wall_time{1}; };
    o.flush_at_end = std::chrono::milliseconds{0};
    o.say = [](std::string_view) {};
    return o;
}

std::unique_ptr<stepped> made(std::size_t count, const bool& stalled, const std::chrono::nanoseconds& now) {
    auto s =
        std::make_unique<stepped>(count, std::size_t{1} << 23, std::make_unique<no_database>(stalled), by_steps(now));
    must(static_cast<bool>(s->store.wait(s->store.load_all<chest>())), "the store does not load");
    s->fill(count, [&] {
        s->stage.tick();
        must(static_cast<bool>(s->store.flush()), "the store does not flush");
    });
    return s;
}

void changed_each_tick(std::size_t count) {
    bool stalled = false;
    std::chrono::nanoseconds now{1};
    const auto s = made(count, stalled, now);
    std::vector<double> ticks;
    std::size_t asked = 0;
    const int rounds = tiny ? 3 : static_cast<int>((full ? 3'000'000 : 1'000'000) / count);
    for (int i = -10; i < rounds; ++i) {
        s->change();
        now += std::chrono::milliseconds{50};
        const lido::test::allocation_watch watch;
        const double ns = own_nanoseconds([&] { s->store.tick(); }) / static_cast<double>(count);
        const std::size_t allocations = watch.allocations();
        // What the first rounds find out is how much room they need.
        if (i >= 0) {
            ticks.push_back(ns);
            asked += allocations;
        }
        while (s->store.step()) {
        }
    }
    const std::uint64_t saves = s->store.stats().saves;
    must(saves >= static_cast<std::uint64_t>(rounds) * count, "not every change was a save");
    double sum = 0;
    for (const double t : ticks) sum += t;
    const double mean = sum / static_cast<double>(ticks.size());
    std::printf("  ns a changed entity, %6zu a tick: mean, median, worst tick %7.0f %6.0f %6.0f", count, mean,
                median(ticks), *std::ranges::max_element(ticks));
    world_bench::judge(mean, 200);
    std::printf("  allocations in these %5d ticks %41zu   0 %s\n", rounds, asked, asked == 0 ? "met" : "MISSED");
}

}  // namespace

void game_thread() {
    std::puts("the game's thread, in time of its own; every entity changed and handed over each tick");
    changed_each_tick(1000);
    changed_each_tick(tiny ? 1000 : 10'000);
}

void memory() {
    std::puts("a database that stands still");
    const std::size_t count = 1000;
    const int ticks = tiny ? 100 : 10'000;
    bool stalled = false;
    std::chrono::nanoseconds now{1};
    const auto s = made(count, stalled, now);
    const std::size_t idle = s->store.stats().bytes_held;
    stalled = true;
    std::size_t most = 0;
    std::size_t early = 0;
    for (int i = 0; i < ticks; ++i) {
        s->change();
        now += std::chrono::milliseconds{50};
        s->store.tick();
        while (s->store.step()) {
        }
        most = std::max(most, s->store.stats().pending);
        if (i == 10) early = s->store.stats().bytes_held;
    }
    const std::size_t late = s->store.stats().bytes_held;
    std::printf("  entities, most of them pending in %5d ticks %22zu %10zu   %s\n", ticks, count, most,
                most <= count ? "met" : "MISSED");
    std::printf("  bytes held a pending entity: after 10 ticks, at the end %11.0f %10.0f   %s\n",
                static_cast<double>(early) / static_cast<double>(count),
                static_cast<double>(late) / static_cast<double>(count), late <= early ? "met" : "MISSED");
    std::printf("  of which before anything was pending %41.0f\n",
                static_cast<double>(idle) / static_cast<double>(count));
}

}  // namespace store_bench
