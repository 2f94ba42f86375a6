// X14: what the inspector is told of a store. It knows a store by what it can do; this is where a real one does it.
#include <lido/inspect/source.hpp>

#include <gtest/gtest.h>

#include <string>

#include "store/town.hpp"

namespace store_inspected {

using lido::inspect::store_numbers;
using lido::inspect::store_source;
using store_tests::fake_disk;
using store_tests::town;

static_assert(lido::inspect::watchable_store<lido::store::store>);
static_assert(lido::inspect::watchable_store<lido::store::sqlite>);
static_assert(!lido::inspect::watchable_pool<lido::store::store>);

TEST(store_inspected, X14_figures_of_a_store_reach_the_inspector) {
    fake_disk disk;
    town t(disk);
    const store_source from = lido::inspect::store_source_of(*t.store);
    ASSERT_TRUE(t.open_vault("ann", 5));
    const store_numbers n = from.numbers(from.store);
    const lido::store::store_stats said = t.store->stats();
    EXPECT_TRUE(n.ready);
    EXPECT_EQ(from.describe(from.store), "a fake");
    EXPECT_EQ(n.run, 1u);
    EXPECT_EQ(n.entities, 1u);
    EXPECT_EQ(n.pending, 0u);
    EXPECT_EQ(n.saves, 1u);
    EXPECT_GT(n.durable_tick, 0u);
    EXPECT_EQ(n.durable_tick, said.durable.tick);
    EXPECT_EQ(n.confirmed_tick, said.confirmed.tick);
    EXPECT_EQ(n.transactions, said.transactions);
    EXPECT_EQ(n.bytes_written, said.bytes_written);
    EXPECT_GT(n.bytes_written, 0u);
}

TEST(store_inspected, a_database_that_is_away_is_trouble_until_it_is_back) {
    fake_disk disk;
    town t(disk);
    const store_source from = lido::inspect::store_source_of(*t.store);
    const auto ann = t.open_vault("ann", 5);
    EXPECT_EQ(from.trouble(from.store), "");
    disk.down = true;
    ASSERT_TRUE(t.pay(ann, 1));
    t.settle(30);
    EXPECT_TRUE(from.numbers(from.store).ready);
    EXPECT_EQ(from.trouble(from.store), "the database is down");
    EXPECT_EQ(from.numbers(from.store).pending, 1u);
    disk.down = false;
    ASSERT_TRUE(t.flush());
    EXPECT_EQ(from.trouble(from.store), "");
}

TEST(store_inspected, one_whose_work_has_ended_says_why) {
    fake_disk disk;
    town t(disk);
    const store_source from = lido::inspect::store_source_of(*t.store);
    const auto ann = t.open_vault("ann", 5);
    ++disk.tables.epoch;  // as another program does that opens it
    ASSERT_TRUE(t.pay(ann, 1));
    t.settle(30);
    EXPECT_FALSE(from.numbers(from.store).ready);
    EXPECT_EQ(from.trouble(from.store), "another program has it");
}

}  // namespace store_inspected
