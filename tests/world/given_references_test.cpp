// X1: lives under references that somebody else chooses: world.spawn_under() and settings.references.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace world_given_references {

struct pebble {
    int weight = 1;
};

struct ship {
    using payload_type = int;
    int crew = 0;
    lido::any_ref self;
    lido::transform transform;
    void set_life(lido::life mine) noexcept { self = mine.reference(); }
    void on_acquire(const int& with) {
        if (with < 0) throw std::runtime_error("no crew");
        crew = with;
    }
};

template <class T>
lido::ref<T> under(lido::class_number n, std::uint32_t slot, std::uint32_t generation) {
    return {n, lido::ref<T>::handle_type::of(slot, generation)};
}

struct a_spawn_under_a_reference : testing::Test {
    lido::world world;
    lido::class_number pebbles = world.add<pebble>("pebble").number;
    lido::class_number ships = world.add<ship>("ship", {.capacity = 4, .on_full = lido::on_full::grow_to(100)}).number;
};

TEST_F(a_spawn_under_a_reference, gives_the_life_exactly_that_slot_and_generation) {
    const auto which = under<ship>(ships, 57, 9);
    const auto got = world.spawn_under(which, {.x = 3}, 12);
    ASSERT_TRUE(got);
    EXPECT_EQ(got.reference(), which);
    EXPECT_EQ(world.get(which), got.get());
    EXPECT_EQ(got->crew, 12);
    EXPECT_EQ(got->transform.x, 3.f);
    EXPECT_EQ(got->self, lido::any_ref(which));
    EXPECT_TRUE(world.validate());
}

TEST_F(a_spawn_under_a_reference, works_where_the_type_is_not_known) {
    const lido::any_ref which = under<ship>(ships, 2, 5);
    const lido::any_spawned got = world.spawn_under(which, {.x = 1}, 7);
    ASSERT_TRUE(got);
    EXPECT_EQ(got.reference(), which);
    EXPECT_EQ(world.get(world.as<ship>(which))->crew, 7);
}

TEST_F(a_spawn_under_a_reference, is_refused_while_another_life_is_in_the_slot) {
    const auto there = world.spawn<pebble>();
    const auto later = under<pebble>(pebbles, there.reference().life().index(), 77);
    EXPECT_EQ(world.spawn_under(later).why(), lido::spawn_refusal::slot_taken);
    EXPECT_TRUE(world.lives(there));
    EXPECT_EQ(world.spawn_under(there.reference()).why(), lido::spawn_refusal::slot_taken);
}

TEST_F(a_spawn_under_a_reference, is_refused_when_the_slot_has_had_that_life_or_a_later_one) {
    const auto first = world.spawn_under(under<pebble>(pebbles, 3, 21)).reference();
    world.return_to_pool(first);
    EXPECT_EQ(world.spawn_under(first).why(), lido::spawn_refusal::generation_passed);
    EXPECT_EQ(world.spawn_under(under<pebble>(pebbles, 3, 19)).why(), lido::spawn_refusal::generation_passed);
    EXPECT_TRUE(world.spawn_under(under<pebble>(pebbles, 3, 23)));
}

