// S5.9: what is stored is read before its entity is there; what cannot be read is never written over.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "store/town.hpp"

namespace store_loads {

using namespace store_tests;

TEST(store_loads, S5_9_an_entity_is_there_when_its_row_has_been_read_and_not_before) {
    fake_disk disk;
    disk.put("vault", "v", R"({"gold":70,"keeper":"ann"})", 1, 5, 9);
    town t(disk);
    const auto v = t.stage.create<vault>({.id = "v", .persistent = true}, {.gold = 1});
    ASSERT_TRUE(v) << v.why();
    EXPECT_FALSE(t.stage.lives(v));
    EXPECT_EQ(t.stage.get(v), nullptr);
    EXPECT_FALSE(t.pay(v, 1));
    t.settle();
    ASSERT_TRUE(t.stage.lives(v));
    EXPECT_EQ(t.stage.get(v)->gold, 70);
    EXPECT_EQ(t.stage.get(v)->keeper.view(), "ann");
    EXPECT_EQ(t.stage.info(v).version, 9u);
    EXPECT_GT(t.stage.info(v).generation, 5u);
}

TEST(store_loads, generations_and_generated_ids_go_on_from_what_is_stored) {
    fake_disk disk;
    std::string id;
    std::uint64_t generation = 0;
    {
        town t(disk);
        const auto v = t.stage.create<vault>({.persistent = true}, {.gold = 3});
        t.settle();
        id = t.stage.info(v).id.view();
        generation = t.stage.info(v).generation;
    }
    town t(disk);
    const auto w = t.stage.create<vault>({.persistent = true});
    t.settle();
    EXPECT_NE(t.stage.info(w).id.view(), id);
    EXPECT_GT(t.stage.info(w).generation, generation);
    ASSERT_TRUE(t.store->wait(t.store->load_all<vault>()).done);
    EXPECT_EQ(t.stage.get(t.stage.find<vault>(id))->gold, 3);
}

TEST(store_loads, the_database_being_down_keeps_an_entity_loading_and_no_longer) {
    fake_disk disk;
    disk.put("vault", "v", R"({"gold":70})");
    town t(disk);
    disk.down = true;
    const auto v = t.stage.create<vault>({.id = "v", .persistent = true});
    for (int i = 0; i < 30; ++i) {
        t.tick();
        t.work();
    }
    EXPECT_FALSE(t.stage.lives(v));
    EXPECT_GT(t.store->stats().retries, 2u);
    disk.down = false;
    t.now += 10s;
    t.settle();
    EXPECT_TRUE(t.stage.lives(v));
}

TEST(store_loads, a_load_that_is_given_up_ends_the_request_with_the_reason) {
    fake_disk disk;
    town t(disk, {.retry = {.give_up = 500ms}});
    disk.down = true;
    const auto v = t.stage.create<vault>({.id = "v", .persistent = true});
    t.settle();
    EXPECT_FALSE(t.stage.find("v"));
    EXPECT_FALSE(t.stage.lives(v));
    ASSERT_EQ(t.refused.size(), 1u);
    EXPECT_EQ(t.refused[0], "vault/v: the database is down");
}

TEST(store_loads, an_entity_that_ends_while_it_loads_is_not_there_when_its_row_comes) {
    fake_disk disk;
    disk.put("vault", "v", R"({"gold":70})");
    town t(disk);
    const auto v = t.stage.create<vault>({.id = "v", .persistent = true});
    t.tick();
    EXPECT_TRUE(t.stage.destroy(v));
    const auto w = t.stage.create<vault>({.id = "v", .persistent = true});
    t.settle();
    EXPECT_FALSE(t.stage.lives(v));
    ASSERT_TRUE(t.stage.lives(w));
    EXPECT_EQ(t.stage.get(w)->gold, 70);
    EXPECT_TRUE(t.store->validate()) << t.store->validate().broken;
}

TEST(store_loads, an_id_that_is_created_again_has_what_its_last_life_had) {
    fake_disk disk;
    town t(disk);
    auto v = t.open_vault("v", 1);
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(t.pay(v, 10));
        const auto how = i % 2 == 0 ? t.stage.pool(v) : t.stage.destroy(v);
        ASSERT_TRUE(how) << how.why();
        v = t.stage.create<vault>({.id = "v", .persistent = true});
        t.settle();
        ASSERT_TRUE(t.stage.lives(v));
        EXPECT_EQ(t.stage.get(v)->gold, 1 + 10 * (i + 1));
    }
    EXPECT_TRUE(t.store->validate()) << t.store->validate().broken;
}

