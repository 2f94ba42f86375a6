// S5.11: faults at the seams of stage and store: rows that two ask for, ids that come again at once, stores that end, owners that leave
#include <gtest/gtest.h>

#include <string>

#include "store/town.hpp"

namespace store_seams {

using namespace store_tests;

TEST(store_seams, a_row_that_one_creation_waits_for_is_refused_to_another) {
    fake_disk disk;
    disk.put("vault", "row", R"({"gold":70})");
    town t(disk);
    const auto first = t.stage.create<vault>({.id = "first", .persistent = true, .key = "row"});
    ASSERT_TRUE(first) << first.why();
    const auto second = t.stage.create<vault>({.id = "second", .persistent = true, .key = "row"});
    EXPECT_FALSE(second);
    EXPECT_EQ(second.reason(), lido::stage_refusal::store_refused);
    t.settle();
    ASSERT_NE(t.stage.get(first), nullptr) << "its request was dropped, and it is loading for ever";
    EXPECT_EQ(t.stage.get(first)->gold, 70);
}

TEST(store_seams, an_id_that_is_pooled_and_created_in_one_tick_is_loaded_without_another_tick) {
    fake_disk disk;
    town t(disk);
    lido::entity_ref<vault> v = t.open_vault("v", 1);
    ASSERT_TRUE(t.pay(v, 4));
    ASSERT_TRUE(t.stage.pool(v));
    v = t.stage.create<vault>({.id = "v", .persistent = true}, {.gold = 9}).reference();
    ASSERT_TRUE(t.store->wait_for_loads());
    ASSERT_NE(t.stage.get(v), nullptr);
    EXPECT_EQ(t.stage.get(v)->gold, 5);
    ASSERT_TRUE(t.stage.erase(v));
    v = t.stage.create<vault>({.id = "v", .persistent = true}, {.gold = 9}).reference();
    ASSERT_TRUE(t.store->wait_for_loads());
    ASSERT_NE(t.stage.get(v), nullptr);
    EXPECT_EQ(t.stage.get(v)->gold, 9);
}

TEST(store_seams, a_second_store_on_a_stage_says_so_and_leaves_the_first_one_its_stage) {
    fake_disk disk;
    fake_disk other;
    town t(disk);
    {
        lido::store::store second{t.stage, std::make_unique<fake_database>(other), {.by = lido::store::runner::step}};
        EXPECT_FALSE(second);
        EXPECT_NE(std::string(second.why()).find("another store"), std::string::npos) << second.why();
    }
    const auto v = t.stage.create<vault>({.id = "v", .persistent = true}, {.gold = 3});
    ASSERT_TRUE(v) << v.why();
    t.settle();
    EXPECT_NE(t.stage.get(v), nullptr);
}

TEST(store_seams, loads_that_have_not_come_when_the_store_ends_are_refused) {
    fake_disk disk;
    disk.put("vault", "v", R"({"gold":70})");
    town t(disk);
    const auto v = t.stage.create<vault>({.id = "v", .persistent = true});
    ASSERT_TRUE(v) << v.why();
    disk.down = true;
    t.store.reset();
    disk.down = false;
    EXPECT_FALSE(t.stage.find("v")) << "it is loading, and nobody loads it";
    EXPECT_EQ(t.refused, (std::vector<std::string>{"vault/v: the store has ended"}));
    const auto again = t.stage.create<vault>({.id = "v"});
    EXPECT_TRUE(again) << again.why();
}

TEST(store_seams, a_load_of_many_ends_with_its_database) {
    fake_disk disk;
    for (int i = 0; i < 6; ++i) disk.put("vault", "v" + std::to_string(i), R"({"gold":70})");
    town t(disk, {.rows_a_tick = 1});
    lido::entity_ref<vault> other = t.stage.create<vault>({.id = "other", .persistent = true}).reference();
    t.settle();
    const lido::store::load_ticket all = t.store->load_all<vault>();
    while (t.store->step()) {
    }
    for (int i = 0; i < 4; ++i) t.tick();  // a row each
    ASSERT_TRUE(t.stage.find("v0")) << "nothing has been made";
    ASSERT_FALSE(t.store->progress(all).done);
    ASSERT_TRUE(t.pay(other, 1));
    disk.fault = lido::store::db_fault::lost;
    disk.fail_at = disk.calls + 1;
    t.store->hurry();
    t.tick();
    while (t.store->step()) {
    }
    t.tick();
    ASSERT_FALSE(*t.store) << "the database is there still";
    EXPECT_TRUE(t.store->progress(all).done) << "whoever waits for it waits for ever";
    EXPECT_FALSE(t.store->progress(all));
    for (int i = 0; i < 6; ++i) {
        const auto v = t.stage.find("v" + std::to_string(i));
        EXPECT_TRUE(!v || t.stage.lives(v)) << i << " is loading, and nobody loads it";
    }
}

TEST(store_seams, who_leaves_while_an_entity_is_loading_does_not_own_it_afterwards) {
    fake_disk disk;
    town t(disk);
    const auto v = t.stage.create<vault>({.id = "v", .owner = lido::player{7}, .persistent = true});
    EXPECT_EQ(t.stage.owner_left(lido::player{7}), 1u);
    t.settle();
    ASSERT_NE(t.stage.get(v), nullptr);
    EXPECT_FALSE(t.stage.info(v).owner);
}

}  // namespace store_seams
