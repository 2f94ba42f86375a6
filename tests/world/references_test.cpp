// S4.6: a reference whose life has ended, whose class is gone, or that never was one, finds nothing and does nothing.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <random>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace world_references_test {

using lido::any_ref;
using lido::life_state;
using lido::ref;
using lido::ticks;

struct rock {
    int value = 0;
};
struct leaf {
    int value = 0;
};

/// All that can be asked with a reference does nothing.
void expect_nothing(lido::world& world, any_ref which) {
    const auto typed = ref<rock>(which.class_of(), ref<rock>::handle_type::from_bits(which.life()));
    EXPECT_EQ(world.get(typed), nullptr);
    EXPECT_EQ(std::as_const(world).get(typed), nullptr);
    EXPECT_FALSE(world.lives(which));
    EXPECT_EQ(world.state(which), life_state::idle);
    EXPECT_FALSE(world.return_to_pool(which));
    EXPECT_FALSE(world.return_to_pool(typed));
    EXPECT_FALSE(world.set_lifetime(which, ticks{1}));
    EXPECT_EQ(world.lifetime_left(which), ticks{});
    EXPECT_FALSE(world.on_finished(typed, [] { ADD_FAILURE(); }));
    EXPECT_FALSE(world.after(typed, ticks{1}, [] { ADD_FAILURE(); }));
}

TEST(a_reference, S4_6_of_a_life_that_has_ended_does_nothing_though_its_object_lives_again) {
    lido::world world;
    world.add<rock>("rock");
    const ref<rock> old = world.spawn<rock>();
    world.return_to_pool(old);
    expect_nothing(world, old);
    const auto now = world.spawn<rock>();
    ASSERT_EQ(now.reference().life().index(), old.life().index());
    expect_nothing(world, old);
    world.tick();
    EXPECT_TRUE(world.lives(now));
    EXPECT_EQ(world.stats<rock>().counters.stale_ends, 4u) << "two asked before the second life, and two after";
    EXPECT_EQ(world.stats<rock>().timers, 0u);
    EXPECT_EQ(world.stats<rock>().listeners, 0u);
    EXPECT_TRUE(world.validate());
}

TEST(a_reference, S4_6_of_a_removed_class_does_nothing_though_the_class_was_added_again) {
    lido::world world;
    world.add<rock>("rock");
    const ref<rock> old = world.spawn<rock>();
    const auto listening = world.on_finished(old, [] {});
    const auto waiting = world.after(old, ticks{1}, [] { ADD_FAILURE(); });
    world.remove<rock>();
    expect_nothing(world, old);
    EXPECT_FALSE(world.disconnect(listening));
    EXPECT_FALSE(world.cancel(waiting));
    world.add<rock>("rock");
    const auto now = world.spawn<rock>();
    EXPECT_NE(any_ref(now).class_of(), any_ref(old).class_of()) << "numbers are not given again";
    expect_nothing(world, old);
    EXPECT_FALSE(world.disconnect(listening));
    EXPECT_FALSE(world.cancel(waiting));
    world.tick();
    EXPECT_TRUE(world.lives(now));
}

TEST(a_reference, S4_6_into_a_class_of_another_type_does_nothing) {
    lido::world one, two;
    one.add<rock>("rock");
    two.add<leaf>("leaf");
    const ref<rock> mine = one.spawn<rock>();
    const auto theirs = two.spawn<leaf>();
    ASSERT_EQ(any_ref(mine).life(), any_ref(theirs).life()) << "the same bits, or this shows nothing";
    EXPECT_EQ(two.get(mine), nullptr);
    EXPECT_FALSE(two.return_to_pool(mine));
    EXPECT_FALSE(two.on_finished(mine, [] {}));
    EXPECT_FALSE(two.after(mine, ticks{1}, [] {}));
    EXPECT_FALSE(two.as<rock>(mine));
    EXPECT_TRUE(two.lives(theirs));
}

