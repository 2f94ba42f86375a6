// Promise (X18, D30): a reader whose entries were dropped is told, loses nothing unseen, and goes on from a snapshot.
#include "entity/journal/journal_support.hpp"

#include <gtest/gtest.h>

#include <string>

namespace journal_behind_test {

using namespace lido;
using namespace lido::test;

/// So many ticks with one entry each.
void run(journal& j, std::uint64_t many) {
    for (; many != 0; --many) {
        ASSERT_TRUE(j.begin_tick(j.tick() + ticks{1}));
        ASSERT_TRUE(update(j, std::to_string(j.tick().count)));
    }
}

TEST(journal_behind, X18_D30_is_told_where_entries_were_dropped_before_they_were_read) {
    journal j({.bytes = 1024});
    journal_cursor slow = j.open({.name = "slow"});
    journal_cursor quick = j.open({.name = "quick"});
    for (int i = 0; i < 40; ++i) {
        run(j, 1);
        EXPECT_TRUE(quick.read([](const journal_entry&) {}));
    }
    EXPECT_EQ(slow.state(), reader_state::behind);
    const read_result r = slow.read([](const journal_entry&) { ADD_FAILURE(); });
    EXPECT_FALSE(r);
    EXPECT_STREQ(r.why(),
                 "behind: entries were dropped before they were read; take a snapshot and resume from its position");
    EXPECT_FALSE(slow.peek());
    EXPECT_EQ(slow.stats().fell_behind, 1u);
    EXPECT_EQ(quick.stats().fell_behind, 0u);
    ASSERT_TRUE(slow.resume(slow.snapshot_position()));
    run(j, 1);
    EXPECT_EQ(read_all(slow), "40") << "tick 40 was open when the snapshot was taken";
    EXPECT_TRUE(j.validate());
}

TEST(journal_behind, a_snapshot_that_took_too_long_is_refused) {
    journal j({.bytes = 1024});
    journal_cursor c = j.open();
    run(j, 2);
    const journal_position snapshot = c.snapshot_position();
    run(j, 40);
    const journal_answer refused = c.resume(snapshot);
    EXPECT_EQ(refused.refusal, journal_refusal::dropped);
    EXPECT_STREQ(refused.why(),
                 "what follows the position was dropped to make room: take a new snapshot and go on from its position");
    EXPECT_TRUE(c.resume());
}

TEST(journal_behind, a_snapshot_of_a_branch_that_was_cut_off_is_refused) {
    journal j({.rollback = 8});
    journal_cursor c = j.open({.what = reads::everything});
    const journal_position start = j.position();
    run(j, 2);
    const journal_position snapshot = c.snapshot_position();
    ASSERT_TRUE(j.cut(start));
    EXPECT_EQ(c.resume(snapshot).refusal, journal_refusal::cut_off);
}

TEST(journal_behind, a_reader_of_confirmed_entries_does_not_go_on_from_an_open_tick) {
    journal j({.rollback = 8});
    journal_cursor c = j.open();
    run(j, 2);
    EXPECT_EQ(c.resume(j.position()).refusal, journal_refusal::not_confirmed);
    EXPECT_TRUE(c.resume(j.confirmed_position()));
}

TEST(journal_behind, nobody_who_read_everything_is_behind) {
    journal j({.bytes = 1024});
    journal_cursor c = j.open({.what = reads::everything});
    for (int i = 0; i < 100; ++i) {
        run(j, 1);
        EXPECT_EQ(read_all(c), std::to_string(i + 1));
    }
    EXPECT_GT(j.stats().dropped, 80u);
}

TEST(journal_behind, a_reader_that_commits_holds_what_it_is_reading) {
    journal j({.bytes = 1024, .rollback = 1});
    journal_cursor c = j.open({.what = reads::everything, .from = read_from::oldest});
    fill(j, "old");
    ASSERT_TRUE(j.begin_tick({1}));
    ASSERT_TRUE(j.confirm({0}));
    bool first = true;
    EXPECT_TRUE(c.read([&](const journal_entry& e) {
        if (std::exchange(first, false)) {
            const journal_answer refused = update(j, "new");
            EXPECT_EQ(refused.refusal, journal_refusal::held_by_reader);
            EXPECT_STREQ(
                refused.why(),
                "the journal is full, and the reader that is calling this holds its oldest entry: commit when it has "
                "returned, or give the journal more bytes");
        } else {
            EXPECT_TRUE(update(j, "new")) << "what it has read may go";
        }
        EXPECT_EQ(word_of(e), "old");
    }));
    EXPECT_TRUE(j.validate());
}

TEST(journal_behind, a_new_reader_of_the_oldest_entries_begins_where_there_are_some) {
    journal j({.bytes = 1024});
    run(j, 40);
    journal_cursor c = j.open({.what = reads::everything, .from = read_from::oldest});
    const std::string all = read_all(c);
    EXPECT_TRUE(all.ends_with("39 40")) << all;
    EXPECT_EQ(c.next().value, 40u);
}

}  // namespace journal_behind_test
