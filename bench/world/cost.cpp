// What a world costs: `./dev bench world`, or some parts of it by name. Here beside the pool that it is made of; the other files beside what
// programs use without it.
#include "bench.hpp"

#include <lido/core/recycle_pool.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/world/world.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

using lido::ticks;
using world_bench::compare;
using world_bench::nanoseconds;
using world_bench::own_nanoseconds;
using world_bench::tiny;

/// What is spawned: a place, a payload, and a hook that takes them over, in the pool and in the world alike.
struct blast {
    float radius = 1;
    std::uint32_t team = 0;
};
struct spark {
    using payload_type = blast;
    lido::transform transform;
    float radius = 0;
    std::uint32_t team = 0;
    void on_acquire(const blast& b) {
        radius = b.radius;
        team = b.team;
    }
    void on_acquire(const lido::transform& where, const blast& b) {
        transform = where;
        on_acquire(b);
    }
};

/// Nothing is done with it.
struct bare {
    float x, y, z;
    std::uint32_t hp;
};

/// The same, and told of both ends.
struct hooked : bare {
    void on_acquire() { hp = 9; }
    void on_release() noexcept { hp = 0; }
};

/// And once more by set_in_use, which a pool does not know.
struct switched : hooked {
    void set_in_use(bool on) { x = on ? 1.0f : 0.0f; }
};

// The loops stand apart, so that none is compiled together with its set-up.

template <class Pool, class Handles, class Take>
LIDO_BENCH_APART void fill(Pool& pool, Handles& handles, Take take) {
    for (auto& h : handles) h = take(pool);
}
template <class Pool, class Handles>
LIDO_BENCH_APART void drain(Pool& pool, Handles& handles) {
    for (const auto& h : handles) pool.release(h);
}
template <class Handles>
LIDO_BENCH_APART void give_back(lido::world& world, Handles& refs) {
    for (const auto& r : refs) world.return_to_pool(r);
}