TEST(store_loads, what_was_erased_is_a_new_entity) {
    fake_disk disk;
    town t(disk);
    auto v = t.open_vault("v", 10);
    const auto first = t.stage.info(v).generation;
    ASSERT_TRUE(t.stage.erase(v));
    v = t.stage.create<vault>({.id = "v", .persistent = true}, {.gold = 2});
    t.settle();
    ASSERT_TRUE(t.stage.lives(v));
    EXPECT_EQ(t.stage.get(v)->gold, 2);
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":2,"keeper":""})");
    EXPECT_GT(disk.row("vault", "v")->birth, first);
}

TEST(store_loads, two_entities_cannot_have_one_row) {
    fake_disk disk;
    town t(disk);
    ASSERT_TRUE(t.stage.create<vault>({.id = "a", .persistent = true, .key = "shared"}));
    t.settle();
    const auto b = t.stage.create<vault>({.id = "b", .persistent = true, .key = "shared"});
    EXPECT_STREQ(b.why(), "\"b\" (vault): another entity of its class has the row of this key; end that one first");
    EXPECT_TRUE(t.stage.create<gate>({.id = "b", .persistent = true, .key = "shared"})) << "of another class";
}

TEST(store_loads, all_rows_of_a_class_become_entities_in_slices) {
    fake_disk disk;
    for (int i = 0; i < 3000; ++i) disk.put("vault", "v" + std::to_string(i), R"({"gold":)" + std::to_string(i) + "}");
    disk.put("vault", "w", "{}");
    town t(disk, {.rows_a_tick = 100});
    const auto all = t.store->load_all<vault>("v");
    t.work();
    EXPECT_FALSE(t.store->progress(all).done);
    t.tick();
    EXPECT_EQ(t.store->progress(all).of, 3000u);
    EXPECT_LE(t.stage.size(), 200u);
    for (int i = 0; i < 100 && !t.store->progress(all).done; ++i) {
        t.tick();
        t.work();
    }
    EXPECT_TRUE(t.store->progress(all));
    EXPECT_EQ(t.store->progress(all).made, 3000u);
    EXPECT_EQ(t.stage.size(), 3000u);
    EXPECT_EQ(t.stage.get(t.stage.find<vault>("v2999"))->gold, 2999);
    t.settle();
    EXPECT_EQ(disk.writes, 0u) << "nothing has changed";
    EXPECT_TRUE(t.store->validate()) << t.store->validate().broken;
}

TEST(store_loads, a_load_of_many_can_be_waited_for_though_the_journal_holds_few) {
    fake_disk disk;
    for (int i = 0; i < 3000; ++i) disk.put("vault", "v" + std::to_string(i), "{}");
    town t(disk, {}, 0, {.journal_bytes = 16384});
    const auto done = t.store->wait(t.store->load_all<vault>());
    EXPECT_TRUE(done) << done.why;
    EXPECT_EQ(done.made, 3000u);
    EXPECT_EQ(t.stage.size(), 3000u);
}

TEST(store_loads, after_a_load_of_a_whole_class_other_ids_begin_at_once) {
    fake_disk disk;
    disk.put("vault", "a", R"({"gold":5})");
    town t(disk);
    ASSERT_TRUE(t.store->wait(t.store->load_all("vault")));
    const auto b = t.stage.create<vault>({.id = "b", .persistent = true}, {.gold = 1});
    EXPECT_TRUE(t.stage.lives(b));
    ASSERT_TRUE(t.stage.destroy(t.stage.find("a")));
    const auto a = t.stage.create<vault>({.id = "a", .persistent = true});
    EXPECT_FALSE(t.stage.lives(a)) << "its row is known to be there";
    t.settle();
    EXPECT_EQ(t.stage.get(a)->gold, 5);
    EXPECT_EQ(disk.data("vault", "b"), R"({"gold":1,"keeper":""})");
}

