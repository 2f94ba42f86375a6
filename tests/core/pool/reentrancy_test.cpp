// Promise: in a slot_pool or flag_pool an element's constructor and destructor may acquire from and release to the pool they live
// in, however deep: no slot is given twice, and every life ends once.
#include "pool_cases.hpp"

namespace pool_reentrancy_test {

using namespace lido;
using namespace lido::test;

/// A tree in one pool: the constructor acquires two children, the destructor releases them. Self-checking, so that an object built
/// on top of another, or ended twice, fails the test at once.
template <template <class> class PoolOf>
class node : public tracked<tracked_policy{}, node<PoolOf>> {
    using base = tracked<tracked_policy{}, node<PoolOf>>;

public:
    using pool_type = PoolOf<node>;

    node(pool_type* pool, int depth) : base(depth), pool_(pool) {
        if (depth == 0) return;
        left_ = pool->acquire(pool, depth - 1);
        right_ = pool->acquire(pool, depth - 1);
    }
    ~node() {
        for (const auto handle : {left_, right_}) {
            if (pool_->contains(handle)) {  // in a clear they may have gone first
                EXPECT_TRUE(pool_->release(handle));
            }
        }
    }
    node(const node&) = delete;
    node& operator=(const node&) = delete;

    /// Nodes below and including this one; each found by its parent's handle, with the right depth.
    std::uint32_t count() const {
        std::uint32_t sum = 1;
        for (const auto handle : {left_, right_}) {
            if (!handle) continue;
            const node* const child = pool_->get(handle);
            EXPECT_TRUE(child != nullptr && child->value() == this->value() - 1);
            sum += child != nullptr ? child->count() : 0;
        }
        return sum;
    }

private:
    pool_type* pool_;
    lido::handle<node> left_;
    lido::handle<node> right_;
};

template <class T>
using recent = slot_pool<T>;
template <class T>
using lowest = slot_pool<T, options{.order = reuse::lowest}>;
template <class T>
using everything = slot_pool<T, options{.tracks = track::priority, .reuse_delay = 40}>;
template <class T>
using flags = basic_flag_pool<T, options{}, heap_storage>;

template <class Node>
class reentrant_trees : public ::testing::Test {
protected:
    lifetime_scope lives_;
    misuse_watch misuses_;
};
using node_types = ::testing::Types<node<recent>, node<lowest>, node<everything>, node<flags>>;
TYPED_TEST_SUITE(reentrant_trees, node_types);

TYPED_TEST(reentrant_trees, grow_and_fall_without_losing_or_sharing_a_slot) {
    using pool_type = typename TypeParam::pool_type;
    // From 4 slots where the pool can grow: refills, fresh words, growth and spills all happen inside of constructors.
    pool_type pool(pool_type::can_grow ? 4 : 3000,
                   {.on_full = pool_type::can_grow ? on_full::grow_to(3000) : on_full::reject});
    for (int round = 0; round < 4; ++round) {
        const auto oak = pool.acquire(&pool, 9);  // 1023 nodes
        const auto elm = pool.acquire(&pool, 8);  // 511
        ASSERT_TRUE(oak);
        ASSERT_TRUE(elm);
        EXPECT_EQ(pool.size(), 1023u + 511u);
        EXPECT_EQ(oak->count(), 1023u);
        EXPECT_EQ(elm->count(), 511u);
        ASSERT_TRUE(valid(pool));
        EXPECT_TRUE(pool.release(oak.handle()));  // the destructors release 1022 more
        EXPECT_EQ(pool.size(), 511u);
        EXPECT_EQ(elm->count(), 511u);
        ASSERT_TRUE(valid(pool));
        const auto ash = pool.acquire(&pool, 9);  // in the slots of the oak, in their new order
        EXPECT_EQ(ash->count(), 1023u);
        EXPECT_EQ(elm->count(), 511u);
        ASSERT_TRUE(valid(pool));
        EXPECT_TRUE(pool.release(*ash));
        EXPECT_TRUE(pool.release(*elm));
        EXPECT_TRUE(pool.empty());
        ASSERT_TRUE(valid(pool));
    }
    EXPECT_EQ(this->lives_.live(), 0);
    EXPECT_EQ(this->misuses_.total(), 0u);
}

TYPED_TEST(reentrant_trees, stop_growing_where_the_pool_is_full) {
    using pool_type = typename TypeParam::pool_type;
    pool_type pool(100);
    const auto tree = pool.acquire(&pool, 9);
    ASSERT_TRUE(tree);
    EXPECT_EQ(pool.size(), 100u);
    EXPECT_EQ(tree->count(), 100u);
    EXPECT_GT(pool.stats().refused, 0u);
    EXPECT_TRUE(valid(pool));
    EXPECT_TRUE(pool.release(*tree));
    EXPECT_TRUE(pool.empty());
    EXPECT_TRUE(valid(pool));
}

TYPED_TEST(reentrant_trees, fall_once_in_clear_release_if_a_move_and_at_the_end_of_the_pool) {
    using pool_type = typename TypeParam::pool_type;
    // Parents lie before and after their children, in the same word and in others.
    const auto plant = [](pool_type& pool) {
        std::vector<handle<TypeParam>> holes;
        for (int i = 0; i < 150; ++i) holes.push_back(pool.acquire(&pool, 0));
        for (std::size_t i = 0; i < holes.size(); i += 2) EXPECT_TRUE(pool.release(holes[i]));
        EXPECT_TRUE(pool.acquire(&pool, 7));
        EXPECT_TRUE(pool.acquire(&pool, 5));
        EXPECT_TRUE(valid(pool));
        return pool.size();
    };
    {
        pool_type pool(500);
        EXPECT_EQ(plant(pool), 75u + 255u + 63u);
        pool.clear();
        EXPECT_TRUE(pool.empty());
        EXPECT_EQ(this->lives_.live(), 0);
        EXPECT_TRUE(valid(pool));

        const std::uint32_t planted = plant(pool);
        std::uint32_t asked = 0;
        EXPECT_LT(pool.release_if([&](const TypeParam&) { return ++asked != 0; }),
                  planted);  // the others fell with their parents
        EXPECT_TRUE(pool.empty());
        EXPECT_EQ(this->lives_.live(), 0);
        EXPECT_TRUE(valid(pool));

        plant(pool);
        pool = pool_type(500);
        EXPECT_TRUE(pool.empty());
        EXPECT_EQ(this->lives_.live(), 0);

        plant(pool);
    }
    EXPECT_EQ(this->lives_.live(), 0);
    EXPECT_EQ(this->misuses_.total(), 0u);
}

/// Its destructor acquires another, `left` times in a row.
template <template <class> class PoolOf>
class phoenix : public tracked<tracked_policy{}, phoenix<PoolOf>> {
    using base = tracked<tracked_policy{}, phoenix<PoolOf>>;

public:
    using pool_type = PoolOf<phoenix>;
    phoenix(pool_type* pool, int left) : base(left), pool_(pool) {}
    ~phoenix() {
        if (this->value() > 0) {
            EXPECT_TRUE(pool_->acquire(pool_, this->value() - 1));
        }
    }
    phoenix(const phoenix&) = delete;
    phoenix& operator=(const phoenix&) = delete;

private:
    pool_type* pool_;
};

template <class Phoenix>
class reentrant_births : public ::testing::Test {};
using phoenix_types = ::testing::Types<phoenix<recent>, phoenix<lowest>, phoenix<everything>, phoenix<flags>>;
TYPED_TEST_SUITE(reentrant_births, phoenix_types);

TYPED_TEST(reentrant_births, an_object_that_acquires_while_it_ends_gets_another_slot) {
    using pool_type = typename TypeParam::pool_type;
    const lifetime_scope lives;
    const misuse_watch misuses;
    pool_type pool(200);
    for (int i = 0; i < 150; ++i) ASSERT_TRUE(pool.acquire(&pool, 2));
    for (int generation = 2; generation > 0; --generation) {
        std::vector<handle<TypeParam>> now;
        for (auto [handle, object] : pool.each()) {
            EXPECT_EQ(object.value(), generation);
            now.push_back(handle);
        }
        EXPECT_EQ(now.size(), 150u);
        for (const auto handle : now) {
            EXPECT_TRUE(pool.release(handle));
            ASSERT_TRUE(valid(pool));
        }
        EXPECT_EQ(pool.size(), 150u);
    }
    EXPECT_EQ(pool.release_if([](const TypeParam&) { return true; }), 150u);
    EXPECT_TRUE(pool.empty());
    EXPECT_TRUE(valid(pool));
    EXPECT_EQ(misuses.total(), 0u);
}

TYPED_TEST(reentrant_births, objects_that_are_born_while_their_pool_ends_or_is_assigned_to_end_too) {
    using pool_type = typename TypeParam::pool_type;
    const lifetime_scope lives;
    {
        pool_type pool(200);
        for (int i = 0; i < 150; ++i) ASSERT_TRUE(pool.acquire(&pool, 2));
        pool = pool_type(200);
        EXPECT_EQ(lives.live(), 0);
        for (int i = 0; i < 150; ++i) ASSERT_TRUE(pool.acquire(&pool, 2));
    }
    EXPECT_EQ(lives.live(), 0);
}

}  // namespace pool_reentrancy_test
