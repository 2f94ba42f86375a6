// S5.5 X17
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "entity/stage/doors.hpp"
#include "support/allocation_counter.hpp"

namespace stage_edit {

using namespace stage_tests;
using lido::stage_refusal;

std::vector<lido::change_kind> kinds(lido::stage& stage) {
    std::vector<lido::change_kind> all;
    auto reader = stage.changes().open({.what = lido::reads::everything, .from = lido::read_from::oldest});
    static_cast<void>(reader.read([&](const lido::journal_entry& e) { all.push_back(e.kind()); }));
    return all;
}

TEST(stage_edit, S5_5_a_commit_changes_the_entity_and_its_version) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    auto change = h.stage.edit(gate);
    change->open = true;
    change->angle = 45;
    EXPECT_FALSE(h.stage.get(gate)->open);
    ASSERT_TRUE(change.commit()) << change.why();
    EXPECT_TRUE(change.changed());
    EXPECT_TRUE(h.stage.get(gate)->open);
    EXPECT_EQ(h.stage.get(gate)->angle, 45);
    EXPECT_EQ(h.stage.info(gate).version, 1u);
}

TEST(stage_edit, S5_5_nothing_changed_is_no_version_and_no_entry) {
    hall h;
    const auto gate = h.stage.create<door>();
    auto change = h.stage.edit(gate);
    change->angle = 0;
    EXPECT_TRUE(change.commit());
    EXPECT_FALSE(change.changed());
    EXPECT_EQ(h.stage.info(gate).version, 0u);
    EXPECT_EQ(kinds(h.stage), (std::vector{lido::change_kind::created}));
}

TEST(stage_edit, S5_5_an_invalid_field_refuses_all_and_is_named) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    auto change = h.stage.edit(gate);
    change->angle = 30;
    change->hp = 1001;
    EXPECT_FALSE(change.commit());
    EXPECT_EQ(change.reason(), stage_refusal::invalid);
    EXPECT_EQ(change.entity(), "gate-1");
    EXPECT_EQ(change.field(), "hp");
    EXPECT_EQ(change.fault(), lido::field_fault::above_max);
    EXPECT_STREQ(change.why(), "\"gate-1\" (door): hp: the value is above its maximum");
    EXPECT_EQ(h.stage.get(gate)->angle, 0);
    change->hp = 1000;
    EXPECT_TRUE(change.commit());
    EXPECT_EQ(h.stage.get(gate)->angle, 30);
}

TEST(stage_edit, S5_5_fields_that_do_not_go_together_are_refused) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    auto change = h.stage.edit(gate);
    change->open = true;
    change->hp = 0;
    EXPECT_FALSE(change.commit());
    EXPECT_EQ(change.field(), "");
    EXPECT_STREQ(change.why(), "\"gate-1\" (door): the fields do not go together: `valid` returned false");
}

TEST(stage_edit, S5_5_nan_is_refused) {
    hall h;
    auto change = h.stage.edit(h.stage.create<door>());
    change->angle = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(change.commit());
    EXPECT_EQ(change.field(), "angle");
}

TEST(stage_edit, X17_several_entities_change_together_or_not_at_all) {
    hall h;
    const auto ann = h.stage.create<account>({.id = "ann"}, {.gold = 10});
    const auto bob = h.stage.create<account>({.id = "bob"}, {.gold = 0});
    auto trade = h.stage.edit(ann, bob);
    trade[ann].gold -= 5;
    trade[bob].gold += 5;
    ASSERT_TRUE(trade.commit()) << trade.why();
    EXPECT_EQ(h.stage.get(ann)->gold, 5);
    EXPECT_EQ(h.stage.get(bob)->gold, 5);

    auto more = h.stage.edit(ann, bob);
    more[ann].gold -= 6;
    more[bob].gold += 6;
    EXPECT_FALSE(more.commit());
    EXPECT_STREQ(more.why(), "\"ann\" (account): gold: the value is below its minimum");
    EXPECT_EQ(h.stage.get(ann)->gold, 5);
    EXPECT_EQ(h.stage.get(bob)->gold, 5);
    EXPECT_EQ(h.stage.info(bob).version, 1u);
}

TEST(stage_edit, X17_one_commit_is_one_group_of_the_journal) {
    hall h;
    const auto ann = h.stage.create<account>({.id = "ann"}, {.gold = 10});
    const auto bob = h.stage.create<account>({.id = "bob"});
    auto reader = h.stage.changes().open({.what = lido::reads::everything});
    auto trade = h.stage.edit(ann, bob);
    trade[ann].gold -= 5;
    trade[bob].gold += 5;
    ASSERT_TRUE(trade.commit());
    std::vector<std::uint64_t> commits;
    std::vector<bool> last;
    static_cast<void>(reader.read([&](const lido::journal_entry& e) {
        commits.push_back(e.what.commit.value);
        last.push_back(e.last);
    }));
    ASSERT_EQ(commits.size(), 2u);
    EXPECT_EQ(commits[0], commits[1]);
    EXPECT_EQ(last, (std::vector{false, true}));
}

