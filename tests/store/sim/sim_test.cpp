// Hundreds of seeds of the simulation. LIDO_SIM_SEEDS=5000 tries so many, LIDO_SIM_SEED=17 that one alone.
#include <gtest/gtest.h>
#include <support/dose.hpp>

#include <cstdlib>

#include "store/sim/simulation.hpp"

namespace store_sim {

namespace {
std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
    const char* const asked = std::getenv(variable);
    return asked != nullptr ? std::strtoull(asked, nullptr, 10) : otherwise;
}
}  // namespace

TEST(store_sim, S5_9_whatever_fails_the_database_has_what_the_game_had_and_nothing_acknowledged_is_missing) {
    const std::uint64_t one = number_of("LIDO_SIM_SEED", 0);
    const std::uint64_t seeds = one != 0 ? 1 : number_of("LIDO_SIM_SEEDS", 150);
    outcome all;
    for (std::uint64_t seed = one != 0 ? one : 1, n = 0; n < seeds; ++n, ++seed) {
        const setting how{.seed = seed};
        const outcome what = simulate(how);
        ASSERT_TRUE(what.wrong.empty()) << how_to_repeat(how, what);
        all.add(what);
    }
    if (one != 0) return;
    // What never happened was not tried.
    EXPECT_GT(all.book.acknowledged, seeds);
    EXPECT_GT(all.book.states, seeds);
    EXPECT_GT(all.book.loaded, seeds);
    EXPECT_GT(all.book.kept, 0u);
    EXPECT_GT(all.book.erased, seeds);
    EXPECT_GT(all.trades, seeds);
    EXPECT_GT(all.rewinds, seeds / 4);
    EXPECT_GT(all.retries, seeds);
    EXPECT_GT(all.failed_calls, seeds);
    EXPECT_GT(all.kills, seeds / 2);
    EXPECT_GT(all.power_cuts, seeds / 2);
    EXPECT_GT(all.sectors_lost, seeds);
    EXPECT_GT(all.whole_ends, seeds / 4);
    EXPECT_GT(all.bulk_loads, seeds / 4);
    RecordProperty("acts", static_cast<int>(all.acts));
}

TEST(store_sim, a_seed_is_the_same_run_again) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const outcome first = simulate({.seed = seed});
        const outcome again = simulate({.seed = seed});
        EXPECT_EQ(first.trace, again.trace);
        EXPECT_EQ(first.acts, again.acts);
        EXPECT_GT(first.trace.size(), 10u);
    }
}

TEST(store_sim, a_disk_that_lies_about_syncs_is_noticed) {
    std::uint64_t noticed = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
        noticed += simulate({.seed = seed, .lies_about_syncs = true}).wrong.empty() ? 0u : 1u;
    EXPECT_GT(noticed, 3u);
}

}  // namespace store_sim
