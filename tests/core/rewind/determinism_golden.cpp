// X1, X19: the same script gives the same state hash and the same image on every compiler and build type, today and in every later
// version that does not say otherwise in CHANGELOG.md. A *_golden file is built by GCC and Clang, debug and optimised.
//
// A change of a hash alone means that other handles come out of the same calls (or that the hash is computed in another way): a
// recorded game no longer replays. A change of an image means that old saves are not read. Neither is to be "fixed" here.
#include <lido/core/dense_pool.hpp>
#include <lido/core/flag_pool.hpp>
#include <lido/core/rewind/rewind.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lido::golden {

/// Not in an anonymous namespace: its name is part of the image.
struct bullet {
    float x;
    float y;
    std::int16_t dx;
    std::int16_t dy;
    std::uint32_t owner;
};
static_assert(sizeof(bullet) == 16, "no padding, so that the image has no byte that nobody wrote");

struct weather {
    std::uint64_t random;
    double wind;
};

namespace {

/// As plain as can be, and with a generator of its own: nothing here may depend on the standard library.
class script {
public:
    std::uint32_t next() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>(state_ >> 33);
    }

    template <class Pool>
    void play(Pool& pool, int steps) {
        std::vector<typename Pool::handle_type> known;
        for (int i = 0; i < steps; ++i) {
            const std::uint32_t roll = next() % 16;
            if (roll < 8) {
                const request wish{static_cast<std::uint8_t>(next() % 5)};  // a line each: arguments have no order
                const bullet b{static_cast<float>(i) * 0.25f, -1.5f, static_cast<std::int16_t>(i), -3, next()};
                const auto made = pool.acquire_as(wish, b);
                if (made) known.push_back(made.handle());
            } else if (roll < 14) {
                if (!known.empty()) static_cast<void>(pool.release(known[next() % known.size()]));
            } else if (roll == 14) {
                pool.for_each([](bullet& b) { b.y += 0.5f; });
            } else {
                const std::uint32_t part = next() % 8;
                pool.release_if([part](const bullet& b) { return b.owner % 8 == part; });
            }
        }
    }

private:
    std::uint64_t state_ = 42;
};

struct expected {
    std::uint64_t hash;
    std::size_t bytes;
    std::uint64_t checksum;
};

template <class Pool>
void expect(Pool& pool, const expected& golden) {
    const misuse_handler before = set_misuse_handler([](const misuse&) {});
    script s;
    s.play(pool, 3000);
    set_misuse_handler(before);
    std::vector<std::byte> image;
    pool.save(image);
    EXPECT_EQ(pool.state_hash(), golden.hash) << "0x" << std::hex << pool.state_hash();
    EXPECT_EQ(image.size(), golden.bytes);
    const std::uint64_t checksum = bytes_checksum(image);
    EXPECT_EQ(checksum, golden.checksum) << "0x" << std::hex << checksum;
    ASSERT_GT(pool.size(), 5u) << "the script left nothing to compare";
}

TEST(golden_state, of_a_slot_pool) {
    slot_pool<bullet> pool(200);
    expect(pool, {0xdc64f4358bf0d4eaU, 2022, 0xe3b98cfb43dd8443U});
}
TEST(golden_state, of_a_slot_pool_with_lowest_reuse) {
    slot_pool<bullet, options{.handle_bits = 32, .order = reuse::lowest}> pool(200);
    expect(pool, {0x88b7fab5a6b20f98U, 1646, 0xdfac367dfb8b8f00U});
}
TEST(golden_state, of_a_slot_pool_that_replaces_rests_and_retires) {
    slot_pool<bullet, options{.handle_bits = 32, .index_bits = 26, .tracks = track::age, .reuse_delay = 12}> pool(
        90, {.on_full = on_full::replace_oldest});
    expect(pool, {0x6902b9c89cf25c2bU, 1958, 0x77382814b8148f1bU});
}
TEST(golden_state, of_a_slot_pool_that_grows_and_replaces_the_lowest) {
    slot_pool<bullet, options{.tracks = track::priority}> pool(
        10, {.on_full = on_full::grow_to(100).then(on_full::replace_lowest)});
    expect(pool, {0xb10a2416910b9ac4U, 2912, 0x404063a6dd556d6fU});
}
TEST(golden_state, of_a_flag_pool) {
    flag_pool<bullet, 150> pool;
    expect(pool, {0x68071848cf330417U, 2006, 0x4ce1adc8749d2d98U});
}
TEST(golden_state, of_a_flag_pool_without_generations) {
    flag_pool<bullet, 150, options{.generations = generation_rule::none}> pool;
    expect(pool, {0xdc38dfd0257c15fU, 758, 0xd7ced2a867b1c9a5U});
}
TEST(golden_state, of_a_dense_pool) {
    dense_pool<bullet> pool(200);
    expect(pool, {0x75ed8bb135a2b06bU, 2426, 0x171acead6c7a4517U});
}
TEST(golden_state, of_a_dense_pool_with_plain_rows_that_grows) {
    options constexpr wide{.tracks = track::age, .max_rows = 1u << 22};
    dense_pool<bullet, wide> pool(10, {.on_full = on_full::grow_to(150).then(on_full::replace_oldest)});
    expect(pool, {0xee68819fc7cd0c0aU, 2746, 0x263fcdbda6b929fdU});
}
TEST(golden_state, of_a_dense_pool_that_rests_and_retires) {
    dense_pool<bullet, options{.handle_bits = 32, .index_bits = 26, .reuse_delay = 12}> pool(90);
    expect(pool, {0x8580206b501f7607U, 2170, 0xe904915081f029b3U});
}

TEST(golden_state, of_a_set_of_pools_and_a_plain_struct) {
    slot_pool<bullet> first(50);
    dense_pool<bullet> second(50);
    weather sky{0x1234567890abcdefU, -0.125};
    const misuse_handler before = set_misuse_handler([](const misuse&) {});
    script s;
    s.play(first, 500);
    s.play(second, 500);
    set_misuse_handler(before);
    std::vector<std::byte> image;
    save(image, first, second, sky);
    EXPECT_EQ(state_hash(first, second, sky), 0x505d0f7d4e85652bU)
        << "0x" << std::hex << state_hash(first, second, sky);
    EXPECT_EQ(image.size(), 2277U);
    EXPECT_EQ(bytes_checksum(image), 0x7b8ea20690773bf4U) << "0x" << std::hex << bytes_checksum(image);
}

}  // namespace
}  // namespace lido::golden
