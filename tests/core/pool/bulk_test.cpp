// acquire_n takes whole words of free slots where it can: the same handles as one acquire after the other (X3), and the peak and
// the counts with it.
#include "pool_cases.hpp"

#include <lido/core.hpp>

#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace pool_bulk_test {

using namespace lido;
using lido::test::counting;
using lido::test::lifetime_scope;

struct item {
    int seed;
    int unused;
};

template <class Pool>
class bulk : public ::testing::Test {};
// 4 bits of generation: slots retire within the run, and whole words lose some of their slots.
using bulk_pools = ::testing::Types<
    slot_pool<item>, slot_pool<item, options{.handle_bits = 32, .index_bits = 28}>,
    slot_pool<item, options{.handle_bits = 32, .index_bits = 28, .generations = generation_rule::wrap}>,
    slot_pool<item, options{.mark_changes = true}>, slot_pool<item, options{}, heap_storage>,
    slot_pool<item, options{.reuse_delay = 9}>, slot_pool<item, options{.tracks = track::age}>,
    slot_pool<item, options{.order = reuse::lowest}>, slot_pool<counting>, dense_pool<item>>;
TYPED_TEST_SUITE(bulk, bulk_pools);

TYPED_TEST(bulk, X3_acquire_n_gives_what_as_many_acquires_would_have_given) {
    lifetime_scope lives;
    using handle = typename TypeParam::handle_type;
    TypeParam many(700);
    TypeParam single(700);
    std::mt19937 random(1);
    std::vector<handle> live;
    std::size_t words_at_once = 0;
    for (int round = 0; round < 300; ++round) {
        // Ends a random part, now and then all in order, so that whole words become free.
        const bool all = random() % 8 == 0;
        std::vector<handle> kept;
        for (const handle h : live) {
            if (all || random() % 3 == 0) {
                ASSERT_TRUE(many.release(h));
                ASSERT_TRUE(single.release(h));
            } else {
                kept.push_back(h);
            }
        }
        live = kept;
        std::vector<handle> out(random() % 400, handle::of(1, 1));
        const std::uint32_t made = many.acquire_n(out, round);
        words_at_once += made / 64;
        for (std::size_t i = 0; i < out.size(); ++i) {
            const handle one = single.acquire(round);
            ASSERT_EQ(out[i], one) << "round " << round << ", " << i;
            if (one) live.push_back(one);
        }
        ASSERT_EQ(many.size(), single.size());
        ASSERT_EQ(many.stats().peak, single.stats().peak);
        ASSERT_EQ(many.stats().acquired, single.stats().acquired);
        ASSERT_EQ(many.stats().released, single.stats().released);
        if constexpr (!std::is_same_v<typename TypeParam::value_type, counting>) {
            ASSERT_EQ(many.state_hash(), single.state_hash());
        }
        ASSERT_TRUE(test::valid(many));
        for (const handle h : live) ASSERT_NE(many.get(h), nullptr);
        if (random() % 40 == 0) {
            many.clear();
            single.clear();
            live.clear();
        }
    }
    EXPECT_GT(words_at_once, 20u) << "no word was ever taken whole";
}

TYPED_TEST(bulk, X3_acquire_n_grows_and_stops_at_the_cap) {
    lifetime_scope lives;
    if constexpr (TypeParam::can_grow) {
        using handle = typename TypeParam::handle_type;
        TypeParam pool(70, {.on_full = on_full::grow_to(1000)});
        std::vector<handle> out(1500, handle::of(1, 1));
        EXPECT_EQ(pool.acquire_n(out, 3), 1000u);
        for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(static_cast<bool>(out[i]), i < 1000);
        EXPECT_EQ(pool.stats().refused, 1u);
        EXPECT_EQ(pool.why_refused(), refusal::full);
        EXPECT_TRUE(test::valid(pool));
    }
}

TEST(bulk, the_peak_is_that_of_every_moment) {
    slot_pool<item> pool(300);
    std::mt19937 random(2);
    std::vector<lido::handle<item>> live;
    std::uint32_t peak = 0;
    for (int i = 0; i < 20'000; ++i) {
        if (random() % 2 == 0 && live.size() < 300) {
            live.push_back(pool.acquire(i));
        } else if (!live.empty()) {
            const std::size_t at = random() % live.size();
            pool.release(live[at]);
            live[at] = live.back();
            live.pop_back();
        }
        peak = std::max(peak, static_cast<std::uint32_t>(live.size()));
        ASSERT_EQ(pool.size(), live.size());
        ASSERT_EQ(pool.stats().peak, peak);
    }
    pool.clear();
    EXPECT_EQ(pool.stats().peak, peak);
    EXPECT_EQ(pool.size(), 0u);
}

}  // namespace pool_bulk_test
