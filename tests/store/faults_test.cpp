// S5.11: the faults of persistence that lido must not have (docs/from/entity_lifecycle.md), each by its number.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "store/folder.hpp"
#include "store/town.hpp"

namespace store_faults {

using namespace store_tests;
using lido::store::save_end;

TEST(store_faults, D10_a_commit_and_a_pool_in_one_frame_lose_no_save) {
    fake_disk disk;
    town t(disk);
    const auto v = t.open_vault("v", 1);
    ASSERT_TRUE(t.pay(v, 41));
    ASSERT_EQ(t.stage.pool(v), lido::end_outcome::pooled);
    // The object has its next life before anything is written.
    ASSERT_TRUE(t.stage.create<vault>({.id = "w"}, {.gold = 999}));
    t.settle();
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":42,"keeper":""})");
}

TEST(store_faults, D18_an_entity_is_published_when_it_is_loaded_and_only_if_it_still_is_that_life) {
    fake_disk disk;
    disk.put("vault", "v", R"({"gold":7})");
    town t(disk);
    std::vector<std::int64_t> published;
    t.stage.signals<vault>().created.connect(
        [&](const lido::entity_event& e) { published.push_back(t.stage.get(t.stage.as<vault>(e.reference()))->gold); });
    const auto first = t.stage.create<vault>({.id = "v", .persistent = true}, {.gold = 100});
    t.tick();
    EXPECT_TRUE(published.empty());
    ASSERT_TRUE(t.stage.destroy(first));
    ASSERT_TRUE(t.stage.create<vault>({.id = "other"}, {.gold = 5})) << "takes its place";
    t.settle();
    EXPECT_EQ(published, (std::vector<std::int64_t>{5})) << "no ghost of the first";
    ASSERT_TRUE(t.stage.create<vault>({.id = "v", .persistent = true}));
    t.settle();
    EXPECT_EQ(published, (std::vector<std::int64_t>{5, 7}));
}

TEST(store_faults, D20_a_destroyed_entity_is_gone_at_once_and_its_successor_is_not_touched_by_its_last_save) {
    fake_disk disk;
    town t(disk);
    const auto v = t.open_vault("v", 1);
    ASSERT_TRUE(t.pay(v, 1));
    disk.down = true;
    ASSERT_TRUE(t.stage.destroy(v));
    EXPECT_FALSE(t.stage.find("v"));
    const auto next = t.stage.create<vault>({.id = "v", .persistent = true});
    ASSERT_TRUE(next);
    for (int i = 0; i < 40; ++i) {
        t.tick();
        t.work();
    }
    EXPECT_FALSE(t.stage.lives(next)) << "its row is not certain yet";
    disk.down = false;
    t.now += 10s;
    t.settle();
    ASSERT_TRUE(t.stage.lives(next));
    EXPECT_EQ(t.stage.get(next)->gold, 2);
    EXPECT_FALSE(t.stage.lives(v));
}

TEST(store_faults, D25_persistence_that_is_asked_for_and_not_there_is_refused_before_the_id_is_taken) {
    fake_disk disk;
    disk.down = true;
    town t(disk);
    EXPECT_FALSE(*t.store);
    EXPECT_STREQ(t.store->why(), "the database is down");
    const auto v = t.stage.create<vault>({.id = "v", .persistent = true});
    EXPECT_STREQ(v.why(), "\"v\" (vault): the database is down");
    EXPECT_FALSE(t.stage.find("v"));
    EXPECT_TRUE(t.stage.create<vault>({.id = "v"}));
    t.store.reset();
    EXPECT_EQ(t.stage.create<vault>({.id = "w", .persistent = true}).reason(), lido::stage_refusal::no_store);
}

