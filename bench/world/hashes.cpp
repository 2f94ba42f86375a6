// What a hash of a million objects costs beside their save.
#include "bench.hpp"

#include <lido/core/rewind/save.hpp>
#include <lido/core/slot_pool.hpp>
#include <lido/world/world.hpp>

#include <cstdint>

namespace world_bench {

namespace {

struct body {
    float x = 1, y = 2, vx = 3, vy = 4;
    std::uint32_t hp = 5, kind = 6, target = 7, fuel = 8;
};
struct large {
    std::uint64_t words[32] = {};
};

template <class T>
void of(const char* name, std::uint32_t count) {
    if (tiny) count = 100;
    lido::world world;
    world.add<T>("it", {.prewarm = count, .leaks = lido::leaks::allow});
    world.start();
    for (std::uint32_t i = 0; i < count; ++i) static_cast<void>(world.spawn<T>());
    lido::snapshot s;
    static_cast<void>(world.save(s));
    std::uint64_t sum = 0;
    compare(
        name, 2.0, count, [&] { static_cast<void>(world.save(s)); }, [&] { sum += world.state_hash(); }, 15);
    if (sum == 42) std::printf("\n");
}

template <class T>
void of_pool(const char* name, std::uint32_t count) {
    if (tiny) count = 100;
    lido::slot_pool<T> pool(count, {.leaks = lido::leaks::allow});
    for (std::uint32_t i = 0; i < count; ++i) static_cast<void>(pool.acquire());
    lido::snapshot s;
    static_cast<void>(lido::save(s, pool));
    std::uint64_t sum = 0;
    compare(
        name, 2.0, count, [&] { static_cast<void>(lido::save(s, pool)); }, [&] { sum += lido::state_hash(pool); }, 15);
    if (sum == 42) std::printf("\n");
}

}  // namespace

void hashes() {
    std::printf("\nhash beside save, ns an object      %8s %8s %8s   bar\n", "save", "hash", "ratio");
    of<body>("a world, 1 M of 8 numbers", 1'000'000);
    of<large>("a world, 100 k of 32 numbers", 100'000);
    of_pool<body>("a slot_pool, 1 M of 8 numbers", 1'000'000);
}

}  // namespace world_bench
