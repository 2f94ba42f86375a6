// The order of acquisition against std::list: one list, and one list a priority.
#include <lido/core/parts/age_order.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <list>
#include <utility>
#include <vector>

namespace parts_age_order_test {

using lido::max_priority;
using lido::track;
using lido::detail::age_arrays;
using lido::detail::age_links;
using lido::detail::age_order;
using lido::detail::no_slot;

constexpr std::uint32_t slots = 200;

template <track Tracks>
struct fixture {
    age_order<Tracks> order;
    std::vector<age_links> links = std::vector<age_links>(slots);
    std::vector<std::uint64_t> birth = std::vector<std::uint64_t>(slots);
    std::vector<std::uint8_t> priority = std::vector<std::uint8_t>(slots);

    /// (birth, slot), oldest first, a list a level.
    std::array<std::list<std::pair<std::uint64_t, std::uint32_t>>, max_priority + 1> model;
    std::array<int, slots> level_of{};
    std::uint64_t births = 0;
    std::uint32_t live = 0;

    fixture() { level_of.fill(-1); }
    age_arrays arrays() { return {links.data(), birth.data(), priority.data()}; }

    void enter(std::uint32_t slot, std::uint8_t wanted) {
        order.enter(arrays(), slot, wanted);
        const int level = Tracks == track::priority ? std::min<int>(wanted, max_priority) : 0;
        model[static_cast<std::size_t>(level)].emplace_back(births++, slot);
        level_of[slot] = level;
        ++live;
    }
    void leave(std::uint32_t slot) {
        order.leave(arrays(), slot);
        model[static_cast<std::size_t>(level_of[slot])].remove_if([slot](const auto& e) { return e.second == slot; });
        level_of[slot] = -1;
        --live;
    }
    std::uint32_t oldest() const {
        std::pair<std::uint64_t, std::uint32_t> best{~std::uint64_t{0}, no_slot};
        for (const auto& list : model) {
            if (!list.empty()) {
                best = std::min(best, list.front());
            }
        }
        return best.second;
    }
    std::uint32_t lowest(std::uint8_t wish) const {
        for (std::size_t i = 0; i <= max_priority && i <= wish; ++i) {
            if (!model[i].empty()) {
                return model[i].front().second;
            }
        }
        return no_slot;
    }
    void expect_same(int step) {
        ASSERT_EQ(order.oldest(arrays()), oldest()) << "step " << step;
        for (unsigned wish = 0; wish <= max_priority; ++wish) {
            ASSERT_EQ(order.lowest(static_cast<std::uint8_t>(wish)), lowest(static_cast<std::uint8_t>(wish)))
                << "step " << step;
        }
        std::vector<std::pair<std::uint32_t, unsigned>> walked;
        order.walk(arrays(), [&](std::uint32_t s, unsigned level) { walked.emplace_back(s, level); });
        std::vector<std::pair<std::uint32_t, unsigned>> expected;
        for (std::size_t i = 0; i < model.size(); ++i) {
            for (const auto& e : model[i]) {
                expected.emplace_back(e.second, static_cast<unsigned>(i));
            }
        }
        ASSERT_EQ(walked, expected) << "step " << step;
        const char* broken =
            order.validate(arrays(), live, [this](std::uint32_t s) { return s < slots && level_of[s] >= 0; });
        ASSERT_EQ(broken, nullptr) << broken;
    }
};

template <track Tracks>
void drive() {
    fixture<Tracks> f;
    std::uint64_t random = 99;
    for (int step = 0; step < 6000; ++step) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const auto slot = static_cast<std::uint32_t>((random >> 32) % slots);
        if (f.level_of[slot] < 0) {
            f.enter(slot, static_cast<std::uint8_t>(random >> 58 & 0x1f));  // 16 to 31 are more than there are
        } else if ((random >> 63) != 0 || f.live > slots / 2) {
            f.leave(slot);
        } else {
            f.leave(f.oldest());
        }
        f.expect_same(step);
        if (::testing::Test::HasFatalFailure()) {
            return;
        }
    }
}

TEST(age_order, of_ages_behaves_as_one_list) { drive<track::age>(); }
TEST(age_order, of_priorities_behaves_as_a_list_a_level) { drive<track::priority>(); }

TEST(age_order, is_empty_after_a_reset) {
    fixture<track::priority> f;
    f.enter(3, 2);
    f.enter(4, 15);
    f.order.reset();
    EXPECT_EQ(f.order.oldest(f.arrays()), no_slot);
    EXPECT_EQ(f.order.lowest(max_priority), no_slot);
    EXPECT_EQ(f.order.births, 0u);
}

TEST(age_order, takes_a_priority_above_the_highest_for_the_highest) {
    fixture<track::priority> f;
    f.enter(7, 255);
    EXPECT_EQ(f.order.lowest(max_priority - 1), no_slot);
    EXPECT_EQ(f.order.lowest(max_priority), 7u);
    EXPECT_EQ(f.order.lowest(255), 7u);
}

TEST(age_order, validate_sees_each_broken_invariant) {
    const auto all = [](std::uint32_t) { return true; };
    const auto made = [] {
        fixture<track::priority> f;
        for (std::uint32_t s = 0; s < 5; ++s) {
            f.enter(s, 1);
        }
        return f;
    };
    {
        auto f = made();
        EXPECT_STREQ(f.order.validate(f.arrays(), 4, all), "AO1: the age order holds a slot that is not live");
        EXPECT_STREQ(f.order.validate(f.arrays(), 6, all), "AO1: a live slot has no age");
        EXPECT_STREQ(f.order.validate(f.arrays(), 5, [](std::uint32_t s) { return s != 2; }),
                     "AO1: the age order holds a slot that is not live");
    }
    {
        auto f = made();
        f.priority[2] = 3;
        EXPECT_STREQ(f.order.validate(f.arrays(), 5, all), "AO1: a slot is in the list of another priority");
    }
    {
        auto f = made();
        f.links[2].before = 4;
        EXPECT_STREQ(f.order.validate(f.arrays(), 5, all), "AO2: the age links disagree");
    }
    {
        auto f = made();
        f.order.last[1] = 0;
        EXPECT_STREQ(f.order.validate(f.arrays(), 5, all), "AO2: the age order does not end where it says");
    }
    {
        auto f = made();
        f.birth[3] = 100;
        EXPECT_STREQ(f.order.validate(f.arrays(), 5, all), "AO3: a birth lies in the future");
    }
    {
        auto f = made();
        std::swap(f.birth[2], f.birth[3]);
        EXPECT_STREQ(f.order.validate(f.arrays(), 5, all), "AO3: births fall");
    }
    {
        auto f = made();
        f.links[4].after = 0;  // a ring
        EXPECT_STREQ(f.order.validate(f.arrays(), 5, all), "AO1: the age order holds a slot that is not live");
    }
}

}  // namespace parts_age_order_test
