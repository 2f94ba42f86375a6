// Promise (X18): a cut takes back what is not confirmed. Who had read of it is told before the new branch; who had not sees nothing of it.
#include "entity/journal/journal_support.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace journal_cut_test {

using namespace lido;
using namespace lido::test;

struct journal_cut : ::testing::Test {
    journal j{{.rollback = 8}};
    journal_cursor fast = j.open({.what = reads::everything});
    journal_cursor slow = j.open({.what = reads::everything});
    journal_cursor sure = j.open();

    journal_position tick(std::uint64_t t, const char* text) {
        EXPECT_TRUE(j.begin_tick({t}));
        EXPECT_TRUE(update(j, text));
        return j.position();
    }
};

TEST_F(journal_cut, X18_is_told_once_to_readers_that_had_read_past_it_and_to_nobody_else) {
    const journal_position one = tick(1, "a");
    EXPECT_EQ(read_all(slow), "a");
    tick(2, "b");
    tick(3, "c");
    EXPECT_EQ(read_all(fast), "a b c");
    ASSERT_TRUE(j.cut(one));
    tick(2, "B");
    EXPECT_EQ(read_all(fast), "cut 1 B");
    EXPECT_EQ(read_all(slow), "B");
    ASSERT_TRUE(j.confirm({1}));
    EXPECT_EQ(read_all(sure), "a");
    EXPECT_TRUE(j.validate());
}

TEST_F(journal_cut, says_from_which_entry_on_nothing_has_happened) {
    const journal_position one = tick(1, "a");
    tick(2, "b");
    read_all(fast);
    ASSERT_TRUE(j.cut(one));
    const auto e = fast.peek();
    ASSERT_TRUE(e);
    EXPECT_EQ(e->kind(), change_kind::cut);
    EXPECT_EQ(e->number.value, 1u);
    EXPECT_EQ(e->what.tick, ticks{1});
}

TEST_F(journal_cut, twice_before_a_read_is_told_as_the_deeper_one) {
    const journal_position one = tick(1, "a");
    const journal_position two = tick(2, "b");
    tick(3, "c");
    read_all(fast);
    ASSERT_TRUE(j.cut(two));
    tick(3, "C");
    ASSERT_TRUE(j.cut(one));
    tick(2, "B");
    EXPECT_EQ(read_all(fast), "cut 1 B");
}

TEST_F(journal_cut, that_is_not_so_deep_as_one_to_be_told_changes_nothing_of_it) {
    const journal_position one = tick(1, "a");
    tick(2, "b");
    read_all(fast);
    ASSERT_TRUE(j.cut(one));
    const journal_position two = tick(2, "B");
    tick(3, "C");
    ASSERT_TRUE(j.cut(two));
    EXPECT_EQ(read_all(fast), "cut 1 B");
}

TEST_F(journal_cut, takes_back_tick_commit_and_entry_numbers) {
    const journal_position one = tick(1, "a");
    const journal_state then = j.state();
    tick(2, "b");
    ASSERT_TRUE(j.cut(one));
    EXPECT_EQ(j.state(), then);
    EXPECT_EQ(j.tick(), ticks{1});
    tick(2, "B");
    EXPECT_EQ(j.state().commit.value, 2u);
}

TEST_F(journal_cut, below_what_is_confirmed_is_refused_in_words) {
    const journal_position one = tick(1, "a");
    const journal_position two = tick(2, "b");
    tick(3, "c");
    ASSERT_TRUE(j.confirm({2}));
    const journal_answer refused = j.cut(one);
    EXPECT_EQ(refused.refusal, journal_refusal::confirmed);
    EXPECT_STREQ(refused.why(), "changes that are confirmed cannot be cut: restore a later tick, or reset the journal");
    EXPECT_EQ(j.state().next.value, 3u);
    EXPECT_EQ(j.can_cut(one).refusal, journal_refusal::confirmed);
    EXPECT_TRUE(j.can_cut(two)) << "just what is confirmed stays";
    EXPECT_TRUE(j.cut(two));
}

TEST_F(journal_cut, to_what_is_confirmed_takes_back_all_else) {
    tick(1, "a");
    tick(2, "b");
    tick(3, "c");
    ASSERT_TRUE(j.confirm({1}));
    ASSERT_TRUE(j.cut(j.confirmed_position()));
    EXPECT_EQ(j.tick(), ticks{2});
    EXPECT_EQ(j.state().next.value, 1u);
    EXPECT_EQ(j.state().commit.value, 1u);
    EXPECT_EQ(j.stats().open, 0u);
}

