// S5.5 X18
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "entity/stage/doors.hpp"

namespace stage_signals {

using namespace stage_tests;
using lido::entity_event;

std::string said(const entity_event& e) {
    return std::string(lido::to_string(e.kind())) + " " + std::string(e.id()) + " " + std::to_string(e.version());
}

TEST(stage_signals, are_told_by_deliver_in_the_order_of_the_journal) {
    hall h;
    lines told;
    auto& doors = h.stage.signals<door>();
    doors.created.connect([&told](const entity_event& e) { told.push_back(said(e)); });
    doors.updated.connect([&told](const entity_event& e) { told.push_back(said(e)); });
    doors.released.connect([&told](const entity_event& e) { told.push_back(said(e)); });
    doors.destroyed.connect([&told](const entity_event&) { told.push_back("gone"); });
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    auto change = h.stage.edit(gate);
    change->open = true;
    change.commit();
    EXPECT_TRUE(told.empty());
    h.stage.deliver();
    EXPECT_EQ(told, (lines{"created gate-1 0", "updated gate-1 1"}));
    told.clear();
    h.stage.pool(gate);
    h.stage.destroy(h.stage.create<door>({.id = "gate-2"}));
    h.stage.tick();
    EXPECT_EQ(told, (lines{"pooled gate-1 2", "created gate-2 0", "destroyed gate-2 1", "gone"}));
}

TEST(stage_signals, say_which_field_changed_from_what_to_what) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"}, {.angle = 10});
    int calls = 0;
    h.stage.signals<door>().updated.connect([&calls](const entity_event& e) {
        ++calls;
        EXPECT_TRUE(e.changed("hp"));
        EXPECT_TRUE(e.changed("angle"));
        EXPECT_FALSE(e.changed("open"));
        EXPECT_EQ(e.before<float>("angle"), 10.f);
        EXPECT_EQ(e.after<float>("angle"), 20.f);
        EXPECT_EQ(e.before<std::uint16_t>("hp"), 100);
        EXPECT_EQ(e.after<std::uint16_t>("hp"), 7);
        EXPECT_FALSE(e.after<bool>("open"));
        EXPECT_FALSE(e.after<double>("angle"));
    });
    auto change = h.stage.edit(gate);
    change->angle = 20;
    change->hp = 7;
    change.commit();
    h.stage.deliver();
    EXPECT_EQ(calls, 1);
}

TEST(stage_signals, have_the_whole_entity_of_a_life_that_has_ended) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"}, {.angle = 10});
    std::optional<float> angle;
    lido::any_entity_ref which;
    h.stage.signals<door>().released.connect([&](const entity_event& e) {
        angle = e.before<float>("angle");
        which = e.reference();
    });
    h.stage.destroy(gate);
    h.stage.tick();
    EXPECT_EQ(angle, 10.f);
    EXPECT_EQ(which, lido::any_entity_ref(gate));
}

TEST(stage_signals, of_one_life_are_gone_with_it) {
    hall h;
    int updates = 0;
    lines ends;
    auto* const count = &updates;
    auto* const said_ends = &ends;
    const auto first = h.stage.create<door>({.id = "gate-1"});
    h.stage.on_updated(first, [count](const entity_event&) { ++*count; });
    h.stage.on_released(first, [said_ends](const entity_event& e) { said_ends->push_back(said(e)); });
    auto change = h.stage.edit(first);
    change->angle = 1;
    change.commit();
    h.stage.pool(first);
    h.stage.tick();
    EXPECT_EQ(updates, 1);
    EXPECT_EQ(ends, (lines{"pooled gate-1 2"}));
    const auto second = h.stage.create<door>({.id = "gate-1"});
    auto again = h.stage.edit(second);
    again->angle = 1;
    again.commit();
    h.stage.pool(second);
    h.stage.tick();
    EXPECT_EQ(updates, 1);
    EXPECT_EQ(ends.size(), 1u);
}

TEST(stage_signals, can_be_disconnected) {
    hall h;
    int updates = 0;
    auto* const count = &updates;
    const auto gate = h.stage.create<door>();
    const auto who = h.stage.on_updated(gate, [count](const entity_event&) { ++*count; });
    EXPECT_TRUE(h.stage.disconnect(who));
    EXPECT_FALSE(h.stage.disconnect(who));
    auto change = h.stage.edit(gate);
    change->angle = 1;
    change.commit();
    h.stage.deliver();
    EXPECT_EQ(updates, 0);
}

TEST(stage_signals, what_listeners_throw_is_passed_on_when_all_have_been_told) {
    hall h;
    int told = 0;
    auto& doors = h.stage.signals<door>();
    doors.created.connect([](const entity_event&) { throw std::runtime_error("first"); });
    doors.created.connect([&told](const entity_event&) { ++told; });
    h.stage.create<door>();
    h.stage.create<door>();
    EXPECT_THROW(h.stage.deliver(), std::runtime_error);
    EXPECT_EQ(told, 2);
    h.stage.deliver();
    EXPECT_EQ(told, 2);
}

TEST(stage_signals, may_create_edit_and_end_what_they_like) {
    hall h;
    lido::stage* const stage = &h.stage;
    h.stage.signals<door>().created.connect([stage](const entity_event& e) {
        if (e.id() == "gate-1") stage->create<door>({.id = "gate-2"});
        auto change = stage->edit(stage->as<door>(e.reference()));
        change->angle = 9;
        EXPECT_TRUE(change.commit());
    });
    h.stage.signals<door>().updated.connect([stage](const entity_event& e) { stage->destroy(e.reference()); });
    lines told;
    h.stage.signals<door>().released.connect([&told](const entity_event& e) { told.push_back(said(e)); });
    h.stage.create<door>({.id = "gate-1"});
    h.stage.deliver();
    EXPECT_EQ(told, (lines{"destroyed gate-1 2", "destroyed gate-2 2"}));
    EXPECT_EQ(h.stage.size(), 0u);
    EXPECT_TRUE(h.stage.validate());
}

TEST(stage_signals, of_confirmed_changes_wait_until_they_are) {
    hall h(4, {.signals = lido::reads::confirmed});
    int told = 0;
    h.stage.signals<door>().created.connect([&told](const entity_event&) { ++told; });
    h.stage.create<door>();
    h.stage.tick();
    EXPECT_EQ(told, 0);
    h.stage.confirm(lido::ticks{0});
    h.stage.deliver();
    EXPECT_EQ(told, 1);
}

}  // namespace stage_signals
