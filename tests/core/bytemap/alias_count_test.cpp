// Promise (S2.8): alias_odds() and its bounds say what pools do. Pools are driven here, every handle that they gave is kept, and handles of
// objects that have ended are asked about: an alias is counted where one finds an object that it was never the handle of. What the odds
// are computed from (seeds, free slots) is not told to what counts.
//
// bytemap_pool has a seed of seven bits. Other widths are those of a slot_pool that may wrap: with b bits a slot has 2^b - 1 lives there,
// one fewer than a seed of b bits, because the last generation is left out.
#include <lido/core/bytemap_pool.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace bytemap_alias_count_test {

using namespace lido;

using legacy = bytemap_pool<std::uint32_t>;
template <unsigned Bits>
using wrapping = slot_pool<
    std::uint32_t,
    options{.handle_bits = 32, .index_bits = 31 - Bits, .generations = generation_rule::wrap, .order = reuse::lowest}>;

/// What a script that knows handles holds of one: the object was number `object`, and no other object has that number.
template <class Pool>
struct kept {
    typename Pool::handle_type handle;
    std::uint32_t object;

    /// It finds an object, and another than its own.
    [[nodiscard]] bool aliases(Pool& pool) const {
        const std::uint32_t* const found = pool.try_get(handle);
        return found != nullptr && *found != object;
    }
};

/// Handles that a pool has shown when one of them names a second object for the first time. `busy` objects stay; in the other slots they
/// come and go, all at a time or one after the other.
template <class Pool>
[[nodiscard]] std::size_t shown_until_an_alias(std::uint32_t free, std::uint32_t busy, bool all_at_once) {
    Pool pool(free + busy);
    std::uint32_t objects = 0;
    std::vector<std::vector<kept<Pool>>> by_slot(free + busy);  // only handles of one slot can be taken for one another
    std::size_t shown = 0;
    const auto make = [&] {
        const auto made = pool.acquire(++objects);
        auto& same = by_slot.at(static_cast<std::size_t>(made.handle().index()));
        for (const kept<Pool>& old : same) {
            if (old.aliases(pool)) return false;
        }
        same.push_back({made, objects});
        ++shown;
        return true;
    };
    for (std::uint32_t i = 0; i < busy; ++i) EXPECT_TRUE(make());
    for (;;) {
        const std::uint32_t first_of_round = objects + 1;
        do {
            if (!make()) return shown;
        } while (all_at_once && !pool.full());
        pool.release_if([&](const std::uint32_t& object) { return object >= first_of_round; });
    }
}

TEST(alias_count, S2_8_as_many_handles_are_shown_before_one_repeats_as_the_odds_say) {
    const auto shown = [](std::uint32_t free, std::uint32_t busy, bool all) {
        return 1.0 / static_cast<double>(shown_until_an_alias<legacy>(free, busy, all));
    };
    EXPECT_EQ(shown(1, 99, false), worst_alias_odds(100));
    EXPECT_EQ(shown(1, 999, false), worst_alias_odds(1000));
    EXPECT_EQ(shown(100, 0, true), best_alias_odds(100));
    EXPECT_EQ(shown(10, 90, true), alias_odds(10, 90));
    EXPECT_EQ(shown(3, 7, true), alias_odds(3, 7));
    EXPECT_EQ(shown(10, 90, false), alias_odds(10, 90)) << "one at a time goes round the free slots, too";
}

template <unsigned Bits>
void expect_odds_of_width() {
    SCOPED_TRACE(Bits);
    for (const std::uint32_t busy : {0u, 9u, 99u}) {
        const auto one = shown_until_an_alias<wrapping<Bits>>(1, busy, false);
        EXPECT_EQ(1.0 / static_cast<double>(one + 1), worst_alias_odds(1 + busy, Bits));
        const auto five = shown_until_an_alias<wrapping<Bits>>(5, busy, true);
        EXPECT_EQ(1.0 / static_cast<double>(five + 5), alias_odds(5, busy, Bits)) << "each slot has one life fewer";
    }
}

