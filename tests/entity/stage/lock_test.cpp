// S5.5
#include <gtest/gtest.h>

#include <string>

#include "entity/stage/doors.hpp"

namespace stage_lock {

using namespace stage_tests;
using lido::stage_refusal;
using lido::ticks;

TEST(stage_lock, keeps_others_out_and_names_its_holder) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    const auto mine = h.stage.lock(gate, "shop", ticks{10});
    ASSERT_TRUE(mine) << mine.why();
    auto other = h.stage.edit(gate);
    other->angle = 10;
    EXPECT_FALSE(other.commit());
    EXPECT_EQ(other.locked_by(), "shop");
    EXPECT_STREQ(other.why(), "\"gate-1\" (door): locked by shop until tick 10");
    EXPECT_TRUE(other.under(mine).commit());
    EXPECT_EQ(h.stage.info(gate).locked_by.view(), "shop");
}

TEST(stage_lock, is_refused_to_a_second_one) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    ASSERT_TRUE(h.stage.lock(gate, "shop", ticks{10}));
    EXPECT_STREQ(h.stage.lock(gate, "bank", ticks{10}).why(), "\"gate-1\" (door): locked by shop until tick 10");
}

TEST(stage_lock, ends_after_its_ticks_and_its_holder_can_do_nothing_with_it) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    const auto mine = h.stage.lock(gate, "shop", ticks{2});
    auto change = h.stage.edit(gate);
    change.under(mine);
    change->angle = 10;
    h.stage.tick();
    EXPECT_TRUE(h.stage.holds(mine));
    h.stage.tick();
    EXPECT_FALSE(h.stage.holds(mine));
    EXPECT_FALSE(change.commit());
    EXPECT_EQ(change.reason(), stage_refusal::lock_lost);
    EXPECT_FALSE(h.stage.unlock(mine));
    EXPECT_FALSE(h.stage.lock_again(mine, "shop", ticks{5}));
    ASSERT_TRUE(h.stage.lock(gate, "bank", ticks{5}));
    EXPECT_FALSE(change.commit());
    EXPECT_EQ(change.reason(), stage_refusal::lock_lost);
    EXPECT_EQ(h.stage.destroy(gate, {.under = mine}).reason(), stage_refusal::lock_lost);
}

TEST(stage_lock, is_prolonged_by_its_holder) {
    hall h;
    const auto gate = h.stage.create<door>();
    const auto mine = h.stage.lock(gate, "shop", ticks{2});
    h.stage.tick();
    ASSERT_TRUE(h.stage.lock_again(mine, "shop", ticks{5}));
    for (int i = 0; i < 4; ++i) h.stage.tick();
    EXPECT_TRUE(h.stage.holds(mine));
}

TEST(stage_lock, is_given_back) {
    hall h;
    const auto gate = h.stage.create<door>();
    const auto mine = h.stage.lock(gate, "shop", ticks{9});
    EXPECT_TRUE(h.stage.unlock(mine));
    auto change = h.stage.edit(gate);
    change->angle = 1;
    EXPECT_TRUE(change.commit());
    EXPECT_STREQ(h.stage.unlock(mine).why(), "\"~1.1\" (door): there is no such lock");
}

TEST(stage_lock, needs_a_name_that_fits) {
    hall h;
    const auto gate = h.stage.create<door>();
    EXPECT_EQ(h.stage.lock(gate, "", ticks{1}).reason(), stage_refusal::bad_id);
    EXPECT_EQ(h.stage.lock(gate, std::string(24, 'x'), ticks{1}).reason(), stage_refusal::bad_id);
}

TEST(stage_lock, refuses_the_whole_of_an_edit_of_several) {
    hall h;
    const auto ann = h.stage.create<account>({.id = "ann"}, {.gold = 5});
    const auto bob = h.stage.create<account>({.id = "bob"});
    const auto mine = h.stage.lock(bob, "audit", ticks{5});
    auto trade = h.stage.edit(ann, bob);
    trade[ann].gold -= 5;
    trade[bob].gold += 5;
    EXPECT_FALSE(trade.commit());
    EXPECT_EQ(trade.entity(), "bob");
    EXPECT_EQ(h.stage.get(ann)->gold, 5);
    EXPECT_TRUE(trade.under(mine).commit());
}

TEST(stage_lock, does_not_pass_to_the_next_life) {
    hall h;
    const auto first = h.stage.create<bullet>();
    const auto mine = h.stage.lock(first, "shop", ticks{100});
    ASSERT_EQ(h.stage.pool(first, {.under = mine}), lido::end_outcome::pooled);
    h.stage.tick();
    const auto second = h.stage.create<bullet>();
    EXPECT_FALSE(h.stage.holds(mine));
    auto change = h.stage.edit(second);
    change->speed = 3;
    EXPECT_TRUE(change.commit());
}

}  // namespace stage_lock