TEST(store_faults, D35_what_was_loaded_and_not_changed_is_never_saved_however_it_ends) {
    fake_disk disk;
    // With a name that this program does not know, and in another form than it would write.
    const std::string text = R"({ "gold": 7, "later": [1, 2] })";
    for (const char* key : {"a", "b", "c"}) disk.put("vault", key, text);
    {
        town t(disk);
        const auto a = t.open_vault("a");
        const auto b = t.open_vault("b");
        const auto c = t.open_vault("c");
        EXPECT_EQ(t.stage.get(c)->gold, 7);
        EXPECT_TRUE(t.store->is_saved(c));
        ASSERT_TRUE(t.stage.destroy(a));
        ASSERT_TRUE(t.stage.pool(b));
        t.settle();
        ASSERT_TRUE(t.store->flush());
    }
    for (const char* key : {"a", "b", "c"}) EXPECT_EQ(disk.data("vault", key), text);
    EXPECT_EQ(disk.writes, 0u);
}

TEST(store_faults, D36_a_load_that_failed_lets_nobody_write_over_the_row) {
    fake_disk disk;
    disk.put("vault", "v", R"({"gold":-1})");
    town t(disk);
    for (int i = 0; i < 3; ++i) {
        static_cast<void>(t.stage.create<vault>({.id = "v", .persistent = true}, {.gold = 5}));
        t.settle();
        EXPECT_FALSE(t.stage.find("v"));
    }
    ASSERT_TRUE(t.stage.create<vault>({.id = "v"}, {.gold = 5})) << "the id is free, without the row";
    ASSERT_TRUE(t.pay(t.stage.find<vault>("v"), 1));
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":-1})");
    EXPECT_EQ(t.refused.size(), 3u);
}

TEST(store_faults, D37_what_is_saved_is_what_was_committed_and_cleared_fields_stay_cleared) {
    fake_disk disk;
    {
        town t(disk);
        const auto v = t.open_vault("v", 10);
        auto name = t.stage.edit(v);
        ASSERT_TRUE(name->keeper.assign("ann"));
        ASSERT_TRUE(name.commit());
        auto clear = t.stage.edit(v);
        clear->keeper.clear();
        clear->gold = 0;
        ASSERT_TRUE(clear.commit());
        auto staged = t.stage.edit(v);
        staged->gold = 12345;
        ASSERT_TRUE(t.store->flush());
        EXPECT_EQ(disk.data("vault", "v"), R"({"gold":0,"keeper":""})");
    }
    town t(disk);
    const auto v = t.open_vault("v", 77);
    EXPECT_EQ(t.stage.get(v)->gold, 0);
    EXPECT_EQ(t.stage.get(v)->keeper.view(), "");
}

TEST(store_faults, D38_an_old_payload_never_lands_last_whatever_fails) {
    for (const bool lies : {false, true}) {
        for (std::uint64_t at = 1; at < 60; ++at) {
            fake_disk disk;
            disk.keep_history = true;
            disk.lies_at_commit = lies;
            town t(disk, {.wait = 0ms, .retry = {.first = 10ms, .longest = 10ms}});
            if (!*t.store) continue;
            const auto v = t.open_vault("v", 1);
            disk.fail_at = disk.calls + at;
            disk.fail_for = 3;
            for (int i = 0; i < 12; ++i) {
                ASSERT_TRUE(t.pay(v, 1));
                t.tick();
                t.work();
            }
            ASSERT_TRUE(t.flush());
            EXPECT_EQ(disk.data("vault", "v"), R"({"gold":13,"keeper":""})");
            std::pair<std::uint64_t, std::uint64_t> last;
            for (const fake_tables& f : disk.history) {
                const auto found = f.rows.find({"vault", "v"});
                if (found == f.rows.end()) continue;
                const std::pair now(found->second.generation, found->second.version);
                EXPECT_GE(now, last);
                last = now;
            }
        }
    }
}

