// X1: what becomes of leases when the life they hold is undone, or brought back, by a restore.
#include <lido/core/bytemap_pool.hpp>
#include <lido/core/column_pool.hpp>
#include <lido/core/flag_column_pool.hpp>
#include <lido/core/recycle_pool.hpp>
#include <lido/core/ring_pool.hpp>

#include "core/rewind/rewind_support.hpp"

namespace lido::test {
namespace rewind_lease_test {

template <class Config>
class lease_after_restore : public ::testing::Test {};
TYPED_TEST_SUITE(lease_after_restore, one_config_a_shape, shape_and_name);

TYPED_TEST(lease_after_restore, that_was_made_after_the_save_is_empty_for_good) {
    const auto pool = make_pool<TypeParam>();
    snapshot saved;
    ASSERT_TRUE(pool->save(saved));
    auto lease = pool->lease(1);
    const auto handle = lease.handle();
    ASSERT_TRUE(lease);
    ASSERT_TRUE(pool->restore(saved));
    EXPECT_FALSE(lease);
    EXPECT_FALSE(lease.handle());
    // The same operation gives the same handle again, and it is not the lease's to release.
    const auto again = pool->acquire(2);
    ASSERT_EQ(again.handle(), handle);
    EXPECT_FALSE(lease);
    lease.reset();
    EXPECT_TRUE(pool->contains(handle));
}

TYPED_TEST(lease_after_restore, that_was_made_before_the_save_holds_its_object) {
    const auto pool = make_pool<TypeParam>();
    auto lease = pool->lease(7);
    snapshot saved;
    ASSERT_TRUE(pool->save(saved));
    lease->write(8);
    ASSERT_TRUE(pool->acquire(9));
    ASSERT_TRUE(pool->restore(saved));
    ASSERT_TRUE(lease);
    EXPECT_EQ(lease->read(), 7);
    lease.reset();
    EXPECT_TRUE(pool->empty());
}

TYPED_TEST(lease_after_restore, that_ended_after_the_save_leaves_the_object_to_the_caller) {
    const auto pool = make_pool<TypeParam>();
    snapshot saved;
    auto handle = typename TypeParam::pool::handle_type{};
    {
        auto lease = pool->lease(7);
        handle = lease.handle();
        ASSERT_TRUE(pool->save(saved));
    }
    ASSERT_FALSE(pool->contains(handle));
    ASSERT_TRUE(pool->restore(saved));
    ASSERT_TRUE(pool->contains(handle));
    EXPECT_TRUE(pool->release(handle));
}

TYPED_TEST(lease_after_restore, whose_object_others_released_is_empty_for_good_though_the_object_comes_back) {
    const auto pool = make_pool<TypeParam>();
    auto lease = pool->lease(7);
    const auto handle = lease.handle();
    snapshot saved;
    ASSERT_TRUE(pool->save(saved));
    const auto image = image_of(*pool);
    ASSERT_TRUE(pool->release(handle));
    ASSERT_FALSE(lease);
    ASSERT_TRUE(pool->restore(saved));
    ASSERT_TRUE(pool->contains(handle));
    EXPECT_FALSE(lease) << "nobody's lease ends it";
    lease.reset();
    EXPECT_TRUE(pool->contains(handle));
    auto another = pool->lease(8);
    ASSERT_TRUE(pool->release(handle));
    ASSERT_TRUE(pool->release(another.handle()));
    ASSERT_TRUE(pool->restore(image));
    EXPECT_FALSE(another);
    another.reset();
    EXPECT_TRUE(pool->contains(handle));
}

TYPED_TEST(lease_after_restore, of_an_image_is_the_same) {
    const auto pool = make_pool<TypeParam>();
    auto kept = pool->lease(1);
    const auto image = image_of(*pool);
    auto undone = pool->lease(2);
    ASSERT_TRUE(pool->restore(image));
    EXPECT_TRUE(kept);
    EXPECT_FALSE(undone);
}

TYPED_TEST(lease_after_restore, that_is_refused_is_as_it_was) {
    const auto pool = make_pool<TypeParam>();
    auto image = image_of(*pool);
    auto lease = pool->lease(2);
    image.back() ^= std::byte{1};
    ASSERT_FALSE(pool->restore(image));
    ASSERT_TRUE(lease);
    EXPECT_EQ(lease->read(), 2);
}

struct dot {
    int x = 0;
    int y = 0;
};

/// The same in the shapes that the list above leaves out.
template <class Pool>
void bring_back_what_a_lease_lost(Pool& pool) {
    auto lease = pool.lease();
    ASSERT_TRUE(lease);
    const auto handle = lease.handle();
    snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    ASSERT_TRUE(pool.release(handle));
    ASSERT_TRUE(pool.restore(saved));
    ASSERT_TRUE(pool.contains(handle));
    EXPECT_FALSE(lease);
    lease.reset();
    EXPECT_TRUE(pool.contains(handle)) << Pool::shape;
}

TEST(lease_after_restore, whose_object_others_released_is_empty_for_good_in_every_shape) {
    column_pool<dot> columns(4, {.leaks = leaks::allow});
    bring_back_what_a_lease_lost(columns);
    flag_column_pool<dot> rows(4, {.leaks = leaks::allow});
    bring_back_what_a_lease_lost(rows);
    recycle_pool<dot> recycled(4, {.leaks = leaks::allow});
    bring_back_what_a_lease_lost(recycled);
    ring_pool<dot> ring(4, {.leaks = leaks::allow});
    bring_back_what_a_lease_lost(ring);
    bytemap_pool<dot> map(4, {.leaks = leaks::allow});
    bring_back_what_a_lease_lost(map);
}

}  // namespace rewind_lease_test
}  // namespace lido::test
