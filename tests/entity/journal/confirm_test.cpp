// Promise: readers of confirmed entries are given what cannot be taken back any more, and everybody can be told how far that is.
#include "entity/journal/journal_support.hpp"

#include <gtest/gtest.h>

#include <string>

namespace journal_confirm_test {

using namespace lido;
using namespace lido::test;

TEST(journal_confirm, without_rollback_what_an_open_tick_has_so_far_can_be_confirmed) {
    lido::journal j;
    auto reader = j.open();
    const auto read = [&] { return reader.read([](const lido::journal_entry&) {}).entries; };
    const lido::journal_position before = j.position();
    ASSERT_TRUE(j.append({.kind = lido::change_kind::created, .of_class = 1}, {}, {}, "a"));
    EXPECT_EQ(read(), 0u);
    EXPECT_TRUE(j.confirm_so_far());
    EXPECT_EQ(read(), 1u);
    EXPECT_FALSE(j.cut(before));
    EXPECT_TRUE(j.validate());
    ASSERT_TRUE(j.append({.kind = lido::change_kind::created, .of_class = 1}, {}, {}, "b"));
    EXPECT_EQ(read(), 0u);

    lido::journal open{{.rollback = 2}};
    EXPECT_FALSE(open.confirm_so_far());
}

TEST(journal_confirm, a_journal_without_rollback_confirms_each_tick_as_it_ends) {
    journal j;
    journal_cursor c = j.open();
    ASSERT_TRUE(update(j, "a"));
    EXPECT_EQ(read_all(c), "");
    ASSERT_TRUE(j.begin_tick({1}));
    EXPECT_EQ(j.first_open_tick(), ticks{1});
    ASSERT_TRUE(update(j, "b"));
    EXPECT_EQ(read_all(c), "a");
    EXPECT_TRUE(j.confirm({0})) << "it was";
    ASSERT_TRUE(j.begin_tick({5}));
    EXPECT_EQ(read_all(c), "b");
}

TEST(journal_confirm, with_rollback_ticks_stay_open_until_they_are_confirmed) {
    journal j({.rollback = 2});
    journal_cursor c = j.open();
    for (std::uint64_t t = 1; t < 9; ++t) {  // more ticks than are noted
        ASSERT_TRUE(update(j, std::to_string(t)));
        ASSERT_TRUE(j.begin_tick({t}));
    }
    EXPECT_EQ(read_all(c), "");
    ASSERT_TRUE(j.confirm({0}));
    EXPECT_EQ(read_all(c), "1");
    ASSERT_TRUE(j.confirm({4}));
    EXPECT_EQ(read_all(c), "2 3 4 5");
    ASSERT_TRUE(j.confirm({2})) << "it was confirmed before";
    EXPECT_EQ(j.first_open_tick(), ticks{5});
    ASSERT_TRUE(j.begin_tick({9}));
    ASSERT_TRUE(j.confirm({8}));
    EXPECT_EQ(read_all(c), "6 7 8");
    EXPECT_TRUE(j.validate());
}

TEST(journal_confirm, of_a_tick_that_is_open_is_refused) {
    journal j({.rollback = 2});
    ASSERT_TRUE(j.begin_tick({3}));
    EXPECT_EQ(j.confirm({3}).refusal, journal_refusal::open_tick);
    EXPECT_EQ(j.confirm({9}).refusal, journal_refusal::open_tick);
    EXPECT_TRUE(j.confirm({2}));
}

TEST(journal_confirm, ticks_go_forward_and_may_leave_some_out) {
    journal j;
    EXPECT_EQ(j.tick(), ticks{0});
    EXPECT_EQ(j.begin_tick({0}).refusal, journal_refusal::past_tick);
    ASSERT_TRUE(j.begin_tick({7}));
    EXPECT_EQ(j.begin_tick({7}).refusal, journal_refusal::past_tick);
    EXPECT_EQ(j.begin_tick({6}).refusal, journal_refusal::past_tick);
    EXPECT_EQ(j.tick(), ticks{7});
}

TEST(journal_confirm, is_told_behind_the_last_entry_that_it_confirms) {
    journal j({.rollback = 4});
    journal_cursor all = j.open({.what = reads::everything, .tell_confirmed = true});
    journal_cursor sure = j.open({.tell_confirmed = true});
    ASSERT_TRUE(update(j, "a"));
    ASSERT_TRUE(j.begin_tick({1}));
    ASSERT_TRUE(update(j, "b"));
    EXPECT_EQ(read_all(all), "a b");
    EXPECT_EQ(read_all(sure), "");
    ASSERT_TRUE(j.confirm({0}));
    EXPECT_EQ(read_all(all), "confirmed 0");
    EXPECT_EQ(read_all(sure), "a confirmed 0");
    ASSERT_TRUE(j.begin_tick({2}));
    ASSERT_TRUE(update(j, "c"));
    ASSERT_TRUE(j.begin_tick({3}));
    ASSERT_TRUE(j.confirm({1}));
    ASSERT_TRUE(j.confirm({2}));
    EXPECT_EQ(read_all(all), "c confirmed 2") << "once for both";
    EXPECT_EQ(read_all(sure), "b c confirmed 2");
    EXPECT_EQ(read_all(all), "");
}

TEST(journal_confirm, of_an_empty_tick_is_told_too) {
    journal j;
    journal_cursor c = j.open({.tell_confirmed = true});
    ASSERT_TRUE(j.begin_tick({1}));
    EXPECT_EQ(read_all(c), "confirmed 0");
    EXPECT_EQ(c.next().value, 0u);
}

TEST(journal_confirm, from_inside_of_a_reader_is_for_its_next_read) {
    journal j({.rollback = 4});
    journal_cursor c = j.open();
    for (std::uint64_t t = 1; t < 4; ++t) {
        ASSERT_TRUE(update(j, std::to_string(t)));
        ASSERT_TRUE(j.begin_tick({t}));
    }
    ASSERT_TRUE(j.confirm({0}));
    EXPECT_EQ(c.read([&](const journal_entry&) { EXPECT_TRUE(j.confirm({2})); }).entries, 1u);
    EXPECT_EQ(read_all(c), "2 3");
}

TEST(journal_confirm, entries_that_are_not_confirmed_are_never_dropped) {
    journal j({.bytes = 2048, .rollback = 1});
    journal_cursor c = j.open();
    const std::string all = fill(j, "x");
    EXPECT_EQ(j.stats().dropped, 0u);
    ASSERT_TRUE(j.begin_tick({1}));
    ASSERT_TRUE(j.confirm({0}));
    EXPECT_EQ(read_all(c), all);
}

}  // namespace journal_confirm_test