TEST(store_faults, D38_a_store_that_another_program_has_overtaken_writes_nothing_more_and_says_so) {
    fake_disk disk;
    town t(disk);
    const auto v = t.open_vault("v", 1);
    ASSERT_TRUE(t.pay(v, 1));
    t.tick();
    ++disk.tables.epoch;
    const auto writes = disk.writes;
    const auto flushed = t.store->flush();
    EXPECT_FALSE(flushed);
    EXPECT_NE(std::string(flushed.why()).find("another program has it"), std::string::npos) << flushed.why();
    EXPECT_EQ(disk.writes, writes);
    EXPECT_FALSE(*t.store);
    ASSERT_EQ(t.failed.size(), 1u);
    EXPECT_EQ(t.failed[0].why, "another program has it");
    EXPECT_FALSE(t.stage.create<vault>({.id = "w", .persistent = true}));
    EXPECT_TRUE(t.pay(v, 1)) << "the game goes on";
    t.tick();
    EXPECT_FALSE(t.store->is_saved(v));
}

TEST(store_faults, D39_saves_and_loads_work_with_a_real_database_and_a_thread) {
    const folder where;
    for (int run = 0; run < 4; ++run) {
        lido::world world;
        lido::stage stage{world};
        stage.add<vault>("vault");
        lido::store::sqlite store{stage, where.file("world.db"), {}, {.sync = lido::store::sync_level::off}};
        ASSERT_TRUE(store) << store.why();
        const auto v = stage.create<vault>({.id = "v", .persistent = true});
        ASSERT_TRUE(store.wait_for_loads());
        ASSERT_TRUE(stage.lives(v));
        EXPECT_EQ(stage.get(v)->gold, 100 * run);
        for (int i = 0; i < 100; ++i) {
            auto e = stage.edit(v);
            ++e->gold;
            ASSERT_TRUE(e.commit());
            stage.tick();
            store.tick();
        }
    }
}

TEST(store_faults, D40_every_request_ends_exactly_once_whatever_call_fails_and_how) {
    using lido::store::db_fault;
    for (const db_fault fault : {db_fault::again, db_fault::row, db_fault::unusable, db_fault::lost}) {
        int failed_runs = 0;
        for (std::uint64_t at = 2; at < 70; ++at) {
            fake_disk disk;
            disk.fault = fault;
            town t(disk, {.wait = 0ms, .retry = {.first = 10ms, .longest = 10ms, .give_up = 25ms}});
            disk.fail_at = at;
            disk.fail_for = at % 2 == 0 ? 1 : 6;
            std::map<std::string, int> created;
            for (int i = 0; i < 12; ++i) {
                const std::string id = "v" + std::to_string(i % 4);
                const auto there = t.stage.find<vault>(id);
                if (!there) {
                    static_cast<void>(t.stage.create<vault>({.id = id, .persistent = true}));
                } else if (i % 5 == 4) {
                    static_cast<void>(t.stage.destroy(there));
                } else {
                    static_cast<void>(t.pay(there, 1));
                }
                t.tick();
                t.work();
            }
            static_cast<void>(t.flush());
            t.settle();
            const auto s = t.store->stats();
            EXPECT_EQ(s.loading, 0u) << "fault " << int(fault) << " at " << at;
            EXPECT_EQ(s.pending, 0u) << "fault " << int(fault) << " at " << at;
            std::map<std::pair<std::string, std::uint64_t>, int> ended;
            for (const auto& e : t.saved)
                EXPECT_EQ(++ended[std::pair(e.key, e.generation << 32 | e.version)], 1) << e.key;
            for (const auto& e : t.failed) EXPECT_FALSE(e.why.empty());
            EXPECT_EQ(t.saved.size() + t.failed.size(), s.saves + s.superseded + s.failed);
            EXPECT_TRUE(t.store->validate()) << t.store->validate().broken;
            if (!t.failed.empty() || !t.refused.empty() || !*t.store || s.retries != 0) ++failed_runs;
        }
        EXPECT_GT(failed_runs, 20) << "faults " << int(fault) << " were never met";
    }
}

}  // namespace store_faults
