// S5.9: what is committed becomes durable: coalesced, in order, whole commits only; and each request ends once.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "store/town.hpp"

namespace store_saves {

using namespace store_tests;
using lido::store::save_end;

TEST(store_saves, S5_9_a_new_entity_is_stored_and_a_change_of_it_after_the_wait_of_its_class) {
    fake_disk disk;
    town t(disk);
    const auto v = t.open_vault("v", 7);
    ASSERT_TRUE(t.stage.lives(v));
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":7,"keeper":""})");
    const std::uint64_t writes = disk.writes;
    ASSERT_TRUE(t.pay(v, 3));
    t.tick();
    t.work();
    EXPECT_EQ(disk.writes, writes) << "it waits a second for others";
    t.now += 1s;
    t.tick();
    t.work();
    EXPECT_EQ(disk.writes, writes + 1);
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":10,"keeper":""})");
    EXPECT_TRUE(t.store->validate()) << t.store->validate().broken;
}

TEST(store_saves, S5_9_many_commits_of_an_entity_are_one_write_of_the_last) {
    fake_disk disk;
    town t(disk);
    const auto v = t.open_vault("v");
    t.saved.clear();
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(t.pay(v, 1));
        t.tick();
    }
    ASSERT_TRUE(t.store->flush());
    ASSERT_EQ(t.saved.size(), 1u);
    EXPECT_EQ(t.saved[0].version, 10u);
    EXPECT_EQ(t.saved[0].end, save_end::durable);
    EXPECT_EQ(disk.row("vault", "v")->version, 10u);
}

TEST(store_saves, classes_say_how_long_a_change_may_wait_and_what_is_written_takes_all_others_along) {
    fake_disk disk;
    town t(disk);
    t.store->set_wait("gate", 10s);
    const auto v = t.open_vault("v");
    const auto g = t.stage.create<gate>({.id = "g", .persistent = true});
    t.settle(100);
    ASSERT_EQ(t.store->stats().loading, 0u);
    ASSERT_TRUE(t.store->flush());
    auto e = t.stage.edit(g);
    e->open = true;
    ASSERT_TRUE(e.commit());
    t.now += 5s;
    t.tick();
    t.work();
    EXPECT_EQ(t.store->stats().pending, 1u);
    ASSERT_TRUE(t.pay(v, 1));
    t.tick();
    t.now += 1s;
    t.tick();
    t.work();
    EXPECT_EQ(t.store->stats().pending, 0u);
}

TEST(store_saves, entities_that_are_not_persistent_are_none_of_its_business) {
    fake_disk disk;
    town t(disk);
    const auto v = t.stage.create<vault>({.id = "v"}, {.gold = 1});
    ASSERT_TRUE(t.pay(v, 1));
    t.settle();
    ASSERT_TRUE(t.store->flush());
    EXPECT_TRUE(disk.tables.rows.empty());
    EXPECT_FALSE(t.store->is_saved(v));
}

TEST(store_saves, flush_writes_what_was_committed_in_the_tick_that_is_open) {
    fake_disk disk;
    town t(disk);
    const auto v = t.open_vault("v");
    ASSERT_TRUE(t.pay(v, 5));
    EXPECT_FALSE(t.store->is_saved(v));
    ASSERT_TRUE(t.store->flush());
    EXPECT_TRUE(t.store->is_saved(v));
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":5,"keeper":""})");
}

TEST(store_saves, the_end_of_a_store_writes_what_waits) {
    fake_disk disk;
    {
        town t(disk);
        const auto v = t.open_vault("v");
        ASSERT_TRUE(t.pay(v, 5));
    }
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":5,"keeper":""})");
}

TEST(store_saves, the_end_of_a_store_says_what_was_not_saved) {
    fake_disk disk;
    std::shared_ptr<std::vector<std::string>> said;
    {
        town t(disk);
        said = t.said;
        const auto v = t.open_vault("v");
        ASSERT_TRUE(t.pay(v, 5));
        disk.down = true;
    }
    ASSERT_EQ(said->size(), 1u);
    EXPECT_EQ(said->at(0),
              "lido::store: a fake: not saved at the end: \"v\": 1 entity is not saved: the database is down");
}

TEST(store_saves, a_commit_of_several_entities_is_one_transaction_with_its_position) {
    fake_disk disk;
    disk.keep_history = true;
    town t(disk);
    const auto a = t.open_vault("a", 100);
    const auto b = t.open_vault("b", 100);
    ASSERT_TRUE(t.store->flush());
    disk.history.clear();
    for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(t.move(a, b, 1));
        t.tick();
        if (i % 3 == 0) {
            t.store->hurry();
            t.tick();
            t.work();
        }
    }
    ASSERT_TRUE(t.store->flush());
    ASSERT_GT(disk.history.size(), 10u);
    std::uint64_t last = 0;
    for (const fake_tables& f : disk.history) {
        const auto gold = [&](const char* key) { return std::stoi(f.rows.at({"vault", key}).data.substr(8)); };
        EXPECT_EQ(gold("a") + gold("b"), 200);
        EXPECT_GT(f.position.commit, last);
        last = f.position.commit;
        EXPECT_EQ(f.position.run, t.store->run());
    }
}

