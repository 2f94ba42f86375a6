// X1, X19 for column pools: the same script gives the same state hash and the same image on every compiler and build type; see
// rewind/determinism_golden.cpp for what a change here means.
#include <lido/core/column_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lido::golden {

/// Not in an anonymous namespace: its name is part of the image.
struct spark {
    float x;
    std::int16_t step[2];
    std::uint8_t kind;
    std::uint64_t owner;
};

namespace {

class spark_script {
public:
    template <class Pool>
    void play(Pool& pool, int steps) {
        std::vector<typename Pool::handle_type> known;
        for (int i = 0; i < steps; ++i) {
            const std::uint32_t roll = next() % 16;
            if (roll < 8) {
                const request wish{.priority =
                                       static_cast<std::uint8_t>(next() % 5)};  // a line each: no order otherwise
                const spark s{static_cast<float>(i) * 0.25f,
                              {static_cast<std::int16_t>(i), -3},
                              static_cast<std::uint8_t>(i),
                              next()};
                const auto made = pool.acquire_as(wish, s);
                if (made) known.push_back(made.handle());
            } else if (roll < 13) {
                if (!known.empty()) static_cast<void>(pool.release(known[next() % known.size()]));
            } else if (roll == 13) {
                pool.template for_each<&spark::x, &spark::kind>(
                    [](float& x, std::uint8_t kind) { x += static_cast<float>(kind); });
            } else if (roll == 14) {
                if (pool.size() >= 2) swap(pool.row(0), pool.row(pool.size() - 1));
            } else {
                const std::uint32_t part = 2 + next() % 8;
                pool.template release_if<&spark::owner>([part](std::uint64_t owner) { return owner % part == 0; });
            }
        }
    }

private:
    std::uint32_t next() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>(state_ >> 33);
    }
    std::uint64_t state_ = 11;
};

struct result {
    std::uint64_t hash;
    std::uint64_t image;
    std::uint32_t size;
};

template <class Pool>
result play(typename Pool::settings_type settings) {
    const misuse_handler before = set_misuse_handler([](const misuse&) {});
    Pool pool(60, settings);
    spark_script().play(pool, 3000);
    set_misuse_handler(before);
    std::vector<std::byte> image;
    pool.save(image);
    return {pool.state_hash(), bytes_checksum(std::span<const std::byte>(image)), pool.size()};
}

TEST(column_golden, plain) {
    const result r = play<column_pool<spark>>({});
    EXPECT_EQ(r.size, 60u);
    EXPECT_EQ(r.hash, 0xedab8883a1448d08u);
    EXPECT_EQ(r.image, 0x2f405320d3a7051bu);
}

TEST(column_golden, ranked_resting_short_handles) {
    const result r = play<
        column_pool<spark, options{.handle_bits = 32, .index_bits = 26, .tracks = track::priority, .reuse_delay = 7}>>(
        {.on_full = on_full::grow_to(90).then(on_full::replace_lowest)});
    EXPECT_EQ(r.size, 82u);
    EXPECT_EQ(r.hash, 0x13f98a5d9db7ca6eu);
    EXPECT_EQ(r.image, 0xf68eb32a063bdf9cu);
}

}  // namespace
}  // namespace lido::golden
