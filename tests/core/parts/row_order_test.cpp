// The zones of the row permutation against plain containers: live, resting, free, retired.
#include <lido/core/parts/rows/row_order.hpp>

#include "support/dose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>
#include <utility>
#include <vector>

namespace parts_row_order_test {

using lido::detail::map_word;
using lido::detail::no_slot;
using lido::detail::packed_rows;

template <std::uint32_t Delay>
class harness {
public:
    static constexpr std::uint32_t slots = 96;

    harness() : words_(slots), backs_(slots), resting_map_(2), ring_(Delay + 1), map{{words_.data(), backs_.data()}} {}

    void add_fresh() {
        if (zones.known == slots) {
            return;
        }
        free.push_back(zones.known);
        zones.add_fresh(map);
    }

    std::uint32_t acquire() {
        if (zones.free_rows() == 0) {
            return no_slot;
        }
        const std::uint32_t slot = zones.next(map);
        EXPECT_NE(std::find(free.begin(), free.end(), slot), free.end()) << "what is next is free";
        if (Delay == 0) {
            EXPECT_EQ(slot, free.front());
        }
        zones.go_live(map);
        map.add_to_generation(slot);
        EXPECT_EQ(map.row(slot), zones.size - 1) << "a new life gets the row behind the last";
        std::erase(free, slot);
        live.push_back(slot);
        return slot;
    }

    void release(std::uint32_t slot, bool worn) {
        const std::uint32_t row = map.row(slot);
        ASSERT_EQ(live[row], slot);
        map.add_to_generation(slot);
        const std::uint32_t last = zones.go_free(map, slot, row);
        ASSERT_EQ(last, live.size() - 1);
        live[row] = live.back();
        live.pop_back();
        if (worn) {
            zones.retire(map, last);
            retired.insert(slot);
            if (Delay == 0 && !free.empty()) {
                std::rotate(free.begin(), free.end() - 1, free.end());  // the last free one fills the gap in front
            }
            return;
        }
        if constexpr (Delay != 0) {
            resting.push_back(slot);
            if (resting.size() > Delay) {
                free.push_front(resting.front());
                resting.pop_front();
            }
            zones.start_rest(map, ring_.data(), resting_map_.data(), slot);
        } else {
            free.push_front(slot);
        }
    }

    void reserve(std::uint32_t slot) {
        zones.bring_forward(map, ring_.data(), resting_map_.data(), slot);
        const auto at = std::find(free.begin(), free.end(), slot);
        if (at != free.end()) {
            std::iter_swap(free.begin(), at);
        } else {
            std::erase(resting, slot);
            free.push_front(slot);
        }
        EXPECT_EQ(zones.next(map), slot);
        EXPECT_EQ(acquire(), slot);
    }

    void cut_rest_short() {
        const bool cut = zones.cut_rest_short(map, ring_.data(), resting_map_.data());
        ASSERT_EQ(cut, !resting.empty());
        if (cut) {
            EXPECT_EQ(zones.next(map), resting.front()) << "free at once, and first";
            free.push_front(resting.front());
            resting.pop_front();
        }
    }

    void expect_zones(int step) const {
        ASSERT_EQ(zones.size, live.size()) << "step " << step;
        ASSERT_EQ(std::uint32_t{zones.rest.count}, resting.size());
        ASSERT_EQ(zones.retired, retired.size());
        ASSERT_EQ(zones.free_rows(), free.size());
        const std::set<std::uint32_t> rests(resting.begin(), resting.end());
        const std::set<std::uint32_t> frees(free.begin(), free.end());
        for (std::uint32_t row = 0; row < zones.known; ++row) {
            const std::uint32_t slot = map.slot(row);
            ASSERT_EQ(map.row(slot), row) << "RM1, step " << step;
            ASSERT_EQ((map.generation(slot) & 1) != 0, row < zones.size) << "RO1, step " << step;
            if (row < zones.size) {
                ASSERT_EQ(slot, live[row]) << "step " << step;
            } else if (row < zones.first_free()) {
                ASSERT_TRUE(rests.contains(slot)) << "RO2, step " << step;
            } else if (row < zones.known - zones.retired) {
                ASSERT_TRUE(frees.contains(slot)) << "step " << step;
                if (Delay == 0) {
                    ASSERT_EQ(slot, free[row - zones.first_free()]) << "the order of reuse, step " << step;
                }
            } else {
                ASSERT_TRUE(retired.contains(slot)) << "RO3, step " << step;
            }
        }
    }

    lido::detail::row_order<Delay> zones;
    std::vector<std::uint32_t> live;
    std::deque<std::uint32_t> resting;
    std::deque<std::uint32_t> free;
    std::set<std::uint32_t> retired;

private:
    std::vector<packed_rows::word_type> words_;
    std::vector<packed_rows::back_type> backs_;
    std::vector<map_word> resting_map_;
    std::vector<std::uint32_t> ring_;

public:
    packed_rows map;
};

template <std::uint32_t Delay>
void drive() {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        harness<Delay> h;
        std::uint64_t random = seed;
        for (int step = 0; step < lido::test::dose(4000); ++step) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const auto r = static_cast<std::uint32_t>(random >> 20);
            const unsigned choice = static_cast<unsigned>(random >> 59);  // 0..31
            if (choice < 4) {
                h.add_fresh();
            } else if (choice < 14) {
                static_cast<void>(h.acquire());
            } else if (choice < 26) {
                if (!h.live.empty()) {
                    h.release(h.live[r % h.live.size()], choice == 25 && step % 16 == 0);
                }
            } else if (choice < 28) {
                if (!h.free.empty()) {
                    h.reserve(h.free[r % h.free.size()]);
                }
            } else if (choice < 30) {
                if (!h.resting.empty()) {
                    h.reserve(h.resting[r % h.resting.size()]);
                }
            } else {
                h.cut_rest_short();
            }
            h.expect_zones(step);
            if (::testing::Test::HasFailure()) {
                FAIL() << "seed " << seed << ", step " << step;
            }
        }
        EXPECT_FALSE(h.retired.empty()) << "a run that wore nothing out shows nothing of RO3";
    }
}

TEST(row_order, without_a_delay_keeps_its_zones) { drive<0>(); }
TEST(row_order, with_a_delay_of_one_keeps_its_zones) { drive<1>(); }
TEST(row_order, with_a_delay_of_five_keeps_its_zones) { drive<5>(); }
TEST(row_order, with_a_delay_longer_than_the_pool_keeps_its_zones) { drive<200>(); }

TEST(row_order, uses_the_slot_released_last_first) {
    harness<0> h;
    for (int i = 0; i < 4; ++i) {
        h.add_fresh();
    }
    for (std::uint32_t i = 0; i < 4; ++i) {
        EXPECT_EQ(h.acquire(), i);
    }
    h.release(1, false);
    h.release(3, false);
    EXPECT_EQ(h.acquire(), 3u);
    EXPECT_EQ(h.acquire(), 1u);
}

}  // namespace parts_row_order_test
