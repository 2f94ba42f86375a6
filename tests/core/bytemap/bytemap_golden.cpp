// S2.8: the odds that handles repeat are those of the document, over 10^7 operations (fewer where nothing is optimised); and the state
// of a bytemap_pool hashes to the same number for all time (X1, X19).
//
// What is simulated. A pool has been in use for long, and a script has seen its handles. `busy` objects live from the start and stay;
// in the other `free` slots objects come and go. The script has kept one of the numbers it has seen, any, each as likely as another;
// what it was the handle of is known by the object's own number, which no other object has. Now one object is made. Did the kept
// handle name something else, and does the pool find the new object under it? That is an alias. It happened or it did not: neither
// the count of handles nor the width of a seed is told to the simulation.
#include "support/dose.hpp"

#include <lido/core/bytemap_pool.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace {

using namespace lido;
using pool_type = bytemap_pool<std::uint32_t>;

constexpr std::uint64_t operations = test::dose(checks ? 1'000'000u : 10'000'000u);

class dice {
public:
    std::uint32_t below(std::uint32_t n) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>((state_ >> 33) % n);
    }

private:
    std::uint64_t state_ = 2026;
};

/// A script that has seen handles of a pool, and has kept one of them.
class script {
public:
    explicit script(pool_type& pool) : pool_(pool) {}

    /// It is given a handle, and remembers the latest object that each number named.
    void see(pool_type::handle_type h) {
        const auto [known, is_new] = index_.try_emplace(h.to_bits(), seen_.size());
        if (is_new) seen_.push_back({});
        seen_[known->second] = {h.to_bits(), *pool_.at(h.to_bits())};
    }
    void keep_any(dice& d) { kept_ = seen_[d.below(static_cast<std::uint32_t>(seen_.size()))]; }
    /// True when it takes this object, which was made just now, for the one it knew.
    [[nodiscard]] bool mistakes(const std::uint32_t* made) const {
        const std::uint32_t* const found = pool_.at(kept_.handle);
        return found == made && *found != kept_.object;
    }

private:
    struct sight {
        std::int32_t handle = -1;
        std::uint32_t object = 0;
    };
    pool_type& pool_;
    std::unordered_map<std::int32_t, std::size_t> index_;
    std::vector<sight> seen_;
    sight kept_;
};

struct outcome {
    std::uint64_t aliases = 0;
    std::uint64_t made = 0;
};

/// `busy` objects stay, at random slots; in the others lives begin and end at random, up to `together` at a time.
outcome simulate(std::uint32_t free, std::uint32_t busy, std::uint32_t together) {
    pool_type pool(free + busy);
    dice d;
    std::uint32_t objects = 0;
    std::vector<pool_type::handle_type> all;
    while (!pool.full()) all.push_back(pool.acquire(++objects));
    for (std::uint32_t left = free; left != 0; --left) {
        const std::uint32_t i = d.below(static_cast<std::uint32_t>(all.size()));
        EXPECT_TRUE(pool.release(all[i]));
        all.erase(all.begin() + i);
    }
    script s(pool);
    for (const auto h : all) s.see(h);
    outcome o;
    std::vector<pool_type::handle_type> live;
    const std::uint64_t long_ago =
        std::uint64_t{free} * 128 * 20;  // calls until the script knows what there is to know
    for (std::uint64_t n = 0; n < long_ago + operations; ++n) {
        if (live.size() < together && (live.empty() || d.below(2) == 0)) {
            if (n >= long_ago) s.keep_any(d);
            const auto made = pool.acquire(++objects);
            live.push_back(made);
            if (n >= long_ago) {
                ++o.made;
                o.aliases += s.mistakes(made.get()) ? 1u : 0u;
            }
            s.see(made);
        } else {
            const std::uint32_t i = d.below(static_cast<std::uint32_t>(live.size()));
            EXPECT_TRUE(pool.release(live[i]));
            live[i] = live.back();
            live.pop_back();
        }
    }
    EXPECT_TRUE(pool.validate());
    return o;
}

/// A pool of `slots` is filled, again and again.
outcome simulate_filling(std::uint32_t slots) {
    pool_type pool(slots);
    dice d;
    script s(pool);
    std::uint32_t objects = 0;
    outcome o;
    const std::uint64_t long_ago = std::uint64_t{slots} * 128;
    for (std::uint64_t n = 0; n < long_ago + operations / 2;) {
        for (; !pool.full(); ++n) {
            if (n >= long_ago) s.keep_any(d);
            const auto made = pool.acquire(++objects);
            if (n >= long_ago) {
                ++o.made;
                o.aliases += s.mistakes(made.get()) ? 1u : 0u;
            }
            s.see(made);
        }
        pool.release_if([](const std::uint32_t&) { return true; });
    }
    return o;
}

