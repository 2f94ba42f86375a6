// Promise: a reset is told once to each reader, which then takes a snapshot; no position from before it holds.
#include "entity/journal/journal_support.hpp"

#include <gtest/gtest.h>

namespace journal_reset_test {

using namespace lido;
using namespace lido::test;

TEST(journal_reset, is_told_once_and_then_waits_for_a_snapshot) {
    journal j;
    journal_cursor all = j.open({.what = reads::everything});
    journal_cursor sure = j.open();
    ASSERT_TRUE(update(j, "a"));
    ASSERT_TRUE(j.reset(reset_cause::loaded, {{40}, {7}, {9}}));
    EXPECT_EQ(j.state(), (journal_state{{40}, {7}, {9}}));
    ASSERT_TRUE(update(j, "b"));
    const auto e = all.peek();
    ASSERT_TRUE(e);
    EXPECT_EQ(e->what.detail, static_cast<std::uint8_t>(reset_cause::loaded));
    EXPECT_EQ(read_all(all), "reset 40 [reset]");
    EXPECT_EQ(read_all(all), "[reset]");
    EXPECT_FALSE(all.peek());
    EXPECT_EQ(read_all(sure), "reset 40 [reset]");
    ASSERT_TRUE(all.resume());
    ASSERT_TRUE(sure.resume());
    ASSERT_TRUE(update(j, "c"));
    EXPECT_EQ(read_all(all), "c") << "b is in the snapshot";
    ASSERT_TRUE(j.begin_tick({41}));
    EXPECT_EQ(read_all(sure), "b c") << "neither was in the snapshot of what is confirmed";
    EXPECT_TRUE(j.validate());
}

TEST(journal_reset, makes_every_earlier_position_void) {
    journal j({.rollback = 4});
    journal_cursor c = j.open({.what = reads::everything});
    const journal_position before = j.position();
    ASSERT_TRUE(j.reset(reset_cause::restored, j.state()));
    EXPECT_EQ(j.cut(before).refusal, journal_refusal::cut_off);
    EXPECT_EQ(c.resume(before).refusal, journal_refusal::cut_off);
    EXPECT_TRUE(j.cut(j.position()));
}

TEST(journal_reset, is_told_even_where_a_cut_was_to_be_told) {
    journal j({.rollback = 4});
    journal_cursor c = j.open({.what = reads::everything});
    const journal_position start = j.position();
    ASSERT_TRUE(update(j, "a"));
    read_all(c);
    ASSERT_TRUE(j.cut(start));
    ASSERT_TRUE(j.reset(reset_cause::loaded, {}));
    EXPECT_EQ(read_all(c), "reset 0 [reset]");
    ASSERT_TRUE(c.resume());
    EXPECT_EQ(read_all(c), "");
}

TEST(journal_reset, twice_is_told_twice_where_it_was_read_between) {
    journal j;
    journal_cursor c = j.open();
    ASSERT_TRUE(j.reset(reset_cause::loaded, {}));
    ASSERT_TRUE(j.reset(reset_cause::loaded, {}));
    EXPECT_EQ(read_all(c), "reset 0 [reset]");
    ASSERT_TRUE(j.reset(reset_cause::restored, {}));
    EXPECT_EQ(read_all(c), "reset 0 [reset]");
    EXPECT_EQ(j.stats().resets, 3u);
}

TEST(journal_reset, of_a_journal_that_is_full_gives_it_all_its_room) {
    journal j({.bytes = 1024, .rollback = 1});
    fill(j, "x");
    ASSERT_TRUE(j.reset(reset_cause::loaded, {}));
    EXPECT_EQ(j.stats().used, 0u);
    for (int i = 0; i < 6; ++i) ASSERT_TRUE(update(j, "y"));
    EXPECT_TRUE(j.validate());
}

}  // namespace journal_reset_test
