// X11: what a world does for all its classes goes by those that are there, however many were removed before them.
#include <lido/world/world.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace world_living_classes_test {

struct spark {
    static constexpr lido::options pool_options = {.forensics = false};
    std::uint32_t value = 0;
};
struct crate {
    static constexpr lido::options pool_options = {.forensics = false};
    std::uint32_t value = 0;
};

/// Shows what a tick, a pause or an end walks over.
struct open_world : lido::world {
    [[nodiscard]] std::size_t walked() {
        std::size_t visited = 0;
        for_each_class([&](const lido::world_detail::world_class&) { ++visited; });
        return visited;
    }
    [[nodiscard]] const lido::world_detail::class_table& table() const { return classes_; }
};

TEST(a_tick, X11_visits_only_classes_that_are_there) {
    open_world world;
    world.add<crate>("stays", {.on_full = lido::on_full::reject});
    for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(world.add<spark>("comes and goes", {.on_full = lido::on_full::reject}));
        ASSERT_EQ(world.walked(), 2u);
        world.remove("comes and goes");
        ASSERT_EQ(world.walked(), 1u);
    }
    EXPECT_EQ(world.table().living().size(), 1u) << "what tick() goes by";
    EXPECT_EQ(world.class_count(), 201u) << "numbers are never given again";
    world.tick();
    EXPECT_TRUE(world.validate());
}

TEST(a_save, X11_has_nothing_of_classes_that_were_removed) {
    const auto bytes_after = [](int removed) {
        lido::world world;
        world.add<crate>("stays", {.on_full = lido::on_full::reject, .leaks = lido::leaks::allow});
        for (int i = 0; i < removed; ++i) {
            world.add<spark>("comes and goes", {.on_full = lido::on_full::reject});
            world.remove("comes and goes");
        }
        world.add<spark>("late", {.on_full = lido::on_full::reject, .leaks = lido::leaks::allow});
        const lido::ref<spark> before = world.spawn<spark>();
        lido::snapshot s;
        EXPECT_TRUE(world.save(s));
        const std::uint64_t hash = world.state_hash();
        world.return_to_pool(before);
        EXPECT_TRUE(world.restore(s));
        EXPECT_TRUE(world.lives(before));
        EXPECT_EQ(world.state_hash(), hash);
        return s.bytes();
    };
    EXPECT_EQ(bytes_after(0), bytes_after(300));
}

TEST(references, S4_5_of_removed_classes_stay_dead_however_many_classes_come_later) {
    lido::world world;
    std::vector<lido::ref<spark>> dead;
    for (int i = 0; i < 50; ++i) {
        world.add<spark>("comes and goes", {.on_full = lido::on_full::reject});
        dead.push_back(world.spawn<spark>());
        world.remove("comes and goes");
    }
    world.add<spark>("the last");
    const lido::ref<spark> alive = world.spawn<spark>();
    for (const lido::ref<spark> r : dead) {
        EXPECT_EQ(world.get(r), nullptr);
        EXPECT_FALSE(world.lives(r));
        EXPECT_FALSE(world.return_to_pool(r));
        EXPECT_NE(lido::any_ref(r).class_of(), lido::any_ref(alive).class_of());
    }
    EXPECT_TRUE(world.lives(alive));
}

TEST(classes, S4_2_are_walked_in_the_order_of_their_numbers) {
    open_world world;
    for (int i = 0; i < 9; ++i) world.add<spark>("class " + std::to_string(i), {.on_full = lido::on_full::reject});
    world.remove("class 4");
    world.remove("class 0");
    world.add<crate>("late", {.on_full = lido::on_full::reject});
    std::vector<lido::class_number> numbers;
    for (const auto* c : world.table().living()) numbers.push_back(c->number());
    EXPECT_EQ(numbers, (std::vector<lido::class_number>{1, 2, 3, 5, 6, 7, 8, 9}));
}

/// Adds a class of its own kind while it is made, and fails then.
struct nested {
    static inline lido::world* world = nullptr;
    static inline bool fails = false;
    nested() {
        if (!fails) return;
        fails = false;
        world->add<crate>("inner", {.on_full = lido::on_full::reject});
        throw 1;
    }
};

TEST(a_class, S4_2_whose_add_has_failed_is_not_walked_and_one_that_was_added_meanwhile_is) {
    open_world world;
    nested::world = &world;
    world.start();
    nested::fails = true;
    EXPECT_THROW(world.add<nested>("outer", {.prewarm = 1}), int);
    EXPECT_EQ(world.walked(), 1u);
    EXPECT_TRUE(world.has("inner"));
    EXPECT_FALSE(world.has("outer"));
    world.tick();
    EXPECT_TRUE(world.validate());
}

}  // namespace world_living_classes_test