TEST_F(journal_cut, to_a_branch_that_was_cut_off_is_refused) {
    const journal_position one = tick(1, "a");
    const journal_position two = tick(2, "b");
    ASSERT_TRUE(j.cut(one));
    const journal_position other_two = tick(2, "B");
    EXPECT_EQ(j.cut(two).refusal, journal_refusal::cut_off) << "the same place, another entry";
    tick(3, "C");
    EXPECT_EQ(j.cut(two).refusal, journal_refusal::cut_off);
    EXPECT_TRUE(j.cut(other_two));
    EXPECT_TRUE(j.cut(one)) << "still on the way";
}

TEST_F(journal_cut, to_where_it_is_drops_nothing_and_tells_nobody) {
    tick(1, "a");
    read_all(fast);
    ASSERT_TRUE(j.cut(j.position()));
    EXPECT_EQ(read_all(fast), "");
    EXPECT_EQ(j.stats().cuts, 0u);
}

TEST_F(journal_cut, from_inside_of_a_reader_or_with_a_foreign_position_is_refused) {
    const journal_position one = tick(1, "a");
    tick(2, "b");
    EXPECT_TRUE(slow.read([&](const journal_entry&) {
        EXPECT_EQ(j.cut(one).refusal, journal_refusal::reading);
        EXPECT_EQ(j.reset(reset_cause::loaded, {}).refusal, journal_refusal::reading);
    }));
    journal other;
    EXPECT_EQ(other.cut(one).refusal, journal_refusal::other_journal);
    EXPECT_EQ(j.cut({}).refusal, journal_refusal::other_journal);
}

TEST_F(journal_cut, to_before_every_entry_leaves_an_empty_journal_that_goes_on) {
    const journal_position start = j.position();
    tick(1, "a");
    ASSERT_TRUE(j.cut(start));
    EXPECT_EQ(j.state(), journal_state{});
    EXPECT_TRUE(j.validate());
    tick(1, "A");
    tick(2, "B");
    EXPECT_TRUE(j.validate());
    EXPECT_EQ(read_all(slow), "A B");
}

TEST_F(journal_cut, a_rollback_each_tick_goes_on_forever) {
    // As a game that is corrected each tick: three ticks back, and the same again.
    std::vector<journal_position> at{j.position()};
    std::string last;
    for (std::uint64_t t = 1; t < 300; ++t) {
        at.resize(t, at.back());
        at.push_back(tick(t, "x"));
        if (t < 4) continue;
        ASSERT_TRUE(j.cut(at[t - 3])) << t;
        for (std::uint64_t again = t - 2; again <= t; ++again) at[again] = tick(again, "y");
        ASSERT_TRUE(j.confirm({t - 4}));
        ASSERT_TRUE(j.validate()) << j.validate().broken;
    }
    EXPECT_EQ(j.stats().cuts, 296u);
    EXPECT_LT(j.stats().open, 8 * journal::bytes_of({4, 0, 0, 1})) << "branches leave no holes";
    EXPECT_EQ(sure.read([](const journal_entry&) {}).entries, 295u);
}

TEST(journal_cut_log, keeps_positions_of_the_open_ticks_apart_and_refuses_too_much_rather_than_too_little) {
    entity_detail::cut_log log;
    EXPECT_TRUE(log.holds(100, 0));
    log.cut(50);
    EXPECT_FALSE(log.holds(100, 0));
    EXPECT_TRUE(log.holds(50, 0));
    EXPECT_TRUE(log.holds(100, 1));
    EXPECT_FALSE(log.holds(100, 2)) << "a position from the future";
    log.cut(80);
    EXPECT_TRUE(log.holds(50, 0));
    EXPECT_FALSE(log.holds(60, 0));
    EXPECT_TRUE(log.holds(80, 1));
    EXPECT_FALSE(log.holds(81, 1));
    log.cut(10);
    EXPECT_FALSE(log.holds(50, 0));
    EXPECT_TRUE(log.holds(10, 0));
    for (std::uint64_t i = 1; i < 200; ++i) {
        log.cut(10 + i);
        ASSERT_TRUE(log.validate());
        EXPECT_TRUE(log.holds(10 + i, log.count() - 1));
        EXPECT_FALSE(log.holds(11 + i, log.count() - 1));
        EXPECT_FALSE(log.holds(12, 0));
    }
    log.reset();
    EXPECT_FALSE(log.holds(0, log.count() - 1));
    EXPECT_TRUE(log.holds(1000, log.count()));
}

}  // namespace journal_cut_test
