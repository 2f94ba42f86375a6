// S4.3, X11: a world of which a shared library is a part: classes, payloads and references mean the same on both sides.
#include "world/plugin/plugin.hpp"

#include <gtest/gtest.h>

namespace world_plugin_test {

using plugin::charge;
using plugin::shared_thing;

class a_plugin : public testing::Test {
protected:
    a_plugin() { plugin::add_classes(world); }
    lido::world world;
};

TEST_F(a_plugin, S4_3_names_a_type_as_the_program_does) {
    EXPECT_EQ(plugin::id_of_shared(), lido::type_id<shared_thing>());
    EXPECT_EQ(world.stats<shared_thing>().name, "shared");
}

TEST_F(a_plugin, S4_5_spawns_in_the_worlds_pools_what_the_program_can_use) {
    const lido::any_ref which = plugin::spawn_shared(world, 5);
    const auto typed = world.as<shared_thing>(which);
    ASSERT_TRUE(typed);
    ASSERT_NE(world.get(typed), nullptr);
    EXPECT_EQ(world.get(typed)->power, 5);
    EXPECT_EQ(world.ref_of(*world.get(typed)), typed);
    EXPECT_TRUE(world.get(typed)->return_to_pool());
    EXPECT_EQ(plugin::power_of(world, which), 0);
    EXPECT_EQ(plugin::ends_heard(), 1);
    const auto again = world.spawn<shared_thing>({}, charge{6});
    EXPECT_EQ(plugin::power_of(world, again), 6);
    EXPECT_TRUE(plugin::give_back(world, again));
    EXPECT_FALSE(world.lives(again));
    EXPECT_EQ(plugin::ends_heard(), 2);
    EXPECT_EQ(world.stats<shared_thing>().pool.created, 2u);
    EXPECT_TRUE(world.validate());
}

TEST_F(a_plugin, S4_10_has_classes_that_the_program_spawns_by_name_with_a_payload_that_both_know) {
    const auto it = world.spawn("secret", {}, charge{7});
    ASSERT_TRUE(it) << world.last_error();
    EXPECT_EQ(plugin::power_of(world, it), 7);
    EXPECT_TRUE(world.lives(it));
    EXPECT_TRUE(world.return_to_pool(it.which));
    EXPECT_EQ(world.stats("secret").pool.idle, 1u);
}

TEST_F(a_plugin, X11_has_lifetimes_that_run_in_the_worlds_ticks) {
    const lido::any_ref which = plugin::spawn_secret(world, 1);
    EXPECT_EQ(world.lifetime_left(which), lido::ticks{3});
    for (int i = 0; i < 3; ++i) world.tick();
    EXPECT_FALSE(world.lives(which));
}

TEST_F(a_plugin, X11_is_part_of_a_rewind) {
    const lido::any_ref a = plugin::spawn_shared(world, 3);
    const lido::any_ref b = plugin::spawn_secret(world, 4);
    lido::snapshot then;
    ASSERT_TRUE(world.save(then));
    for (int i = 0; i < 5; ++i) world.tick();
    EXPECT_TRUE(plugin::give_back(world, a));
    ASSERT_TRUE(world.restore(then));
    EXPECT_EQ(plugin::power_of(world, a), 3);
    EXPECT_EQ(plugin::power_of(world, b), 4);
    world.end();
}

TEST_F(a_plugin, S4_12_ends_with_the_world) {
    plugin::spawn_shared(world, 1);
    plugin::spawn_secret(world, 1);
    EXPECT_EQ(world.end().active(), 2u);
    EXPECT_EQ(plugin::ends_heard(), 1);
}

}  // namespace world_plugin_test
