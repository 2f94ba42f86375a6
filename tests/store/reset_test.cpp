// X23 S5.9: a game that is loaded into a stage with a store is a reset: what was loaded is saved, and wins over what was saved since.
#include <lido/store/save_game.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "store/folder.hpp"
#include "store/town.hpp"

namespace store_reset {

using namespace store_tests;

TEST(store_reset, X23_what_was_loaded_wins_over_what_was_saved_since) {
    const folder f;
    fake_disk disk;
    town t(disk);
    const auto v = t.open_vault("v", 10);
    ASSERT_TRUE(t.pay(v, 5));
    t.settle();
    ASSERT_TRUE(lido::store::save_game(f.file("a.game"), t.stage));
    for (int i = 0; i < 9; ++i) {
        ASSERT_TRUE(t.pay(v, 100));
        t.tick();
    }
    const auto later = t.open_vault("later", 1);
    ASSERT_TRUE(later);
    ASSERT_TRUE(t.flush());
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":915,"keeper":""})");
    const auto before = *disk.row("vault", "v");

    ASSERT_TRUE(lido::store::load_game(f.file("a.game"), t.stage));
    ASSERT_TRUE(t.flush());
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":15,"keeper":""})");
    EXPECT_GT(disk.row("vault", "v")->generation, before.generation);
    EXPECT_EQ(disk.data("vault", "later"), R"({"gold":1,"keeper":""})") << "the row of who is no more stays";
    ASSERT_TRUE(t.pay(t.stage.find<vault>("v"), 1));
    t.tick();
    ASSERT_TRUE(t.flush());
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":16,"keeper":""})");
    EXPECT_TRUE(t.failed.empty());
}

TEST(store_reset, X23_wins_in_another_run_of_the_program_too) {
    const folder f;
    fake_disk disk;
    {
        town t(disk);
        ASSERT_TRUE(t.open_vault("v", 10));
        ASSERT_TRUE(lido::store::save_game(f.file("a.game"), t.stage));
        // Many lives later.
        for (int i = 0; i < 50; ++i) ASSERT_TRUE(t.stage.destroy(t.stage.create<spark>()));
        ASSERT_TRUE(t.stage.pool(t.stage.find("v")));
        t.settle();
        const auto again = t.open_vault("v");
        ASSERT_TRUE(t.pay(again, 90));
        t.settle();
        ASSERT_TRUE(t.flush());
        EXPECT_EQ(disk.data("vault", "v"), R"({"gold":100,"keeper":""})");
    }
    town t(disk);
    ASSERT_TRUE(lido::store::load_game(f.file("a.game"), t.stage));
    t.settle();
    ASSERT_TRUE(t.flush());
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":10,"keeper":""})");
    EXPECT_TRUE(t.failed.empty());
}

TEST(store_reset, X23_a_place_that_somebody_else_has_now_lets_the_former_one_be_opened_again) {
    const folder f;
    fake_disk disk;
    town t(disk);
    ASSERT_TRUE(lido::store::save_game(f.file("empty.game"), t.stage));
    ASSERT_TRUE(t.open_vault("b", 2));
    ASSERT_TRUE(lido::store::save_game(f.file("b.game"), t.stage));
    ASSERT_TRUE(t.flush());
    ASSERT_TRUE(lido::store::load_game(f.file("empty.game"), t.stage));
    t.settle();
    ASSERT_TRUE(t.open_vault("a", 1));
    ASSERT_TRUE(t.flush());
    // "b" comes to where "a" is.
    ASSERT_TRUE(lido::store::load_game(f.file("b.game"), t.stage));
    t.settle();
    ASSERT_TRUE(t.flush());
    EXPECT_FALSE(t.stage.find("a"));
    EXPECT_EQ(t.store->stats().entities, 1u);
    const auto a = t.open_vault("a");
    ASSERT_NE(t.stage.get(a), nullptr);
    EXPECT_EQ(t.stage.get(a)->gold, 1) << "as it was stored";
    ASSERT_TRUE(t.pay(a, 6));
    t.tick();
    ASSERT_TRUE(t.flush());
    EXPECT_EQ(disk.data("vault", "a"), R"({"gold":7,"keeper":""})");
    EXPECT_EQ(disk.data("vault", "b"), R"({"gold":2,"keeper":""})");
}

TEST(store_reset, X23_a_load_that_was_under_way_is_given_up_and_can_be_asked_for_again) {
    const folder f;
    fake_disk disk;
    disk.put("vault", "v", R"({"gold":70,"keeper":""})");
    town t(disk);
    ASSERT_TRUE(lido::store::save_game(f.file("a.game"), t.stage));
    const auto lost = t.stage.create<vault>({.id = "v", .persistent = true});
    ASSERT_TRUE(lost);
    ASSERT_TRUE(lido::store::load_game(f.file("a.game"), t.stage));
    t.settle();
    EXPECT_FALSE(t.stage.lives(lost));
    const auto v = t.open_vault("v");
    ASSERT_NE(t.stage.get(v), nullptr);
    EXPECT_EQ(t.stage.get(v)->gold, 70);
}

/// Says that nothing is stored.
struct no_rows final : lido::entity_store {
    load_answer load(const lido::load_request&) override { return {begins::new_one, nullptr}; }
    bool settled(const lido::entity_id&, std::uint64_t, std::uint64_t) const noexcept override { return true; }
};

TEST(store_reset, X23_a_game_of_a_program_that_added_its_classes_in_another_order_is_saved_as_what_it_is) {
    const folder f;
    {
        no_rows rows;
        lido::world world;
        lido::stage stage{world};
        stage.attach(&rows);
        stage.add<gate>("gate");
        stage.add<spark>("spark");
        stage.add<vault>("vault");
        const auto v = stage.create<vault>({.id = "v", .persistent = true}, {.gold = 70});
        gate g;
        g.open = true;
        g.guards = stage.link_to(v.reference());
        ASSERT_TRUE(stage.create<gate>({.id = "g", .persistent = true}, g));
        ASSERT_TRUE(lido::store::save_game(f.file("a.game"), stage));
        stage.attach(nullptr);
    }
    fake_disk disk;
    town t(disk);
    ASSERT_TRUE(t.open_vault("v", 1));
    ASSERT_TRUE(t.stage.create<gate>({.id = "h", .persistent = true}));
    t.settle();
    const auto loaded = lido::store::load_game(f.file("a.game"), t.stage);
    ASSERT_TRUE(loaded) << loaded.why();
    t.settle();
    ASSERT_TRUE(t.pay(t.stage.find<vault>("v"), 7));
    t.tick();
    ASSERT_TRUE(t.flush());
    EXPECT_EQ(disk.data("vault", "v"), R"({"gold":77,"keeper":""})");
    EXPECT_NE(disk.data("gate", "g").find(R"("open":true,"guards":)"), std::string::npos) << disk.data("gate", "g");
    EXPECT_EQ(disk.row("gate", "v"), nullptr);
    EXPECT_EQ(disk.row("vault", "g"), nullptr);
    EXPECT_TRUE(t.failed.empty());
    EXPECT_EQ(t.store->stats().entities, 2u);
}

}  // namespace store_reset
