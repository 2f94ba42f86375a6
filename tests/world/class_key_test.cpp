// S4.3: what `<T>` means where several classes have one type: all of them, and a call that can only be about one is told which.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

namespace world_class_key_test {

using lido::class_key;
using lido::ref;
using lido::spawn_refusal;
using lido::ticks;
using lido::test::misuse_log;

struct spark {
    using payload_type = int;
    int heat = 0;
    void on_acquire(const int& with) { heat = with; }
};
struct rock {
    int weight = 0;
};

const std::string both =
    std::string(lido::type_name<spark>()) +
    " is the type of the classes blue, red; say which, by its name or by the key that add() returned";

/// Two classes of one type, and one of another.
struct two_classes_of_one_type : testing::Test {
    lido::world world;
    class_key<spark> blue = world.add<spark>("blue", {.leaks = lido::leaks::allow}).key();
    class_key<rock> rocks = world.add<rock>("rock", {.leaks = lido::leaks::allow}).key();
    class_key<spark> red = world.add<spark>("red", {.leaks = lido::leaks::allow}).key();
};

TEST_F(two_classes_of_one_type, S4_3_are_spawned_from_by_key) {
    const auto one = world.spawn(red, {}, 7);
    ASSERT_TRUE(one);
    static_assert(std::is_same_v<decltype(one), const lido::spawned<spark>>);
    EXPECT_EQ(one->heat, 7);
    EXPECT_EQ(one.reference().class_of(), red.number());
    EXPECT_EQ(world.spawn(blue).reference().class_of(), blue.number());
    EXPECT_EQ(world.spawn_as(red, {.priority = 1}, {}, 8)->heat, 8);
    EXPECT_TRUE(world.spawn_as(blue, {.priority = 1}));
    EXPECT_EQ(world.spawn(blue, {}, lido::payload(3))->heat, 3);
    EXPECT_EQ(world.active(blue), 3u);
    EXPECT_EQ(world.active(red), 2u);
    EXPECT_EQ(world.stats(red).counters.spawned, 2u);
    const misuse_log quiet;
    EXPECT_EQ(world.spawn(red, {}, lido::payload(2.0)).why(), spawn_refusal::wrong_payload);
}

TEST_F(two_classes_of_one_type, S4_3_refuse_a_spawn_that_does_not_say_which) {
    misuse_log log;
    const auto refused = world.spawn<spark>({}, 3);
    EXPECT_FALSE(refused);
    EXPECT_EQ(refused.why(), spawn_refusal::ambiguous_class);
    EXPECT_FALSE(refused.reference());
    const auto told = log.only();
    EXPECT_EQ(told.kind, lido::world_misuse::ambiguous_class);
    EXPECT_EQ(told.what, both);
    EXPECT_EQ(world.last_error(), both);
    EXPECT_EQ(world.spawn_as<spark>({.priority = 2}).why(), spawn_refusal::ambiguous_class);
    EXPECT_TRUE(world.spawn<rock>()) << "a type of one class is as it was";
    EXPECT_EQ(world.active<spark>(), 0u);
}

TEST_F(two_classes_of_one_type, S4_3_have_no_figures_and_events_in_common) {
    misuse_log log;
    EXPECT_EQ(world.stats<spark>().name, "");
    EXPECT_EQ(log.only().what, both);
    world.finished<spark>().connect([] { ADD_FAILURE(); });
    EXPECT_EQ(log.only().what, both);
    world.begun<spark>().connect([] { ADD_FAILURE(); });
    EXPECT_EQ(log.only().what, both);
    EXPECT_FALSE(world.key<spark>());
    EXPECT_EQ(log.only().what, both);
    world.return_to_pool(world.spawn(blue));
    EXPECT_EQ(world.stats<rock>().name, "rock");
    struct moss {};
    EXPECT_EQ(world.stats<moss>().name, "") << "of no class: nothing is there, and nothing is told";
    EXPECT_EQ(log.count(), 0u);
}

TEST_F(two_classes_of_one_type, S4_8_have_events_by_key_and_by_name) {
    static std::string told;
    told.clear();
    world.finished(red).connect([](spark& it, ref<spark>) { told += "-" + std::to_string(it.heat); });
    world.finished<spark>("red").connect([] { told += "!"; });
    world.begun(red).connect([](spark& it) { told += "+" + std::to_string(it.heat); });
    world.begun<spark>(red.number()).connect([] { told += "."; });
    world.return_to_pool(world.spawn(blue, {}, 1));
    world.return_to_pool(world.spawn(red, {}, 2));
    EXPECT_EQ(told, "+2.-2!");
    misuse_log log;
    world.finished<rock>("red").connect([] { ADD_FAILURE(); });
    EXPECT_EQ(log.count(), 1u);
    EXPECT_NE(world.last_error().find("the class red is of the type "), std::string::npos) << world.last_error();
}

TEST_F(two_classes_of_one_type, S4_3_are_both_meant_by_calls_that_can_be_about_several) {
    static_cast<void>(world.spawn(blue, {}, 1));
    static_cast<void>(world.spawn(red, {}, 10));
    static_cast<void>(world.spawn(red, {}, 100));
    int sum = 0;
    world.for_each<spark>([&sum](spark& it) { sum += it.heat; });
    std::as_const(world).for_each<spark>([&sum](const spark& it) { sum += it.heat; });
    EXPECT_EQ(sum, 222);
    EXPECT_EQ(world.active<spark>(), 3u);
    EXPECT_TRUE(world.has<spark>());
    world.pause<spark>();
    EXPECT_TRUE(world.stats(blue).paused && world.stats(red).paused);
    world.set_time_scale<spark>({1, 2});
    EXPECT_EQ(world.stats(blue).scale.per, 2u);
    EXPECT_EQ(world.stats("red").scale.per, 2u);
    EXPECT_EQ(world.return_all<spark>(), 3u);
    world.trim<spark>();
    EXPECT_EQ(world.stats(blue).pool.idle + world.stats(red).pool.idle, 0u);
}

TEST_F(two_classes_of_one_type, S4_3_are_meant_one_by_one_by_their_keys) {
    static_cast<void>(world.spawn(blue, {}, 1));
    static_cast<void>(world.spawn(red, {}, 10));
    int sum = 0;
    world.for_each(red, [&sum](spark& it, ref<spark> which) { sum += it.heat + (which ? 0 : 1000); });
    std::as_const(world).for_each(blue, [&sum](const spark& it) { sum += it.heat; });
    EXPECT_EQ(sum, 11);
    EXPECT_TRUE(world.has(red));
    world.pause(red);
    EXPECT_TRUE(world.stats(red).paused);
    EXPECT_FALSE(world.stats(blue).paused);
    world.set_time_scale(blue, {2, 1});
    EXPECT_EQ(world.stats(red).scale.steps, 1u);
    EXPECT_EQ(world.return_all(blue), 1u);
    EXPECT_EQ(world.active<spark>(), 1u);
    world.trim(blue);
    EXPECT_EQ(world.stats(blue).pool.idle, 0u);
    EXPECT_EQ(world.class_of(red).name, "red");
    EXPECT_EQ(world.remove(red).active(), 1u);
    EXPECT_FALSE(world.has(red));
    EXPECT_TRUE(world.has(blue));
}

TEST_F(two_classes_of_one_type, S4_3_are_removed_together_after_the_last_life_of_both_has_ended) {
    static_cast<void>(world.spawn(blue));
    const ref<spark> other = world.spawn(red);
    static int found;
    found = 0;
    world.finished(blue).connect([&w = world, other] { found += w.get(other) != nullptr ? 1 : 0; });
    const lido::end_report ended = world.remove<spark>();
    EXPECT_EQ(ended.classes.size(), 2u);
    EXPECT_EQ(ended.active(), 2u);
    EXPECT_EQ(found, 1) << "a listener of the one may still look at the other";
    EXPECT_FALSE(world.has<spark>());
    EXPECT_TRUE(world.has<rock>());
    misuse_log log;
    EXPECT_TRUE(world.remove<spark>().classes.empty());
    EXPECT_EQ(log.only().kind, lido::world_misuse::unknown_class);
}

TEST_F(two_classes_of_one_type, S4_3_are_one_again_when_the_other_is_removed) {
    world.remove("blue");
    EXPECT_TRUE(world.spawn<spark>());
    EXPECT_EQ(world.key<spark>(), red);
    EXPECT_EQ(world.stats<spark>().name, "red");
    const auto again = world.add<spark>("blue");
    EXPECT_NE(again.key(), blue) << "numbers are not given again";
    const misuse_log quiet;
    EXPECT_FALSE(world.spawn<spark>());
    EXPECT_EQ(world.spawn(blue).why(), spawn_refusal::no_class) << "the key of a class that was removed";
    EXPECT_EQ(world.last_error(), "there is no class number 0 in this world; add it first. There are: rock, red, blue");
    world.for_each(blue, [](spark&) { ADD_FAILURE(); });
}

TEST_F(two_classes_of_one_type, S4_3_have_keys_that_are_found_by_name) {
    EXPECT_EQ(world.key<spark>("red"), red);
    EXPECT_EQ(world.key<spark>(red.number()), red);
    EXPECT_FALSE(world.key<rock>("red")) << "of another type";
    EXPECT_FALSE(world.key<spark>("green"));
    EXPECT_EQ(world.add<spark>("red").key(), red) << "refused, because it is there";
    EXPECT_FALSE(world.add<rock>("red").key());
    EXPECT_FALSE(world.add<rock>("").key());
    EXPECT_FALSE(class_key<spark>());
    const misuse_log quiet;
    EXPECT_EQ(world.spawn(class_key<spark>()).why(), spawn_refusal::no_class);
    EXPECT_EQ(world.spawn(class_key<spark>(rocks.number())).why(), spawn_refusal::no_class)
        << "a number of another type";
}

/// Types that share places in the table of the world.
template <int N>
struct numbered {
    int value = N;
};

template <int N>
void add_one_or_two(lido::world& world) {
    world.add<numbered<N>>("a" + std::to_string(N));
    if (N % 3 == 0) world.add<numbered<N>>("b" + std::to_string(N));
}
template <int N>
void expect_one_is_found_alone(lido::world& world) {
    EXPECT_EQ(static_cast<bool>(world.spawn<numbered<N>>()), N % 3 != 0) << N;
}
template <int N>
void remove_some(lido::world& world) {
    if (N % 2 == 0) world.remove("a" + std::to_string(N));
}
template <int N>
void expect_what_is_left(lido::world& world) {
    EXPECT_EQ(static_cast<bool>(world.spawn<numbered<N>>()), N % 2 == 0 ? N % 3 == 0 : N % 3 != 0) << N;
    EXPECT_EQ(world.has<numbered<N>>(), N % 2 != 0 || N % 3 == 0) << N;
}
template <int... N>
void with_many(lido::world& world, std::integer_sequence<int, N...>) {
    const misuse_log quiet;
    (add_one_or_two<N>(world), ...);
    (expect_one_is_found_alone<N>(world), ...);
    (remove_some<N>(world), ...);
    (expect_what_is_left<N>(world), ...);
}

TEST(a_type_of_a_world, S4_3_names_a_class_only_while_it_is_the_only_one_of_its_type_among_many) {
    lido::world world;
    with_many(world, std::make_integer_sequence<int, 18>());
    world.end();
}

}  // namespace world_class_key_test