TEST(store_saves, pool_and_destroy_keep_the_row_and_erase_leaves_a_tombstone) {
    fake_disk disk;
    town t(disk);
    const auto a = t.open_vault("a", 1);
    const auto b = t.open_vault("b", 2);
    const auto c = t.open_vault("c", 3);
    EXPECT_EQ(t.stage.pool(a), lido::end_outcome::pooled);
    EXPECT_EQ(t.stage.destroy(b), lido::end_outcome::destroyed);
    EXPECT_EQ(t.stage.erase(c), lido::end_outcome::erased);
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(disk.data("vault", "a"), R"({"gold":1,"keeper":""})");
    EXPECT_EQ(disk.data("vault", "b"), R"({"gold":2,"keeper":""})");
    EXPECT_EQ(disk.row("vault", "c")->state, lido::store::row_state::erased);
    EXPECT_EQ(disk.row("vault", "c")->data, "");
    EXPECT_EQ(t.store->stats().entities, 0u);
    EXPECT_TRUE(t.store->validate()) << t.store->validate().broken;
}

TEST(store_saves, an_owner_is_stored_and_comes_back) {
    fake_disk disk;
    {
        town t(disk);
        const auto v = t.open_vault("v");
        ASSERT_TRUE(t.stage.set_owner(v, {42}));
    }
    town t(disk);
    const auto v = t.open_vault("v");
    EXPECT_EQ(t.stage.info(v).owner, lido::player{42});
}

TEST(store_saves, above_max_pending_persistent_creations_are_refused_in_words) {
    fake_disk disk;
    town t(disk, {.max_pending = 2});
    t.open_vault("a");
    t.open_vault("b");
    ASSERT_TRUE(t.pay(t.stage.find<vault>("a"), 1));
    ASSERT_TRUE(t.pay(t.stage.find<vault>("b"), 1));
    t.tick();
    const auto c = t.stage.create<vault>({.id = "c", .persistent = true});
    EXPECT_FALSE(c);
    EXPECT_NE(std::string(c.why()).find("max_pending allows (2)"), std::string::npos) << c.why();
    EXPECT_TRUE(t.stage.create<vault>({.id = "d"}));
    ASSERT_TRUE(t.store->flush());
    EXPECT_TRUE(t.stage.create<vault>({.id = "c", .persistent = true}));
    EXPECT_EQ(t.store->stats().creations_refused, 1u);
}

TEST(store_saves, pooling_that_refuses_unsaved_changes_says_so_until_they_are_durable) {
    fake_disk disk;
    town t(disk);
    const auto v = t.open_vault("v");
    ASSERT_TRUE(t.store->flush());
    ASSERT_TRUE(t.pay(v, 1));
    const auto no = t.stage.pool(v, {.unsaved = lido::unsaved::refuse});
    EXPECT_EQ(no, lido::end_outcome::refused);
    EXPECT_STREQ(no.why(),
                 "\"v\" (vault): it has changes that are not saved yet; flush the store, or pool it with "
                 "unsaved::flush");
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(t.stage.pool(v, {.unsaved = lido::unsaved::refuse}), lido::end_outcome::pooled);
}

TEST(store_saves, a_reader_that_fell_behind_takes_a_snapshot_and_misses_no_value) {
    fake_disk disk;
    town t(disk, {}, 0, {.journal_bytes = 4096});
    const auto a = t.open_vault("a", 1);
    const auto b = t.open_vault("b", 1);
    ASSERT_TRUE(t.store->flush());
    for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(t.pay(a, 1));
        if (i == 100) ASSERT_EQ(t.stage.destroy(b), lido::end_outcome::destroyed);
        t.stage.tick();
    }
    t.tick();
    EXPECT_EQ(t.store->stats().snapshots, 1u);
    EXPECT_EQ(t.store->stats().entities, 1u);
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(disk.data("vault", "a"), R"({"gold":201,"keeper":""})");
    EXPECT_EQ(disk.data("vault", "b"), R"({"gold":1,"keeper":""})");
    ASSERT_TRUE(t.pay(a, 1));
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(disk.data("vault", "a"), R"({"gold":202,"keeper":""})");
    EXPECT_TRUE(t.store->validate()) << t.store->validate().broken;
}

TEST(store_saves, with_rollback_only_what_is_confirmed_is_written) {
    fake_disk disk;
    town t(disk, {}, 4);
    const auto v = t.open_vault("v", 1);
    for (int i = 0; i < 8; ++i) t.tick();
    ASSERT_TRUE(t.store->flush());
    lido::snapshot before;
    t.tick();
    ASSERT_TRUE(t.stage.save(before));
    ASSERT_TRUE(t.pay(v, 100));
    t.tick();
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":1,"keeper":""})");
    ASSERT_TRUE(t.stage.restore(before));
    ASSERT_TRUE(t.pay(v, 5));
    for (int i = 0; i < 8; ++i) t.tick();
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":6,"keeper":""})");
}

TEST(store_saves, what_a_database_warns_of_when_it_is_opened_is_said) {
    fake_disk disk;
    disk.warning = "fsync is off";
    const town t(disk);
    EXPECT_EQ(*t.said, (std::vector<std::string>{"lido::store: fsync is off"}));
}

TEST(store_saves, the_classes_that_were_written_are_noted_with_the_names_of_their_fields) {
    fake_disk disk;
    town t(disk);
    t.open_vault("v", 7);
    EXPECT_EQ(disk.tables.classes.at({"vault", 1}), R"({"gold":[],"keeper":[]})");
}

}  // namespace store_saves