TEST(store_loads, rows_that_cannot_be_entities_are_told_one_by_one_and_the_rest_is_loaded) {
    fake_disk disk;
    disk.put("vault", "good", R"({"gold":5})");
    disk.put("vault", "negative", R"({"gold":-5})");
    disk.put("vault", "text", R"({"gold":"much"})");
    disk.put("vault", "future", R"({"gold":5})", 2);
    disk.put("vault", "torn", R"({"gold":)");
    town t(disk);
    const auto done = t.store->wait(t.store->load_all<vault>());
    EXPECT_TRUE(done.done);
    EXPECT_EQ(done.made, 1u);
    EXPECT_EQ(done.refused, 4u);
    EXPECT_EQ(t.refused,
              (std::vector<std::string>{
                  "vault/future: it was stored by a later version of the program (revision 2, this one knows "
                  "1); run that version",
                  "vault/negative: what was loaded breaks the rules of the schema: gold: the value is below "
                  "its minimum",
                  "vault/text: a stored value is none that the field can have, and no `migrate` took it: gold",
                  "vault/torn: what is stored is not a JSON object with each name once"}));
    const auto again = t.stage.create<vault>({.id = "torn", .persistent = true}, {.gold = 1});
    t.settle();
    EXPECT_FALSE(t.stage.lives(again));
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(disk.data("vault", "torn"), R"({"gold":)");
}

TEST(store_loads, links_survive_in_both_directions_whatever_the_order) {
    fake_disk disk;
    std::uint64_t birth = 0;
    {
        town t(disk);
        const auto v = t.open_vault("v", 3);
        const auto a = t.stage.create<gate>({.id = "a", .persistent = true});
        const auto b = t.stage.create<gate>({.id = "b", .persistent = true});
        t.settle();
        auto e = t.stage.edit(a, b);
        e[a.reference()].guards = t.stage.link_to(v);
        e[a.reference()].beside = t.stage.link_to(b.reference());
        e[b.reference()].beside = t.stage.link_to(a.reference());
        ASSERT_TRUE(e.commit());
        ASSERT_TRUE(t.store->flush());
        birth = t.stage.info(v).generation;
        EXPECT_EQ(disk.data("gate", "a"), R"({"open":false,"guards":{"id":"v","generation":)" + std::to_string(birth) +
                                              R"(},"beside":{"id":"b","generation":)" +
                                              std::to_string(t.stage.info(b).generation) + "}}");
    }
    for (int run = 0; run < 3; ++run) {
        town t(disk);
        const auto gates = t.store->load_all<gate>();
        const auto vaults = t.store->load_all<vault>();
        ASSERT_TRUE(t.store->wait(gates));
        ASSERT_TRUE(t.store->wait(vaults));
        const auto a = t.stage.find<gate>("a");
        const auto b = t.stage.find<gate>("b");
        EXPECT_EQ(t.stage.follow(t.stage.get(a)->guards), t.stage.find<vault>("v"));
        EXPECT_EQ(t.stage.follow(t.stage.get(a)->beside), b);
        EXPECT_EQ(t.stage.follow(t.stage.get(b)->beside), a);
        auto e = t.stage.edit(a);
        e->open = !e->open;
        ASSERT_TRUE(e.commit());
        ASSERT_TRUE(t.store->flush());
        EXPECT_NE(disk.data("gate", "a").find(R"({"id":"v","generation":)" + std::to_string(birth) + "}"),
                  std::string::npos);
    }
}

TEST(store_loads, a_link_to_who_is_not_loaded_is_null_and_stays_in_the_row_until_its_field_changes) {
    fake_disk disk;
    disk.put("vault", "v", R"({"gold":5})", 1, 4);
    disk.put("gate", "g", R"({"open":false,"guards":{"id":"v","generation":4},"beside":null})", 1, 6);
    town t(disk);
    const auto g = t.stage.create<gate>({.id = "g", .persistent = true});
    t.settle();
    ASSERT_TRUE(t.stage.lives(g));
    EXPECT_FALSE(t.stage.get(g)->guards);
    auto e = t.stage.edit(g);
    e->open = true;
    ASSERT_TRUE(e.commit());
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(disk.data("gate", "g"), R"({"open":true,"guards":{"id":"v","generation":4},"beside":null})");
    auto f = t.stage.edit(g);
    f->guards = t.stage.link_to(t.open_vault("other"));
    f.reload();
    f->guards = t.stage.link_to(t.stage.find<vault>("other"));
    ASSERT_TRUE(f.commit());
    ASSERT_TRUE(t.store->flush());
    EXPECT_NE(disk.data("gate", "g").find(R"("id":"other")"), std::string::npos);
}

TEST(store_loads, a_link_that_was_not_loaded_and_was_changed_does_not_come_back_with_null) {
    fake_disk disk;
    disk.put("vault", "v", R"({"gold":5})", 1, 4);
    disk.put("gate", "g", R"({"open":false,"guards":{"id":"v","generation":4},"beside":null})", 1, 6);
    town t(disk);
    const auto other = t.open_vault("other");
    const auto g = t.stage.create<gate>({.id = "g", .persistent = true});
    t.settle();
    for (const auto& to : {t.stage.link_to(other), lido::link<vault>()}) {
        auto e = t.stage.edit(g);
        e->guards = to;
        ASSERT_TRUE(e.commit());
    }
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(disk.data("gate", "g"), R"({"open":false,"guards":null,"beside":null})");
}

