// Many classes: a call by name, what a class that was added and removed leaves behind, and a tick with nothing due.
#include "bench.hpp"

#include <lido/world/world.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace world_bench {

namespace {

struct bare {
    float x, y, z;
    std::uint32_t hp;
};

constexpr lido::class_settings small{.capacity = 4, .on_full = lido::on_full::reject, .leaks = lido::leaks::allow};

[[nodiscard]] std::string name_of(int i) { return "game::units::class " + std::to_string(i); }

/// Spawn and return by name, spread over all classes; the peer looks the names up in a hash map of the standard library, and spawns
/// by what it finds there, a class number, in a world of its own.
void by_name(int classes) {
    lido::world world;
    std::unordered_map<std::string, int> numbers;
    std::vector<std::string> names;
    for (int i = 0; i < classes; ++i) {
        names.push_back(name_of(i));
        numbers.emplace(names.back(), i);
        world.add<bare>(names.back(), small);
    }
    world.start();
    const int calls = tiny ? 10 : 20'000;
    std::uint32_t at = 0;
    const auto next = [&]() -> const std::string& {
        at = (at + 7919) % static_cast<std::uint32_t>(classes);
        return names[at];
    };
    std::uint64_t sum = 0;
    compare(("look up a name of " + std::to_string(classes)).c_str(), 0, calls,
            [&] {
                for (int i = 0; i < calls; ++i) sum += static_cast<std::uint64_t>(numbers.find(next())->second);
            },
            [&] {
                for (int i = 0; i < calls; ++i) sum += world.has(std::string_view(next())) ? 1u : 0u;
            },
            21);
    double best = 1e30;
    for (int round = 0; round < (tiny ? 1 : 21); ++round) {
        best = std::min(best, own_nanoseconds([&] {
                                  for (int i = 0; i < calls; ++i) world.return_to_pool(world.spawn(next()).which);
                              }) / calls);
    }
    std::printf("  %-34s %8s %8.2f\n", ("spawn by name and return, of " + std::to_string(classes)).c_str(), "", best);
    if (sum == 42) std::printf("\n");
}

/// A tick of a world with a few classes, fresh and after many were added and removed.
void residue() {
    lido::world fresh, old;
    for (lido::world* const w : {&fresh, &old}) {
        for (int i = 0; i < 8; ++i) w->add<bare>(name_of(i), small);
        w->start();
    }
    for (int i = 0; i < (tiny ? 10 : 100'000); ++i) {
        old.add<bare>("level", small);
        old.remove("level");
    }
    const int ticks = tiny ? 3 : 2000;
    compare(
        "tick after 100 k adds and removes", 1.1, ticks,
        [&] {
            for (int i = 0; i < ticks; ++i) fresh.tick();
        },
        [&] {
            for (int i = 0; i < ticks; ++i) old.tick();
        });
}

}  // namespace

void classes() {
    std::printf("\nclasses, ns a call                  %8s %8s %8s   bar\n", "peer", "world", "ratio");
    by_name(64);
    by_name(tiny ? 64 : 5000);
    residue();
}

}  // namespace world_bench
