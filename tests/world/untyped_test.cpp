// S4: a world without its types: objects by any_ref, classes by number and name, walks of a const world.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace world_untyped_test {

using lido::any_object;
using lido::any_ref;
using lido::const_any_object;
using lido::end_reason;
using lido::ref;
using lido::ticks;

struct rock {
    int weight = 1;
};
struct leaf : lido::pooled {
    int colour = 2;
};

struct an_untyped_world : testing::Test {
    lido::world world;
    lido::class_number rocks = world.add<rock>("rock", {.leaks = lido::leaks::allow}).number;
    lido::class_number leaves = world.add<leaf>("leaf", {.leaks = lido::leaks::allow}).number;
};

TEST_F(an_untyped_world, S4_3_gives_an_object_with_its_type_while_it_lives) {
    const auto one = world.spawn<leaf>();
    const any_object found = world.get(any_ref(one));
    ASSERT_TRUE(found);
    EXPECT_EQ(found.address(), one.get());
    EXPECT_EQ(found.as<leaf>(), one.get());
    EXPECT_EQ(found.as<rock>(), nullptr);
    EXPECT_EQ(found.as<lido::pooled>(), nullptr) << "a base is another type";
    EXPECT_EQ(found.type(), lido::type_name<leaf>());
    EXPECT_EQ(found.type_id(), lido::type_id<leaf>());
    found.as<leaf>()->colour = 9;
    EXPECT_EQ(one->colour, 9);

    const const_any_object looked_at = std::as_const(world).get(any_ref(one));
    static_assert(std::is_same_v<decltype(looked_at.as<leaf>()), const leaf*>);
    EXPECT_EQ(looked_at.as<leaf>(), one.get());
    EXPECT_EQ(looked_at.type(), found.type());

    world.return_to_pool(any_ref(one));
    EXPECT_FALSE(world.get(any_ref(one)));
    EXPECT_EQ(world.get(any_ref(one)).as<leaf>(), nullptr);
    EXPECT_EQ(world.get(any_ref(one)).type(), "");
    EXPECT_FALSE(world.get(any_ref()));
    EXPECT_FALSE(world.get(any_ref(17, 1)));
}

TEST_F(an_untyped_world, S4_3_takes_a_spawn_as_a_reference_with_its_type) {
    const auto one = world.spawn<rock>();
    static_assert(std::is_same_v<decltype(world.get(one)), rock*>);
    static_assert(std::is_same_v<decltype(std::as_const(world).get(one)), const rock*>);
    EXPECT_EQ(world.get(one), one.get());
    static int told;
    told = 0;
    world.on_finished(one, [](rock& it) { told += it.weight; });
    world.after(one, ticks{1}, [](rock& it) { it.weight = 5; });
    world.tick();
    world.return_to_pool(one);
    EXPECT_EQ(told, 5);
}

TEST_F(an_untyped_world, S4_3_walks_a_class_by_number_and_by_name) {
    for (int i = 0; i < 3; ++i) world.spawn<rock>()->weight = i;
    static_cast<void>(world.spawn<leaf>());
    std::vector<int> seen;
    world.for_each("rock", [&](any_object it, any_ref which) {
        EXPECT_EQ(it.as<rock>(), world.get(which).as<rock>());
        seen.push_back(it.as<rock>()->weight);
    });
    EXPECT_EQ(seen, (std::vector{0, 1, 2}));
    int count = 0;
    world.for_each(leaves, [&count](any_object it) { count += it.as<leaf>() != nullptr ? 1 : 100; });
    world.for_each(leaves, [&count]() mutable { ++count; });
    EXPECT_EQ(count, 2);
    world.for_each("no such class", [] { ADD_FAILURE(); });
    world.for_each(77, [] { ADD_FAILURE(); });
}

TEST_F(an_untyped_world, S4_3_may_be_changed_in_a_walk_as_in_one_with_types) {
    std::vector<any_ref> all;
    for (int i = 0; i < 4; ++i) all.push_back(world.spawn<rock>());
    std::vector<any_ref> seen;
    world.for_each("rock", [&](any_object, any_ref which) {
        seen.push_back(which);
        if (which == all[0]) world.return_to_pool(all[2]);
        if (which == all[1]) world.return_to_pool(which);
        if (which == all[3]) world.spawn<leaf>();
    });
    EXPECT_EQ(seen, (std::vector{all[0], all[1], all[3]}));
    EXPECT_EQ(world.active("leaf"), 1u);
    const lido::test::misuse_log quiet;
    world.for_each(rocks, [&] { EXPECT_TRUE(world.remove(leaves).refused) << "refused, as from inside of a hook"; });
    EXPECT_EQ(world.active(rocks), 2u);
}

