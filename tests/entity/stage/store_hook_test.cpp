// S5.9: what a stage asks of a store, without one that writes
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "entity/stage/doors.hpp"

namespace stage_store_hook {

using namespace stage_tests;
using lido::stage_refusal;

struct slow_store final : lido::entity_store {
    std::vector<lido::any_entity_ref> asked;
    std::vector<std::string> keys;
    begins how = begins::loading;
    bool all_settled = true;
    load_answer load(const lido::load_request& r) override {
        asked.push_back(r.of);
        keys.push_back(std::string(r.key));
        return {how, "no"};
    }
    bool settled(const lido::entity_id&, std::uint64_t, std::uint64_t) const noexcept override { return all_settled; }
};

TEST(stage_store_hook, a_persistent_entity_is_loading_until_the_store_has_said_what_there_is) {
    slow_store store;
    hall h;
    h.stage.attach(&store);
    const auto b = h.stage.create<bullet>({.id = "b", .persistent = true, .key = "row-7"});
    ASSERT_TRUE(b) << b.why();
    EXPECT_EQ(store.keys, (lines{"row-7"}));
    EXPECT_EQ(h.stage.get(b), nullptr);
    EXPECT_FALSE(h.stage.lives(b));
    EXPECT_TRUE(heard.taken().empty());
    auto early = h.stage.edit(b);
    early->speed = 1;
    EXPECT_FALSE(early.commit());
    EXPECT_STREQ(early.why(), "\"b\" (bullet): its data is still being loaded");
    EXPECT_EQ(h.stage.create<bullet>({.id = "b"}).reason(), stage_refusal::id_taken);

    const bullet found{.speed = 33};
    ASSERT_TRUE(h.stage.finish_load(b, {.data = &found, .version = 12, .generation = 500, .owner = {4}}));
    EXPECT_EQ(h.stage.get(b)->speed, 33);
    EXPECT_EQ(h.stage.info(b).version, 12u);
    EXPECT_EQ(h.stage.info(b).generation, 501u);
    EXPECT_EQ(h.stage.info(b).owner, lido::player{4});
    EXPECT_EQ(heard.taken(), (lines{"begin b"}));
    EXPECT_EQ(h.stage.finish_load(b, {}).reason(), stage_refusal::ended);
    std::vector<std::string> kinds;
    auto reader = h.stage.changes().open({.what = lido::reads::everything, .from = lido::read_from::oldest});
    static_cast<void>(reader.read([&](const lido::journal_entry& e) { kinds.push_back(lido::to_string(e.kind())); }));
    EXPECT_EQ(kinds, (lines{"loading", "created"}));
}

TEST(stage_store_hook, a_load_that_fails_frees_the_id_and_says_why_in_the_journal) {
    slow_store store;
    hall h;
    h.stage.attach(&store);
    const auto b = h.stage.create<bullet>({.id = "b", .persistent = true});
    std::string note;
    auto reader = h.stage.changes().open({.what = lido::reads::everything});
    ASSERT_TRUE(h.stage.refuse_load(b, "the row is broken"));
    static_cast<void>(reader.read([&](const lido::journal_entry& e) {
        EXPECT_EQ(e.kind(), lido::change_kind::load_refused);
        note.assign(reinterpret_cast<const char*>(e.after.data()), e.after.size());
    }));
    EXPECT_EQ(note, "the row is broken");
    EXPECT_FALSE(h.stage.find("b"));
    EXPECT_TRUE(h.stage.create<bullet>({.id = "b"}));
    EXPECT_TRUE(h.stage.validate());
}

TEST(stage_store_hook, loaded_data_that_breaks_the_rules_is_refused_and_not_replaced_by_defaults) {
    slow_store store;
    hall h;
    h.stage.attach(&store);
    const auto d = h.stage.create<door>({.id = "d", .persistent = true});
    const door bad{.hp = 5000};
    EXPECT_STREQ(h.stage.finish_load(d, {.data = &bad}).why(), "\"d\" (door): hp: the value is above its maximum");
    EXPECT_EQ(h.stage.get(d), nullptr);
    EXPECT_TRUE(h.stage.refuse_load(d, "broken"));
}

TEST(stage_store_hook, a_load_can_be_given_up) {
    slow_store store;
    hall h;
    h.stage.attach(&store);
    const auto d = h.stage.create<door>({.id = "d", .persistent = true});
    EXPECT_EQ(h.stage.destroy(d), lido::end_outcome::destroyed);
    EXPECT_FALSE(h.stage.finish_load(d, {}));
    EXPECT_FALSE(h.stage.find("d"));
}

TEST(stage_store_hook, what_is_still_being_loaded_cannot_be_erased) {
    slow_store store;
    hall h;
    h.stage.attach(&store);
    const auto d = h.stage.create<door>({.id = "d", .persistent = true});
    const auto erased = h.stage.erase(d);
    EXPECT_EQ(erased.reason(), stage_refusal::loading);
    EXPECT_STREQ(erased.why(), "\"d\" (door): its data is still being loaded");
    ASSERT_TRUE(h.stage.finish_load(d, {}));
    EXPECT_EQ(h.stage.erase(d), lido::end_outcome::erased);
}

TEST(stage_store_hook, a_store_that_refuses_calls_the_creation_off) {
    slow_store store;
    store.how = lido::entity_store::begins::refused;
    hall h;
    h.stage.attach(&store);
    const auto d = h.stage.create<door>({.id = "d", .persistent = true});
    EXPECT_EQ(d.reason(), stage_refusal::store_refused);
    EXPECT_STREQ(d.why(), "\"d\" (door): no");
    EXPECT_FALSE(h.stage.find("d"));
}

TEST(stage_store_hook, a_load_that_the_journal_has_no_room_for_goes_on_loading) {
    slow_store store;
    lido::world world{lido::role::standalone, {.rollback = 100}};
    lido::stage stage{world, {.journal_bytes = 1024}};
    stage.add<bullet>("bullet");
    stage.attach(&store);
    const auto b = stage.create<bullet>({.id = "b", .persistent = true});
    const auto filler = stage.create<bullet>({.id = "f"});
    while (true) {
        auto e = stage.edit(filler);
        ++e->speed;
        if (!e.commit()) break;
    }
    EXPECT_EQ(stage.finish_load(b, {}).reason(), stage_refusal::journal);
    EXPECT_TRUE(stage.look_at(b).loading());
    stage.tick();
    stage.confirm(lido::ticks{0});
    EXPECT_TRUE(stage.finish_load(b, {}));
    EXPECT_TRUE(stage.lives(b));
    heard.lines.clear();
}

TEST(stage_store_hook, an_entity_can_be_created_by_the_number_of_its_class_with_an_id_that_a_stage_gave) {
    hall h;
    const door data{.open = true, .hp = 7};
    const auto number = h.stage.create<door>({.id = "first"}).reference().class_of();
    const auto made = h.stage.create_in_class(number, {.id = "~1.77", .stored_id = true}, &data);
    ASSERT_TRUE(made) << made.why();
    EXPECT_EQ(h.stage.get(h.stage.find<door>("~1.77"))->hp, 7);
    EXPECT_EQ(h.stage.create_in_class(number, {.id = "~1.78"}).reason(), stage_refusal::reserved_id);
    EXPECT_EQ(h.stage.create_in_class(4000, {.id = "x"}).reason(), stage_refusal::no_class);
}

TEST(stage_store_hook, a_stage_continues_from_the_generations_and_the_run_of_another) {
    hall h;
    h.stage.continue_from(500, 9);
    const auto d = h.stage.create<door>();
    EXPECT_EQ(h.stage.info(d).generation, 501u);
    EXPECT_EQ(h.stage.info(d).id.view().substr(0, 3), "~9.");
    h.stage.continue_from(3, 2);
    EXPECT_EQ(h.stage.info(h.stage.create<door>()).generation, 502u);
}

TEST(stage_store_hook, pooling_with_unsaved_changes_is_refused_where_that_was_asked_for) {
    slow_store store;
    store.how = lido::entity_store::begins::new_one;
    store.all_settled = false;
    hall h;
    h.stage.attach(&store);
    const auto d = h.stage.create<door>({.id = "d", .persistent = true});
    ASSERT_TRUE(h.stage.lives(d));
    EXPECT_EQ(h.stage.pool(d, {.unsaved = lido::unsaved::refuse}).reason(), stage_refusal::store_refused);
    EXPECT_EQ(h.stage.pool(d), lido::end_outcome::pooled);
}

}  // namespace stage_store_hook
