// What a stage does in short for the common case: it must be what it does in full. Rows S5.1, S5.3, S5.8.
#include <lido/entity.hpp>

#include <gtest/gtest.h>

#include "entity/stage/doors.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace stage_quick_paths {

using stage_tests::account;
using stage_tests::boss;
using stage_tests::door;
using stage_tests::hall;

struct row {
    std::uint8_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0;
};
/// 70 fields: more than a word has bits.
struct board {
    row r0, r1, r2, r3, r4, r5, r6;
};

TEST(stage_quick_paths, an_edit_finds_its_entity_again_when_others_have_come_and_gone) {
    hall h;
    const auto ann = h.stage.create<account>({.id = "ann"}, {.gold = 1});
    const auto bob = h.stage.create<account>({.id = "bob"}, {.gold = 1});
    auto change = h.stage.edit(ann);
    change->gold = 2;
    h.stage.destroy(bob);
    static_cast<void>(h.stage.create<account>({.id = "eve"}));
    EXPECT_TRUE(change.commit()) << change.why();
    EXPECT_EQ(h.stage.get(ann)->gold, 2);
    change->gold = 3;
    EXPECT_TRUE(change.commit()) << change.why();
    EXPECT_EQ(h.stage.info(ann).version, 2u);
}

TEST(stage_quick_paths, an_edit_does_not_find_the_next_life_in_the_slot) {
    hall h;
    const auto first = h.stage.create<account>({.id = "ann"}, {.gold = 1});
    auto change = h.stage.edit(first);
    change->gold = 99;
    h.stage.pool(first);
    h.stage.tick();
    const auto next = h.stage.create<account>({.id = "ann"}, {.gold = 1});
    EXPECT_FALSE(change.commit());
    EXPECT_EQ(change.reason(), lido::stage_refusal::ended);
    EXPECT_EQ(h.stage.get(next)->gold, 1);
}

TEST(stage_quick_paths, a_class_of_more_than_64_fields_commits_each_of_them) {
    lido::world world;
    lido::stage stage{world};
    ASSERT_TRUE(stage.add<board>("board"));
    const auto b = stage.create<board>();
    stage.tick();
    auto reader = stage.changes().open({.what = lido::reads::everything});
    auto change = stage.edit(b);
    change->r0.a = 1;
    change->r6.d = 2;  // field 63
    change->r6.e = 3;  // field 64
    change->r6.j = 4;  // field 69, the last
    ASSERT_TRUE(change.commit()) << change.why();
    EXPECT_EQ(stage.get(b)->r6.e, 3);
    EXPECT_EQ(stage.get(b)->r6.j, 4);
    std::size_t seen = 0;
    reader.read([&](const lido::journal_entry& e) {
        ++seen;
        EXPECT_EQ(e.changed.size(), 4u);
        for (const std::size_t field : {0u, 63u, 64u, 69u}) EXPECT_TRUE(e.changed.has(field)) << field;
        ASSERT_EQ(e.after.size(), 4u);
        EXPECT_EQ(e.before[3], std::byte{0});
        for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(e.after[i], static_cast<std::byte>(i + 1));
    });
    EXPECT_EQ(seen, 1u);
}

TEST(stage_quick_paths, of_an_edit_of_two_the_one_that_changed_is_a_whole_commit) {
    hall h;
    const auto ann = h.stage.create<account>({.id = "ann"}, {.gold = 1});
    const auto gate = h.stage.create<door>({.id = "gate"});
    h.stage.tick();
    auto reader = h.stage.changes().open({.what = lido::reads::everything});
    for (int round = 0; round < 2; ++round) {
        auto change = h.stage.edit(ann, gate);
        if (round == 0) change[ann].gold += 1;
        if (round == 1) change[gate].hp -= 1;
        ASSERT_TRUE(change.commit()) << change.why();
        std::size_t groups = 0;
        reader.read_commits([&](const lido::commit_group& g) {
            ++groups;
            EXPECT_EQ(g.size(), 1u);
            EXPECT_TRUE(g.front().first && g.front().last);
        });
        EXPECT_EQ(groups, 1u);
    }
    EXPECT_EQ(h.stage.info(ann).version, 1u);
    EXPECT_EQ(h.stage.info(gate).version, 1u);
}