template <class T, class TakeOfPool, class SpawnInWorld>
void spawn_and_return(const char* name, double bar, const lido::class_settings& settings, std::uint32_t live,
                      TakeOfPool take, SpawnInWorld spawn) {
    const int turns = tiny ? 1 : static_cast<int>(400'000 / live) + 1;
    lido::recycle_pool<T> pool(live, {.leaks = lido::leaks::allow});
    pool.prewarm(live);
    std::vector<lido::handle<T>> handles(live);
    lido::world world;
    lido::class_settings s = settings;
    s.prewarm = live;
    s.leaks = lido::leaks::allow;
    world.add<T>("it", s);
    world.start();
    std::vector<decltype(spawn(world))> refs(live);
    compare(
        name, bar, static_cast<double>(live) * turns,
        [&] {
            for (int i = 0; i < turns; ++i) {
                fill(pool, handles, take);
                drain(pool, handles);
            }
        },
        [&] {
            for (int i = 0; i < turns; ++i) {
                fill(world, refs, spawn);
                give_back(world, refs);
            }
        });
}

void spawns() {
    std::printf("spawn and return, ns a pair        %8s %8s %8s   bar\n", "pool", "world", "ratio");
    const auto take = [](auto& pool) { return pool.acquire().handle(); };
    const auto take_spark = [](auto& pool) {
        return pool.acquire(lido::transform{.x = 1, .y = 2}, blast{.radius = 3, .team = 1}).handle();
    };
    const auto spark_here = [](lido::world& w) {
        return w.spawn<spark>({.x = 1, .y = 2}, blast{.radius = 3, .team = 1}).reference();
    };
    for (const std::uint32_t live : {1'000u, 100'000u}) {
        const std::string n = live == 1000 ? ", 1 k" : ", 100 k";
        spawn_and_return<spark>(("place and payload" + n).c_str(), 2.5, {}, live, take_spark, spark_here);
        spawn_and_return<bare>(("nothing to do" + n).c_str(), 2.5, {}, live, take,
                               [](lido::world& w) { return w.spawn<bare>().reference(); });
        spawn_and_return<hooked>(("two hooks" + n).c_str(), 2.5, {}, live, take,
                                 [](lido::world& w) { return w.spawn<hooked>().reference(); });
        spawn_and_return<switched>(("and set_in_use, in the world" + n).c_str(), 0, {}, live, take,
                                   [](lido::world& w) { return w.spawn<switched>().reference(); });
        spawn_and_return<spark>(("with a lifetime" + n).c_str(), 0, {.max_lifetime = ticks{600}}, live, take_spark,
                                spark_here);
        spawn_and_return<spark>(("by name, payload erased" + n).c_str(), 0, {}, live, take_spark, [](lido::world& w) {
            return w.spawn("it", {.x = 1, .y = 2}, blast{.radius = 3, .team = 1}).which;
        });
    }
}

/// 64 classes of one type: what a class costs at run time does not depend on its type, and compilers take seconds for each.
void add_all(lido::world& world, const lido::class_settings& s) {
    for (int i = 0; i < 64; ++i) world.add<bare>("class " + std::to_string(i), s);
}

/// The mean of many ticks in which nothing is due, and the longest of all but the slowest hundredth, which is that of other programs.
void ticks_of(const char* name, lido::world& world) {
    const int count = tiny ? 3 : 4000;
    const double all = own_nanoseconds([&] {
        for (int i = 0; i < count; ++i) world.tick();
    });
    std::vector<double> each;
    for (int i = 0; i < count; ++i) each.push_back(nanoseconds([&] { world.tick(); }));
    std::ranges::sort(each);
    std::printf("  %-34s %8.0f %8.0f\n", name, all / count, each[each.size() - 1 - each.size() / 100]);
}

void scale() {
    std::printf("\nticks with nothing due, ns         %8s %8s\n", "mean", "longest");
    for (const std::uint32_t live : {0u, 64'000u, 1'000'000u}) {
        const std::uint32_t count = tiny ? std::min(live, 640u) : live;
        for (const bool timed : {false, true}) {
            if (live == 0 && timed) continue;
            lido::world world;
            add_all(world, {.max_lifetime = ticks{timed ? 1'000'000u : 0u}, .leaks = lido::leaks::allow});
            world.start();
            for (std::uint32_t i = 0; i < count; ++i) {
                const auto made = world.spawn("class " + std::to_string(i % 64));
                // Spread, so that the lists of the wheel are as in a game.
                if (timed) world.set_lifetime(made, ticks{100'000 + i % 10'007});
            }
            const std::string name = "64 classes, " + std::to_string(count) + (timed ? " lifetimes" : " active");
            ticks_of(name.c_str(), world);
        }
    }
}

void timers() {
    std::printf("\ntimers, ns each\n");
    const std::uint32_t count = tiny ? 100 : 100'000;
    lido::world world;
    world.add<bare>("it", {.prewarm = count, .max_lifetime = ticks{64}, .leaks = lido::leaks::allow});
    world.start();
    double best = 1e30;
    for (int round = 0; round < (tiny ? 1 : 9); ++round) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto made = world.spawn<bare>();
            world.set_lifetime(made.reference(), ticks{1 + i % 4096});
        }
        best = std::min(best, own_nanoseconds([&] {
                                  for (int i = 0; i < 4096; ++i) world.tick();
                              }) / count);
    }
    std::printf("  %-34s %8.1f\n", "a life that runs out, end included", best);
}

void rewinds() {
    std::printf("\nsave of a world of 64 classes, microseconds\n");
    for (const std::uint32_t live : {0u, 10'000u}) {
        lido::world world;
        add_all(world, {.leaks = lido::leaks::allow});
        world.start();
        for (std::uint32_t i = 0; i < live; ++i) static_cast<void>(world.spawn("class " + std::to_string(i % 64)));
        lido::snapshot s;
        double best = 1e30;
        for (int i = 0; i < (tiny ? 2 : 200); ++i)
            best = std::min(best, nanoseconds([&] { static_cast<void>(world.save(s)); }));
        std::printf("  %-34s %8.1f  (%zu bytes)\n", (std::to_string(live) + " active").c_str(), best / 1000, s.bytes());
    }
}

void pools() {
    spawns();
    scale();
    timers();
    rewinds();
}

struct part {
    const char* name;
    void (*run)();
};
constexpr part parts[] = {{"pools", pools},
                          {"churn", world_bench::churn},
                          {"classes", world_bench::classes},
                          {"expiries", world_bench::expiries},
                          {"hashes", world_bench::hashes}};

[[nodiscard]] bool named(const char* name, int argc, char** argv) {
    bool any = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], name) == 0) return true;
        any = any || argv[i][0] != '-';
    }
    return !any;
}

}  // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) tiny = tiny || std::strcmp(argv[i], "--tiny") == 0;
    for (const part& p : parts) {
        if (named(p.name, argc, argv)) p.run();
    }
}
