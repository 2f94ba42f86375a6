// What a class learns of how many objects it needs: the most that were active in this period and the one before.
#include <lido/world/trim_watch.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace lido::test::world_trim_watch {

using world_detail::trim_watch;

constexpr trim_rule every_ten{.after = ticks{10}, .margin = 3};

/// The last answer of so many ticks with `active` objects.
std::uint64_t pass(trim_watch& watch, int ticks, std::uint32_t active) {
    std::uint64_t worth = 0;
    for (int i = 0; i < ticks; ++i) worth = watch.tick(active, every_ten);
    return worth;
}

TEST(trim_watch, knows_nothing_before_the_first_period_is_over) {
    trim_watch watch;
    watch.see(40);
    EXPECT_EQ(pass(watch, 9, 1), trim_watch::no_limit);
    EXPECT_EQ(pass(watch, 1, 1), 43u);
}

TEST(trim_watch, counts_a_rise_within_the_running_period_at_once) {
    trim_watch watch;
    watch.see(5);
    EXPECT_EQ(pass(watch, 10, 5), 8u);
    EXPECT_EQ(pass(watch, 3, 5), 8u);
    watch.see(70);
    EXPECT_EQ(pass(watch, 1, 2), 73u) << "more are needed now than in the whole period before";
}

TEST(trim_watch, forgets_a_rise_after_the_period_that_follows_it) {
    trim_watch watch;
    watch.see(70);
    EXPECT_EQ(pass(watch, 10, 2), 73u);
    EXPECT_EQ(pass(watch, 9, 2), 73u);
    EXPECT_EQ(pass(watch, 1, 2), 5u);
}

}  // namespace lido::test::world_trim_watch