TEST_F(an_untyped_world, S4_3_that_is_const_is_walked_with_const_objects) {
    world.spawn<rock>()->weight = 4;
    const lido::world& looked_at = world;
    int sum = 0;
    looked_at.for_each<rock>([&sum](auto& it) {
        static_assert(std::is_same_v<decltype(it), const rock&>);
        sum += it.weight;
    });
    looked_at.for_each<rock>([&](const rock& it, ref<rock> which) { sum += looked_at.get(which) == &it ? 10 : 0; });
    looked_at.for_each("rock", [&](const_any_object it, any_ref which) {
        sum += looked_at.get(which).address() == it.address() ? 100 : 0;
    });
    EXPECT_EQ(sum, 114);
    static_assert(!std::is_invocable_v<decltype([](any_object) {}), const_any_object>);
}

TEST_F(an_untyped_world, S4_3_knows_its_classes_by_number_name_and_reference) {
    const auto one = world.spawn<leaf>();
    const lido::class_info by_name = world.class_of("leaf");
    ASSERT_TRUE(by_name);
    EXPECT_EQ(by_name.number, leaves);
    EXPECT_EQ(by_name.id, lido::class_id_of("leaf"));
    EXPECT_EQ(by_name.name, "leaf");
    EXPECT_EQ(by_name.type, lido::type_name<leaf>());
    EXPECT_EQ(by_name.type_id, lido::type_id<leaf>());
    EXPECT_EQ(world.class_of(leaves).name, "leaf");
    EXPECT_EQ(world.class_of(any_ref(one)).number, leaves);
    world.return_to_pool(one);
    EXPECT_EQ(world.class_of(any_ref(one)).name, "leaf") << "a life that has ended had a class, too";
    EXPECT_FALSE(world.class_of("moss"));
    EXPECT_FALSE(world.class_of(2));
    EXPECT_FALSE(world.class_of(any_ref())) << "null is of no class, not of the first";

    EXPECT_TRUE(world.has(0));
    EXPECT_TRUE(world.has(std::string("rock")));
    EXPECT_FALSE(world.has(2));
    EXPECT_EQ(world.stats(any_ref(one)).name, "leaf");
    EXPECT_EQ(world.stats(any_ref()).name, "");
    EXPECT_EQ(world.stats(0).name, "rock");
    world.remove(leaves);
    EXPECT_FALSE(world.has(leaves));
    EXPECT_FALSE(world.class_of(any_ref(one)));
}

TEST_F(an_untyped_world, S4_4_spawns_by_number) {
    const lido::any_spawned one = world.spawn(rocks);
    ASSERT_TRUE(one);
    EXPECT_EQ(world.class_of(one.reference()).number, rocks);
    const lido::test::misuse_log log;
    EXPECT_EQ(world.spawn(5).why(), lido::spawn_refusal::no_class);
    EXPECT_EQ(world.last_error(), "there is no class number 5 in this world; add it first. There are: rock, leaf");
}

TEST_F(an_untyped_world, S4_6_finds_the_reference_of_an_address) {
    const auto one = world.spawn<leaf>();
    const void* const where = one.get();
    EXPECT_EQ(world.ref_of(where), any_ref(one));
    EXPECT_EQ(world.ref_of(one.get()), any_ref(one));
    EXPECT_EQ(world.ref_of(static_cast<const char*>(where) + 1), any_ref());
    EXPECT_EQ(world.ref_of(&world), any_ref());
    EXPECT_EQ(world.ref_of(nullptr), any_ref());
    EXPECT_TRUE(world.return_to_pool(world.get(any_ref(one))));
    EXPECT_EQ(world.ref_of(where), any_ref()) << "nobody lives there";
    EXPECT_FALSE(world.return_to_pool(any_object()));
    leaf outside;
    EXPECT_FALSE(world.return_to_pool(any_object::of(outside)));
}

TEST_F(an_untyped_world, S4_8_tells_the_end_of_a_life_with_object_reference_and_reason) {
    static std::string told;
    told.clear();
    const any_ref one = world.spawn<leaf>();
    world.on_finished(one, [](any_object it, any_ref, end_reason why) {
        told += std::to_string(it.as<leaf>()->colour) + " " + to_string(why);
    });
    const auto unheard = world.on_finished(one, [](any_object) { ADD_FAILURE(); });
    world.on_finished(one, [one](any_object, any_ref which) { told += which == one ? ", the same" : ", another"; });
    world.on_finished(one, [] { told += ", last"; });
    EXPECT_TRUE(world.disconnect(unheard));
    world.return_to_pool(one);
    EXPECT_EQ(told, "2 by its reference, the same, last");
    EXPECT_FALSE(world.on_finished(one, [] { ADD_FAILURE(); }));
    EXPECT_FALSE(world.on_finished(any_ref(9, 1), [] {}));
}

