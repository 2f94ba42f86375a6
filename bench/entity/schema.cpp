// What the check of a commit costs, beside the same checks written by hand: is every changed value good, and which changed?
// `./dev bench schema`. All take turns in one program; a row is the best of its rounds, and the median of the ratios.
#include <lido/entity/schema/schema_of.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#define LIDO_BENCH_APART __attribute__((noinline))

namespace {

bool tiny = false;

/// A mover that is nothing else.
struct pose {
    float x = 0, y = 0, yaw = 0;
};
constexpr auto describe(lido::type<pose>) {
    return lido::schema{1, lido::field<&pose::x>{.min = -1000, .max = 1000, .step = 0.1},
                        lido::field<&pose::y>{.min = -1000, .max = 1000, .step = 0.1},
                        lido::field<&pose::yaw>{.min = 0, .max = 360, .step = 0.5}};
}

/// A mover of a game, of which the same three fields change.
struct mover {
    float x = 0, y = 0, yaw = 0;
    std::uint16_t hp = 100;
    bool open = false;
    std::uint32_t wear = 0;
    lido::text<16> name;
    lido::link<mover> follows;
};
constexpr auto describe(lido::type<mover>) {
    return lido::schema{1, lido::field<&mover::x>{.min = -1000, .max = 1000, .step = 0.1},
                        lido::field<&mover::y>{.min = -1000, .max = 1000, .step = 0.1},
                        lido::field<&mover::yaw>{.min = 0, .max = 360, .step = 0.5},
                        lido::field<&mover::hp>{.max = 1000}};
}

constexpr unsigned refused = 99;

template <class T>
LIDO_BENCH_APART unsigned by_lido(const T& before, const T& after) {
    lido::field_set changed;
    if (lido::check_changes(before, after, changed).fault != lido::field_fault::none) return refused;
    unsigned sum = 0;
    changed.for_each([&](std::size_t i) { sum |= 1u << i; });
    return sum;
}

template <class T>
LIDO_BENCH_APART unsigned without_type(const lido::class_schema& schema, const T& before, const T& after) {
    if (schema.first_invalid(&after)) return refused;
    unsigned sum = 0;
    schema.changed(&before, &after).for_each([&](std::size_t i) { sum |= 1u << i; });
    return sum;
}

[[nodiscard]] std::uint32_t bits(float number) {
    std::uint32_t word = 0;
    std::memcpy(&word, &number, sizeof(word));
    return word;
}
[[nodiscard]] bool good(float number, float low, float high) {
    return (bits(number) & 0x7f800000u) != 0x7f800000u && number >= low && number <= high;
}

template <class T>
LIDO_BENCH_APART unsigned by_hand(const T& before, const T& after) {
    if (!good(after.x, -1000, 1000) || !good(after.y, -1000, 1000) || !good(after.yaw, 0, 360)) return refused;
    unsigned changed = bits(before.x) != bits(after.x) ? 1u : 0u;
    if (bits(before.y) != bits(after.y)) changed |= 2;
    if (bits(before.yaw) != bits(after.yaw)) changed |= 4;
    if constexpr (sizeof(T) > sizeof(pose)) {
        if (after.hp > 1000 || !after.name.well_formed()) return refused;
        if (before.hp != after.hp) changed |= 8;
        if (before.open != after.open) changed |= 16;
        if (before.wear != after.wear) changed |= 32;
        if (!(before.name == after.name)) changed |= 64;
        if (before.follows != after.follows) changed |= 128;
    }
    return changed;
}

/// Nanoseconds a commit.
template <class F>
double measured(std::size_t count, std::uint64_t& sum, F&& f) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < count; ++i) sum += f(i);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    return took.count() / static_cast<double>(count);
}

template <class T>
bool compare(const char* what) {
    constexpr std::size_t count = 1000;
    std::vector<T> before(count), after(count);
    for (std::size_t i = 0; i < count; ++i) {
        after[i].x = static_cast<float>(i) * 0.5f + 1;
        after[i].y = static_cast<float>(i) + 1 - 500.5f;
        after[i].yaw = static_cast<float>(i % 359 + 1);
    }
    const lido::class_schema& schema = lido::schema_of<T>();
    double best[3] = {1e9, 1e9, 1e9};
    std::uint64_t sums[3] = {};
    std::vector<double> ratios, ratios_without;
    for (int round = 0; round < (tiny ? 2 : 400); ++round) {
        double took[3];
        took[0] = measured(count, sums[0], [&](std::size_t i) { return by_hand(before[i], after[i]); });
        took[1] = measured(count, sums[1], [&](std::size_t i) { return by_lido(before[i], after[i]); });
        took[2] = measured(count, sums[2], [&](std::size_t i) { return without_type(schema, before[i], after[i]); });
        for (int w = 0; w < 3; ++w) best[w] = std::min(best[w], took[w]);
        ratios.push_back(took[1] / took[0]);
        ratios_without.push_back(took[2] / took[0]);
    }
    std::sort(ratios.begin(), ratios.end());
    std::sort(ratios_without.begin(), ratios_without.end());
    std::printf("%-32s by hand %5.2f ns   check_changes %5.2f ns (%.2f)   class_schema %5.2f ns (%.2f)\n", what,
                best[0], best[1], ratios[ratios.size() / 2], best[2], ratios_without[ratios_without.size() / 2]);
    if (sums[0] == sums[1] && sums[1] == sums[2]) return true;
    std::printf("they disagree\n");
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    tiny = argc > 1 && std::strcmp(argv[1], "--tiny") == 0;
    const bool poses = compare<pose>("3 floats, all changed");
    const bool movers = compare<mover>("8 fields, 3 changed");
    return poses && movers ? 0 : 1;
}
