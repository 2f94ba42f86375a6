// Promise: a capacity that is no number of slots is not taken for four billion of them: the pool has none, and says so.
#include <lido/core/bytemap_pool.hpp>
#include <lido/core/column_pool.hpp>
#include <lido/core/dense_pool.hpp>
#include <lido/core/merge_pass.hpp>
#include <lido/core/recycle_pool.hpp>
#include <lido/core/ring_pool.hpp>
#include <lido/core/slot_pool.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace lido::test::pool_hostile_capacity {

struct point {
    int x = 0;
};

template <class Pool>
void expect_refused(std::int64_t capacity) {
    const misuse_log log;
    Pool pool(capacity, {.name = "bullets"});
    EXPECT_EQ(pool.capacity(), 0u);
    EXPECT_EQ(pool.max_capacity(), 0u);
    EXPECT_FALSE(pool.acquire());
    EXPECT_TRUE(pool.validate());
    EXPECT_EQ(log.count(misuse_kind::bad_setting), 1u);
}

template <class Pool>
class a_capacity_of : public testing::Test {};
using pools = testing::Types<slot_pool<point>, dense_pool<point>, column_pool<point>, recycle_pool<point>,
                             ring_pool<point>, bytemap_pool<point>, slot_pool<point, options{.handle_bits = 32}>,
                             slot_pool<point, options{}, heap_storage>>;
TYPED_TEST_SUITE(a_capacity_of, pools);

TYPED_TEST(a_capacity_of, minus_one_is_refused_and_told) { expect_refused<TypeParam>(-1); }
TYPED_TEST(a_capacity_of, more_than_32_bits_is_refused_and_told) {
    expect_refused<TypeParam>((std::int64_t{1} << 32) + 5);
}

TEST(a_capacity, is_taken_from_every_kind_of_number) {
    enum small : std::uint8_t { ten = 10 };
    const misuse_log log;
    EXPECT_EQ(slot_pool<point>(10).capacity(), 10u);
    EXPECT_EQ(slot_pool<point>(10u).capacity(), 10u);
    EXPECT_EQ(slot_pool<point>(std::size_t{10}).capacity(), 10u);
    EXPECT_EQ(slot_pool<point>(std::uint8_t{10}).capacity(), 10u);
    EXPECT_EQ(slot_pool<point>(ten).capacity(), 10u);
    EXPECT_EQ(slot_pool<point>(std::integral_constant<int, 10>{}).capacity(), 10u);
    EXPECT_EQ(std::make_unique<slot_pool<point>>(10)->capacity(), 10u);
    EXPECT_EQ(slot_pool<point>(0).capacity(), 0u);
    EXPECT_EQ(log.count(), 0u);
}

TEST(a_capacity, of_minus_one_that_may_grow_is_refused_too) {
    const misuse_log log;
    slot_pool<point> pool(-1, {.on_full = on_full::grow_to(100)});
    EXPECT_FALSE(pool.acquire());
    EXPECT_EQ(pool.max_capacity(), 0u);
}

TEST(a_capacity, of_a_merge_pass_is_not_negative_either) {
    const misuse_log log;
    EXPECT_EQ(merge_pass(-1).max_objects(), 0u);
    EXPECT_EQ(log.count(misuse_kind::bad_setting), 1u);
}

}  // namespace lido::test::pool_hostile_capacity
