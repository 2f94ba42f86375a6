// X1: what becomes of leases when the life they hold is undone, or brought back, by a restore.
#include "core/rewind/rewind_support.hpp"

namespace lido::test {
namespace rewind_lease_test {

template <class Config>
class LeaseAfterRestore : public ::testing::Test {};
TYPED_TEST_SUITE(LeaseAfterRestore, one_config_a_shape, shape_and_name);

TYPED_TEST(LeaseAfterRestore, ThatWasMadeAfterTheSaveIsEmptyForGood) {
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

TYPED_TEST(LeaseAfterRestore, ThatWasMadeBeforeTheSaveHoldsItsObject) {
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

TYPED_TEST(LeaseAfterRestore, ThatEndedAfterTheSaveLeavesTheObjectToTheCaller) {
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

TYPED_TEST(LeaseAfterRestore, OfAnImageIsTheSame) {
    const auto pool = make_pool<TypeParam>();
    auto kept = pool->lease(1);
    const auto image = image_of(*pool);
    auto undone = pool->lease(2);
    ASSERT_TRUE(pool->restore(image));
    EXPECT_TRUE(kept);
    EXPECT_FALSE(undone);
}

TYPED_TEST(LeaseAfterRestore, ThatIsRefusedIsAsItWas) {
    const auto pool = make_pool<TypeParam>();
    auto image = image_of(*pool);
    auto lease = pool->lease(2);
    image.back() ^= std::byte{1};
    ASSERT_FALSE(pool->restore(image));
    ASSERT_TRUE(lease);
    EXPECT_EQ(lease->read(), 2);
}

}  // namespace rewind_lease_test
}  // namespace lido::test
