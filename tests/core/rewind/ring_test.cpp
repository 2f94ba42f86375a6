// X1: rewind<N> keeps the last N ticks, drops the future when a tick is saved again, and can go forth as well as back.
#include "core/rewind/rewind_support.hpp"

#include <optional>

namespace lido::test {
namespace rewind_ring_test {

using pool_type = slot_pool<cell>;

TEST(rewind_ring, keeps_the_last_n_ticks) {
    pool_type pool(16);
    rewind<4> ring;
    EXPECT_EQ(ring.oldest(), std::nullopt);
    EXPECT_EQ(ring.newest(), std::nullopt);
    for (std::uint64_t tick = 10; tick < 20; ++tick) {
        ASSERT_TRUE(pool.acquire(static_cast<int>(tick)));
        ASSERT_TRUE(ring.save(tick, pool));
        EXPECT_EQ(ring.newest(), tick);
        EXPECT_EQ(ring.oldest(), tick < 13 ? 10 : tick - 3);
    }
    for (std::uint64_t tick = 0; tick < 30; ++tick) EXPECT_EQ(ring.has(tick), tick >= 16 && tick < 20) << tick;
}

TEST(rewind_ring, refuses_a_tick_it_does_not_keep_and_changes_nothing) {
    pool_type pool(16);
    rewind<4> ring;
    for (std::uint64_t tick = 0; tick < 6; ++tick) {
        ASSERT_TRUE(pool.acquire(1));
        ASSERT_TRUE(ring.save(tick, pool));
    }
    const std::uint64_t hash = pool.state_hash();
    for (const std::uint64_t tick :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{6}, std::uint64_t{8}, ~std::uint64_t{0}}) {
        const restore_result r = ring.restore(tick, pool);
        EXPECT_EQ(r.error, restore_error::not_kept) << tick;
        EXPECT_STREQ(r.what(), "that tick is not kept");
    }
    EXPECT_EQ(pool.state_hash(), hash);
}

TEST(rewind_ring, goes_back_and_forth_until_the_next_save) {
    pool_type pool(16);
    rewind<8> ring;
    std::vector<std::uint64_t> hashes;
    for (std::uint64_t tick = 0; tick < 8; ++tick) {
        ASSERT_TRUE(pool.acquire(static_cast<int>(tick)));
        ASSERT_TRUE(ring.save(tick, pool));
        hashes.push_back(pool.state_hash());
    }
    for (const std::uint64_t tick : {2u, 7u, 0u, 5u, 1u, 6u}) {
        ASSERT_TRUE(ring.restore(tick, pool));
        EXPECT_EQ(pool.state_hash(), hashes[tick]);
        EXPECT_EQ(pool.size(), tick + 1);
    }
}

TEST(rewind_ring, a_save_drops_the_future_it_replaces) {
    pool_type pool(16);
    rewind<8> ring;
    for (std::uint64_t tick = 0; tick < 8; ++tick) {
        ASSERT_TRUE(pool.acquire(1));
        ASSERT_TRUE(ring.save(tick, pool));
    }
    ASSERT_TRUE(ring.restore(3, pool));
    ASSERT_TRUE(ring.save(4, pool));
    for (std::uint64_t tick = 0; tick < 8; ++tick) EXPECT_EQ(ring.has(tick), tick <= 4) << tick;
    EXPECT_EQ(ring.newest(), 4u);
    ASSERT_TRUE(ring.restore(4, pool));
    EXPECT_EQ(pool.size(), 4u) << "the new tick 4, not the old one";
}

TEST(rewind_ring, a_leap_of_the_clock_drops_what_is_too_old) {
    pool_type pool(16);
    rewind<4> ring;
    for (std::uint64_t tick = 0; tick < 4; ++tick) ASSERT_TRUE(ring.save(tick, pool));
    ASSERT_TRUE(ring.save(6, pool));
    for (std::uint64_t tick = 0; tick < 9; ++tick) EXPECT_EQ(ring.has(tick), tick == 3 || tick == 6) << tick;
    ASSERT_TRUE(ring.save(1000, pool));
    EXPECT_EQ(ring.oldest(), 1000u);
    EXPECT_EQ(ring.newest(), 1000u);
}

TEST(rewind_ring, of_one_keeps_the_newest_only) {
    pool_type pool(16);
    rewind<1> ring;
    for (std::uint64_t tick = 5; tick < 9; ++tick) {
        ASSERT_TRUE(ring.save(tick, pool));
        EXPECT_TRUE(ring.has(tick));
        EXPECT_FALSE(ring.has(tick - 1));
    }
    EXPECT_EQ(ring.oldest(), ring.newest());
}

TEST(rewind_ring, clear_forgets_every_tick) {
    pool_type pool(16);
    rewind<4> ring;
    for (std::uint64_t tick = 0; tick < 4; ++tick) ASSERT_TRUE(ring.save(tick, pool));
    EXPECT_GT(ring.bytes(), 0u);
    ring.clear();
    EXPECT_EQ(ring.bytes(), 0u);
    for (std::uint64_t tick = 0; tick < 4; ++tick) EXPECT_FALSE(ring.has(tick));
    EXPECT_EQ(ring.restore(3, pool).error, restore_error::not_kept);
    ASSERT_TRUE(ring.save(0, pool));
    EXPECT_TRUE(ring.has(0));
}

}  // namespace rewind_ring_test
}  // namespace lido::test
