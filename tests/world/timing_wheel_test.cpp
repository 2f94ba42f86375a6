// X11: what one may do with timers, one at a time. (Any mix of it: timing_wheel_property.cpp.)
#include <lido/world/timing_wheel.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace world_timing_wheel_test {

using lido::ticks;
using wheel = lido::timing_wheel<int>;

std::vector<int> run(wheel& w, int count) {
    std::vector<int> fired;
    for (int i = 0; i < count; ++i) static_cast<void>(w.advance([&](wheel::timer, int v) { fired.push_back(v); }));
    return fired;
}

TEST(timing_wheel, X11_a_timer_expires_after_just_so_many_ticks) {
    for (const std::uint64_t delay : {1u, 2u, 63u, 64u, 65u, 4095u, 4096u, 4097u, 262143u, 262144u, 262145u}) {
        wheel w;
        for (int i = 0; i < 37; ++i) static_cast<void>(run(w, 1));
        static_cast<void>(w.start(ticks{delay}, 1));
        ASSERT_TRUE(run(w, static_cast<int>(delay) - 1).empty()) << delay;
        ASSERT_EQ(run(w, 1).size(), 1u) << delay;
        ASSERT_EQ(w.size(), 0u);
    }
}

TEST(timing_wheel, X11_a_delay_of_nothing_is_one_tick) {
    wheel w;
    static_cast<void>(w.start(ticks{0}, 1));
    EXPECT_EQ(run(w, 1).size(), 1u);
}

TEST(timing_wheel, X11_timers_of_one_tick_expire_in_the_order_they_were_started) {
    wheel w;
    for (int i = 0; i < 100; ++i) static_cast<void>(w.start(ticks{5}, i));
    const std::vector<int> fired = run(w, 5);
    ASSERT_EQ(fired.size(), 100u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(fired[static_cast<std::size_t>(i)], i);
}

TEST(timing_wheel, X11_a_cancelled_timer_does_not_expire_and_its_handle_means_no_later_one) {
    wheel w;
    const auto first = w.start(ticks{3}, 1);
    EXPECT_EQ(w.left(first).count, 3u);
    EXPECT_TRUE(w.cancel(first));
    const auto second = w.start(ticks{3}, 2);
    EXPECT_FALSE(w.cancel(first));
    EXPECT_EQ(w.find(first), nullptr);
    EXPECT_EQ(run(w, 3), std::vector<int>{2});
    EXPECT_EQ(w.find(second), nullptr);
    EXPECT_FALSE(w.cancel(second));
    EXPECT_EQ(w.left(second).count, 0u);
}

TEST(timing_wheel, X11_an_expiry_may_cancel_others_of_the_same_tick_and_start_new_ones) {
    wheel w;
    std::vector<wheel::timer> all;
    for (int i = 0; i < 4; ++i) all.push_back(w.start(ticks{2}, i));
    std::vector<int> fired;
    const auto on_expiry = [&](wheel::timer t, int v) {
        fired.push_back(v);
        EXPECT_EQ(w.find(t), nullptr);
        if (v == 0) {
            EXPECT_TRUE(w.cancel(all[1]));
            EXPECT_TRUE(w.cancel(all[3]));
            static_cast<void>(w.start(ticks{0}, 10));
        }
    };
    EXPECT_EQ(w.advance(on_expiry), 0u);
    EXPECT_EQ(w.advance(on_expiry), 2u);
    EXPECT_EQ(fired, (std::vector<int>{0, 2}));
    EXPECT_EQ(w.advance(on_expiry), 1u);
    EXPECT_EQ(fired, (std::vector<int>{0, 2, 10}));
    EXPECT_TRUE(w.validate());
}

TEST(timing_wheel, X11_timers_far_beyond_the_highest_level_wait_their_time) {
    wheel w;
    const auto far = w.start(ticks{std::uint64_t{1} << 50}, 1);
    static_cast<void>(run(w, 5000));
    EXPECT_EQ(w.left(far).count, (std::uint64_t{1} << 50) - 5000);
    EXPECT_TRUE(w.validate());
    w.state().now =
        (std::uint64_t{1} << 50) - 1;  // as if all that time had passed; the list beyond is dealt out at its tick
    EXPECT_EQ(run(w, 1), std::vector<int>{1});
}

/// How many timers came to a list in one tick, as far as the counts of the lists tell.
std::uint64_t arrivals(wheel& w) {
    std::vector<std::uint64_t> before;
    for (const auto& list : w.state().lists) before.push_back(list.count);
    static_cast<void>(w.advance([](wheel::timer, int) {}));
    std::uint64_t came = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const std::uint64_t now = w.state().lists[i].count;
        came += now > before[i] ? now - before[i] : 0;
    }
    return came;
}

TEST(timing_wheel, X11_no_tick_moves_a_whole_window_of_timers) {
    for (const std::uint64_t delay : {100u, 1100u, 2500u}) {
        wheel w;
        constexpr std::uint64_t each = 8;  // started per tick, so that as many are due
        std::uint64_t most = 0;
        for (std::uint64_t tick = 0; tick < delay * 2; ++tick) {
            for (std::uint64_t i = 0; i < each; ++i) static_cast<void>(w.start(ticks{delay}, 1));
            most = std::max(most, arrivals(w));
        }
        ASSERT_EQ(w.size(), each * (delay - 1));
        // Once per level and started timer, and as much again where a list begins to be dealt late.
        EXPECT_LE(most, each * 8) << delay;
        EXPECT_GE(most, each) << delay << ": nothing was counted";
        EXPECT_TRUE(w.validate());
    }
}

TEST(timing_wheel, X11_timers_that_are_started_for_the_next_window_at_the_last_moment_expire_in_order) {
    // 1024 is where a list of level 2 comes under way; those before it are dealt out early, the last ones are not.
    wheel w;
    std::vector<int> expected;
    for (int tick = 0; tick < 1024; ++tick) {
        static_cast<void>(w.start(ticks{static_cast<std::uint64_t>(1030 - tick)}, tick));
        expected.push_back(tick);
        ASSERT_TRUE(run(w, 1).empty());
        if (tick % 64 == 63) {
            ASSERT_TRUE(w.validate()) << tick << ": " << w.validate().broken;
        }
    }
    ASSERT_TRUE(run(w, 5).empty());
    EXPECT_EQ(run(w, 1), expected);
}

TEST(timing_wheel, X11_clear_forgets_the_timers_and_keeps_the_time) {
    wheel w;
    static_cast<void>(run(w, 10));
    for (int i = 0; i < 1000; ++i) static_cast<void>(w.start(ticks{static_cast<std::uint64_t>(i) * 7}, i));
    w.clear();
    EXPECT_EQ(w.size(), 0u);
    EXPECT_EQ(w.now().count, 10u);
    EXPECT_TRUE(w.validate());
    EXPECT_TRUE(run(w, 8000).empty());
}

}  // namespace world_timing_wheel_test
