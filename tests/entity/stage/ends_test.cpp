// S5.1 S5.2 S5.4 S5.6 S5.7 S5.8
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "entity/stage/doors.hpp"
#include "support/reporting.hpp"

namespace stage_ends {

using namespace stage_tests;
using lido::end_outcome;
using lido::stage_refusal;

TEST(stage_ends, S5_2_a_pooled_entity_is_gone_at_once) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    EXPECT_EQ(h.stage.pool(gate), end_outcome::pooled);
    EXPECT_EQ(h.stage.get(gate), nullptr);
    EXPECT_FALSE(h.stage.lives(gate));
    EXPECT_FALSE(h.stage.find("gate-1"));
    EXPECT_EQ(h.world.active("door"), 0u);
}

TEST(stage_ends, S5_8_a_reference_of_an_ended_life_does_nothing) {
    hall h;
    const auto first = h.stage.create<bullet>({.id = "b"}, {.speed = 1});
    h.stage.pool(first);
    h.stage.tick();
    const auto second = h.stage.create<bullet>({.id = "b"}, {.speed = 2});
    ASSERT_TRUE(second);
    EXPECT_EQ(second.reference().in_world().life().index(), first.reference().in_world().life().index());
    EXPECT_EQ(h.stage.pool(first).reason(), stage_refusal::ended);
    EXPECT_EQ(h.stage.destroy(first).reason(), stage_refusal::ended);
    auto change = h.stage.edit(first.reference());
    change->speed = 9;
    EXPECT_FALSE(change.commit());
    EXPECT_EQ(change.reason(), stage_refusal::ended);
    EXPECT_FALSE(h.stage.lock(first, "me", lido::ticks{5}));
    EXPECT_FALSE(h.stage.manage(first, [] {}));
    EXPECT_FALSE(h.stage.set_owner(first, {1}));
    EXPECT_EQ(h.stage.get(second)->speed, 2);
    EXPECT_EQ(h.stage.info(second).version, 0u);
}

TEST(stage_ends, S5_1_the_object_pooled_last_is_used_first) {
    hall h;
    const auto a = h.stage.create<bullet>();
    const auto b = h.stage.create<bullet>();
    h.stage.pool(a);
    h.stage.pool(b);
    h.stage.tick();
    const auto next = h.stage.create<bullet>();
    EXPECT_EQ(next.reference().in_world().life().index(), b.reference().in_world().life().index());
}

TEST(stage_ends, S5_2_beyond_the_idle_cap_pooling_destroys_and_says_so) {
    hall h;  // bullets: two wait
    std::vector<lido::entity_ref<bullet>> all;
    for (int i = 0; i < 4; ++i) all.push_back(h.stage.create<bullet>({}, {.speed = i}));
    heard.taken();
    EXPECT_EQ(h.stage.pool(all[0]), end_outcome::pooled);
    EXPECT_EQ(h.stage.pool(all[1]), end_outcome::pooled);
    EXPECT_EQ(h.stage.pool(all[2]), end_outcome::destroyed);
    EXPECT_EQ(h.stage.stats().idle_overflow, 1u);
    h.stage.tick();
    EXPECT_EQ(heard.taken(), (lines{"end 0 pooled", "end 1 pooled", "end 2 destroyed"}));
    EXPECT_EQ(h.world.stats("bullet").pool.idle, 2u);
    EXPECT_EQ(h.stage.pool(all[3]), end_outcome::destroyed);  // two wait still
}

TEST(stage_ends, S5_2_objects_that_were_destroyed_take_nobodys_place_among_the_idle) {
    hall h;
    std::vector<lido::entity_ref<bullet>> all;
    for (int i = 0; i < 4; ++i) all.push_back(h.stage.create<bullet>());
    EXPECT_EQ(h.stage.destroy(all[0]), end_outcome::destroyed);
    EXPECT_EQ(h.stage.destroy(all[1]), end_outcome::destroyed);
    EXPECT_EQ(h.stage.pool(all[2]), end_outcome::pooled);
    EXPECT_EQ(h.stage.pool(all[3]), end_outcome::pooled);
    h.stage.tick();
    EXPECT_EQ(h.world.stats("bullet").pool.idle, 2u);
}

TEST(stage_ends, S5_7_a_destroyed_entity_is_refused_from_then_on) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    EXPECT_EQ(h.stage.destroy(gate), end_outcome::destroyed);
    EXPECT_EQ(h.stage.destroy(gate), end_outcome::refused);
    EXPECT_EQ(h.stage.pool(gate), end_outcome::refused);
    EXPECT_STREQ(h.stage.pool(gate).why(), "door: this life has ended");
}

TEST(stage_ends, a_fresh_class_is_never_pooled) {
    hall h;
    const auto ogre = h.stage.create<boss>({.id = "ogre"});
    EXPECT_STREQ(h.stage.pool(ogre).why(), "\"ogre\" (boss): its class is fresh, so it is never pooled; destroy() it");
    EXPECT_TRUE(h.stage.lives(ogre));
    EXPECT_EQ(h.stage.destroy(ogre), end_outcome::destroyed);
    h.stage.tick();
    EXPECT_EQ(h.world.stats("boss").pool.idle, 0u);
}

TEST(stage_ends, whoever_has_an_id_is_ended_by_a_call_of_its_own) {
    hall h;
    h.stage.create<door>({.id = "gate-1"});
    EXPECT_EQ(h.stage.end_whoever_is("gate-1"), end_outcome::destroyed);
    EXPECT_STREQ(h.stage.end_whoever_is("gate-1").why(), "\"gate-1\": this life has ended");
}

