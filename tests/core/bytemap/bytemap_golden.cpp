// S2.8: the odds that handles repeat are those of the document, over 10^7 operations (10^6 where nothing is optimised); and the state
// of a bytemap_pool hashes to the same number for all time (X1, X19).
//
// What is simulated. `busy` objects live from the start and stay; in the other `free` slots objects come and go. Someone has kept one
// handle of each of these slots. Lives are met: each one when it begins, and once in each turn of the seeds (free * 128 lives) every
// object that stayed. The share of meetings in which the handle is the kept one of some slot, for one kept handle, must be the odds.
#include <lido/core/bytemap_pool.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace {

using namespace lido;
using pool_type = bytemap_pool<std::uint32_t>;

constexpr std::uint64_t operations = checks ? 1'000'000 : 10'000'000;

class dice {
public:
    std::uint32_t below(std::uint32_t n) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>((state_ >> 33) % n);
    }

private:
    std::uint64_t state_ = 2026;
};

class meetings {
public:
    explicit meetings(const pool_type& pool) : kept_(pool.capacity(), -1) {}

    void keep(std::uint32_t slot, std::uint32_t seed) {
        kept_[slot] = pool_type::handle_type::of(slot, seed).to_bits();
        ++keepers_;
    }
    void meet(pool_type::handle_type h) {
        ++met_;
        same_ += kept_[static_cast<std::size_t>(h.index())] == h.to_bits() ? 1u : 0u;
    }
    [[nodiscard]] double share() const {
        return static_cast<double>(same_) / static_cast<double>(keepers_) / static_cast<double>(met_);
    }

private:
    std::vector<std::int32_t> kept_;
    std::uint64_t keepers_ = 0;
    std::uint64_t met_ = 0;
    std::uint64_t same_ = 0;
};

/// `busy` objects stay, at random slots; in the others lives begin and end at random, up to `together` at a time.
double simulate(std::uint32_t free, std::uint32_t busy, std::uint32_t together) {
    pool_type pool(free + busy);
    dice d;
    std::vector<pool_type::handle_type> all(free + busy);
    EXPECT_EQ(pool.acquire_n(all, 0u), free + busy);
    std::vector<pool_type::handle_type> open;
    for (std::uint32_t left = free; left != 0; --left) {
        const std::uint32_t i = d.below(static_cast<std::uint32_t>(all.size()));
        EXPECT_TRUE(pool.release(all[i]));
        open.push_back(all[i]);
        all.erase(all.begin() + i);
    }
    meetings m(pool);
    for (const auto h : open) m.keep(static_cast<std::uint32_t>(h.index()), d.below(128));
    std::vector<pool_type::handle_type> live;
    std::uint64_t begun = 0;
    for (std::uint64_t n = 0; n < operations; ++n) {
        if (live.size() < together && (live.empty() || d.below(2) == 0)) {
            live.push_back(pool.acquire(0u));
            m.meet(live.back());
            if (++begun % (std::uint64_t{free} * 128) == 0) {
                for (const auto h : all) m.meet(h);
            }
        } else {
            const std::uint32_t i = d.below(static_cast<std::uint32_t>(live.size()));
            EXPECT_TRUE(pool.release(live[i]));
            live[i] = live.back();
            live.pop_back();
        }
    }
    EXPECT_TRUE(pool.validate());
    return m.share();
}

void expect_near(double measured, double stated) {
    EXPECT_LT(std::abs(measured / stated - 1), 0.02) << "measured " << measured << ", stated " << stated;
}

TEST(bytemap_alias_odds, in_general_are_those_of_the_document) {
    expect_near(simulate(10, 90, 1), alias_odds(10, 90));
    expect_near(simulate(10, 90, 10), alias_odds(10, 90));
    expect_near(simulate(50, 1000, 7), alias_odds(50, 1000));
}
TEST(bytemap_alias_odds, are_worst_where_the_last_object_of_a_full_pool_comes_and_goes) {
    expect_near(simulate(1, 99, 1), worst_alias_odds(100));
    expect_near(simulate(1, 999, 1), worst_alias_odds(1000));
}
TEST(bytemap_alias_odds, are_best_where_an_empty_pool_is_filled) {
    pool_type pool(64);
    dice d;
    meetings m(pool);
    for (std::uint32_t slot = 0; slot < 64; ++slot) m.keep(slot, d.below(128));
    for (std::uint64_t n = 0; n + 128 <= operations; n += 128) {
        while (!pool.full()) m.meet(pool.acquire(0u));
        pool.release_if([](const std::uint32_t&) { return true; });
    }
    expect_near(m.share(), best_alias_odds(64));
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
    EXPECT_EQ(pool.state_hash(), 0xcd846ce47d6a9360U) << "0x" << std::hex << pool.state_hash();
    EXPECT_EQ(image.size(), 637u);
}

}  // namespace