TEST(a_reference, S4_6_to_a_class_number_that_was_never_given_does_nothing) {
    lido::world world;
    world.add<rock>("rock");
    const ref<rock> it = world.spawn<rock>();
    expect_nothing(world, any_ref(1, it.life().to_bits()));
    expect_nothing(world, any_ref(0xffffffff, it.life().to_bits()));
    EXPECT_TRUE(world.lives(it));
}

TEST(a_reference, S4_6_of_random_bits_does_nothing) {
    lido::world world;
    world.add<rock>("rock");
    world.add<leaf>("leaf");
    const ref<rock> it = world.spawn<rock>();
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
        const any_ref wild(static_cast<lido::class_number>(random() % 4), random() >> (random() % 64));
        if (wild == any_ref(it)) continue;
        expect_nothing(world, wild);
        EXPECT_FALSE(world.disconnect({wild.class_of(), wild.life()}));
        EXPECT_FALSE(world.cancel({wild.class_of(), wild.life()}));
    }
    EXPECT_TRUE(world.lives(it));
    EXPECT_TRUE(world.validate());
}

TEST(a_reference, S4_6_null_is_false_and_does_nothing) {
    lido::world world;
    world.add<rock>("rock");
    EXPECT_FALSE(ref<rock>());
    EXPECT_FALSE(any_ref());
    expect_nothing(world, {});
    const auto it = world.spawn<rock>();
    expect_nothing(world, {});
    EXPECT_TRUE(it.reference());
}

TEST(a_reference, S4_6_can_be_compared_and_hashed) {
    lido::world world;
    world.add<rock>("rock");
    std::unordered_set<any_ref> all;
    for (int i = 0; i < 100; ++i) all.insert(world.spawn<rock>());
    EXPECT_EQ(all.size(), 100u);
    const ref<rock> a = world.spawn<rock>();
    EXPECT_EQ(any_ref(a), any_ref(world.as<rock>(a)));
    EXPECT_FALSE(all.contains(a));
    std::unordered_map<ref<rock>, int> typed;
    typed[a] = 7;
    EXPECT_EQ(typed.at(a), 7);
    EXPECT_FALSE(typed.contains(world.spawn<rock>()));
}

TEST(a_reference, S4_8_fits_into_a_listener_beside_its_world) {
    lido::world world;
    world.add<rock>("rock");
    world.add<leaf>("leaf");
    const ref<rock> a = world.spawn<rock>();
    const ref<leaf> b = world.spawn<leaf>();
    const ref<leaf> c = world.spawn<leaf>();
    ASSERT_TRUE(world.on_finished(a, [&world, b] { world.return_to_pool(b); }));
    ASSERT_TRUE(world.after(a, ticks{2}, [&world, a] { world.return_to_pool(a); }));
    world.finished<rock>().connect([&world, c](rock&, ref<rock>) { world.return_to_pool(c); });
    world.tick();
    EXPECT_TRUE(world.lives(b));
    world.tick();
    EXPECT_FALSE(world.lives(a));
    EXPECT_FALSE(world.lives(b));
    EXPECT_FALSE(world.lives(c));
}

TEST(a_stale_connection, S4_8_does_nothing_to_a_later_life) {
    lido::world world;
    world.add<rock>("rock");
    static int told;
    told = 0;
    const ref<rock> old = world.spawn<rock>();
    const auto listening = world.on_finished(old, [] { ++told; });
    const auto waiting = world.after(old, ticks{3}, [] { ++told; });
    world.return_to_pool(old);
    EXPECT_EQ(told, 1);
    const ref<rock> now = world.spawn<rock>();
    const auto again = world.on_finished(now, [] { ++told; });
    EXPECT_TRUE(again);
    EXPECT_FALSE(world.disconnect(listening));
    EXPECT_FALSE(world.cancel(waiting)) << "it went with its life";
    world.return_to_pool(now);
    EXPECT_EQ(told, 2);
}

