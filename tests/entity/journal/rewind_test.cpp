// Promise: a journal is saved beside pools as its position, a restore cuts it, and its hash is of what is state alone.
#include "entity/journal/journal_support.hpp"

#include <lido/core/rewind/rewind.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

namespace journal_rewind_test {

using namespace lido;
using namespace lido::test;

static_assert(rewind_part<journal> && !image_rewind_part<journal>);

TEST(journal_rewind, a_restore_cuts_it_with_the_pools_beside_it) {
    slot_pool<int> pool(8, {.leaks = leaks::allow});
    journal j({.rollback = 8});
    journal_cursor c = j.open({.what = reads::everything});
    lido::rewind<8> past;
    for (std::uint64_t t = 1; t < 6; ++t) {
        ASSERT_TRUE(j.begin_tick({t}));
        ASSERT_TRUE(update(j, std::to_string(t)));
        pool.acquire(static_cast<int>(t));
        past.save(t, pool, j);
    }
    EXPECT_EQ(read_all(c), "1 2 3 4 5");
    ASSERT_TRUE(past.restore(3, pool, j));
    EXPECT_EQ(pool.size(), 3u);
    EXPECT_EQ(j.tick(), ticks{3});
    EXPECT_EQ(read_all(c), "cut 3");
}

TEST(journal_rewind, is_refused_with_all_the_rest_where_the_journal_cannot_go_back) {
    slot_pool<int> pool(8, {.leaks = leaks::allow});
    journal j;  // each tick is confirmed as it ends
    snapshot state;
    ASSERT_TRUE(update(j, "a"));
    ASSERT_TRUE(save(state, pool, j));
    ASSERT_TRUE(update(j, "b"));
    EXPECT_TRUE(j.can_cut(j.position()));
    ASSERT_TRUE(j.begin_tick({1}));
    pool.acquire(1);
    const restore_result refused = restore(state, pool, j);
    EXPECT_EQ(refused.error, restore_error::not_kept);
    EXPECT_STREQ(refused.what(),
                 "changes that are confirmed cannot be cut: restore a later tick, or reset the journal");
    EXPECT_EQ(pool.size(), 1u);
    journal other;
    EXPECT_EQ(restore(state, pool, other).error, restore_error::other_parts);
    journal_cursor c = j.open({.what = reads::everything, .from = read_from::oldest});
    EXPECT_TRUE(
        c.read([&](const journal_entry&) { EXPECT_EQ(restore(state, pool, j).error, restore_error::reentrant); }));
}

TEST(journal_rewind, a_replay_has_the_same_hash_whatever_was_cut_and_whoever_reads) {
    const auto play = [](journal& j, std::uint64_t from) {
        for (std::uint64_t t = from; t < 9; ++t) {
            EXPECT_TRUE(j.begin_tick({t}));
            EXPECT_TRUE(update_all(j, {"a", "b"}));
        }
    };
    journal straight({.bytes = 1 << 16, .rollback = 8});
    play(straight, 1);
    journal crooked({.bytes = 1 << 12, .readers = 2, .rollback = 16});
    journal_cursor c = crooked.open({.what = reads::everything});
    journal_position at3;
    for (std::uint64_t t = 1; t < 9; ++t) {
        ASSERT_TRUE(crooked.begin_tick({t}));
        ASSERT_TRUE(update_all(crooked, {"a", "b"}));
        if (t == 3) at3 = crooked.position();
    }
    read_all(c);
    const std::uint64_t hash = state_hash(crooked);
    ASSERT_TRUE(crooked.cut(at3));
    EXPECT_NE(state_hash(crooked), hash);
    play(crooked, 4);
    ASSERT_TRUE(crooked.confirm({2}));
    EXPECT_EQ(state_hash(crooked), hash);
    EXPECT_EQ(state_hash(straight), hash);
}

}  // namespace journal_rewind_test
