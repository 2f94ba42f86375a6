// S4.8: a multicast event, and what listeners may do while it fires.
#include <lido/world/event.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace world_event_test {

using lido::connection;
using lido::event;

struct witness {
    event<int> finished;
    std::vector<int> seen;
    connection a, b, c;
};

TEST(an_event, S4_8_calls_all_who_listen_in_the_order_they_came) {
    witness w;
    w.finished.connect([&w](int v) { w.seen.push_back(v); });
    w.finished.connect([&w](int v) { w.seen.push_back(v * 10); });
    w.finished.fire(1);
    w.finished.fire(2);
    EXPECT_EQ(w.seen, (std::vector<int>{1, 10, 2, 20}));
}

TEST(an_event, S4_8_without_listeners_does_nothing) {
    event<int> e;
    e.fire(1);
    EXPECT_TRUE(e.empty());
    EXPECT_FALSE(e.disconnect({}));
    EXPECT_FALSE(e.disconnect({7}));
}

TEST(an_event, S4_8_who_disconnects_is_called_no_more_and_cannot_leave_twice) {
    witness w;
    w.a = w.finished.connect([&w](int) { w.seen.push_back(1); });
    w.b = w.finished.connect([&w](int) { w.seen.push_back(2); });
    EXPECT_TRUE(w.finished.disconnect(w.a));
    EXPECT_FALSE(w.finished.disconnect(w.a));
    w.finished.fire(0);
    EXPECT_EQ(w.seen, std::vector<int>{2});
    EXPECT_EQ(w.finished.size(), 1u);
}

TEST(an_event, S4_8_a_listener_may_disconnect_itself_and_others_while_it_fires) {
    witness w;
    w.a = w.finished.connect([&w](int) {
        w.seen.push_back(1);
        EXPECT_TRUE(w.finished.disconnect(w.a));
        EXPECT_TRUE(w.finished.disconnect(w.b));
    });
    w.b = w.finished.connect([&w](int) { w.seen.push_back(2); });
    w.c = w.finished.connect([&w](int) { w.seen.push_back(3); });
    w.finished.fire(0);
    w.finished.fire(0);
    EXPECT_EQ(w.seen, (std::vector<int>{1, 3, 3}));
}

TEST(an_event, S4_8_who_connects_while_it_fires_is_called_from_the_next_firing_on) {
    witness w;
    w.a = w.finished.connect([&w](int) {
        w.seen.push_back(1);
        for (int i = 0; i < 50 && w.finished.size() < 50; ++i) {  // enough for the list to move
            w.finished.connect([&w](int) { w.seen.push_back(2); });
        }
    });
    w.finished.fire(0);
    EXPECT_EQ(w.seen, std::vector<int>{1});
    w.seen.clear();
    w.finished.fire(0);
    EXPECT_EQ(w.seen.size(), 50u);
}

TEST(an_event, S4_8_may_fire_again_while_it_fires) {
    witness w;
    w.finished.connect([&w](int depth) {
        w.seen.push_back(depth);
        if (depth < 3) w.finished.fire(depth + 1);
    });
    w.b = w.finished.connect([&w](int depth) {
        w.seen.push_back(depth * 10);
        w.finished.disconnect(w.b);
    });
    w.finished.fire(1);
    EXPECT_EQ(w.seen, (std::vector<int>{1, 2, 3, 30})) << "the innermost firing was the last that the second one heard";
    EXPECT_EQ(w.finished.size(), 1u);
}

TEST(an_event, S4_8_everybody_may_leave_while_it_fires) {
    witness w;
    w.finished.connect([&w](int) {
        w.seen.push_back(1);
        w.finished.disconnect_all();
    });
    w.finished.connect([&w](int) { w.seen.push_back(2); });
    w.finished.fire(0);
    EXPECT_EQ(w.seen, std::vector<int>{1});
    EXPECT_TRUE(w.finished.empty());
}

TEST(an_event, S4_8_a_copy_has_the_listeners_so_that_a_rewind_can_bring_them_back) {
    witness w;
    w.finished.connect([&w](int v) { w.seen.push_back(v); });
    const event<int> then = w.finished;
    w.finished.connect([&w](int) { w.seen.push_back(99); });
    w.finished = then;
    w.finished.fire(5);
    EXPECT_EQ(w.seen, std::vector<int>{5});
    const connection late = w.finished.connect([&w](int) { w.seen.push_back(6); });
    EXPECT_TRUE(w.finished.disconnect(late));
    event<int> moved(std::move(w.finished));
    moved.fire(7);
    EXPECT_EQ(w.seen, (std::vector<int>{5, 7}));
}

}  // namespace world_event_test