TEST(stage_edit, X17_entities_of_several_types_may_be_in_one_edit) {
    hall h;
    const auto gate = h.stage.create<door>();
    const auto ann = h.stage.create<account>({}, {.gold = 3});
    auto pay = h.stage.edit(gate, ann);
    pay[gate].open = true;
    pay[ann].gold -= 3;
    ASSERT_TRUE(pay.commit());
    EXPECT_TRUE(h.stage.get(gate)->open);
    EXPECT_EQ(h.stage.get(ann)->gold, 0);
}

TEST(stage_edit, the_second_of_two_edits_of_one_version_is_refused_with_both_versions) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    auto first = h.stage.edit(gate);
    auto second = h.stage.edit(gate);
    first->angle = 10;
    second->hp = 50;
    EXPECT_TRUE(first.commit());
    EXPECT_FALSE(second.commit());
    EXPECT_EQ(second.reason(), stage_refusal::conflict);
    EXPECT_STREQ(second.why(),
                 "\"gate-1\" (door): changed meanwhile: version 0 when the edit was opened, 1 now; open a new edit, or "
                 "reload() this one");
    second.reload();
    EXPECT_EQ(second->angle, 10);
    second->hp = 50;
    EXPECT_TRUE(second.commit());
}

TEST(stage_edit, an_edit_that_has_committed_goes_on) {
    hall h;
    const auto gate = h.stage.create<door>();
    auto change = h.stage.edit(gate);
    for (int i = 1; i <= 3; ++i) {
        change->hp = static_cast<std::uint16_t>(i);
        ASSERT_TRUE(change.commit());
    }
    EXPECT_EQ(h.stage.info(gate).version, 3u);
}

TEST(stage_edit, an_entity_that_is_in_an_edit_twice_is_refused) {
    hall h;
    const auto ann = h.stage.create<account>({.id = "ann"}, {.gold = 10});
    auto twice = h.stage.edit(ann, ann);
    twice[ann].gold = 0;
    EXPECT_FALSE(twice.commit());
    EXPECT_STREQ(twice.why(), "\"ann\" (account): is in this edit twice");
}

TEST(stage_edit, an_entity_that_was_only_read_must_not_have_changed_either) {
    hall h;
    const auto ann = h.stage.create<account>({.id = "ann"}, {.gold = 10});
    const auto bob = h.stage.create<account>({.id = "bob"});
    auto copy = h.stage.edit(ann, bob);
    copy[bob].gold = copy[ann].gold;
    auto other = h.stage.edit(ann);
    other->gold = 1;
    ASSERT_TRUE(other.commit());
    EXPECT_FALSE(copy.commit());
    EXPECT_EQ(copy.entity(), "ann");
}

TEST(stage_edit, of_a_number_known_at_run_time_is_all_or_none_too) {
    hall h;
    std::vector<lido::entity_ref<account>> all;
    for (int i = 0; i < 20; ++i) all.push_back(h.stage.create<account>({}, {.gold = 1}));
    {
        auto tax = h.stage.edit();
        for (const auto a : all) {
            auto* const copy = tax.add(a);
            ASSERT_NE(copy, nullptr);
            copy->gold -= 1;
        }
        EXPECT_EQ(tax.size(), 20u);
        ASSERT_TRUE(tax.commit()) << tax.why();
    }
    for (const auto a : all) EXPECT_EQ(h.stage.get(a)->gold, 0);
    {
        auto gift = h.stage.edit();
        for (const auto a : all) gift.add(a)->gold += 1;
        gift[all[19]]->gold = -1;
        EXPECT_FALSE(gift.commit());
        EXPECT_EQ(gift.field(), "gold");
    }
    for (const auto a : all) EXPECT_EQ(h.stage.get(a)->gold, 0);
}

TEST(stage_edit, of_a_life_that_has_ended_is_refused_and_harmless) {
    hall h;
    const auto ann = h.stage.create<account>({.id = "ann"}, {.gold = 10});
    h.stage.destroy(ann);
    auto late = h.stage.edit(ann.reference());
    late->gold = 5;
    EXPECT_FALSE(late.commit());
    auto list = h.stage.edit();
    EXPECT_EQ(list.add(ann.reference()), nullptr);
    EXPECT_FALSE(list.commit());
    EXPECT_EQ(list.reason(), stage_refusal::ended);
}

TEST(stage_edit, an_arena_that_is_full_refuses_in_words) {
    hall h(0, {.edit_bytes = 256});
    std::vector<lido::entity_ref<account>> all;
    auto much = h.stage.edit();
    for (int i = 0; i < 20; ++i) static_cast<void>(much.add(h.stage.create<account>()));
    EXPECT_FALSE(much.commit());
    EXPECT_STREQ(much.why(), "the arena of edits is full; raise edit_bytes of the stage");
}

