// Promise (X17): a commit over several entities appends all of its entries or none, and readers can see them as one group.
#include "entity/journal/journal_support.hpp"

#include "support/check_death.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace journal_commit_test {

using namespace lido;
using namespace lido::test;

TEST(journal_commit, X17_entries_of_several_entities_appear_together_with_one_number) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    ASSERT_TRUE(update(j, "alone"));
    journal_reservation r = j.reserve(2 * journal::bytes_of({4, 0, 0, 1}));
    ASSERT_TRUE(r);
    r.add(stamp_of(change_kind::updated, 1), {4, 0, 0, 1}).after[0] = std::byte{'a'};
    EXPECT_EQ(read_all(c), "alone") << "what is not published is not there";
    r.add(stamp_of(change_kind::updated, 2), {4, 0, 0, 1}).after[0] = std::byte{'b'};
    EXPECT_EQ(j.state().next.value, 1u);
    EXPECT_EQ(r.publish().value, 2u);
    std::vector<journal_entry> seen;
    EXPECT_EQ(c.read([&](const journal_entry& e) { seen.push_back(e); }).entries, 2u);
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].what.commit.value, 2u);
    EXPECT_EQ(seen[1].what.commit.value, 2u);
    EXPECT_TRUE(seen[0].first && !seen[0].last && !seen[1].first && seen[1].last);
    EXPECT_EQ(seen[1].what.entity.value, 2u);
}

TEST(journal_commit, X17_is_read_as_a_group) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    ASSERT_TRUE(update_all(j, {"a", "b", "c"}));
    ASSERT_TRUE(update(j, "d"));
    std::vector<std::string> groups;
    EXPECT_EQ(c.read_commits([&](const commit_group& g) {
                   std::string s = std::to_string(g.size()) + ":";
                   for (const journal_entry& e : g) s += word_of(e);
                   groups.push_back(s + word_of(g.front()));
               }).entries,
              4u);
    EXPECT_EQ(groups, (std::vector<std::string>{"3:abca", "1:dd"}));
}

TEST(journal_commit, of_which_a_part_was_read_goes_on_with_its_rest) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    ASSERT_TRUE(update_all(j, {"a", "b", "c"}));
    EXPECT_EQ(c.read([](const journal_entry&) {}, 1).entries, 1u);
    std::string s;
    EXPECT_EQ(c.read_commits([&](const commit_group& g) {
                   for (const journal_entry& e : g) s += word_of(e);
               }).entries,
              2u);
    EXPECT_EQ(s, "bc");
}

TEST(journal_commit, a_group_that_is_not_wanted_comes_again) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    ASSERT_TRUE(update_all(j, {"a", "b"}));
    EXPECT_EQ(c.read_commits([](const commit_group&) { return false; }).entries, 0u);
    EXPECT_EQ(c.lag().entries, 2u);
    EXPECT_EQ(read_all(c), "a b");
}

TEST(journal_commit, that_is_abandoned_leaves_nothing) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    {
        journal_reservation r = j.reserve(500);
        ASSERT_TRUE(r);
        r.add(stamp_of(change_kind::updated), {4, 0, 0, 8});
        r.abandon();
        EXPECT_EQ(r.publish().value, 0u);
    }
    {
        journal_reservation r = j.reserve(500);
        r.add(stamp_of(change_kind::updated), {4, 0, 0, 8});
        // Neither published nor abandoned: as a commit that is left by an exception.
    }
    EXPECT_EQ(j.state(), journal_state{});
    EXPECT_TRUE(j.validate());
    ASSERT_TRUE(update(j, "a"));
    EXPECT_EQ(read_all(c), "a");
    EXPECT_EQ(j.state().commit.value, 1u);
}

TEST(journal_commit, of_nothing_is_none) {
    journal j;
    journal_reservation r = j.reserve(0);
    ASSERT_TRUE(r);
    EXPECT_EQ(r.publish().value, 0u);
    EXPECT_EQ(j.state(), journal_state{});
    EXPECT_TRUE(update(j, "a")) << "the reservation is closed";
}

TEST(journal_commit, that_takes_less_than_was_reserved_gives_the_rest_back) {
    journal j({.bytes = 1024});
    journal_reservation r = j.reserve(512);
    ASSERT_TRUE(r);
    r.add(stamp_of(change_kind::updated), {4, 0, 0, 1});
    r.publish();
    EXPECT_EQ(j.stats().used, journal::bytes_of({4, 0, 0, 1}));
    EXPECT_TRUE(j.validate());
}

TEST(journal_commit, inside_of_another_is_refused) {
    journal j;
    journal_reservation first = j.reserve(100);
    ASSERT_TRUE(first);
    const journal_reservation second = j.reserve(100);
    EXPECT_FALSE(second);
    EXPECT_EQ(second.why_refused(), journal_refusal::writing);
    EXPECT_STREQ(second.why(), "a reservation is open: publish or abandon it first");
    EXPECT_EQ(j.begin_tick({1}).refusal, journal_refusal::writing);
    EXPECT_EQ(j.cut(j.position()).refusal, journal_refusal::writing);
    EXPECT_EQ(j.reset(reset_cause::loaded, {}).refusal, journal_refusal::writing);
}