TEST(stage_quick_paths, commits_creations_and_ends_go_round_a_small_journal_without_a_scratch) {
    lido::world world;
    lido::stage stage{world, {.journal_bytes = 1024}};
    stage.add<door>("door", {.idle = 4});
    std::vector<lido::entity_ref<door>> doors;
    for (int i = 0; i < 3; ++i) {
        doors.push_back(stage.create<door>());
        stage.tick();
    }
    for (int i = 0; i < 500; ++i) {
        if (i % 7 == 0) {
            stage.pool(doors[0]);
            stage.tick();
            const auto again = stage.create<door>();
            ASSERT_TRUE(again) << again.why();
            doors[0] = again;
        }
        auto change = stage.edit(doors[0], doors[1]);
        change[doors[0]].hp = static_cast<std::uint16_t>(i % 1000);
        if (i % 3 == 0) change[doors[1]].angle = static_cast<float>(i % 100);
        ASSERT_TRUE(change.commit()) << change.why();
        if (i % 2 == 0) stage.edit_each<door>([](door& d) { d.open = !d.open && d.hp > 0; });
        const auto v = stage.changes().validate();
        ASSERT_TRUE(v) << v.broken << " in round " << i;
        stage.tick();
    }
    EXPECT_TRUE(stage.validate());
}

TEST(stage_quick_paths, an_end_for_which_the_journal_has_no_room_is_refused_and_counted_once) {
    hall h(8, {.journal_bytes = 1024});
    std::vector<lido::entity_ref<account>> all;
    for (;;) {
        const auto a = h.stage.create<account>();
        if (!a) break;
        all.push_back(a);
    }
    ASSERT_FALSE(all.empty());
    // What is left is too little for a creation; an end is as large.
    const std::uint64_t before = h.stage.changes().stats().refused;
    const auto no = h.stage.pool(all.front());
    EXPECT_FALSE(no);
    EXPECT_EQ(no.reason(), lido::stage_refusal::journal);
    EXPECT_EQ(no.entity(), "~1.1");
    EXPECT_EQ(h.stage.changes().stats().refused, before + 1);
    EXPECT_TRUE(h.stage.lives(all.front()));
    EXPECT_EQ(h.stage.find("~1.1"), lido::any_entity_ref(all.front()));
}

TEST(stage_quick_paths, what_nobody_listens_to_is_passed_over_and_who_connects_hears_what_follows) {
    hall h;
    const auto ann = h.stage.create<account>({.id = "ann"}, {.gold = 1});
    const auto earn = [&] {
        auto change = h.stage.edit(ann);
        change->gold += 1;
        ASSERT_TRUE(change.commit());
    };
    earn();
    h.stage.tick();
    h.stage.tick();
    const auto signals = [&] {
        lido::reader_stats found;
        h.stage.changes().for_each_reader([&](const lido::reader_stats& s) {
            if (std::string(s.name) == "signals") found = s;
        });
        return found;
    };
    EXPECT_EQ(signals().lag.entries, 0u);
    EXPECT_EQ(signals().read, 2u);
    int heard = 0;
    h.stage.signals<account>().updated.connect([&](const lido::entity_event& e) {
        ++heard;
        EXPECT_EQ(e.version(), 2u);
    });
    h.stage.deliver();
    EXPECT_EQ(heard, 0);
    earn();
    h.stage.tick();
    h.stage.tick();
    EXPECT_EQ(heard, 1);
    EXPECT_EQ(signals().read, 3u);
    EXPECT_TRUE(h.stage.changes().validate());
}

TEST(stage_quick_paths, a_listener_of_the_class_hears_of_ends_that_the_stage_has_decided_and_of_others) {
    hall h;
    std::vector<lido::end_reason> heard;
    h.world.finished("account").connect([&heard](auto, lido::any_ref, lido::end_reason why) { heard.push_back(why); });
    const auto ann = h.stage.create<account>({.id = "ann"});
    const auto bob = h.stage.create<account>({.id = "bob"});
    h.stage.pool(ann);
    EXPECT_EQ(heard, std::vector{lido::end_reason::reference});
    h.world.return_all(ann.reference().class_of());
    EXPECT_EQ(heard.size(), 2u);
    EXPECT_FALSE(h.stage.lives(bob));
    EXPECT_FALSE(h.stage.find("bob"));
}

TEST(stage_quick_paths, of_a_type_with_two_classes_create_asks_which) {
    lido::world world;
    lido::stage stage{world};
    stage.add<account>("gold");
    EXPECT_TRUE(stage.create<account>({.id = "first"}));
    stage.add<account>("silver");
    const auto no = stage.create<account>({.id = "second"});
    EXPECT_EQ(no.reason(), lido::stage_refusal::no_class);
    EXPECT_TRUE(stage.create_in<account>("silver", {.id = "second"}));
}

}  // namespace stage_quick_paths
