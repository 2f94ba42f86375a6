// S4.4: a class of a world whose type cannot be changed gets its hooks from outside.
#include <lido/core/object_hooks.hpp>
#include <lido/world/world.hpp>

#include <gtest/gtest.h>

namespace theirs {

struct lamp {
    int level = 0;
    bool on = false;
};

}  // namespace theirs

template <>
struct lido::object_hooks<theirs::lamp> {
    static void begin(theirs::lamp& it) { it.on = true; }
    static void end(theirs::lamp& it) noexcept {
        it.on = false;
        ++it.level;
    }
};

namespace world_foreign_hooks_test {

TEST(a_foreign_class, S4_4_begins_and_ends_by_hooks_from_outside) {
    lido::world world;
    world.add<theirs::lamp>("lamp", {.reset_check = false});
    const auto it = world.spawn<theirs::lamp>();
    theirs::lamp* const there = it.get();
    EXPECT_TRUE(there->on);
    EXPECT_TRUE(world.return_to_pool(it.reference()));
    EXPECT_FALSE(there->on);
    EXPECT_EQ(there->level, 1);
    EXPECT_EQ(world.spawn<theirs::lamp>().get(), there);
    EXPECT_TRUE(there->on);
}

}  // namespace world_foreign_hooks_test