TEST_F(an_untyped_world, X11_calls_for_a_life_after_so_many_ticks) {
    static int called;
    called = 0;
    const any_ref one = world.spawn<rock>();
    ASSERT_TRUE(world.after(one, ticks{2}, [](any_object it, any_ref) { called += it.as<rock>()->weight; }));
    const auto cancelled = world.after(one, ticks{2}, [] { ADD_FAILURE(); });
    EXPECT_TRUE(world.cancel(cancelled));
    world.tick();
    EXPECT_EQ(called, 0);
    world.tick();
    EXPECT_EQ(called, 1);
    world.return_to_pool(one);
    EXPECT_FALSE(world.after(one, ticks{1}, [] { ADD_FAILURE(); }));
}

TEST_F(an_untyped_world, S4_8_tells_of_all_lives_of_a_class_in_one_order_with_typed_listeners) {
    static std::string told;
    told.clear();
    world.finished("rock").connect([](any_object it, any_ref, end_reason why) {
        told += "a" + std::to_string(it.as<rock>()->weight) + (why == end_reason::reference ? "" : "?");
    });
    world.finished<rock>().connect([](rock&) { told += "b"; });
    const auto third = world.finished(rocks).connect([] { told += "c"; });
    world.begun(rocks).connect(
        [](any_object it, any_ref which) { told += "+" + std::string(it.as<rock>() != nullptr && which ? "" : "?"); });
    world.begun("rock").connect([](any_object) { told += "+"; });
    world.return_to_pool(world.spawn<rock>());
    EXPECT_EQ(std::exchange(told, {}), "++a1bc");
    EXPECT_EQ(world.finished("rock").size(), 3u);
    EXPECT_TRUE(world.finished("rock").disconnect(third));
    EXPECT_FALSE(world.finished("rock").disconnect(third));
    world.return_to_pool(world.spawn<rock>());
    EXPECT_EQ(std::exchange(told, {}), "++a1b");
    world.finished<rock>().disconnect_all();
    EXPECT_TRUE(world.finished("rock").empty());
    world.return_to_pool(world.spawn<rock>());
    EXPECT_EQ(told, "++");
}

TEST_F(an_untyped_world, S4_8_may_disconnect_a_listener_from_inside_of_it) {
    static lido::connection self;
    static int told;
    told = 0;
    lido::world* const w = &world;
    self = world.finished(rocks).connect([w](any_object, any_ref) {
        EXPECT_TRUE(w->finished("rock").disconnect(self));
        // What it has captured is still there.
        EXPECT_EQ(w->active("rock"), 1u);
        w->finished("rock").connect([] { told += 10; });
        ++told;
    });
    world.return_to_pool(world.spawn<rock>());
    EXPECT_EQ(told, 1) << "who connects during a call is not called by it";
    world.return_to_pool(world.spawn<rock>());
    EXPECT_EQ(told, 11);
}

TEST_F(an_untyped_world, S4_8_reports_events_of_a_class_that_is_not_there) {
    const lido::test::misuse_log log;
    world.finished("moss").connect([] { ADD_FAILURE(); });
    EXPECT_EQ(log.count(), 1u);
    EXPECT_EQ(world.last_error(), "there is no class moss in this world; add it first. There are: rock, leaf");
    world.begun(4).connect([] { ADD_FAILURE(); });
    EXPECT_EQ(log.count(), 2u);
    world.return_to_pool(world.spawn<rock>());
}

static_assert(!std::is_copy_constructible_v<lido::life_event<rock>>, "a listener of a copy would hear nothing");

TEST_F(an_untyped_world, S4_8_has_its_listeners_of_lives_restored) {
    static int told;
    told = 0;
    const any_ref one = world.spawn<rock>();
    world.on_finished(one, [](any_object it) { told += it.as<rock>()->weight; });
    world.after(one, ticks{2}, [](any_object it) { it.as<rock>()->weight = 50; });
    lido::snapshot then;
    ASSERT_TRUE(world.save(then));
    world.return_to_pool(one);
    EXPECT_EQ(told, 1);
    ASSERT_TRUE(world.restore(then));
    world.tick();
    world.tick();
    world.return_to_pool(one);
    EXPECT_EQ(told, 51);
}

}  // namespace world_untyped_test
