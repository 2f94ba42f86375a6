// S4.7: idle, active, releasing, destroying; every move that is allowed, and every one that is not.
#include <lido/world/lifecycle.hpp>

#include "support/check_death.hpp"

#include <gtest/gtest.h>

namespace world_lifecycle_test {

using lido::life_state;
using lido::lifecycle;

lifecycle idle() { return {}; }
lifecycle active() {
    lifecycle l;
    l.begin();
    return l;
}
lifecycle releasing() {
    lifecycle l = active();
    EXPECT_TRUE(l.end());
    return l;
}
lifecycle destroying() {
    lifecycle l;
    l.destroy();
    return l;
}

TEST(a_lifecycle, S4_7_goes_round) {
    lifecycle l;
    for (int life = 0; life < 3; ++life) {
        EXPECT_EQ(l.state(), life_state::idle);
        l.begin();
        EXPECT_EQ(l.state(), life_state::active);
        EXPECT_TRUE(l.active());
        EXPECT_TRUE(l.end());
        EXPECT_EQ(l.state(), life_state::releasing);
        EXPECT_FALSE(l.active());
        l.rest();
    }
    l.destroy();
    EXPECT_EQ(l.state(), life_state::destroying);
}

TEST(a_lifecycle, S4_7_is_ended_by_the_first_who_asks_and_only_while_it_is_active) {
    lifecycle i = idle(), a = active(), r = releasing(), d = destroying();
    EXPECT_FALSE(i.end());
    EXPECT_TRUE(a.end());
    EXPECT_FALSE(a.end());
    EXPECT_FALSE(r.end());
    EXPECT_FALSE(d.end());
    EXPECT_EQ(i.state(), life_state::idle);
    EXPECT_EQ(d.state(), life_state::destroying);
}

TEST(a_lifecycle, S4_7_keeps_its_state_apart_from_the_hooks_on_the_stack) {
    lifecycle l = active();
    EXPECT_FALSE(l.in_hook());
    l.entered();
    l.entered();
    EXPECT_TRUE(l.in_hook());
    EXPECT_TRUE(l.end()) << "ended from inside a hook";
    EXPECT_EQ(l.state(), life_state::releasing);
    l.left();
    EXPECT_TRUE(l.in_hook());
    l.left();
    EXPECT_FALSE(l.in_hook());
    EXPECT_EQ(l.state(), life_state::releasing);
    l.rest();
    EXPECT_EQ(l.state(), life_state::idle);
}

TEST(a_lifecycle, S4_7_may_be_destroyed_while_releasing) {
    lifecycle l = releasing();
    l.destroy();
    EXPECT_EQ(l.state(), life_state::destroying);
}

TEST(a_lifecycle, S4_7_that_is_undone_is_idle_whatever_it_was) {
    lifecycle a = active(), r = releasing();
    a.entered();
    a.undo();
    r.undo();
    EXPECT_EQ(a.state(), life_state::idle);
    EXPECT_FALSE(a.in_hook());
    EXPECT_EQ(r.state(), life_state::idle);
}

TEST(a_lifecycle, S4_7_states_have_names) {
    EXPECT_STREQ(to_string(life_state::idle), "idle");
    EXPECT_STREQ(to_string(life_state::active), "active");
    EXPECT_STREQ(to_string(life_state::releasing), "releasing");
    EXPECT_STREQ(to_string(life_state::destroying), "destroying");
}

TEST(a_lifecycle_death, S4_7_only_an_idle_object_begins_a_life) {
    EXPECT_CHECK_DEATH(
        {
            lifecycle l = active();
            l.begin();
        },
        "only an idle object begins a life");
}
TEST(a_lifecycle_death, S4_7_what_is_releasing_does_not_begin) {
    EXPECT_CHECK_DEATH(
        {
            lifecycle l = releasing();
            l.begin();
        },
        "only an idle object begins a life");
}
TEST(a_lifecycle_death, S4_7_what_is_being_destroyed_does_not_begin) {
    EXPECT_CHECK_DEATH(
        {
            lifecycle l = destroying();
            l.begin();
        },
        "only an idle object begins a life");
}
TEST(a_lifecycle_death, S4_7_an_active_object_does_not_come_to_rest) {
    EXPECT_CHECK_DEATH(
        {
            lifecycle l = active();
            l.rest();
        },
        "only what is releasing comes to rest");
}
TEST(a_lifecycle_death, S4_7_an_idle_object_does_not_come_to_rest) {
    EXPECT_CHECK_DEATH(
        {
            lifecycle l = idle();
            l.rest();
        },
        "only what is releasing comes to rest");
}
TEST(a_lifecycle_death, S4_7_an_object_does_not_come_to_rest_inside_its_own_hook) {
    EXPECT_CHECK_DEATH(
        {
            lifecycle l = releasing();
            l.entered();
            l.rest();
        },
        "only what is releasing comes to rest");
}
TEST(a_lifecycle_death, S4_7_an_active_object_is_not_destroyed) {
    EXPECT_CHECK_DEATH(
        {
            lifecycle l = active();
            l.destroy();
        },
        "an active object was destroyed");
}
TEST(a_lifecycle_death, S4_7_an_object_is_not_destroyed_inside_its_own_hook) {
    EXPECT_CHECK_DEATH(
        {
            lifecycle l = releasing();
            l.entered();
            l.destroy();
        },
        "an active object was destroyed");
}

}  // namespace world_lifecycle_test
