// What can be known of lives by looking at slots now and then.
#include "slot_watch.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace lido::test {
namespace inspect_slot_watch_test {

using inspect::slot_life;
using inspect::slot_watch;

struct looks {
    slot_watch watch;
    void at(std::uint64_t tick, std::vector<slot_life> lives) {
        watch.look(tick, [&](std::vector<slot_life>& out) { out = lives; });
    }
    [[nodiscard]] std::uint64_t counted(std::size_t bucket) const { return watch.lifetimes().counts[bucket]; }
};

TEST(inspect_slot_watch, measures_a_life_that_it_saw_begin_and_end) {
    looks l;
    l.at(1, {});
    l.at(2, {{5, 1}});
    l.at(3, {{5, 1}});
    l.at(5, {});
    EXPECT_EQ(l.watch.lifetimes().seen, 1u);
    EXPECT_EQ(l.counted(2), 1u);  // three ticks: more than 2, at most 4
    EXPECT_EQ(l.watch.lifetimes().unmeasured, 0u);
}

TEST(inspect_slot_watch, a_life_of_exactly_a_power_of_two_counts_with_the_shorter_ones) {
    looks l;
    l.at(0, {});
    std::uint64_t tick = 1;
    std::uint32_t slot = 0;
    for (const std::uint64_t length : {1u, 2u, 4u, 8u, 1024u}) {
        l.at(tick, {{slot, 1}});
        tick += length;
        l.at(tick, {});
        ++tick;
        ++slot;
    }
    for (const std::size_t bucket : {0u, 1u, 2u, 3u, 10u}) EXPECT_EQ(l.counted(bucket), 1u) << bucket;
    EXPECT_EQ(l.watch.lifetimes().seen, 5u);
}

TEST(inspect_slot_watch, a_life_from_before_the_first_look_has_no_length) {
    looks l;
    l.at(1, {{0, 1}});
    l.at(2, {});
    EXPECT_EQ(l.watch.lifetimes().seen, 0u);
    EXPECT_EQ(l.watch.lifetimes().unmeasured, 1u);
}

TEST(inspect_slot_watch, a_slot_that_was_used_again_ends_one_life_and_begins_another) {
    looks l;
    l.at(1, {});
    l.at(2, {{0, 1}});
    l.at(3, {{0, 3}});
    EXPECT_EQ(l.watch.lifetimes().seen, 1u);
    l.at(4, {{0, 9}});  // 3 ended, 5 and 7 were never seen
    EXPECT_EQ(l.watch.lifetimes().seen, 2u);
    EXPECT_EQ(l.watch.lifetimes().unmeasured, 2u);
}

TEST(inspect_slot_watch, an_end_is_counted_once) {
    looks l;
    l.at(1, {});
    l.at(2, {{0, 1}, {7, 1}});
    l.at(3, {{7, 1}});
    l.at(4, {{7, 1}});
    l.at(5, {});
    l.at(6, {});
    EXPECT_EQ(l.watch.lifetimes().seen, 2u);
}

TEST(inspect_slot_watch, a_tick_that_went_back_gives_no_length) {
    looks l;
    l.at(100, {});
    l.at(101, {{0, 1}});
    l.at(50, {});
    EXPECT_EQ(l.watch.lifetimes().seen, 0u);
    EXPECT_EQ(l.watch.lifetimes().unmeasured, 1u);
}

TEST(inspect_slot_watch, rows_without_lives_are_drawn_and_not_measured) {
    looks l;
    l.at(1, {});
    l.at(2, {{0, 0}, {1, 0}});
    l.at(3, {{0, 0}});
    EXPECT_EQ(l.watch.lifetimes().seen + l.watch.lifetimes().unmeasured, 0u);
    inspect::map_figures map;
    l.watch.draw({.cells = 4}, 4, map);
    EXPECT_EQ(map.cells, (std::vector<std::uint8_t>{1, 0, 0, 0}));
}

TEST(inspect_slot_watch, a_cell_shows_its_oldest) {
    looks l;
    l.at(0, {{0, 1}});
    l.at(10, {{0, 1}, {1, 1}, {3, 5}});
    inspect::map_figures map;
    l.watch.draw({.cells = 2}, 4, map);
    EXPECT_EQ(map.per_cell, 2u);
    EXPECT_EQ(map.newest, 0u);
    EXPECT_EQ(map.oldest, 10u);
    EXPECT_EQ(map.cells, (std::vector<std::uint8_t>{255, 1}));
    l.watch.draw({.by = inspect::map_by::generation, .from = 1, .to = 4, .cells = 3}, 4, map);
    EXPECT_EQ(map.cells, (std::vector<std::uint8_t>{1, 0, 255}));
    l.watch.draw({.from = 9, .to = 3}, 4, map);
    EXPECT_TRUE(map.cells.empty());
}

TEST(inspect_slot_watch, rest_forgets_lives_and_keeps_counts) {
    looks l;
    l.at(1, {});
    l.at(2, {{0, 1}});
    l.at(3, {});
    l.watch.rest();
    EXPECT_FALSE(l.watch.looked());
    l.at(4, {{0, 3}});
    l.at(5, {});
    EXPECT_EQ(l.watch.lifetimes().seen, 1u);
    EXPECT_EQ(l.watch.lifetimes().unmeasured, 1u);
}

}  // namespace inspect_slot_watch_test
}  // namespace lido::test
