// S4.3: classes by their names, which are also what a class is known by on another machine.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace world_class_names_test {

struct rock {
    int weight = 0;
};

TEST(class_names, S4_3_make_ids_that_are_the_same_for_all_time) {
    static_assert(lido::class_id_of("door") == lido::class_id_of(std::string_view("door")));
    EXPECT_EQ(lido::class_id_of(""), 0x8570e250fe4c2473u);
    EXPECT_EQ(lido::class_id_of("door"), 0x48c6ff5f3754114du);
    EXPECT_NE(lido::class_id_of("door"), lido::class_id_of("Door"));
}

TEST(class_names, S4_3_find_their_classes_among_many_that_come_and_go) {
    const lido::test::misuse_log quiet;
    lido::world world;
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(world.add<rock>("rock." + std::to_string(i))) << i;
    for (int i = 0; i < 300; i += 3) world.remove("rock." + std::to_string(i));
    for (int i = 0; i < 300; i += 6) ASSERT_TRUE(world.add<rock>("rock." + std::to_string(i))) << i;
    for (int i = 0; i < 300; ++i) {
        const bool there = i % 3 != 0 || i % 6 == 0;
        EXPECT_EQ(world.stats("rock." + std::to_string(i)).name.empty(), !there) << i;
        EXPECT_EQ(static_cast<bool>(world.spawn("rock." + std::to_string(i))), there) << i;
    }
}

TEST(class_names, S4_3_that_have_one_id_are_refused_by_name) {
    const lido::test::misuse_log quiet;
    lido::world world;
    // Found by search; names of people do not collide.
    constexpr const char* one = "8yn0iYCKYHlIj4-BwPqk";
    constexpr const char* other = "GReLUrM4wMqfg9yzV3KQ";
    static_assert(lido::class_id_of(one) == lido::class_id_of(other));
    ASSERT_TRUE(world.add<rock>(one));
    EXPECT_FALSE(world.spawn(other)) << "a name that was never added is not taken for the other";
    const lido::added_class refused = world.add<rock>(other);
    EXPECT_FALSE(refused);
    EXPECT_EQ(refused.why,
              "GReLUrM4wMqfg9yzV3KQ and 8yn0iYCKYHlIj4-BwPqk have the same class_id; give one of them another name");
    world.remove(one);
    EXPECT_TRUE(world.add<rock>(other));
}

}  // namespace world_class_names_test