TEST(alias_count, S2_8_pools_with_seeds_of_other_widths_agree_too) {
    expect_odds_of_width<4>();
    expect_odds_of_width<5>();
    expect_odds_of_width<7>();
    expect_odds_of_width<9>();
}

TEST(alias_count, S2_8_a_pool_that_retires_its_slots_shows_no_handle_twice) {
    slot_pool<std::uint32_t, options{.handle_bits = 32, .index_bits = 26}> pool(3);
    std::unordered_map<std::uint32_t, std::uint32_t> seen;
    for (std::uint32_t object = 0;; ++object) {
        const auto made = pool.acquire(object);
        if (!made) break;
        EXPECT_TRUE(seen.emplace(made.handle().to_bits(), object).second);
        EXPECT_TRUE(pool.release(made.handle()));
    }
    EXPECT_EQ(seen.size(), 3u * 31);
}

// --- in play -----------------------------------------------------------------------------------------------------------------

class dice {
public:
    std::uint32_t below(std::uint32_t n) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>((state_ >> 33) % n);
    }

private:
    std::uint64_t state_ = 77;
};

struct counted {
    std::uint64_t asked = 0;
    std::uint64_t aliases = 0;
    double live = 0;  ///< objects that came and went, on the average
};

/// Objects come and go at random in `free` slots. A script keeps the handle of any object of them all, and asks for it when that is gone.
template <class Pool>
counted play(std::uint32_t free, std::uint32_t busy, std::uint64_t rounds) {
    Pool pool(free + busy);
    dice d;
    std::uint32_t objects = 0;
    for (std::uint32_t i = 0; i < busy; ++i) pool.acquire(++objects);
    std::vector<typename Pool::handle_type> live;
    std::vector<kept<Pool>> past;
    counted c;
    const std::uint64_t warm_up = rounds / 4;
    for (std::uint64_t n = 0; n < rounds; ++n) {
        // Any object may end, whenever it was made: how old a slot's life is does not follow from the slot.
        const std::uint32_t i = d.below(free);
        if (i < live.size()) {
            EXPECT_TRUE(pool.release(live[i]));
            live[i] = live.back();
            live.pop_back();
        } else {
            live.push_back(pool.acquire(++objects));
            past.push_back({live.back(), objects});
        }
        if (n < warm_up) continue;
        ++c.asked;
        c.live += static_cast<double>(live.size());
        c.aliases += past[d.below(static_cast<std::uint32_t>(past.size()))].aliases(pool) ? 1u : 0u;
    }
    c.live /= static_cast<double>(c.asked);
    EXPECT_TRUE(pool.validate());
    return c;
}

/// Each live object is one that the kept handle may be taken for. Four standard deviations; the dice are always the same.
void expect_count(const counted& c, double odds) {
    const double expected = static_cast<double>(c.asked) * c.live * odds;
    EXPECT_GT(expected, 100) << "too few to say anything";
    EXPECT_LT(std::abs(static_cast<double>(c.aliases) - expected), 4 * std::sqrt(expected))
        << c.aliases << " aliases in " << c.asked << " questions, where the odds say " << expected;
    for (const double wrong : {odds * 2, odds / 2}) {
        const double other = static_cast<double>(c.asked) * c.live * wrong;
        EXPECT_GT(std::abs(static_cast<double>(c.aliases) - other), 4 * std::sqrt(other));
    }
}

TEST(alias_count, S2_8_stale_handles_find_strangers_as_often_as_the_odds_say) {
    expect_count(play<legacy>(20, 80, 200'000), alias_odds(20, 0));
    expect_count(play<legacy>(6, 0, 200'000), alias_odds(6, 0));
    // One slot: a slot_pool does not go round its free slots, so their seeds are not equally old.
    expect_count(play<wrapping<5>>(1, 30, 50'000), 1.0 / 31);
    expect_count(play<wrapping<9>>(1, 30, 400'000), 1.0 / 511);
}

}  // namespace bytemap_alias_count_test
