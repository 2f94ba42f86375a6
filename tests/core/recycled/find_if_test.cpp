// find_if of pools of slots: `accepts(object)`, or `accepts(object, handle)`.
#include <lido/core/recycle_pool.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace recycled_find_if {

struct orb {
    int value = 0;
};
using pool_type = lido::recycle_pool<orb>;

TEST(recycled_find_if, says_under_which_handle_an_object_lives) {
    pool_type pool(4);
    std::vector<pool_type::handle_type> made;
    for (int i = 0; i < 3; ++i) {
        auto got = pool.acquire();
        got->value = i;
        made.push_back(got.handle());
    }
    pool.release(made[0]);
    made[0] = pool.acquire().handle();  // another life of the slot
    std::vector<pool_type::handle_type> seen;
    const auto none = pool.find_if([&](orb&, pool_type::handle_type life) {
        seen.push_back(life);
        return false;
    });
    EXPECT_FALSE(none);
    EXPECT_EQ(seen, made);
    EXPECT_EQ(pool.find_if([&](orb& o) { return o.value == 2; }), made[2]);
    pool.clear();
}

}  // namespace recycled_find_if
