// discard: the end of a life whose object is not kept for another one.
#include "core/misuse/misuse_log.hpp"

#include <lido/core/recycle_pool.hpp>
#include <lido/core/rewind/save.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace recycled_discard_test {

/// Owns memory, and knows how many of it there are.
struct ember {
    static inline int there = 0;
    static inline int released = 0;

    std::vector<int> trail = std::vector<int>(8);
    int lives = 0;

    ember() { ++there; }
    ember(const ember& other) : trail(other.trail), lives(other.lives) { ++there; }
    ember(ember&& other) noexcept : trail(std::move(other.trail)), lives(other.lives) { ++there; }
    ember& operator=(const ember&) = default;
    ember& operator=(ember&&) noexcept = default;
    ~ember() { --there; }
    void on_acquire() { ++lives; }
    void on_release() noexcept { ++released; }
};

TEST(discard, destroys_the_object_after_its_hooks_and_frees_the_slot) {
    ember::released = 0;
    lido::recycle_pool<ember> pool(4);
    const auto a = pool.acquire().handle();
    const auto b = pool.acquire().handle();
    EXPECT_TRUE(pool.discard(a));
    EXPECT_EQ(ember::there, 1);
    EXPECT_EQ(ember::released, 1);
    EXPECT_FALSE(pool.contains(a));
    EXPECT_EQ(pool.idle(), 0u);
    EXPECT_EQ(pool.size(), 1u);
    EXPECT_EQ(pool.stats().destroyed, 1u);
    EXPECT_EQ(pool.stats().released, 1u);
    EXPECT_EQ(pool.stats().idle_overflow, 0u) << "it was not for lack of room";
    EXPECT_TRUE(pool.validate());
    const auto again = pool.acquire();
    EXPECT_EQ(again->lives, 1) << "a new object";
    EXPECT_EQ(again.handle().index(), a.index());
    EXPECT_NE(again.handle(), a);
    EXPECT_TRUE(pool.release(b));
    EXPECT_TRUE(pool.release(again));
}

TEST(discard, of_a_stale_handle_is_told_as_a_bad_release) {
    lido::test::misuse_log log;
    lido::recycle_pool<ember> pool(2);
    const auto a = pool.acquire().handle();
    EXPECT_TRUE(pool.discard(a));
    EXPECT_FALSE(pool.discard(a));
    EXPECT_EQ(log.count(), 1u);
    EXPECT_EQ(pool.stats().bad_releases, 1u);
    EXPECT_FALSE(pool.discard({}));
}

TEST(discard, retires_a_slot_that_is_out_of_generations) {
    lido::recycle_pool<ember, lido::options{.handle_bits = 32, .index_bits = 30}> pool(1);
    const auto last = pool.acquire().handle();
    ASSERT_EQ(decltype(last)::last_generation, 2u);
    EXPECT_TRUE(pool.discard(last));
    EXPECT_EQ(ember::there, 0);
    EXPECT_EQ(pool.stats().retired, 1u);
    EXPECT_FALSE(pool.acquire());
    EXPECT_TRUE(pool.validate());
}

/// Acquires another as it goes.
struct hydra {
    static inline lido::recycle_pool<hydra>* in = nullptr;
    int heads = 1;
    ~hydra();
};
hydra::~hydra() {
    if (auto* const pool = std::exchange(in, nullptr)) pool->acquire()->heads = 9;
}

TEST(discard, of_an_object_that_acquires_in_its_destructor_does_not_give_it_its_own_slot) {
    lido::recycle_pool<hydra> pool(2, {.leaks = lido::leaks::allow});
    const auto a = pool.acquire().handle();
    hydra::in = &pool;
    EXPECT_TRUE(pool.discard(a));
    EXPECT_EQ(pool.size(), 1u);
    pool.for_each([&](hydra& left) {
        EXPECT_EQ(left.heads, 9);
        EXPECT_NE(pool.handle_of(left).index(), a.index());
    });
    EXPECT_TRUE(pool.validate());
}

TEST(discard, is_undone_by_a_restore_and_replayed_alike) {
    lido::recycle_pool<ember> pool(8, {.leaks = lido::leaks::allow});
    std::vector<lido::recycle_pool<ember>::handle_type> all;
    for (int i = 0; i < 5; ++i) all.push_back(pool.acquire().handle());
    pool.release(all[1]);
    lido::snapshot then;
    ASSERT_TRUE(lido::save(then, pool));
    std::vector<std::uint64_t> handles[2];
    for (auto& pass : handles) {
        pool.discard(all[3]);
        pool.discard(all[0]);
        pool.release(all[4]);
        for (int i = 0; i < 5; ++i) pass.push_back(pool.acquire().handle().to_bits());
        EXPECT_TRUE(pool.validate());
        ASSERT_TRUE(lido::restore(then, pool));
        EXPECT_TRUE(pool.contains(all[3]));
        EXPECT_EQ(pool.get(all[3])->trail.size(), 8u);
        EXPECT_TRUE(pool.validate());
    }
    EXPECT_EQ(handles[0], handles[1]);
}

}  // namespace recycled_discard_test