TEST(stage_ends, S5_6_resources_are_released_last_in_first_out_on_every_kind_of_end) {
    for (const auto how : {lido::entity_end::pooled, lido::entity_end::destroyed, lido::entity_end::erased}) {
        hall h;
        std::vector<int> released;
        auto* const to = &released;
        const auto gate = h.stage.create<door>({.id = "gate-1"});
        for (int i = 1; i <= 3; ++i) EXPECT_TRUE(h.stage.manage(gate, [to, i] { to->push_back(i); }));
        h.stage.end_whoever_is("gate-1", how);
        h.stage.tick();
        EXPECT_EQ(released, (std::vector<int>{3, 2, 1}));
        h.stage.tick();
        EXPECT_EQ(released.size(), 3u);
    }
}

TEST(stage_ends, S5_6_the_end_of_the_stage_releases_what_is_left) {
    std::vector<int> released;
    auto* const to = &released;
    {
        hall h;
        const auto gate = h.stage.create<door>();
        h.stage.manage(gate, [to] { to->push_back(1); });
        h.stage.manage(gate, [to] { to->push_back(2); });
    }
    EXPECT_EQ(released, (std::vector<int>{2, 1}));
}

TEST(stage_ends, S5_4_what_is_guarded_does_nothing_once_the_life_has_ended) {
    hall h;
    int calls = 0;
    const auto first = h.stage.create<door>({.id = "gate-1"});
    auto late = h.stage.guard(first, [&calls](int by) { calls += by; });
    late(1);
    h.stage.pool(first);
    late(10);
    h.stage.tick();
    h.stage.create<door>({.id = "gate-1"});
    late(100);
    EXPECT_EQ(calls, 1);
}

TEST(stage_ends, S5_4_a_timer_of_a_life_goes_with_it) {
    hall h;
    int calls = 0;
    auto* const to = &calls;
    const auto first = h.stage.create<door>();
    h.stage.after(first, lido::ticks{2}, [to] { ++*to; });
    h.stage.pool(first);
    h.stage.tick();
    const auto second = h.stage.create<door>();
    h.stage.after(second, lido::ticks{1}, [to](lido::any_entity_ref) { *to += 10; });
    for (int i = 0; i < 4; ++i) h.stage.tick();
    EXPECT_EQ(calls, 10);
}

TEST(stage_ends, a_lifetime_that_is_over_pools) {
    lido::world world;
    lido::stage stage{world};
    stage.add<door>("door", {.max_lifetime = lido::ticks{3}});
    const auto gate = stage.create<door>({.id = "gate-1"});
    std::vector<lido::change_kind> seen;
    auto all = stage.changes().open({.what = lido::reads::everything, .from = lido::read_from::oldest});
    for (int i = 0; i < 3; ++i) stage.tick();
    EXPECT_FALSE(stage.lives(gate));
    EXPECT_FALSE(stage.find("gate-1"));
    static_cast<void>(all.read([&](const lido::journal_entry& e) { seen.push_back(e.kind()); }));
    EXPECT_EQ(seen, (std::vector{lido::change_kind::created, lido::change_kind::pooled}));
}

TEST(stage_ends, the_world_refuses_to_begin_and_end_entities) {
    hall h;
    const lido::test::reporting reports;
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    EXPECT_EQ(h.world.spawn("door").why(), lido::spawn_refusal::owned);
    EXPECT_FALSE(h.world.return_to_pool(gate.reference().in_world().operator lido::any_ref()));
    EXPECT_TRUE(h.stage.lives(gate));
    EXPECT_TRUE(h.world.remove("door").refused);
}

TEST(stage_ends, the_world_shows_entities_and_lets_nobody_change_them) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    auto* const seen = h.world.get(gate.reference().in_world());
    static_assert(std::is_same_v<decltype(seen), const lido::entity_object<door>* const>);
    EXPECT_NE(seen, nullptr);
    auto* const untyped = h.world.get(lido::any_ref(gate.reference().in_world())).as<lido::entity_object<door>>();
    static_assert(std::is_same_v<decltype(untyped), const lido::entity_object<door>* const>);
    EXPECT_EQ(untyped, seen);
    int met = 0;
    h.world.for_each<lido::entity_object<door>>([&](const lido::entity_object<door>&) { ++met; });
    EXPECT_EQ(met, 1);
}

TEST(stage_ends, the_end_of_the_world_ends_the_entities) {
    std::vector<int> released;
    auto* const to = &released;
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    h.stage.manage(gate, [to] { to->push_back(1); });
    static_cast<void>(h.world.end());
    EXPECT_FALSE(h.stage.lives(gate));
    EXPECT_FALSE(h.stage.find("gate-1"));
    EXPECT_EQ(released, (std::vector<int>{1}));
    EXPECT_EQ(h.stage.create<door>().reason(), stage_refusal::no_class);
}

TEST(stage_ends, what_becomes_of_entities_whose_owner_leaves_is_said_by_their_class) {
    lido::world world;
    lido::stage stage{world};
    stage.add<door>("kept");
    stage.add<account>("pooled", {.owner_leaves = lido::without_owner::pool});
    stage.add<boss>("destroyed", {.owner_leaves = lido::without_owner::destroy});
    const auto a = stage.create<door>({.owner = {7}});
    const auto b = stage.create<account>({.owner = {7}});
    const auto c = stage.create<boss>({.owner = {7}});
    const auto other = stage.create<account>({.owner = {8}});
    EXPECT_EQ(stage.owner_left({7}), 3u);
    EXPECT_TRUE(stage.lives(a));
    EXPECT_FALSE(stage.info(a).owner);
    EXPECT_FALSE(stage.lives(b));
    EXPECT_FALSE(stage.lives(c));
    EXPECT_TRUE(stage.lives(other));
}

}  // namespace stage_ends