/// As many aliases as the odds say, but for chance: four standard deviations. The dice are always the same, so is what happens.
void expect_odds(const outcome& o, double odds) {
    const double expected = odds * static_cast<double>(o.made);
    EXPECT_GT(expected, 30) << "too few to say anything";
    EXPECT_LT(std::abs(static_cast<double>(o.aliases) - expected), 4 * std::sqrt(expected))
        << o.aliases << " aliases of " << o.made << " objects, where the odds say " << expected;
}
void expect_not_odds(const outcome& o, double odds) {
    const double expected = odds * static_cast<double>(o.made);
    EXPECT_GT(std::abs(static_cast<double>(o.aliases) - expected), 4 * std::sqrt(expected));
}

TEST(bytemap_alias_odds, in_general_are_those_of_the_document) {
    expect_odds(simulate(10, 90, 1), alias_odds(10, 90));
    expect_odds(simulate(10, 90, 10), alias_odds(10, 90));
    expect_odds(simulate(5, 1000, 4), alias_odds(5, 1000));
}
TEST(bytemap_alias_odds, are_worst_where_the_last_object_of_a_full_pool_comes_and_goes) {
    expect_odds(simulate(1, 99, 1), worst_alias_odds(100));
    expect_odds(simulate(1, 999, 1), worst_alias_odds(1000));
}
TEST(bytemap_alias_odds, are_best_where_an_empty_pool_is_filled) {
    expect_odds(simulate_filling(10), best_alias_odds(10));
}
TEST(bytemap_alias_odds, are_not_those_of_a_seed_with_a_bit_more_or_less) {  // the simulation can tell
    const outcome o = simulate(2, 50, 2);
    expect_odds(o, alias_odds(2, 50));
    expect_not_odds(o, alias_odds(2, 50, 6));
    expect_not_odds(o, alias_odds(2, 50, 8));
    expect_not_odds(o, alias_odds(2, 0));
    expect_not_odds(o, alias_odds(3, 50));
}
TEST(bytemap_alias_odds, are_certainty_for_a_handle_whose_slot_has_had_128_more_lives) {
    pool_type pool(3);
    const auto stays = pool.acquire(0u);
    std::uint32_t object = 1;
    auto now = pool.acquire(object).handle();
    const std::int32_t kept = now.to_bits();
    for (int lives = 0; lives < 2 * 128;) {  // of both slots in turn
        ASSERT_TRUE(pool.release(now));
        ASSERT_EQ(pool.at(kept), nullptr);
        now = pool.acquire(++object);
        if (now.index() != kept >> 8) continue;
        ++lives;
        ASSERT_EQ(pool.at(kept) != nullptr, lives % 128 == 0) << lives;
    }
    EXPECT_EQ(*stays, 0u);
}
TEST(bytemap_alias_odds, are_functions_of_any_seed_width) {
    static_assert(alias_odds(10, 90) == 1.0 / (10 * 128 + 90));
    static_assert(worst_alias_odds(100) == 1.0 / (128 + 99));
    static_assert(best_alias_odds(100) == 1.0 / (100 * 128));
    static_assert(alias_odds(10, 90, 0) == 1.0 / 100);
    static_assert(alias_odds(2, 3, 31) == 1.0 / (2 * 2147483648.0 + 3));
    static_assert(worst_alias_odds(1, 16) == 1.0 / 65536);
}

TEST(bytemap_golden, the_state_after_a_script_is_the_same_for_all_time) {
    const misuse_handler before = set_misuse_handler([](const misuse&) {});
    pool_type pool(100);
    dice d;
    std::vector<pool_type::handle_type> known{pool_type::handle_type{}};
    for (std::uint32_t i = 0; i < 20000; ++i) {
        const std::uint32_t roll = d.below(8);
        if (roll < 4) {
            known.push_back(pool.acquire(i));
        } else if (roll < 7) {
            static_cast<void>(pool.release(known[d.below(static_cast<std::uint32_t>(known.size()))]));
        } else {
            const std::uint32_t slot = d.below(100);  // a line each: arguments have no order
            const std::uint32_t seed = d.below(128);
            static_cast<void>(pool.reserve(pool_type::handle_type::of(slot, seed), i));
            if (d.below(40) == 0) pool.release_if([](const std::uint32_t& v) { return v % 3 != 0; });
        }
    }
    set_misuse_handler(before);
    std::vector<std::byte> image;
    pool.save(image);
    EXPECT_GT(pool.size(), 5u);
    // 0.1.0 had 0xcd846ce47d6a9360 here: it left first_free where it was when a full pool was asked.
    EXPECT_EQ(pool.state_hash(), 0xd061e24adaeae14cU) << "0x" << std::hex << pool.state_hash();
    EXPECT_EQ(image.size(), 637u);
}

}  // namespace
