// S5.11: faults of order, of commits and of scheduling
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "entity/stage/doors.hpp"

namespace faults_races {

using namespace stage_tests;
using lido::end_outcome;
using lido::stage_refusal;
using lido::ticks;

struct twin {
    std::int32_t x = 0;
};
inline lido::stage* asked = nullptr;
inline stage_refusal second_try = stage_refusal::none;
inline bool found_early = true;
inline void on_begin(const twin&, const lido::entity_birth& birth) {
    if (asked == nullptr) return;
    second_try = asked->create<account>({.id = birth.id.view()}).reason();
    found_early = static_cast<bool>(asked->find(birth.id.view()));
}

TEST(faults, D19_an_id_is_reserved_before_any_hook_runs) {
    hall h;
    h.stage.add<twin>("twin");
    asked = &h.stage;
    const auto it = h.stage.create<twin>({.id = "twin-1"});
    asked = nullptr;
    EXPECT_TRUE(it);
    EXPECT_EQ(second_try, stage_refusal::id_reserved);
    EXPECT_FALSE(found_early);
}

TEST(faults, D21_listeners_are_gone_with_their_life_and_not_later) {
    hall h;
    int first_ends = 0;
    int second_ends = 0;
    auto* const a = &first_ends;
    auto* const b = &second_ends;
    const auto first = h.stage.create<bullet>();
    h.stage.on_released(first, [a](const lido::entity_event&) { ++*a; });
    h.stage.pool(first);
    h.stage.tick();
    const auto second = h.stage.create<bullet>();
    h.stage.on_released(second, [b](const lido::entity_event&) { ++*b; });
    for (int i = 0; i < 3; ++i) h.stage.tick();
    h.stage.pool(second);
    h.stage.tick();
    EXPECT_EQ(first_ends, 1);
    EXPECT_EQ(second_ends, 1);
}

TEST(faults, D22_a_cleanup_that_ends_its_own_entity_is_refused_and_does_not_recurse) {
    hall h;
    struct both {
        lido::stage* stage;
        lido::any_entity_ref self;
        int calls = 0;
        lido::end_outcome again = end_outcome::pooled;
    } b{&h.stage, {}};
    const auto it = h.stage.create<bullet>();
    b.self = it;
    both* const to = &b;
    h.stage.manage(it, [to] {
        ++to->calls;
        to->again = to->stage->destroy(to->self).outcome();
    });
    h.stage.on_released(it, [to](const lido::entity_event&) { to->stage->destroy(to->self); });
    h.stage.destroy(it);
    h.stage.tick();
    h.stage.tick();
    EXPECT_EQ(b.calls, 1);
    EXPECT_EQ(b.again, end_outcome::refused);
}

TEST(faults, D23_nothing_is_taken_over_for_a_life_that_has_ended_and_the_order_is_last_in_first_out) {
    hall h;
    std::vector<int> released;
    auto* const to = &released;
    const auto it = h.stage.create<door>({.id = "gate-1"});
    h.stage.manage(it, [to] { to->push_back(1); });
    h.stage.manage(it, [to] { to->push_back(2); });
    h.stage.destroy(it);
    const auto late = h.stage.manage(it, [to] { to->push_back(3); });
    EXPECT_EQ(late.reason(), stage_refusal::ended);
    h.stage.tick();
    EXPECT_EQ(released, (std::vector<int>{2, 1}));
}

TEST(faults, D24_nobody_can_change_an_id) {
    hall h;
    const auto it = h.stage.create<bullet>({.id = "b"});
    static_assert(std::is_same_v<decltype(h.stage.info(it).id), lido::entity_id>);  // a copy
    EXPECT_EQ(h.stage.create<door>({.id = "b"}).reason(), stage_refusal::id_taken);
    h.stage.context(it.reference())->of_life = 77;
    EXPECT_EQ(h.stage.find("b"), lido::any_entity_ref(it));
    h.stage.pool(it);
    EXPECT_FALSE(h.stage.find("b"));
}

TEST(faults, D25_persistent_without_a_store_is_refused_before_anything_has_happened) {
    hall h;
    const auto it = h.stage.create<bullet>({.id = "b", .persistent = true});
    EXPECT_EQ(it.reason(), stage_refusal::no_store);
    EXPECT_TRUE(heard.taken().empty());
    EXPECT_TRUE(h.stage.create<bullet>({.id = "b"}));
}

TEST(faults, D28_a_commit_inside_a_listener_is_announced_in_order_and_never_lost) {
    hall h;
    lido::stage* const stage = &h.stage;
    const auto a = h.stage.create<account>({.id = "a"}, {.gold = 1});
    const auto b = h.stage.create<account>({.id = "b"}, {.gold = 1});
    h.stage.deliver();
    lines told;
    const lido::entity_ref<account> other = b;
    h.stage.signals<account>().updated.connect(
        [&told](const lido::entity_event& e) { told.push_back(std::string(e.id()) + std::to_string(e.version())); });
    h.stage.signals<account>().updated.connect([stage, other](const lido::entity_event& e) {
        if (e.id() != "a") return;
        auto answer = stage->edit(other);
        answer->gold += 10;
        EXPECT_TRUE(answer.commit());
        EXPECT_EQ(stage->get(other)->gold % 10, 1);
    });
    for (int i = 0; i < 2; ++i) {
        auto change = h.stage.edit(a);
        change->gold += 1;
        ASSERT_TRUE(change.commit());
    }
    h.stage.deliver();
    EXPECT_EQ(told, (lines{"a1", "a2", "b1", "b2"}));
}

struct keeper {
    std::optional<std::int32_t> key;
};

TEST(faults, D41_a_field_can_be_cleared_and_a_failed_commit_leaves_nothing_to_the_next) {
    hall h;
    h.stage.add<keeper>("keeper");
    const auto k = h.stage.create<keeper>({}, {.key = 5});
    auto change = h.stage.edit(k);
    change->key.reset();
    EXPECT_FALSE(change->key.has_value());
    ASSERT_TRUE(change.commit());
    EXPECT_TRUE(change.changed());
    EXPECT_FALSE(h.stage.get(k)->key.has_value());

    const auto gate = h.stage.create<door>({.id = "gate-1"});
    {
        auto bad = h.stage.edit(gate);
        bad->angle = 50;
        bad->hp = 5000;
        EXPECT_FALSE(bad.commit());
    }
    auto good = h.stage.edit(gate);
    good->open = true;
    ASSERT_TRUE(good.commit());
    EXPECT_EQ(h.stage.get(gate)->angle, 0);
    EXPECT_EQ(h.stage.get(gate)->hp, 100);
}

TEST(faults, D42_a_call_that_waits_is_made_once_whoever_cancels_it_meanwhile) {
    hall h;
    struct both {
        lido::stage* stage;
        lido::waiting_call self;
        int calls = 0;
    } b{&h.stage, {}};
    both* const to = &b;
    const auto it = h.stage.create<door>();
    b.self = h.stage.after(it, ticks{1}, [to] {
        ++to->calls;
        to->stage->cancel(to->self);
    });
    for (int i = 0; i < 3; ++i) h.stage.tick();
    EXPECT_EQ(b.calls, 1);
    EXPECT_FALSE(h.stage.cancel(b.self));
    EXPECT_TRUE(h.world.validate());
}

TEST(faults, D43_arguments_that_mean_different_things_have_different_types) {
    static_assert(!std::is_convertible_v<std::uint64_t, lido::player>);
    static_assert(!std::is_convertible_v<std::uint64_t, ticks>);
    static_assert(!std::is_convertible_v<lido::entity_ref<door>, lido::entity_ref<account>>);
    static_assert(!std::is_convertible_v<lido::any_entity_ref, lido::any_ref>);
    static_assert(!std::is_convertible_v<lido::version_number, lido::generation_number>);
    hall h;
    // Ids, owners and versions are named where they are given.
    const auto it = h.stage.create<door>({.id = "gate-1", .owner = {3}, .version = 4});
    EXPECT_EQ(h.stage.info(it).owner.id, 3u);
    EXPECT_EQ(h.stage.info(it).version, 4u);
}

}  // namespace faults_races