TEST(store_loads, an_entity_is_erased_when_it_is_there_and_not_while_it_is_loading) {
    fake_disk disk;
    disk.put("vault", "v", R"({"gold":5})", 1, 4);
    town t(disk);
    const auto v = t.stage.create<vault>({.id = "v", .persistent = true});
    const auto refused = t.stage.erase(v);
    EXPECT_FALSE(refused);
    EXPECT_NE(std::string(refused.why()).find("still being loaded"), std::string::npos) << refused.why();
    t.settle();
    ASSERT_TRUE(t.stage.erase(v));
    ASSERT_TRUE(t.flush());
    EXPECT_EQ(disk.row("vault", "v")->state, lido::store::row_state::erased);
}

TEST(store_loads, a_link_to_who_has_ended_stays_as_long_as_nobody_has_its_place) {
    fake_disk disk;
    town t(disk);
    const auto v = t.open_vault("v");
    const auto g = t.stage.create<gate>({.id = "g", .persistent = true});
    t.settle();
    auto e = t.stage.edit(g);
    e->guards = t.stage.link_to(v);
    ASSERT_TRUE(e.commit());
    ASSERT_TRUE(t.stage.pool(v));
    ASSERT_TRUE(t.store->flush());
    EXPECT_NE(disk.data("gate", "g").find(R"("id":"v")"), std::string::npos);
}

TEST(store_loads, a_tick_that_is_played_again_loads_again_what_it_had_loaded) {
    fake_disk disk;
    disk.put("vault", "v", R"({"gold":70})");
    town t(disk, {}, 8);
    lido::snapshot before_create, while_loading;
    t.tick();
    ASSERT_TRUE(t.stage.save(before_create));
    auto v = t.stage.create<vault>({.id = "v", .persistent = true});
    t.tick();
    ASSERT_TRUE(t.stage.save(while_loading));
    t.work();
    t.tick();
    ASSERT_TRUE(t.stage.lives(v));
    const auto generation = t.stage.info(v).generation;
    const auto tick = t.stage.now();

    ASSERT_TRUE(t.stage.restore(while_loading));
    EXPECT_FALSE(t.stage.lives(v));
    while (t.stage.now() < tick) t.tick();
    ASSERT_TRUE(t.stage.lives(v));
    EXPECT_EQ(t.stage.info(v).generation, generation);
    EXPECT_EQ(t.stage.get(v)->gold, 70);

    ASSERT_TRUE(t.stage.restore(before_create));
    EXPECT_FALSE(t.stage.find("v"));
    v = t.stage.create<vault>({.id = "v", .persistent = true});
    while (t.stage.now() < tick) t.tick();
    ASSERT_TRUE(t.stage.lives(v));
    EXPECT_EQ(t.stage.get(v)->gold, 70);
    ASSERT_TRUE(t.pay(v, 1));
    for (int i = 0; i < 12; ++i) t.tick();
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":71,"keeper":""})");
    EXPECT_TRUE(t.store->validate()) << t.store->validate().broken;
}

TEST(store_loads, a_creation_that_a_rewind_took_back_leaves_its_row_to_the_next) {
    fake_disk disk;
    disk.put("vault", "v", R"({"gold":70})");
    town t(disk, {}, 4);
    lido::snapshot before;
    t.tick();
    ASSERT_TRUE(t.stage.save(before));
    ASSERT_TRUE(t.stage.create<vault>({.id = "v", .persistent = true}));
    t.tick();
    t.work();
    t.tick();
    ASSERT_TRUE(t.stage.lives(t.stage.find("v")));
    ASSERT_TRUE(t.stage.restore(before));
    t.tick();
    ASSERT_TRUE(t.stage.create<vault>({.id = "other", .persistent = true}));
    t.tick();
    const auto v = t.stage.create<vault>({.id = "v", .persistent = true});
    t.settle();
    for (int i = 0; i < 12; ++i) {
        t.tick();
        t.work();
    }
    ASSERT_TRUE(t.stage.lives(v));
    EXPECT_EQ(t.stage.get(v)->gold, 70);
    EXPECT_TRUE(t.store->validate()) << t.store->validate().broken;
}

}  // namespace store_loads
