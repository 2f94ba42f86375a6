// The ring of resting slots against a std::deque.
#include <lido/core/parts/slots/rest_queue.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <vector>

namespace parts_rest_queue_test {

using lido::detail::map_word;
using lido::detail::no_slot;

template <std::uint32_t Delay>
struct fixture {
    static constexpr std::uint32_t slots = 512;
    lido::detail::rest_queue<Delay> queue;
    std::vector<std::uint32_t> ring = std::vector<std::uint32_t>(Delay);
    std::vector<map_word> resting = std::vector<map_word>(slots / 64);
    std::deque<std::uint32_t> model;

    void expect_same(int step) const {
        std::vector<std::uint32_t> seen;
        queue.walk(ring.data(), [&](std::uint32_t s) { seen.push_back(s); });
        ASSERT_EQ(seen, std::vector<std::uint32_t>(model.begin(), model.end())) << "step " << step;
        ASSERT_EQ(queue.count, model.size());
        for (std::uint32_t s = 0; s < slots; ++s) {
            bool in_model = false;
            for (const std::uint32_t m : model) {
                in_model = in_model || m == s;
            }
            ASSERT_EQ(lido::detail::test(resting.data(), s), in_model) << "RQ1: slot " << s << ", step " << step;
        }
    }
};

template <std::uint32_t Delay>
void drive() {
    fixture<Delay> f;
    std::uint64_t random = Delay;
    for (int step = 0; step < 3000; ++step) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const auto slot = static_cast<std::uint32_t>((random >> 32) % f.slots);
        const std::uint64_t choice = random >> 61;
        if (choice < 5) {
            if (lido::detail::test(f.resting.data(), slot)) {
                continue;  // RQ1: a resting slot is free, so it is not released again
            }
            std::uint32_t expected = no_slot;
            if (f.model.size() == Delay) {
                expected = f.model.front();
                f.model.pop_front();
            }
            f.model.push_back(slot);
            ASSERT_EQ(f.queue.push(f.ring.data(), f.resting.data(), slot), expected);
        } else if (choice == 5) {
            const std::uint32_t expected = f.model.empty() ? no_slot : f.model.front();
            if (!f.model.empty()) {
                f.model.pop_front();
            }
            ASSERT_EQ(f.queue.pop(f.ring.data(), f.resting.data()), expected);
        } else {
            const auto gone = [slot](std::uint32_t s) { return s % 7 == slot % 7; };
            f.queue.drop_if(f.ring.data(), f.resting.data(), gone);
            std::erase_if(f.model, gone);
        }
        f.expect_same(step);
        if (::testing::Test::HasFatalFailure()) {
            return;
        }
    }
}

TEST(rest_queue, of_one_behaves_as_a_deque) { drive<1>(); }
TEST(rest_queue, of_two_behaves_as_a_deque) { drive<2>(); }
TEST(rest_queue, of_seven_behaves_as_a_deque) { drive<7>(); }
TEST(rest_queue, of_a_hundred_behaves_as_a_deque) { drive<100>(); }

TEST(rest_queue, gives_a_slot_back_after_exactly_the_delay) {
    fixture<3> f;
    for (std::uint32_t s = 0; s < 3; ++s) {
        EXPECT_EQ(f.queue.push(f.ring.data(), f.resting.data(), s), no_slot);
    }
    for (std::uint32_t s = 3; s < 50; ++s) {
        EXPECT_EQ(f.queue.push(f.ring.data(), f.resting.data(), s), s - 3);
    }
}

TEST(rest_queue, of_none_has_no_state) { static_assert(lido::detail::rest_queue<0>::count == 0); }

}  // namespace parts_rest_queue_test
