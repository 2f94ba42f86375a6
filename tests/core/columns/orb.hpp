// The XP orb of eleven fields, and what the tests of column pools share.
#pragma once

#include "core/pool/pool_cases.hpp"

#include <lido/core/column_pool.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace lido::test {

inline constexpr std::uint32_t max_orbs = 1024;

struct orb {
    float x, y, vx, vy;
    std::int32_t amount;
    float radius;
    float spawn_age;
    float pull;
    float magnet_time;
    float life;
    std::uint8_t flags;

    friend bool operator==(const orb&, const orb&) = default;
};
static_assert(field_count<orb>() == 11);

/// Every field tells the seed in another way, so that a field of another orb stands out.
[[nodiscard]] inline orb orb_of(int seed) {
    const auto f = static_cast<float>(seed);
    return {f,
            f + 0.25f,
            -f,
            f * 2.0f,
            seed * 3,
            f + 5.0f,
            f - 6.0f,
            f * 0.5f,
            f + 8.25f,
            f - 9.5f,
            static_cast<std::uint8_t>(seed * 7 + 1)};
}

/// Fields of every kind: plain, padded, an array, a nested struct, one that owns memory, an array of those.
struct place {
    double at;
    std::uint8_t level;

    friend bool operator==(const place&, const place&) = default;
};
struct mixed {
    std::uint8_t kind;
    std::string name;
    float path[3];
    place where;
    std::string aliases[2];
    bool seen;

    friend bool operator==(const mixed&, const mixed&) = default;
};
static_assert(field_count<mixed>() == 6);

[[nodiscard]] inline mixed mixed_of(int seed) {
    const auto f = static_cast<float>(seed);
    const std::string text = "a name longer than any small string, number " + std::to_string(seed);
    return {static_cast<std::uint8_t>(seed),
            text,
            {f, f + 1, f + 2},
            {f * 0.5, static_cast<std::uint8_t>(seed + 3)},
            {text + " a", text + " b"},
            seed % 2 == 0};
}

/// Acquires the structs of seeds 0 .. count-1.
template <class Pool>
std::vector<typename Pool::handle_type> fill_with_mixed(Pool& pool, int count) {
    std::vector<typename Pool::handle_type> handles;
    for (int i = 0; i < count; ++i) handles.push_back(pool.acquire(mixed_of(i)));
    return handles;
}

}  // namespace lido::test
