// S5.11 X2 X18
#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "entity/stage/doors.hpp"

namespace stage_rewind_test {

using namespace stage_tests;
using lido::ticks;

TEST(stage_rewind_test, a_restore_brings_back_data_versions_and_ids) {
    hall h(8);
    const auto gate = h.stage.create<door>({.id = "gate-1"}, {.angle = 10});
    lido::snapshot then;
    ASSERT_TRUE(h.stage.save(then));
    const std::uint64_t hash = h.stage.state_hash();
    h.stage.tick();
    auto change = h.stage.edit(gate);
    change->angle = 20;
    change.commit();
    const auto other = h.stage.create<door>({.id = "gate-2"});
    h.stage.tick();
    h.stage.pool(gate);
    h.stage.create<account>({.id = "gate-1"});
    ASSERT_TRUE(h.stage.restore(then));
    EXPECT_EQ(h.stage.state_hash(), hash);
    EXPECT_EQ(h.stage.get(gate)->angle, 10);
    EXPECT_EQ(h.stage.info(gate).version, 0u);
    EXPECT_EQ(h.stage.find("gate-1"), lido::any_entity_ref(gate));
    EXPECT_FALSE(h.stage.find("gate-2"));
    EXPECT_FALSE(h.stage.lives(other));
    EXPECT_TRUE(h.stage.validate());
    EXPECT_TRUE(h.world.validate());
}

TEST(stage_rewind_test, a_replay_gives_the_same_references_ids_and_entries) {
    hall h(8);
    h.stage.create<door>({.id = "gate-1"});
    h.stage.tick();
    lido::snapshot then;
    ASSERT_TRUE(h.stage.save(then));
    const auto play = [&] {
        lines seen;
        for (int t = 0; t < 5; ++t) {
            const auto d = h.stage.create<bullet>({}, {.speed = t});
            seen.push_back(std::string(h.stage.info(d).id.view()) + " " + std::to_string(d.reference().life()) + " " +
                           std::to_string(h.stage.info(d).generation));
            auto change = h.stage.edit(h.stage.find<door>("gate-1"));
            change->hp = static_cast<std::uint16_t>(t + 1);
            change.commit();
            if (t % 2 == 1) h.stage.pool(d);
            const auto lock = h.stage.lock(h.stage.find("gate-1"), "shop", ticks{1});
            seen.push_back(std::to_string(lock.lock().number));
            h.stage.tick();
        }
        seen.push_back(std::to_string(h.stage.state_hash()));
        seen.push_back(std::to_string(h.stage.changes().state().next.value));
        return seen;
    };
    const lines first = play();
    ASSERT_TRUE(h.stage.restore(then));
    EXPECT_EQ(play(), first);
}

TEST(stage_rewind_test, a_stage_goes_back_further_than_its_world_where_its_settings_say_so) {
    hall h(2, {.rollback = 20});
    EXPECT_EQ(h.stage.rollback(), ticks{20});
    EXPECT_EQ(h.world.rollback(), ticks{2});
    static int closed = 0;
    closed = 0;
    const auto gate = h.stage.create<door>({.id = "gate-1"}, {.angle = 10});
    h.stage.manage(gate, [] { ++closed; });
    lido::snapshot then;
    ASSERT_TRUE(h.stage.save(then));
    const std::uint64_t hash = h.stage.state_hash();
    auto change = h.stage.edit(gate);
    change->angle = 20;
    ASSERT_TRUE(change.commit());
    h.stage.destroy(gate);
    for (int t = 0; t < 20; ++t) h.stage.tick();
    EXPECT_EQ(closed, 0);
    EXPECT_EQ(h.stage.changes().first_open_tick(), ticks{0});
    h.world.confirm_all();
    ASSERT_TRUE(h.stage.restore(then));
    EXPECT_EQ(h.stage.state_hash(), hash);
    EXPECT_EQ(h.stage.get(gate)->angle, 10);
    EXPECT_EQ(h.stage.history_size(gate.reference()), 0u);
    h.stage.destroy(gate);
    for (int t = 0; t < 21; ++t) h.stage.tick();
    EXPECT_EQ(closed, 1);
    EXPECT_FALSE(h.stage.restore(then)) << "the first tick is confirmed now";
}

TEST(stage_rewind_test, a_stage_never_confirms_before_its_world) {
    hall h(8, {.rollback = 3});
    EXPECT_EQ(h.stage.rollback(), ticks{8});
    for (int t = 0; t < 8; ++t) h.stage.tick();
    EXPECT_EQ(h.stage.changes().first_open_tick(), ticks{0});
}

TEST(stage_rewind_test, open_edits_end_with_it) {
    hall h(8);
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    lido::snapshot then;
    ASSERT_TRUE(h.stage.save(then));
    auto change = h.stage.edit(gate);
    change->angle = 20;
    ASSERT_TRUE(h.stage.restore(then));
    EXPECT_FALSE(change.commit());
    EXPECT_STREQ(change.why(), "the stage was restored since the edit was opened; open a new one");
    change.reload();
    change->angle = 20;
    EXPECT_TRUE(change.commit());
}

TEST(stage_rewind_test, readers_of_everything_are_told_and_readers_of_confirmed_changes_saw_nothing) {
    hall h(8);
    auto eager = h.stage.changes().open({.what = lido::reads::everything});
    auto sure = h.stage.changes().open({.what = lido::reads::confirmed});
    lines seen;
    const auto read = [&](lido::journal_cursor& from) {
        seen.clear();
        static_cast<void>(from.read([&](const lido::journal_entry& e) { seen.push_back(lido::to_string(e.kind())); }));
        return seen;
    };
    h.stage.tick();
    lido::snapshot then;
    ASSERT_TRUE(h.stage.save(then));
    h.stage.create<door>({.id = "wrong"});
    EXPECT_EQ(read(eager), (lines{"created"}));
    ASSERT_TRUE(h.stage.restore(then));
    h.stage.create<account>({.id = "right"});
    h.stage.tick();
    EXPECT_EQ(read(eager), (lines{"cut", "created"}));
    EXPECT_EQ(read(sure), (lines{}));
    h.stage.confirm(ticks{1});
    EXPECT_EQ(read(sure), (lines{"created"}));
}

TEST(stage_rewind_test, a_restore_below_what_is_confirmed_is_refused_and_changes_nothing) {
    hall h(8);
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    lido::snapshot then;
    ASSERT_TRUE(h.stage.save(then));
    h.stage.tick();
    h.stage.create<door>({.id = "gate-2"});
    h.stage.tick();
    h.stage.confirm(ticks{1});
    const lido::restore_result r = h.stage.restore(then);
    EXPECT_FALSE(r);
    EXPECT_STREQ(r.what(), "changes that are confirmed cannot be cut: restore a later tick, or reset the journal");
    EXPECT_TRUE(h.stage.find("gate-2"));
    EXPECT_TRUE(h.stage.lives(gate));
}

TEST(stage_rewind_test, a_snapshot_of_another_stage_is_refused_in_words) {
    hall a(8);
    hall b(8);
    lido::snapshot then;
    ASSERT_TRUE(a.stage.save(then));
    EXPECT_FALSE(b.stage.restore(then));
}

TEST(stage_rewind_test, resources_of_a_life_that_is_undone_are_released_once_and_the_last_first) {
    hall h(8);
    std::vector<int> released;
    auto* const to = &released;
    lido::snapshot then;
    ASSERT_TRUE(h.stage.save(then));
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    for (int i = 1; i <= 3; ++i) h.stage.manage(gate, [to, i] { to->push_back(i); });
    ASSERT_TRUE(h.stage.restore(then));
    EXPECT_EQ(released, (std::vector<int>{3, 2, 1}));
    for (int i = 0; i < 12; ++i) h.stage.tick();
    EXPECT_EQ(released.size(), 3u);
}

TEST(stage_rewind_test, resources_of_a_life_that_comes_back_are_not_released) {
    hall h(8);
    std::vector<int> released;
    auto* const to = &released;
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    h.stage.manage(gate, [to] { to->push_back(1); });
    lido::snapshot then;
    ASSERT_TRUE(h.stage.save(then));
    h.stage.manage(gate, [to] { to->push_back(2); });
    h.stage.tick();
    h.stage.pool(gate);
    h.stage.tick();
    EXPECT_TRUE(released.empty());
    ASSERT_TRUE(h.stage.restore(then));
    EXPECT_EQ(released, (std::vector<int>{2}));
    EXPECT_TRUE(h.stage.lives(gate));
    h.stage.pool(gate);
    h.stage.tick();
    h.stage.confirm(ticks{1});
    EXPECT_EQ(released, (std::vector<int>{2, 1}));
}

TEST(stage_rewind_test, an_end_that_nobody_confirms_releases_when_it_is_out_of_reach) {
    hall h(3);
    std::vector<int> released;
    auto* const to = &released;
    const auto gate = h.stage.create<door>();
    h.stage.manage(gate, [to] { to->push_back(1); });
    h.stage.pool(gate);
    for (int i = 0; i < 3; ++i) h.stage.tick();
    EXPECT_TRUE(released.empty());
    h.stage.tick();
    EXPECT_EQ(released.size(), 1u);
}

TEST(stage_rewind_test, a_branch_whose_resources_are_gone_cannot_come_back) {
    hall h(8);
    lido::snapshot before;
    ASSERT_TRUE(h.stage.save(before));
    const auto gate = h.stage.create<door>();
    h.stage.manage(gate, [] {});
    lido::snapshot branch;
    ASSERT_TRUE(h.stage.save(branch));
    ASSERT_TRUE(h.stage.restore(before));
    EXPECT_FALSE(h.stage.restore(branch));
}

TEST(stage_rewind_test, hooks_of_a_life_run_once_and_say_how_it_ended) {
    hall h(8);
    lido::snapshot then;
    ASSERT_TRUE(h.stage.save(then));
    const auto b = h.stage.create<bullet>({.id = "b"}, {.speed = 5});
    ASSERT_TRUE(h.stage.restore(then));
    EXPECT_EQ(heard.taken(), (lines{"begin b", "end 5 undone by a restore"}));
    EXPECT_FALSE(h.stage.lives(b));
    const auto again = h.stage.create<bullet>({.id = "b"}, {.speed = 6});
    h.stage.tick();
    ASSERT_TRUE(h.stage.save(then));
    h.stage.pool(again);
    h.stage.tick();
    ASSERT_TRUE(h.stage.restore(then));
    EXPECT_EQ(h.stage.get(again)->speed, 6);
    h.stage.destroy(again);
    h.stage.tick();
    h.stage.confirm(ticks{1});
    EXPECT_EQ(heard.taken(), (lines{"begin b", "end 6 destroyed"}));
}

TEST(stage_rewind_test, history_locks_and_owners_come_back) {
    hall h(8);
    const auto gate = h.stage.create<door>({.id = "gate-1", .owner = {1}});
    const auto mine = h.stage.lock(gate, "shop", ticks{50});
    auto change = h.stage.edit(gate);
    change.under(mine)->hp = 1;
    ASSERT_TRUE(change.commit());
    lido::snapshot then;
    ASSERT_TRUE(h.stage.save(then));
    for (std::uint16_t i = 2; i < 9; ++i) {
        change->hp = i;
        ASSERT_TRUE(change.commit());
    }
    h.stage.unlock(mine);
    h.stage.set_owner(gate, {2});
    ASSERT_TRUE(h.stage.restore(then));
    EXPECT_TRUE(h.stage.holds(mine));
    EXPECT_EQ(h.stage.info(gate).owner, lido::player{1});
    EXPECT_EQ(h.stage.history_size(gate.reference()), 1u);
    EXPECT_EQ(h.stage.at_version(gate.reference(), 0)->hp, 100);
}

TEST(stage_rewind_test, signals_are_told_again_of_what_is_replayed) {
    hall h(8);
    lines told;
    h.stage.signals<door>().created.connect(
        [&told](const lido::entity_event& e) { told.push_back(std::string(e.id())); });
    lido::snapshot then;
    h.stage.create<door>({.id = "a"});  // committed, and not yet told
    ASSERT_TRUE(h.stage.save(then));
    h.stage.tick();
    h.stage.create<door>({.id = "b"});
    h.stage.tick();
    EXPECT_EQ(told, (lines{"a", "b"}));
    ASSERT_TRUE(h.stage.restore(then));
    h.stage.tick();
    EXPECT_EQ(told, (lines{"a", "b", "a"}));
}

TEST(stage_rewind_test, listeners_of_a_life_come_back_with_it) {
    hall h(8);
    int ends = 0;
    auto* const count = &ends;
    const auto gate = h.stage.create<door>();
    h.stage.on_released(gate, [count](const lido::entity_event&) { ++*count; });
    h.stage.tick();
    lido::snapshot then;
    ASSERT_TRUE(h.stage.save(then));
    h.stage.pool(gate);
    h.stage.tick();
    EXPECT_EQ(ends, 1);
    ASSERT_TRUE(h.stage.restore(then));
    h.stage.tick();
    EXPECT_EQ(ends, 1);
    h.stage.pool(gate);
    h.stage.tick();
    EXPECT_EQ(ends, 2);
}

TEST(stage_rewind_test, a_stage_is_saved_and_restored_with_other_parts_in_a_rewind) {
    hall h(8);
    lido::rewind<8> past;
    int score = 0;
    const auto gate = h.stage.create<door>();
    ASSERT_TRUE(past.save(h.stage.now().count, h.stage, score));
    h.stage.tick();
    score = 5;
    h.stage.destroy(gate);
    ASSERT_TRUE(past.restore(0, h.stage, score));
    EXPECT_EQ(score, 0);
    EXPECT_TRUE(h.stage.lives(gate));
}

}  // namespace stage_rewind_test
