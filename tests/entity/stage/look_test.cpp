// Entities without their types: for tools.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "entity/stage/doors.hpp"

namespace stage_look {

using namespace stage_tests;
using names = std::vector<std::string>;

/// All that a walk of slices of so many places shows.
names walked(const lido::stage& stage, std::uint32_t places) {
    names all;
    lido::entity_place at;
    for (int slices = 0; slices < 10'000 && !stage.is_through(at); ++slices) {
        at = stage.look_through(at, places, [&](const lido::entity_look& e) { all.emplace_back(e.info().id.view()); });
    }
    EXPECT_TRUE(stage.is_through(at));
    return all;
}

TEST(stage_look, names_the_classes_and_what_is_set_for_them) {
    hall h;
    static_cast<void>(h.stage.create<door>());
    std::map<std::string, lido::entity_class_info> classes;
    for (lido::class_number n = 0; n < h.stage.class_limit(); ++n) {
        if (const lido::entity_class_info c = h.stage.class_info_of(n)) classes[std::string(c.name)] = c;
    }
    ASSERT_EQ(classes.size(), 4u);
    EXPECT_EQ(classes["door"].live, 1u);
    EXPECT_EQ(classes["door"].history, 5u);
    EXPECT_EQ(classes["door"].schema, &lido::schema_of<door>());
    EXPECT_EQ(classes["bullet"].idle, 2u);
    EXPECT_TRUE(classes["boss"].fresh);
    EXPECT_TRUE(classes["boss"].changeable);
    EXPECT_FALSE(h.stage.class_info_of(h.stage.class_limit()));
}

TEST(stage_look, a_walk_shows_each_that_lives_once_whatever_the_slices) {
    hall h;
    std::vector<lido::entity_ref<bullet>> shots;
    for (int i = 0; i < 20; ++i) {
        static_cast<void>(h.stage.create<door>({.id = "d" + std::to_string(i)}));
        shots.push_back(h.stage.create<bullet>({.id = "b" + std::to_string(i)}));
    }
    for (std::size_t i = 0; i < shots.size(); i += 3) h.stage.destroy(shots[i]);
    const names all = walked(h.stage, 1000);
    EXPECT_EQ(all.size(), h.stage.size());
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
    for (const std::uint32_t places : {1u, 2u, 7u}) EXPECT_EQ(walked(h.stage, places), all);
}

TEST(stage_look, a_walk_goes_on_where_it_was_stopped) {
    hall h;
    for (int i = 0; i < 5; ++i) static_cast<void>(h.stage.create<door>({.id = "d" + std::to_string(i)}));
    names all;
    lido::entity_place at;
    while (!h.stage.is_through(at)) {
        at = h.stage.look_through(at, 1000, [&](const lido::entity_look& e) {
            all.emplace_back(e.info().id.view());
            return false;
        });
    }
    EXPECT_EQ(all, (names{"d0", "d1", "d2", "d3", "d4"}));
}

TEST(stage_look, a_walk_between_changes_and_restores_shows_who_lives_all_the_while) {
    hall h(8);
    std::vector<lido::entity_ref<bullet>> shots;
    for (int i = 0; i < 12; ++i) shots.push_back(h.stage.create<bullet>({.id = "b" + std::to_string(i)}));
    lido::snapshot before;
    ASSERT_TRUE(h.stage.save(before));
    h.stage.tick();
    h.stage.destroy(shots[2]);
    h.stage.destroy(shots[7]);
    for (int i = 0; i < 4; ++i) h.stage.tick();
    static_cast<void>(h.stage.create<bullet>({.id = "new"}));
    EXPECT_EQ(walked(h.stage, 5).size(), 11u);
    ASSERT_TRUE(h.stage.restore(before));
    const names all = walked(h.stage, 5);
    EXPECT_EQ(all.size(), 12u);
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 12u);

    std::set<std::string> seen;
    lido::entity_place at;
    for (int i = 0; !h.stage.is_through(at); ++i) {
        at = h.stage.look_through(at, 2, [&](const lido::entity_look& e) { seen.emplace(e.info().id.view()); });
        static_cast<void>(h.stage.create<bullet>());
        if (i == 0) h.stage.destroy(shots[9]);
    }
    for (int i = 0; i < 12; ++i) {
        EXPECT_TRUE(i == 9 || seen.count("b" + std::to_string(i)) == 1) << i;
    }
}

TEST(stage_look, says_of_one_entity_all_that_the_typed_calls_say) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate", .owner = {7}}, {.angle = 30});
    auto change = h.stage.edit(gate);
    change->hp = 50;
    ASSERT_TRUE(change.commit());
    ASSERT_TRUE(h.stage.lock(gate, "shop", lido::ticks{9}));
    const lido::entity_look e = h.stage.look_at(h.stage.find("gate"));
    ASSERT_TRUE(e);
    EXPECT_EQ(e.of_class(), "door");
    EXPECT_EQ(e.info().owner, lido::player{7});
    EXPECT_EQ(e.info().version, 1u);
    EXPECT_EQ(e.info().locked_by, "shop");
    EXPECT_EQ(e.data(), static_cast<const void*>(h.stage.get(gate)));
    EXPECT_FALSE(e.loading());
    std::string values;
    for (const lido::field_schema& f : e.schema().fields()) {
        char room[64];
        lido::text_writer to{room};
        lido::class_schema::print(f, e.data(), to);
        values += std::string(f.name) + "=" + std::string(to.written()) + " ";
    }
    EXPECT_EQ(values, "open=false angle=30 hp=50 ");
}

TEST(stage_look, shows_the_history_from_and_to) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate"});
    for (int i = 0; i < 3; ++i) {
        h.stage.tick();
        auto change = h.stage.edit(gate);
        change->hp = static_cast<std::uint16_t>(change->hp - 10);
        ASSERT_TRUE(change.commit());
    }
    const lido::entity_look e = h.stage.look_at(gate.reference());
    ASSERT_EQ(e.history_size(), 3u);
    const auto hp = [](const void* d) { return static_cast<const door*>(d)->hp; };
    for (std::uint32_t i = 0; i < 3; ++i) {
        EXPECT_EQ(e.made(i).version, i + 1);
        EXPECT_EQ(e.made(i).tick, lido::ticks{i + 1});
        EXPECT_EQ(hp(e.before(i)), 100 - 10 * static_cast<int>(i));
        EXPECT_EQ(hp(e.after(i)), 90 - 10 * static_cast<int>(i));
    }
}

TEST(stage_look, finds_nothing_of_a_life_that_is_over) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate"});
    h.stage.pool(gate);
    EXPECT_FALSE(h.stage.look_at(gate.reference()));
    EXPECT_FALSE(h.stage.look_at({}));
    EXPECT_TRUE(walked(h.stage, 1).empty());
}

TEST(stage_look, says_whose_an_entry_of_the_journal_is) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate"});
    auto change = h.stage.edit(gate);
    change->hp = 1;
    ASSERT_TRUE(change.commit());
    h.stage.pool(gate);
    h.stage.tick();
    const auto next = h.stage.create<door>({.id = "next"});
    std::vector<lido::any_entity_ref> who;
    h.stage.changes().look_back(4, [&](const lido::journal_entry& e) { who.push_back(h.stage.whose(e)); });
    // The latest first; the update of the first life cannot be told apart any more, since its slot has another one.
    EXPECT_EQ(who, (std::vector<lido::any_entity_ref>{next, gate, {}, gate}));
}

}  // namespace stage_look