TEST(journal_commit, that_moved_is_published_where_it_is) {
    journal j;
    journal_reservation a = j.reserve(200);
    a.add(stamp_of(change_kind::updated), {4, 0, 0, 1});
    journal_reservation b = std::move(a);
    EXPECT_EQ(a.publish().value, 0u);  // NOLINT(bugprone-use-after-move): that is the test
    EXPECT_EQ(b.publish().value, 1u);
    EXPECT_TRUE(j.validate());
}

TEST(journal_commit, larger_than_half_of_the_journal_is_refused) {
    journal j({.bytes = 1024});
    const journal_reservation r = j.reserve(520);
    EXPECT_EQ(r.why_refused(), journal_refusal::too_large);
    EXPECT_TRUE(j.reserve(512));
    EXPECT_EQ(j.stats().refused, 1u);
}

TEST(journal_commit, of_absurd_sizes_is_refused) {
    journal j;
    ASSERT_TRUE(update(j, "x"));
    for (const std::size_t bytes : {~std::size_t{0}, ~std::size_t{0} - 7, ~std::size_t{0} / 2 + 1})
        EXPECT_EQ(j.reserve(bytes).why_refused(), journal_refusal::too_large) << bytes;
    const std::byte one{};
    const std::span<const std::byte> endless(&one, ~std::size_t{0} / 2);  // not looked at
    EXPECT_EQ(j.append(stamp_of(change_kind::created), {}, endless, "x").refusal, journal_refusal::too_large);
    EXPECT_EQ(j.append(stamp_of(change_kind::pooled), endless, {}, "x").refusal, journal_refusal::too_large);
    EXPECT_TRUE(j.validate());
}

TEST(journal_commit, X17_that_does_not_fit_beside_open_changes_is_refused_before_anything_is_changed) {
    journal j({.bytes = 1024, .rollback = 1});
    journal_cursor c = j.open({.what = reads::everything, .from = read_from::oldest});
    const std::string all = fill(j, "x");
    const std::uint64_t hash = state_hash(j);
    const journal_stats before = j.stats();
    const journal_answer refused = update(j, "y");
    EXPECT_EQ(refused.refusal, journal_refusal::full);
    EXPECT_STREQ(refused.why(),
                 "the journal is full of changes that are not confirmed: confirm ticks, or give it more bytes");
    EXPECT_EQ(state_hash(j), hash);
    EXPECT_EQ(j.stats().used, before.used);
    EXPECT_EQ(j.stats().dropped, 0u);
    EXPECT_EQ(j.stats().refused, before.refused + 1);
    EXPECT_EQ(read_all(c), all);
    ASSERT_TRUE(j.begin_tick({1}));
    EXPECT_FALSE(update(j, "y"));
    ASSERT_TRUE(j.confirm({0}));
    EXPECT_TRUE(update(j, "y"));
    EXPECT_EQ(read_all(c), "y");
}

TEST(journal_commit, a_refusal_drops_nothing_that_is_confirmed_either) {
    journal j({.bytes = 1024, .rollback = 1});
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(update(j, "old"));
    ASSERT_TRUE(j.begin_tick({1}));
    ASSERT_TRUE(j.confirm({0}));
    while (j.stats().open < 700) ASSERT_TRUE(update(j, "open"));
    const journal_stats before = j.stats();
    EXPECT_EQ(j.reserve(500).why_refused(), journal_refusal::full);
    EXPECT_EQ(j.stats().kept, before.kept);
}

TEST(journal_commit_death, more_entries_than_were_reserved_stop_the_program) {
    journal j;
    journal_reservation r = j.reserve(64);
    EXPECT_DEATH(static_cast<void>(r.add(stamp_of(change_kind::updated), {4, 0, 0, 8})),
                 "entries take more bytes than were reserved");
}

TEST(journal_commit_death, an_id_of_64_bytes_stops_the_program) {
    journal j;
    EXPECT_DEATH(static_cast<void>(j.append(stamp_of(change_kind::created), {}, {}, std::string(64, 'i'))),
                 "an id has 63 bytes at most");
}

TEST(journal_commit_death, a_stage_cannot_write_a_notice_or_a_wrong_shape) {
    if (!checks) GTEST_SKIP() << "needs checks";
    journal j;
    journal_reservation r = j.reserve(640);
    EXPECT_DEATH(static_cast<void>(r.add(stamp_of(change_kind::cut), {})), "a stage cannot write one");
    EXPECT_DEATH(static_cast<void>(r.add(stamp_of(change_kind::updated), {0, 0, 1, 1})),
                 "without a set of changed fields");
}

}  // namespace journal_commit_test
