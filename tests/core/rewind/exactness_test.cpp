// X1: after a restore the same operations give the same handles, in the same order, as they did after the save.
#include "core/rewind/rewind_support.hpp"

namespace lido::test {
namespace rewind_exactness_test {

template <class Config>
class rewind_exactness : public ::testing::Test {
protected:
    using pool_type = typename Config::pool;
    using handles = std::vector<typename pool_type::handle_type>;

    static constexpr std::uint64_t prefixes = 60;  // of each way: 26 pools x 3 ways x 60 are some thousands
    quiet_misuse quiet_;
};
TYPED_TEST_SUITE(rewind_exactness, every_config, shape_and_name);

TYPED_TEST(rewind_exactness, a_snapshot_brings_back_every_decision_that_follows) {
    std::size_t compared = 0;
    for (std::uint64_t seed = 0; seed < this->prefixes; ++seed) {
        const auto pool = make_pool<TypeParam>();
        typename TestFixture::handles known;
        operation_dice d(seed);
        static_cast<void>(random_trace(*pool, seed, d.below(220), known));
        snapshot saved;
        ASSERT_TRUE(pool->save(saved));
        const std::uint64_t hash = pool->state_hash();

        auto known_then = known;
        const auto first = random_trace(*pool, seed + 1000, 120, known_then);
        ASSERT_TRUE(pool->restore(saved));
        ASSERT_EQ(pool->state_hash(), hash);
        ASSERT_EQ(pool->validate().broken, nullptr);
        auto known_again = known;
        const auto second = random_trace(*pool, seed + 1000, 120, known_again);
        ASSERT_EQ(first, second) << "seed " << seed;
        compared += first.size();
    }
    EXPECT_GT(compared, this->prefixes * 100);
}

TYPED_TEST(rewind_exactness, an_image_gives_another_pool_every_decision_that_follows) {
    for (std::uint64_t seed = 0; seed < this->prefixes; ++seed) {
        const auto pool = make_pool<TypeParam>();
        const auto twin = make_pool<TypeParam>();
        typename TestFixture::handles known;
        typename TestFixture::handles unrelated;
        operation_dice d(seed);
        static_cast<void>(random_trace(*pool, seed, d.below(220), known));
        static_cast<void>(random_trace(*twin, seed + 500, d.below(220), unrelated));  // what it held must not matter
        const restore_result r = twin->restore(image_of(*pool));
        ASSERT_TRUE(r) << r.what();
        ASSERT_EQ(twin->state_hash(), pool->state_hash());
        ASSERT_EQ(twin->validate().broken, nullptr);
        ASSERT_EQ(image_of(*twin), image_of(*pool));

        auto known_by_twin = known;
        const auto first = random_trace(*pool, seed + 1000, 120, known);
        const auto second = random_trace(*twin, seed + 1000, 120, known_by_twin);
        ASSERT_EQ(first, second) << "seed " << seed;
        ASSERT_EQ(image_of(*twin), image_of(*pool)) << "counters and all";
    }
}

TYPED_TEST(rewind_exactness, a_ring_tick_brings_back_every_decision_that_follows) {
    const auto pool = make_pool<TypeParam>();
    typename TestFixture::handles known;
    rewind<8> ring;
    operation_dice d(7);
    std::map<std::uint64_t, std::pair<typename TestFixture::handles, std::uint64_t>> kept;
    std::uint64_t tick = 0;
    for (std::uint64_t round = 0; round < this->prefixes; ++round) {
        for (int i = 0; i < 5; ++i) {
            static_cast<void>(random_trace(*pool, round * 10 + static_cast<std::uint64_t>(i), 10, known));
            ASSERT_TRUE(ring.save(++tick, *pool));
            kept[tick] = {known, pool->state_hash()};
        }
        const std::uint64_t back = tick - d.below(5);
        ASSERT_TRUE(ring.restore(back, *pool));
        ASSERT_EQ(pool->state_hash(), kept[back].second);
        auto known_then = kept[back].first;
        const auto first = random_trace(*pool, round + 5000, 40, known_then);
        ASSERT_TRUE(ring.restore(back, *pool));
        known = kept[back].first;
        const auto second = random_trace(*pool, round + 5000, 40, known);
        ASSERT_EQ(first, second);
        tick = back;
    }
}

}  // namespace rewind_exactness_test
}  // namespace lido::test
