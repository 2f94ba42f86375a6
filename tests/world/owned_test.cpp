// S5.8
#include <lido/world/world.hpp>

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "core/misuse/misuse_log.hpp"

namespace world_owned {

using lido::ref;

/// As entities are: of a layer above the world.
struct owned {
    using belongs_to_a_stage = void;
    static constexpr auto release = lido::on_confirm;
    int value = 0;
    bool kept = true;
    [[nodiscard]] bool waits_for_another_life() const noexcept { return kept; }
};

struct layer {
    lido::world world;
    lido::class_number number = 0;
    explicit layer(lido::class_settings settings = {}) { number = world.add<owned>("owned", settings).number; }
    auto* pool() { return lido::owning::access::pool_of<owned>(world, number); }
    ref<owned> begin(int value, bool kept = true) {
        lido::owning::access::start(world);
        return pool()->spawn({}, {}, [&](owned& o) { o = {value, kept}; }).reference();
    }
    bool end(ref<owned> which) { return pool()->end_one({}, which.life(), lido::end_reason::reference); }
};

TEST(owned, the_world_refuses_to_begin_one_by_name) {
    layer l;
    lido::test::misuse_log log;
    EXPECT_EQ(l.world.spawn("owned").why(), lido::spawn_refusal::owned);
    EXPECT_EQ(l.world.spawn_under(lido::any_ref(l.number, 1)).why(), lido::spawn_refusal::owned);
    EXPECT_EQ(l.world.active("owned"), 0u);
    ASSERT_EQ(log.count(), 2u);
}

TEST(owned, the_world_refuses_to_end_one_by_its_reference_or_its_object) {
    layer l;
    lido::test::misuse_log log;
    const ref<owned> it = l.begin(1);
    EXPECT_FALSE(l.world.return_to_pool(lido::any_ref(it)));
    EXPECT_FALSE(l.world.destroy(lido::any_ref(it)));
    EXPECT_FALSE(l.world.return_to_pool(lido::const_any_object(l.world.get(it), lido::world_detail::type_of<owned>)));
    EXPECT_TRUE(l.world.lives(it));
    EXPECT_EQ(log.count(), 3u);
    EXPECT_TRUE(l.end(it));
}

TEST(owned, the_world_shows_const_objects) {
    layer l;
    const ref<owned> it = l.begin(5);
    static_assert(std::is_same_v<decltype(l.world.get(it)), const owned*>);
    EXPECT_EQ(l.world.get(it)->value, 5);
    EXPECT_EQ(l.world.get(lido::any_ref(it)).as<owned>()->value, 5);
    int sum = 0;
    l.world.for_each<owned>([&](auto& object) {
        static_assert(std::is_const_v<std::remove_reference_t<decltype(object)>>);
        sum += object.value;
    });
    EXPECT_EQ(sum, 5);
}

TEST(owned, the_end_of_the_world_tells_the_layer_when_all_lives_have_ended) {
    struct told final : lido::owning::layer {
        lido::world* of = nullptr;
        std::uint32_t active = 99;
        void world_ends() noexcept override { active = of->active("owned"); }
    } who;
    layer l;
    who.of = &l.world;
    ASSERT_TRUE(lido::owning::access::attach(l.world, &who));
    EXPECT_FALSE(lido::owning::access::attach(l.world, &who));
    l.begin(1);
    lido::test::misuse_log log;
    EXPECT_TRUE(l.world.remove("owned").refused);
    static_cast<void>(l.world.end());
    EXPECT_EQ(who.active, 0u);
}

TEST(owned, an_object_that_has_had_its_last_life_is_destroyed_when_its_slot_is_free) {
    layer l({.idle_cap = 1});
    const ref<owned> last = l.begin(1, false);
    const ref<owned> kept = l.begin(2);
    EXPECT_TRUE(l.pool()->idle_has_room());
    l.end(last);
    EXPECT_TRUE(l.pool()->idle_has_room());
    l.end(kept);
    EXPECT_FALSE(l.pool()->idle_has_room());
    l.world.tick();
    EXPECT_EQ(l.world.stats("owned").pool.idle, 1u);
    EXPECT_EQ(l.world.stats("owned").pool.destroyed, 1u);
    EXPECT_TRUE(l.world.validate());
}

TEST(owned, a_replay_destroys_and_keeps_the_same_objects) {
    lido::world world{lido::role::standalone, {.rollback = 4}};
    const auto number = world.add<owned>("owned", {.idle_cap = 2}).number;
    lido::owning::access::start(world);
    auto* const pool = lido::owning::access::pool_of<owned>(world, number);
    std::vector<ref<owned>> all;
    for (int i = 0; i < 5; ++i) all.push_back(pool->spawn({}, {}, [&](owned& o) { o = {i, i % 2 == 0}; }).reference());
    lido::snapshot then;
    ASSERT_TRUE(world.save(then));
    const auto play = [&] {
        for (const ref<owned> it : all) pool->end_one({}, it.life(), lido::end_reason::reference);
        for (int i = 0; i < 6; ++i) world.tick();
        return world.state_hash();
    };
    const auto first = play();
    const auto idle = world.stats("owned").pool.idle;
    EXPECT_EQ(idle, 2u);
    lido::snapshot late;
    ASSERT_TRUE(world.save(late));
    // Too late for the objects themselves: the rollback window is over.
    EXPECT_FALSE(world.restore(then));
    EXPECT_EQ(world.state_hash(), first);
}

}  // namespace world_owned