TEST(stage_edit, each_of_a_type_is_changed_by_one_call) {
    hall h;
    const auto a = h.stage.create<account>({}, {.gold = 1});
    const auto b = h.stage.create<account>({.id = "bob"}, {.gold = 0});
    const auto c = h.stage.create<account>({}, {.gold = 7});
    const auto r = h.stage.edit_each<account>([](account& it) {
        if (it.gold != 7) it.gold -= 1;
    });
    EXPECT_EQ(r.changed, 1u);
    EXPECT_EQ(r.unchanged, 1u);
    EXPECT_EQ(r.refused, 1u);
    EXPECT_STREQ(r.why(), "\"bob\" (account): gold: the value is below its minimum");
    EXPECT_EQ(h.stage.get(a)->gold, 0);
    EXPECT_EQ(h.stage.get(b)->gold, 0);
    EXPECT_EQ(h.stage.get(c)->gold, 7);
}

TEST(stage_edit, a_commit_allocates_nothing) {
    hall h;
    const auto ann = h.stage.create<account>({.id = "ann"}, {.gold = 1000});
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    {
        auto warm = h.stage.edit();
        static_cast<void>(warm.add(ann));
    }
    const lido::test::allocation_watch watch;
    for (int i = 0; i < 100; ++i) {
        auto change = h.stage.edit(ann, gate);
        change[ann].gold -= 1;
        change[gate].hp = static_cast<std::uint16_t>(i);
        ASSERT_TRUE(change.commit());
        auto list = h.stage.edit();
        list.add(ann)->gold -= 1;
        ASSERT_TRUE(list.commit());
        h.stage.edit_each<door>([](door& d) { d.angle = d.angle < 100 ? d.angle + 1 : 0; });
    }
    EXPECT_EQ(watch.allocations(), 0u);
}

TEST(stage_edit, a_refused_commit_and_its_words_allocate_nothing) {
    hall h;
    const auto ann = h.stage.create<account>({.id = "ann"}, {.gold = 10});
    auto change = h.stage.edit(ann);
    change->gold = -1;
    const lido::test::allocation_watch watch;
    EXPECT_FALSE(change.commit());
    EXPECT_NE(change.why(), nullptr);
    EXPECT_EQ(watch.allocations(), 0u);
}

TEST(stage_edit, a_steady_state_of_creating_and_pooling_allocates_nothing) {
    hall h;
    for (int i = 0; i < 4; ++i) {
        h.stage.pool(h.stage.create<door>());
        h.stage.tick();
    }
    const lido::test::allocation_watch watch;
    for (int i = 0; i < 100; ++i) {
        h.stage.pool(h.stage.create<door>());
        h.stage.tick();
    }
    EXPECT_EQ(watch.allocations(), 0u);
}

TEST(stage_edit, an_answer_says_nothing_of_an_earlier_one) {
    hall h;
    const auto ann = h.stage.create<account>({.id = "ann"}, {.gold = 10});
    const auto bob = h.stage.create<account>({.id = "bob"});
    auto trade = h.stage.edit(ann, bob);
    trade[ann].gold = -1;
    EXPECT_FALSE(trade.commit());
    EXPECT_EQ(trade.entity(), "ann");
    trade[ann].gold = 1;
    EXPECT_TRUE(trade.commit());
    EXPECT_EQ(trade.entity(), "");
    EXPECT_EQ(trade.field(), "");
    EXPECT_STREQ(trade.why(), "done");
    h.stage.destroy(bob);
    trade[ann].gold = 2;
    EXPECT_FALSE(trade.commit());
    EXPECT_STREQ(trade.why(), "account: this life has ended");
}

TEST(stage_edit, the_history_keeps_the_last_commits_and_undoes_to_each) {
    hall h;  // doors: five
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    auto change = h.stage.edit(gate);
    for (std::uint16_t i = 1; i <= 7; ++i) {
        change->hp = i;
        ASSERT_TRUE(change.commit());
    }
    EXPECT_EQ(h.stage.history_size(gate.reference()), 5u);
    EXPECT_EQ(h.stage.at_version(gate.reference(), 7)->hp, 7);
    EXPECT_EQ(h.stage.at_version(gate.reference(), 2)->hp, 2);
    EXPECT_EQ(h.stage.at_version(gate.reference(), 1), nullptr);
    ASSERT_TRUE(h.stage.undo_to(gate.reference(), 3));
    EXPECT_EQ(h.stage.get(gate)->hp, 3);
    EXPECT_EQ(h.stage.info(gate).version, 8u);
    EXPECT_STREQ(
        h.stage.undo_to(gate.reference(), 1).why(),
        "\"gate-1\": version 1 is not in its history; the class keeps as many commits as its setting history says");
}

TEST(stage_edit, the_owner_is_changed_by_a_commit_of_its_own) {
    hall h;
    const auto gate = h.stage.create<door>({.owner = {3}});
    EXPECT_TRUE(h.stage.set_owner(gate, {4}));
    EXPECT_EQ(h.stage.info(gate).owner, lido::player{4});
    EXPECT_EQ(h.stage.info(gate).version, 1u);
    EXPECT_TRUE(h.stage.set_owner(gate, {4}));
    EXPECT_EQ(h.stage.info(gate).version, 1u);
}

}  // namespace stage_edit