TEST(a_stale_connection, S4_8_of_a_future_that_a_restore_undid_does_not_name_a_call_that_waits) {
    lido::world world;
    world.add<rock>("rock");
    static int told;
    told = 0;
    const ref<rock> it = world.spawn<rock>();
    lido::snapshot then;
    ASSERT_TRUE(world.save(then));
    const auto undone = world.on_finished(it, [] { ADD_FAILURE(); });
    ASSERT_TRUE(world.restore(then));
    const auto waiting = world.after(it, ticks{1}, [] { ++told; });
    ASSERT_TRUE(waiting);
    EXPECT_FALSE(world.disconnect(undone));
    world.tick();
    EXPECT_EQ(told, 1);
    EXPECT_TRUE(world.lives(it));
}

struct narrow {
    char letter = 0;
};
static_assert(alignof(narrow) == 1);

TEST(an_object, S4_6_that_is_none_of_the_worlds_has_no_reference_wherever_it_lies) {
    lido::world world;
    world.add<narrow>("narrow");
    const auto mine = world.spawn<narrow>();
    narrow others[16] = {};  // most of them lie where no record of the world could
    for (const narrow& o : others) {
        EXPECT_FALSE(world.ref_of(o));
        EXPECT_FALSE(world.return_to_pool(o));
    }
    EXPECT_EQ(world.ref_of(*mine), mine.reference());
    EXPECT_TRUE(world.return_to_pool(*mine));
}

TEST(a_reference, S4_6_that_is_null_is_no_stale_one_of_the_first_class) {
    lido::world world;
    world.add<narrow>("narrow");
    static_cast<void>(world.spawn<narrow>());
    EXPECT_FALSE(world.return_to_pool(lido::any_ref{}));
    EXPECT_FALSE(world.return_to_pool(ref<narrow>{}));
    EXPECT_EQ(world.stats<narrow>().counters.stale_ends, 0u);
    world.end();
}

struct shape {
    int corners = 0;
};
struct square : shape {};

TEST(an_object, S4_6_returned_by_its_base_is_told_by_what_it_is_to_be_returned) {
    lido::world world;
    lido::test::misuse_log log;
    world.add<square>("square");
    const auto one = world.spawn<square>();
    const shape& base = *one;
    EXPECT_FALSE(world.return_to_pool(base));
    EXPECT_TRUE(world.lives(one));
    const auto told = log.only();
    EXPECT_EQ(told.kind, lido::world_misuse::unknown_class);
    EXPECT_NE(told.what.find("shape is no class of this world; the object is a "), std::string::npos) << told.what;
    EXPECT_NE(told.what.find("square; return an object by its own type, or by its reference"), std::string::npos);
    EXPECT_EQ(world.last_error(), told.what);
    square elsewhere;
    EXPECT_FALSE(world.return_to_pool(elsewhere)) << "of the right type, and of no world";
    EXPECT_EQ(log.count(), 0u);
    EXPECT_TRUE(world.return_to_pool(*one));
}

struct tight {
    char letter = 'a';
};
struct alignas(64) wide {
    char letter = 'b';
};

TEST(an_object, S4_6_of_nobody_at_any_address_is_no_object_of_the_world) {
    lido::world world;
    world.add<tight>("tight");
    world.add<wide>("wide");
    const auto one = world.spawn<tight>();
    tight many[64];
    for (const tight& each : many) {
        EXPECT_FALSE(world.ref_of(each));
        EXPECT_FALSE(world.return_to_pool(each));
    }
    EXPECT_EQ(world.ref_of(*one), one.reference());
    wide alone;
    EXPECT_FALSE(world.ref_of(alone));
}

/// Refers to others of its kind.
struct link {
    ref<link> next;
    int value = 0;
};

TEST(a_reference, S4_6_may_be_a_member_of_what_it_refers_to) {
    lido::world world;
    world.add<link>("link");
    ref<link> first;
    for (int i = 0; i < 3; ++i) {
        const auto one = world.spawn<link>();
        one->next = std::exchange(first, one);
        one->value = i;
    }
    std::vector<int> seen;
    for (ref<link> at = first; at; at = world.get(at)->next) seen.push_back(world.get(at)->value);
    EXPECT_EQ(seen, (std::vector{2, 1, 0}));
}

}  // namespace world_references_test
