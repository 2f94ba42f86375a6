// S3.2: a type of another library, which cannot be changed, gets its hooks from outside, for pools and worlds alike.
#include <lido/core/object_hooks.hpp>
#include <lido/core/recycle_pool.hpp>

#include <gtest/gtest.h>

#include <string>

namespace theirs {

struct emitter {
    std::string said;
    void start(int rate) { said += "start " + std::to_string(rate) + " "; }
    void stop() noexcept { said += "stop "; }
};

}  // namespace theirs

template <>
struct lido::object_hooks<theirs::emitter> {
    static void begin(theirs::emitter& e, int rate) { e.start(rate); }
    static void end(theirs::emitter& e) noexcept { e.stop(); }
};

namespace recycled_foreign_hooks_test {

TEST(a_foreign_type, S3_2_begins_and_ends_by_hooks_from_outside) {
    lido::recycle_pool<theirs::emitter> pool{2};
    const auto one = pool.acquire(30);
    theirs::emitter* const there = one.get();
    EXPECT_EQ(there->said, "start 30 ");
    EXPECT_TRUE(pool.release(one));
    EXPECT_EQ(there->said, "start 30 stop ");
    EXPECT_EQ(pool.acquire(60).get(), there);
    EXPECT_EQ(there->said, "start 30 stop start 60 ");
}

TEST(a_foreign_type, S3_2_is_told_of_a_prewarm_by_nobody) {
    lido::recycle_pool<theirs::emitter> pool{2};
    pool.prewarm(2);
    EXPECT_EQ(pool.acquire(30)->said, "start 30 ");
}

}  // namespace recycled_foreign_hooks_test
