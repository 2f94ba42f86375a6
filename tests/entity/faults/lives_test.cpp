// S5.11: faults of lives that end by pooling, and of objects that are used again
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "entity/stage/doors.hpp"

namespace faults_lives {

using namespace stage_tests;
using lido::end_outcome;
using lido::stage_refusal;
using lido::ticks;

TEST(faults, D1_pooling_releases_what_the_life_managed) {
    hall h;
    std::vector<int> released;
    auto* const to = &released;
    const auto b = h.stage.create<bullet>();
    h.stage.manage(b, [to] { to->push_back(1); });
    h.stage.manage(b, [to] { to->push_back(2); });
    ASSERT_EQ(h.stage.pool(b), end_outcome::pooled);
    h.stage.tick();
    EXPECT_EQ(released, (std::vector<int>{2, 1}));
}

TEST(faults, D2_hooks_run_when_a_life_is_pooled_and_when_the_object_is_used_again) {
    hall h;
    const auto first = h.stage.create<bullet>({.id = "a"}, {.speed = 1});
    h.stage.pool(first);
    h.stage.tick();
    h.stage.create<bullet>({.id = "b"}, {.speed = 2});
    EXPECT_EQ(heard.taken(), (lines{"begin a", "end 1 pooled", "begin b"}));
}

TEST(faults, D3_an_idle_stack_that_is_full_destroys_with_cleanup_and_says_so) {
    hall h;  // two bullets wait
    std::vector<lido::entity_ref<bullet>> all;
    for (int i = 0; i < 3; ++i) all.push_back(h.stage.create<bullet>({}, {.speed = i}));
    int released = 0;
    auto* const to = &released;
    for (const auto b : all) h.stage.manage(b, [to] { ++*to; });
    h.stage.pool(all[0]);
    h.stage.pool(all[1]);
    EXPECT_EQ(h.stage.pool(all[2]), end_outcome::destroyed);
    h.stage.tick();
    EXPECT_EQ(released, 3);
    EXPECT_EQ(heard.taken().back(), "end 2 destroyed");
}

TEST(faults, D4_an_idle_object_holds_nothing_of_its_last_life) {
    hall h;
    const auto b = h.stage.create<bullet>({.id = "secret-name", .owner = {0x7777777777777777u}}, {.speed = 0x55555555});
    const void* const at = h.world.get(b.reference().in_world());
    const int before = trails_reset;
    h.stage.pool(b);
    h.stage.tick();
    EXPECT_EQ(trails_reset, before + 1);
    if (LIDO_ASAN != 0) return;  // it lets nobody look at an idle object
    std::string bytes(sizeof(lido::entity_object<bullet>), '\0');
    std::memcpy(bytes.data(), at, bytes.size());
    EXPECT_EQ(bytes.find("secret-name"), std::string::npos);
    EXPECT_EQ(bytes.find(std::string(8, '\x77')), std::string::npos);
    EXPECT_EQ(bytes.find(std::string(4, '\x55')), std::string::npos);
}

TEST(faults, D5_who_waits_for_the_end_of_a_life_hears_of_its_pooling) {
    hall h;
    std::string how;
    auto* const to = &how;
    const auto b = h.stage.create<bullet>();
    h.stage.on_released(b, [to](const lido::entity_event& e) { *to = lido::to_string(e.kind()); });
    h.stage.pool(b);
    h.stage.tick();
    EXPECT_EQ(how, "pooled");
}

struct named {
    std::int32_t name = 0;  // a field that is called as a class might be
    lido::text<16> Name;
};

TEST(faults, D6_no_field_can_send_an_object_to_another_class) {
    lido::world world;
    lido::stage stage{world};
    stage.add<named>("named");
    stage.add<door>("door");
    named data;
    data.Name = "door";
    const auto n = stage.create<named>({.id = "n"}, data);
    stage.pool(n);
    stage.tick();
    EXPECT_EQ(world.stats("door").pool.idle, 0u);
    EXPECT_EQ(world.stats("named").pool.idle, 1u);
}

TEST(faults, D7_objects_of_one_class_are_never_used_for_another_of_the_same_type) {
    lido::world world;
    lido::stage stage{world};
    stage.add<door>("wooden");
    stage.add<door>("iron");
    const auto w = stage.create_in<door>("wooden");
    const void* const at = world.get(w.reference().in_world());
    stage.pool(w);
    stage.tick();
    const auto i = stage.create_in<door>("iron");
    EXPECT_NE(static_cast<const void*>(world.get(i.reference().in_world())), at);
    EXPECT_EQ(world.stats("wooden").pool.idle, 1u);
    EXPECT_FALSE(stage.add<door>("iron"));  // a name is one class for as long as the world is there
}

TEST(faults, D8_what_was_bound_to_a_life_does_not_serve_the_next) {
    hall h;
    int calls = 0;
    auto* const to = &calls;
    const auto first = h.stage.create<bullet>();
    h.stage.on_updated(first, [to](const lido::entity_event&) { ++*to; });
    h.stage.after(first, ticks{3}, [to] { ++*to; });
    h.stage.pool(first);
    h.stage.tick();
    const auto second = h.stage.create<bullet>();
    ASSERT_EQ(second.reference().in_world().life().index(), first.reference().in_world().life().index());
    auto change = h.stage.edit(second);
    change->speed = 1;
    change.commit();
    for (int i = 0; i < 5; ++i) h.stage.tick();
    EXPECT_EQ(calls, 0);
}

TEST(faults, D9_pooling_asks_for_locks_and_ends_open_edits) {
    hall h;
    const auto b = h.stage.create<bullet>({.id = "b"});
    auto open = h.stage.edit(b);
    open->speed = 9;
    const auto lock = h.stage.lock(b, "shop", ticks{9});
    EXPECT_EQ(h.stage.pool(b).reason(), stage_refusal::locked);
    EXPECT_EQ(h.stage.pool(b, {.under = lock}), end_outcome::pooled);
    EXPECT_FALSE(open.commit());
    EXPECT_EQ(open.reason(), stage_refusal::ended);
}

TEST(faults, D11_a_life_is_pooled_once_and_its_object_handed_out_once) {
    hall h;
    const auto b = h.stage.create<bullet>();
    EXPECT_EQ(h.stage.pool(b), end_outcome::pooled);
    EXPECT_EQ(h.stage.pool(b), end_outcome::refused);
    h.stage.tick();
    EXPECT_EQ(h.stage.pool(b), end_outcome::refused);
    const auto one = h.stage.create<bullet>();
    const auto two = h.stage.create<bullet>();
    EXPECT_NE(h.stage.get(one), h.stage.get(two));
}

TEST(faults, D12_every_part_of_a_life_is_rebuilt_whatever_the_last_one_left) {
    hall h;
    const auto first = h.stage.create<bullet>({.id = "a", .owner = {7}, .version = 50}, {.speed = 3});
    const auto lock = h.stage.lock(first, "shop", ticks{1000});
    h.stage.pool(first, {.under = lock});
    h.stage.tick();
    const auto second = h.stage.create<bullet>();
    const lido::entity_info now = h.stage.info(second);
    EXPECT_FALSE(now.owner);
    EXPECT_EQ(now.version, 0u);
    EXPECT_EQ(now.generation, 2u);
    EXPECT_TRUE(now.locked_by.empty());
    EXPECT_FALSE(now.persistent);
    EXPECT_EQ(h.stage.get(second)->speed, 0);
    EXPECT_EQ(h.stage.context(second.reference())->of_life, 1);
    EXPECT_EQ(h.stage.context(second.reference())->points, (std::vector<int>{0}));
}

TEST(faults, D13_history_and_pointers_of_a_life_show_nothing_of_the_next) {
    hall h;
    const auto first = h.stage.create<door>();
    auto change = h.stage.edit(first);
    change->hp = 1;
    change.commit();
    h.stage.pool(first);
    h.stage.tick();
    const auto second = h.stage.create<door>();
    EXPECT_EQ(h.stage.history_size(second.reference()), 0u);
    EXPECT_EQ(h.stage.history_size(first.reference()), 0u);
    EXPECT_EQ(h.stage.at_version(first.reference(), 0), nullptr);
    EXPECT_EQ(h.stage.get(first), nullptr);
}

TEST(faults, D14_references_and_locks_of_an_earlier_life_write_nothing) {
    hall h;
    const auto first = h.stage.create<bullet>({}, {.speed = 1});
    const auto lock = h.stage.lock(first, "shop", ticks{1000});
    auto stale = h.stage.edit(first);
    stale.under(lock)->speed = 99;
    h.stage.pool(first, {.under = lock});
    h.stage.tick();
    const auto second = h.stage.create<bullet>({}, {.speed = 2});
    EXPECT_FALSE(stale.commit());
    EXPECT_FALSE(h.stage.unlock(lock));
    EXPECT_EQ(h.stage.get(second)->speed, 2);
}

TEST(faults, D15_a_timer_of_an_old_life_does_not_end_the_new_owner_of_the_id) {
    hall h;
    lido::stage* const stage = &h.stage;
    const auto first = h.stage.create<bullet>({.id = "b"});
    const lido::any_entity_ref old = first;
    h.world.after(ticks{3}, [stage, old] { stage->destroy(old); });
    h.stage.pool(first);
    h.stage.tick();
    const auto second = h.stage.create<bullet>({.id = "b"});
    for (int i = 0; i < 5; ++i) h.stage.tick();
    EXPECT_TRUE(h.stage.lives(second));
}

TEST(faults, D16_a_hook_that_fails_fails_alike_for_a_new_object_and_for_one_that_was_idle) {
    for (const bool reused : {false, true}) {
        hall h;
        if (reused) {
            h.stage.pool(h.stage.create<bullet>());
            h.stage.tick();
        }
        bullet_throws = true;
        EXPECT_THROW(h.stage.create<bullet>({.id = "b"}), int);
        bullet_throws = false;
        EXPECT_FALSE(h.stage.find("b"));
        EXPECT_EQ(h.stage.size(), 0u);
    }
}

TEST(faults, D17_the_first_data_is_validated) {
    hall h;
    const auto bad = h.stage.create<door>({.id = "gate-1"}, {.hp = 1001});
    EXPECT_STREQ(bad.why(), "\"gate-1\" (door): hp: the value is above its maximum");
    EXPECT_EQ(h.stage.create<door>({.id = "gate-1"}, {.open = true, .hp = 0}).reason(), stage_refusal::invalid);
    EXPECT_FALSE(h.stage.find("gate-1"));
    EXPECT_EQ(h.world.stats("door").pool.created, 0u);
}

}  // namespace faults_lives
