// The three patterns of 8-bit games, for ./dev bench patterns: an active flag a slot, a free list, packed objects.
//
// Each is measured twice: as lido's shape, and written by hand as the 8-bit games had it (a byte a slot, no handles, nothing is
// checked). All of them are arrays of fixed length inside one object, so that the storage is the same.
//
//   spawn    a random object ends and one is spawned, timed together: a free list does half of its work when an object ends,
//            packed objects most of theirs. The pool is in the state that such churn leads to.
//   update   a pass over all live objects. The pool was full and random ones have ended, so the holes are everywhere.
#pragma once

#include <bench/harness/meter.hpp>
#include <bench/workloads/churn.hpp>
#include <bench/workloads/contender.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace bench {

/// 20 bytes: what the bullet of an 8-bit shooter has, in today's widths.
struct bullet {
    std::int32_t x, y, vx, vy, ttl;

    bullet() = default;
    explicit bullet(std::uint32_t tag) noexcept : x(static_cast<std::int32_t>(tag)), y(1), vx(2), vy(3), ttl(4) {}
    void update() noexcept {
        x += vx;
        y += vy;
        --ttl;
    }
};

/// Spawning looks for the first slot whose flag is clear.
template <std::size_t N>
struct flags_by_hand {
    using element = bullet;
    using ref = std::uint32_t;
    static constexpr bool owns = true;

    std::array<bullet, N> values;
    std::array<std::uint8_t, N> active{};

    explicit flags_by_hand(std::size_t) {}
    ref spawn(std::uint32_t tag) {
        for (std::uint32_t i = 0; i < N; ++i) {
            if (active[i] != 0) continue;
            active[i] = 1;
            values[i] = bullet(tag);
            return i;
        }
        return N;  // full: agrees() would tell
    }
    void end(ref r) { active[r] = 0; }
    template <class F>
    void for_each(F&& f) {
        for (std::size_t i = 0; i < N; ++i) {
            if (active[i] != 0) f(values[i]);
        }
    }
};

/// Spawning takes an index from a stack; a pass goes by the flags.
template <std::size_t N>
struct free_list_by_hand {
    using element = bullet;
    using ref = std::uint32_t;
    static constexpr bool owns = true;

    std::array<bullet, N> values;
    std::array<std::uint8_t, N> active{};
    std::array<std::uint32_t, N> free;
    std::uint32_t free_count = N;

    explicit free_list_by_hand(std::size_t) {
        for (std::uint32_t i = 0; i < N; ++i) free[i] = N - 1 - i;
    }
    ref spawn(std::uint32_t tag) {
        if (free_count == 0) return N;
        const std::uint32_t i = free[--free_count];
        active[i] = 1;
        values[i] = bullet(tag);
        return i;
    }
    void end(ref r) {
        active[r] = 0;
        free[free_count++] = r;
    }
    template <class F>
    void for_each(F&& f) {
        for (std::size_t i = 0; i < N; ++i) {
            if (active[i] != 0) f(values[i]);
        }
    }
};

/// The last one moves into the hole. Nobody can keep a reference.
template <std::size_t N>
struct packed_by_hand {
    using element = bullet;
    using ref = std::uint32_t;
    static constexpr bool owns = true;

    std::array<bullet, N> values;
    std::uint32_t count = 0;

    explicit packed_by_hand(std::size_t) {}
    ref spawn(std::uint32_t tag) {
        if (count == N) return N;
        values[count] = bullet(tag);
        return count++;
    }
    void end_at(std::size_t position) { values[position] = values[--count]; }
    template <class F>
    void for_each(F&& f) {
        for (std::uint32_t i = 0; i < count; ++i) f(values[i]);
    }
};

/// One operation is an end and a spawn, with `live` objects before the one and after the other.
template <class C>
void spawn_at(meter& m, std::size_t slots, std::size_t live) {
    random_engine random(5);
    const auto all = std::make_unique<population<C>>(slots);
    all->fill(slots);
    all->thin(live, random);
    all->churn(8 * slots, random);
    m.expect(all->agrees(), "not as many objects live as were spawned");
    replace_random(m, *all, random);
}

/// One operation is one live object.
///
/// There are several pools, with other holes each, 16384 slots where that takes no more than 64 of them. A pass over eight objects
/// right after the same pass would wait for what that one has just written. And the holes of a game change from pass to pass, while
/// a processor learns those of a single pool by heart: with one pool of 4096 slots the same loop by hand cost 7 or 15 ns an object,
/// as its branches happened to lie.
template <class C>
void update_at(meter& m, std::size_t slots, std::size_t live) {
    constexpr std::size_t wanted_slots = 16384, most_pools = 64;
    random_engine random(6);
    std::vector<std::unique_ptr<population<C>>> pools(std::clamp<std::size_t>(wanted_slots / slots, 1, most_pools));
    for (auto& one : pools) {
        one = std::make_unique<population<C>>(slots);
        one->fill(slots);
        one->churn(slots, random);
        one->thin(live, random);
        m.expect(one->agrees(), "a pass does not visit every object once");
    }
    m.run(live * pools.size(), [&] {
        for (auto& one : pools) one->for_each([](bullet& b) { b.update(); });
    });
    std::int32_t sum = 0;
    for (auto& one : pools) one->for_each([&](const bullet& b) { sum ^= b.x; });
    benchmark::DoNotOptimize(sum);
}

}  // namespace bench
