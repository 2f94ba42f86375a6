// X1, X2: the same script gives the same handles, state hash and image of pools with confirmed_ends on every compiler and build type. See
// rewind/determinism_golden.cpp for what a difference means.
#include <lido/core/recycle_pool.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lido::golden {

/// Not in an anonymous namespace: its name is part of the image.
struct flare {
    std::uint32_t id = 0;
    std::uint32_t heat = 0;
};

namespace {

/// Handles, hashes and the image, in one number. `late`: how many ticks after their own ends are confirmed.
template <class Pool>
std::uint64_t play(Pool& pool, std::uint64_t late) {
    std::uint64_t random = 11;
    const auto next = [&random] {
        random = random * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>(random >> 33);
    };
    hasher seen;
    std::vector<typename Pool::handle_type> known;
    for (std::uint64_t tick = 10; tick < 110; ++tick) {
        pool.begin_tick(tick);
        for (std::uint32_t i = 0; i < 30; ++i) {
            const std::uint32_t roll = next() % 16;
            if (roll < 8) {
                const auto made = pool.acquire(next(), i);
                seen.add(made.handle().to_bits());
                if (made) known.push_back(made.handle());
            } else if (roll < 15) {
                if (known.empty()) continue;
                const std::size_t at = next() % known.size();
                pool.release(known[at]);
                known[at] = known.back();
                known.pop_back();
            } else {
                static_cast<void>(pool.trim());
            }
        }
        pool.confirm(tick - late);
        seen.add(pool.state_hash());
    }
    std::vector<std::byte> image;
    pool.save(image);
    seen.add(bytes_checksum(image));
    return seen.digest();
}

constexpr options confirmed{.confirmed_ends = true};
constexpr options small{
    .handle_bits = 32, .index_bits = 26, .tracks = track::age, .reuse_delay = 3, .confirmed_ends = true};

TEST(confirmed_golden, handles_state_and_image_are_those_of_all_time_whenever_ends_are_confirmed) {
    for (const std::uint64_t late : {0u, 3u, 8u}) {
        slot_pool<flare, confirmed> plain{300, {.leaks = leaks::allow}};
        EXPECT_EQ(play(plain, late), 9330739904476578947u) << late;
        slot_pool<flare, small, heap_storage> aged{100, {.leaks = leaks::allow, .rollback = 3}};
        EXPECT_EQ(play(aged, late), 2897806286786769312u) << late;
        recycle_pool<flare, confirmed> recycled{
            60, {.on_full = on_full::grow_to(200), .leaks = leaks::allow, .idle_cap = 50}};
        EXPECT_EQ(play(recycled, late), 4589793357979546788u) << late;
    }
}

}  // namespace
}  // namespace lido::golden