TEST_F(a_spawn_under_a_reference, is_refused_for_what_is_no_life_of_the_class) {
    EXPECT_EQ(world.spawn_under(under<ship>(ships, 100, 1), {}, 1).why(), lido::spawn_refusal::out_of_range);
    EXPECT_EQ(world.spawn_under(under<pebble>(pebbles, 1, 2)).why(), lido::spawn_refusal::out_of_range);
    EXPECT_EQ(world.spawn_under(lido::ref<pebble>(pebbles, {})).why(), lido::spawn_refusal::out_of_range);
    EXPECT_EQ(world.spawn_under(under<pebble>(pebbles, 4'000'000'000u, 1)).why(), lido::spawn_refusal::out_of_range);
    EXPECT_EQ(world.stats<pebble>().counters.refused, 3u);
}

TEST_F(a_spawn_under_a_reference, is_refused_in_words_for_a_class_that_is_not_there) {
    const lido::test::misuse_log told{false};
    EXPECT_EQ(world.spawn_under(under<pebble>(9, 0, 1)).why(), lido::spawn_refusal::no_class);
    EXPECT_EQ(world.last_error(),
              "a life was to begin under a reference to class number 9, which this world does not have; make "
              "references with the number that add() returned");
    EXPECT_EQ(world.spawn_under(under<pebble>(ships, 0, 1)).why(), lido::spawn_refusal::no_class);
    EXPECT_NE(world.last_error().find("which is ship, of the type "), std::string::npos) << world.last_error();
    EXPECT_EQ(world.spawn_under(lido::any_ref(9, 1)).why(), lido::spawn_refusal::no_class);
    EXPECT_EQ(world.spawn_under(lido::any_ref(ships, 1), {}, 2.5f).why(), lido::spawn_refusal::wrong_payload);
    EXPECT_EQ(world.active<pebble>() + world.active<ship>(), 0u);
}

TEST_F(a_spawn_under_a_reference, is_refused_in_a_role_that_does_not_build_the_class) {
    const auto n = world.add<ship>("server's ship", {.roles = {.standalone = false}}).number;
    EXPECT_EQ(world.spawn_under(under<ship>(n, 0, 1), {}, 1).why(), lido::spawn_refusal::not_in_this_role);
}

TEST_F(a_spawn_under_a_reference, ends_nobody_to_make_room) {
    const auto n = world.add<ship>("rare ship", {.capacity = 1, .on_full = lido::on_full::replace_oldest}).number;
    const auto first = world.spawn_under(under<ship>(n, 0, 1), {}, 1);
    EXPECT_EQ(world.spawn_under(under<ship>(n, 1, 1), {}, 1).why(), lido::spawn_refusal::out_of_range);
    EXPECT_EQ(world.spawn_under(under<ship>(n, 0, 3), {}, 1).why(), lido::spawn_refusal::slot_taken);
    EXPECT_TRUE(world.lives(first));
}

TEST_F(a_spawn_under_a_reference, has_lifetime_listeners_and_the_events_of_any_life) {
    int begun = 0;
    int ended = 0;
    world.begun<ship>().connect([&begun] { ++begun; });
    world.finished<ship>().connect([&ended] { ++ended; });
    const auto which = world.spawn_under(under<ship>(ships, 9, 3), {}, 1).reference();
    world.set_lifetime(which, lido::ticks{2});
    world.tick();
    EXPECT_TRUE(world.lives(which));
    world.tick();
    EXPECT_FALSE(world.lives(which));
    EXPECT_EQ(begun, 1);
    EXPECT_EQ(ended, 1);
    EXPECT_EQ(world.stats<ship>().counters.spawned, 1u);
}

TEST_F(a_spawn_under_a_reference, uses_the_idle_object_of_its_slot) {
    const auto first = world.spawn<ship>({}, 5);
    ship* const object = first.get();
    world.return_to_pool(first.reference());
    const auto again = world.spawn_under(under<ship>(ships, first.reference().life().index(), 101), {}, 6);
    EXPECT_EQ(again.get(), object);
    EXPECT_EQ(world.stats<ship>().pool.created, 1u);
}

TEST_F(a_spawn_under_a_reference, that_a_hook_calls_off_has_passed_its_reference) {
    const auto which = under<ship>(ships, 5, 7);
    EXPECT_THROW(static_cast<void>(world.spawn_under(which, {}, -1)), std::runtime_error);
    EXPECT_FALSE(world.lives(which));
    EXPECT_EQ(world.spawn_under(which, {}, 1).why(), lido::spawn_refusal::generation_passed);
    EXPECT_TRUE(world.validate());
}

TEST_F(a_spawn_under_a_reference, is_undone_by_a_rewind_and_may_be_played_again) {
    lido::snapshot before;
    world.start();
    ASSERT_TRUE(world.save(before));
    const auto which = under<ship>(ships, 17, 3);
    ASSERT_TRUE(world.spawn_under(which, {}, 1));
    const std::uint64_t then = world.state_hash();
    ASSERT_TRUE(world.restore(before));
    EXPECT_FALSE(world.lives(which));
    ASSERT_TRUE(world.spawn_under(which, {}, 1));
    EXPECT_EQ(world.state_hash(), then);
}

TEST_F(a_spawn_under_a_reference, starts_a_world_that_was_not_started) {
    EXPECT_FALSE(world.started());
    EXPECT_TRUE(world.spawn_under(under<pebble>(pebbles, 1, 1)));
    EXPECT_TRUE(world.started());
}

struct a_class_with_given_references : testing::Test {
    lido::world world;
    lido::class_number n = world.add<pebble>("pebble", {.prewarm = 4, .references = lido::references::given}).number;
};

TEST_F(a_class_with_given_references, hands_out_no_slot_by_itself) {
    const auto got = world.spawn<pebble>();
    EXPECT_EQ(got.why(), lido::spawn_refusal::given_elsewhere);
    EXPECT_EQ(world.spawn("pebble").why(), lido::spawn_refusal::given_elsewhere);
    EXPECT_STREQ(to_string(got.why()), "the references of this class are given elsewhere");
    EXPECT_EQ(world.active<pebble>(), 0u);
    EXPECT_TRUE(world.spawn_under(under<pebble>(n, 2, 1)));
    EXPECT_EQ(world.stats<pebble>().pool.idle, 3u);
}

TEST_F(a_class_with_given_references, still_hands_out_none_after_a_save_a_restore_and_a_hash) {
    lido::snapshot s;
    world.start();
    ASSERT_TRUE(world.save(s));
    static_cast<void>(world.state_hash());
    ASSERT_TRUE(world.restore(s));
    EXPECT_EQ(world.spawn<pebble>().why(), lido::spawn_refusal::given_elsewhere);
    EXPECT_TRUE(world.spawn_under(under<pebble>(n, 1, 1)));
}

TEST_F(a_class_with_given_references, mirrors_a_class_that_chooses_its_own) {
    lido::world server;
    server.add<pebble>("other");
    server.add<pebble>("pebble");
    std::uint32_t random = 7;
    std::vector<lido::any_ref> theirs;
    for (int i = 0; i < 2000; ++i) {
        random = random * 1664525u + 1013904223u;
        if (theirs.empty() || (random >> 24) % 5 < 3) {
            const lido::any_ref there = server.spawn("pebble");
            theirs.push_back(there);
            ASSERT_TRUE(world.spawn_under(lido::any_ref(n, there.life())));
        } else {
            const std::size_t at = (random >> 8) % theirs.size();
            ASSERT_TRUE(server.return_to_pool(theirs[at]));
            ASSERT_TRUE(world.return_to_pool(lido::any_ref(n, theirs[at].life())));
            theirs.erase(theirs.begin() + static_cast<std::ptrdiff_t>(at));
        }
        ASSERT_EQ(world.active<pebble>(), theirs.size());
    }
    EXPECT_TRUE(world.validate());
}

TEST_F(a_class_with_given_references, cannot_replace) {
    const auto refused = world.add<pebble>(
        "stone", {.capacity = 3, .on_full = lido::on_full::replace_oldest, .references = lido::references::given});
    EXPECT_FALSE(refused);
    EXPECT_EQ(refused.why,
              "stone: references that are given elsewhere leave nobody to be replaced here; on_full may grow, and then "
              "reject");
}

}  // namespace world_given_references
