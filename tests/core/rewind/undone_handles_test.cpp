// X1: handles made after the saved tick are refused after the restore, until the same operations make them again.
#include "core/rewind/rewind_support.hpp"

#include <algorithm>

namespace lido::test {
namespace rewind_undone_handles_test {

template <class Config>
class undone_handles : public ::testing::Test {
protected:
    quiet_misuse quiet_;
};
TYPED_TEST_SUITE(undone_handles, every_config, shape_and_name);

TYPED_TEST(undone_handles, are_refused_and_those_of_the_saved_moment_work) {
    const auto pool = make_pool<TypeParam>();
    using handle_type = typename TypeParam::pool::handle_type;
    std::vector<handle_type> before;
    for (int i = 0; i < 12; ++i) before.push_back(pool->acquire_as({5}, i).handle());
    for (std::size_t i = 0; i < 12; i += 3) ASSERT_TRUE(pool->release(before[i]));
    snapshot saved;
    ASSERT_TRUE(pool->save(saved));

    std::vector<handle_type> after;
    for (std::size_t i = 1; i < 12; i += 3) ASSERT_TRUE(pool->release(before[i]));
    for (int i = 100; i < 110; ++i) after.push_back(pool->acquire_as({5}, i).handle());
    ASSERT_TRUE(pool->restore(saved));

    std::size_t undone = 0;
    for (const handle_type h : after) {
        // Without generations a handle says only "whatever lives in that slot".
        const bool lived_then = std::find(before.begin(), before.end(), h) != before.end();
        if (lived_then) continue;
        ++undone;
        EXPECT_FALSE(pool->contains(h));
        EXPECT_EQ(pool->get(h), nullptr);
        EXPECT_FALSE(pool->release(h));
    }
    EXPECT_GT(undone, 0u) << "nothing was undone, so nothing was shown";
    for (std::size_t i = 0; i < 12; ++i) {
        ASSERT_EQ(pool->contains(before[i]), i % 3 != 0);
        if (i % 3 != 0) {
            EXPECT_EQ(pool->get(before[i])->read(), static_cast<int>(i));
        }
    }
}

TYPED_TEST(undone_handles, of_a_slot_that_was_never_used_before_are_refused) {
    const auto pool = make_pool<TypeParam>();
    snapshot empty;
    ASSERT_TRUE(pool->save(empty));
    std::vector<typename TypeParam::pool::handle_type> made;
    for (std::uint32_t i = 0; i < TypeParam::capacity; ++i) made.push_back(pool->acquire(static_cast<int>(i)).handle());
    ASSERT_TRUE(pool->restore(empty));
    EXPECT_TRUE(pool->empty());
    EXPECT_EQ(pool->validate().broken, nullptr);
    for (const auto h : made) EXPECT_FALSE(pool->contains(h));
}

}  // namespace rewind_undone_handles_test
}  // namespace lido::test
