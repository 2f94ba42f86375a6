// S4.1: what configure() changes while a world runs, what it says of the rest, and what settings do to classes that come later.
#include <lido/world/settings_file.hpp>
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace world_settings_running_test {

using lido::configure_report;
using lido::on_full;
using lido::spawn_refusal;
using lido::ticks;
using lido::test::misuse_log;
using lines = std::vector<std::string>;

struct spark {
    int value = 0;
};
struct crate {
    int value = 0;
    bool merge(const crate& newcomer) {
        value += newcomer.value + 1;
        return true;
    }
    bool old = false;
    [[nodiscard]] bool replaceable() const { return old; }
};
/// Its options can honour nothing but growth.
struct plain {
    static constexpr lido::options pool_options = {.forensics = false};
    int value = 0;
};

[[nodiscard]] lido::settings_table file(std::string_view text, std::string_view source = "pools.toml") {
    const lido::settings_result r = lido::parse_settings(text, source);
    EXPECT_TRUE(r) << r.error;
    return r.table;
}

[[nodiscard]] std::uint32_t fill(lido::world& world, std::string_view name) {
    std::uint32_t count = 0;
    while (world.spawn(name)) ++count;
    return count;
}

// --- caps ------------------------------------------------------------------------------------------------------------------------

TEST(a_cap, S4_1_is_raised_as_far_as_the_class_reserved) {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 4, .on_full = on_full::grow_to(8), .reserve = 100});
    world.start();
    EXPECT_EQ(fill(world, "spark"), 8u);
    const configure_report done = world.configure(file("[class.spark]\ngrow_to = 100\n"));
    ASSERT_TRUE(done);
    EXPECT_EQ(done.applied, lines{"spark.on_full is grow_to 100, then reject now"});
    EXPECT_TRUE(done.cannot.empty());
    EXPECT_EQ(fill(world, "spark"), 92u);
    EXPECT_TRUE(world.validate());
}

TEST(a_cap, S4_1_beyond_what_was_reserved_says_what_reserves_it) {
    lido::world world;
    world.add<spark>("spark", {.on_full = on_full::grow_to(8)});
    world.start();
    EXPECT_EQ(world.configure(file("[class.spark]\ngrow_to = 9\n")).cannot,
              lines{"pools.toml:2: spark.on_full cannot change while the world runs: it needs address space for 9 "
                    "objects, and the class has reserved it for 8; reserve = 9 does so from the next start on"});
    EXPECT_EQ(fill(world, "spark"), 8u);
    EXPECT_EQ(
        world.configure(file("[class.spark]\nreserve = 9\n")).cannot,
        lines{"pools.toml:2: spark.reserve cannot change while the world runs: address space is reserved when the "
              "class is built; it holds from the next start on"});
}

TEST(a_cap, S4_1_is_not_lowered_because_a_save_of_more_objects_must_still_fit) {
    lido::world world;
    world.add<spark>("spark", {.capacity = 4, .on_full = on_full::grow_to(8)});
    world.start();
    const std::string fewer =
        ": the class may have 8 objects, and that can only be raised; fewer hold from the next start on";
    EXPECT_EQ(world.configure(file("[class.spark]\ngrow_to = 7\n")).cannot,
              lines{"pools.toml:2: spark.on_full cannot change while the world runs" + fewer});
    EXPECT_EQ(world.configure(file("[class.spark]\non_full = \"reject\"\n")).cannot,
              lines{"pools.toml:2: spark.on_full cannot change while the world runs" + fewer});
    EXPECT_EQ(
        world.configure(file("[class.spark]\ncapacity = 3\n")).cannot,
        lines{"pools.toml:2: spark.capacity cannot change while the world runs: it can only be raised; a lower one "
              "holds from the next start on"});
    EXPECT_EQ(fill(world, "spark"), 8u);
}

TEST(a_capacity, S4_1_is_raised_for_a_class_that_does_not_grow) {
    lido::world world;
    world.add<spark>("spark", {.capacity = 4, .on_full = on_full::reject, .reserve = 10});
    world.start();
    EXPECT_EQ(fill(world, "spark"), 4u);
    EXPECT_EQ(world.configure(file("[class.spark]\ncapacity = 10\n")).applied, lines{"spark.capacity is 10 now"});
    EXPECT_EQ(fill(world, "spark"), 6u);
    world.return_all();
    world.trim<spark>();
    EXPECT_EQ(world.stats<spark>().pool.capacity, 10u);
}

TEST(settings_that_need_each_other, S4_1_are_taken_in_whatever_order_they_can_be) {
    lido::world world;
    world.add<spark>("spark",
                     {.prewarm = 4, .capacity = 4, .on_full = on_full::grow_to(8), .idle_cap = 4, .reserve = 64});
    world.start();
    const configure_report up =
        world.configure(file("[class.spark]\nprewarm = 32\ncapacity = 32\ngrow_to = 64\nidle_cap = 32\n"));
    EXPECT_TRUE(up.cannot.empty()) << up.cannot[0];
    EXPECT_EQ(up.applied, (lines{"spark.prewarm is 32 now", "spark.capacity is 32 now",
                                 "spark.on_full is grow_to 64, then reject now", "spark.idle_cap is 32 now"}));
    world.tick();
    EXPECT_EQ(world.stats<spark>().pool.idle, 32u);
    const configure_report down = world.configure(file("[class.spark]\nidle_cap = 2\nprewarm = 2\n"));
    EXPECT_TRUE(down.cannot.empty()) << down.cannot[0];
    world.tick();
    EXPECT_EQ(world.stats<spark>().pool.idle, 2u);
    EXPECT_TRUE(world.validate());
}

TEST(settings_that_need_each_other, S4_1_cannot_change_where_one_of_them_cannot) {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 4, .on_full = on_full::grow_to(8)});
    world.start();
    const configure_report r = world.configure(file("[class.spark]\nprewarm = 20\ngrow_to = 40\nmax_lifetime = 5\n"));
    EXPECT_EQ(r.applied, lines{"spark.max_lifetime is 5 now"});
    ASSERT_EQ(r.cannot.size(), 2u);
    EXPECT_EQ(r.cannot[0],
              "pools.toml:2: spark.prewarm cannot change while the world runs: grow_to is less than the "
              "capacity or the prewarm");
    EXPECT_NE(r.cannot[1].find("reserve = 40"), std::string::npos) << r.cannot[1];
    world.tick();
    EXPECT_EQ(world.stats<spark>().pool.created, 4u);
}

// --- what a full class does ------------------------------------------------------------------------------------------------------

TEST(what_a_full_class_does, S4_4_changes_to_any_ending_that_its_options_can_honour) {
    lido::world world;
    world.add<crate>("crate", {.capacity = 3, .on_full = on_full::reject});
    world.start();
    lido::ref<crate> live[3];
    for (auto& one : live) one = world.spawn<crate>();
    EXPECT_EQ(world.spawn<crate>().why(), spawn_refusal::full);

    EXPECT_EQ(world.configure(file("[class.crate]\non_full = \"replace_oldest\"\n")).applied,
              lines{"crate.on_full is replace_oldest now"});
    EXPECT_TRUE(world.spawn<crate>());
    EXPECT_FALSE(world.lives(live[0])) << "the first place: those that lived were all as old";
    EXPECT_TRUE(world.spawn<crate>());
    EXPECT_FALSE(world.lives(live[1]));

    EXPECT_TRUE(world.configure(file("[class.crate]\non_full = \"merge\"\n")));
    EXPECT_EQ(world.spawn<crate>().why(), spawn_refusal::merged);
    EXPECT_TRUE(world.configure(file("[class.crate]\non_full = \"replace_if\"\n")));
    EXPECT_EQ(world.spawn<crate>().why(), spawn_refusal::full);
    world.get(live[2])->old = true;
    EXPECT_TRUE(world.spawn<crate>());
    EXPECT_FALSE(world.lives(live[2]));
    EXPECT_TRUE(world.configure(file("[class.crate]\non_full = \"replace_lowest\"\n")));
    EXPECT_TRUE(world.spawn_as<crate>({.priority = 2}));
    EXPECT_TRUE(world.configure(file("[class.crate]\non_full = \"reject\"\n")));
    EXPECT_EQ(world.spawn<crate>().why(), spawn_refusal::full);
    EXPECT_TRUE(world.validate());
}

TEST(what_a_full_class_does, S4_1_that_its_options_cannot_honour_is_an_error_and_nothing_is_applied) {
    lido::world world;
    world.add<spark>("spark");
    world.add<plain>("plain", {.capacity = 3, .on_full = on_full::reject});
    world.start();
    const configure_report r =
        world.configure(file("[class.spark]\nmax_lifetime = 5\n[class.plain]\non_full = \"replace_oldest\"\n"));
    EXPECT_EQ(r.error, "pools.toml:4: plain: on_full replace_oldest needs pool_options that track ages in the class");
    EXPECT_TRUE(r.applied.empty());
    EXPECT_EQ(world.lifetime_left(world.spawn<spark>()), ticks{});
}

TEST(headroom, S4_4_changes_while_the_world_runs) {
    lido::world world;
    world.add<spark>("spark", {.capacity = 10, .on_full = on_full::reject});
    world.start();
    EXPECT_EQ(world.configure(file("[class.spark]\nheadroom = { above_percent = 50, priority = 3 }\n")).applied,
              (lines{"spark.headroom.above_percent is 50 now", "spark.headroom.priority is 3 now"}));
    EXPECT_EQ(fill(world, "spark"), 5u);
    EXPECT_EQ(world.spawn<spark>().why(), spawn_refusal::headroom);
    EXPECT_TRUE(world.spawn_as<spark>({.priority = 3}));
}

// --- idle objects, objects ahead ----------------------------------------------------------------------------------------------------

TEST(an_idle_cap, X11_that_is_lowered_lets_surplus_go_so_many_a_tick) {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 20, .trim = {.most_a_tick = 8}});
    world.start();
    EXPECT_EQ(world.configure(file("[class.spark]\nprewarm = 0\nidle_cap = 3\n")).applied,
              (lines{"spark.prewarm is 0 now", "spark.idle_cap is 3 now"}));
    const auto one = world.spawn<spark>();
    EXPECT_EQ(world.stats<spark>().pool.idle, 19u) << "by ticks, not by the call";
    std::vector<std::uint32_t> idle;
    for (int i = 0; i < 4; ++i) {
        world.tick();
        idle.push_back(world.stats<spark>().pool.idle);
    }
    EXPECT_EQ(idle, (std::vector<std::uint32_t>{11, 3, 3, 3}));
    EXPECT_TRUE(world.return_to_pool(one.reference()));
    EXPECT_EQ(world.stats<spark>().pool.idle, 3u) << "one more may not wait";
    EXPECT_TRUE(world.validate());
}

TEST(an_idle_cap, S4_1_that_is_raised_keeps_more) {
    lido::world world;
    world.add<spark>("spark", {.capacity = 8, .on_full = on_full::reject, .idle_cap = 2});
    world.start();
    static_cast<void>(fill(world, "spark"));
    EXPECT_EQ(world.configure(file("[class.spark]\nidle_cap = 6\n")).applied, lines{"spark.idle_cap is 6 now"});
    world.return_all();
    EXPECT_EQ(world.stats<spark>().pool.idle, 6u);
    EXPECT_NE(world.configure(file("[class.spark]\nidle_cap = 9\n")).cannot.at(0).find("reserve = 9"),
              std::string::npos);
}

TEST(a_prewarm, X11_of_a_class_that_grows_is_raised_and_made_in_slices) {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 2});
    world.start({.objects_a_tick = 4});
    world.tick();
    ASSERT_EQ(world.stats<spark>().pool.idle, 2u);
    EXPECT_EQ(world.configure(file("[class.spark]\nprewarm = 13\n")).applied, lines{"spark.prewarm is 13 now"});
    EXPECT_EQ(world.stats<spark>().pool.idle, 2u);
    EXPECT_EQ(world.progress().wanted - world.progress().made, 11u);
    for (std::uint32_t i = 0; i < 3; ++i) {
        world.tick();
        EXPECT_EQ(world.stats<spark>().pool.idle, (std::min)(2u + 4 * (i + 1), 13u));
    }
    EXPECT_TRUE(world.progress().done());
}

TEST(a_prewarm, S4_1_that_a_class_with_a_cap_has_no_room_for_is_not_promised) {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 2, .on_full = on_full::reject});
    world.start();
    EXPECT_EQ(world.configure(file("[class.spark]\nprewarm = 3\n")).cannot,
              lines{"pools.toml:2: spark.prewarm cannot change while the world runs: it needs address space for 3 "
                    "objects, and the class has reserved it for 2; reserve = 3 does so from the next start on"});
    world.tick();
    EXPECT_EQ(world.stats<spark>().pool.created, 2u);
}

// --- the rest ------------------------------------------------------------------------------------------------------------------------

TEST(a_lifetime_and_a_trim, S4_1_change_for_what_comes) {
    lido::world world;
    world.add<spark>("spark");
    world.start();
    const auto before = world.spawn<spark>();
    const configure_report done =
        world.configure(file("[class.spark]\nmax_lifetime = 90\ntrim = { after = 60, margin = 8 }\n"));
    EXPECT_EQ(done.applied,
              (lines{"spark.max_lifetime is 90 now", "spark.trim.after is 60 now", "spark.trim.margin is 8 now"}));
    EXPECT_EQ(world.lifetime_left(before), ticks{}) << "lives that run go on as they began";
    EXPECT_EQ(world.lifetime_left(world.spawn<spark>()), ticks{90});
}

TEST(roles, S4_1_do_not_change_while_the_world_runs) {
    lido::world world;
    world.add<spark>("spark");
    world.add<crate>("crate", {.roles = {.standalone = false}});
    world.start();
    EXPECT_EQ(
        world.configure(file("[class.spark]\nroles = [\"client\"]\n[class.crate]\nroles = [\"standalone\"]\n")).cannot,
        (lines{"pools.toml:2: spark.roles cannot change while the world runs: a class is built, or not, when the "
               "world starts",
               "pools.toml:4: crate.roles cannot change while the world runs: a class is built, or not, when the "
               "world starts"}));
    EXPECT_TRUE(world.spawn<spark>());
}

TEST(a_class_that_is_not_built, S4_1_takes_all_but_its_roles_over) {
    lido::world world;
    world.add<spark>("spark", {.roles = {.standalone = false}});
    world.start();
    const configure_report r = world.configure(file("[class.spark]\ncapacity = 9\nreserve = 20\n"));
    EXPECT_EQ(r.applied, (lines{"spark.capacity is 9 now", "spark.reserve is 20 now"}));
    EXPECT_TRUE(r.cannot.empty());
}

TEST(leaks, S4_1_are_reported_or_not_as_configured_last) {
    misuse_log log;
    {
        lido::world world;
        world.add<spark>("spark");
        world.start();
        EXPECT_EQ(world.configure(file("[class.spark]\nleaks = \"allow\"\n")).applied,
                  lines{"spark.leaks is allow now"});
        static_cast<void>(world.spawn<spark>());
    }
    EXPECT_EQ(log.count(), 0u);
}

TEST(configure, S4_1_that_repeats_what_holds_changes_nothing_and_says_so) {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 4, .on_full = on_full::grow_to(8)});
    world.start();
    const configure_report r = world.configure(file("[class.spark]\nprewarm = 4\ngrow_to = 8\n"));
    EXPECT_TRUE(r);
    EXPECT_TRUE(r.applied.empty());
    EXPECT_TRUE(r.cannot.empty());
}

TEST(configure, S4_1_from_inside_a_hook_is_refused) {
    lido::world world;
    world.add<spark>("spark", {.max_lifetime = ticks{1}});
    world.start();
    misuse_log log;
    configure_report inside;
    const lido::settings_table more = file("[class.spark]\nmax_lifetime = 7\n");
    world.after(ticks{1}, [&] { inside = world.configure(more); });
    world.tick();
    EXPECT_FALSE(inside);
    EXPECT_EQ(inside.error, "configure() was called from inside a hook, listener or timer: call it between ticks");
    EXPECT_EQ(log.only().kind, lido::misuse_kind::reentrant_call);
    EXPECT_EQ(world.lifetime_left(world.spawn<spark>()), ticks{1});
}

TEST(check_settings, S4_1_says_what_configure_would_and_changes_nothing) {
    lido::world world;
    world.add<spark>("spark", {.on_full = on_full::grow_to(8)});
    world.start();
    const lido::settings_table table =
        file("[class.spark]\nmax_lifetime = 7\ngrow_to = 9\n[class.spork]\nprewarm = 1\n");
    const configure_report would = world.check_settings(table);
    EXPECT_EQ(world.lifetime_left(world.spawn<spark>()), ticks{});
    EXPECT_TRUE(world.unused_settings().empty());
    const configure_report done = world.configure(table);
    EXPECT_EQ(would.applied, done.applied);
    EXPECT_EQ(would.cannot, done.cannot);
    EXPECT_EQ(would.unused, done.unused);
    EXPECT_EQ(done.applied.size() + done.cannot.size() + done.unused.size(), 3u);
}

// --- classes that are added later ------------------------------------------------------------------------------------------------------

TEST(a_class_that_is_added_later, S4_1_gets_what_the_file_said_over_what_the_code_says) {
    for (const bool running : {false, true}) {
        lido::world world;
        if (running) world.start();
        const configure_report r =
            world.configure(file("[class.spark]\nprewarm = 3\n[class.crate]\nmax_lifetime = 8\n"));
        EXPECT_TRUE(r);
        EXPECT_EQ(r.unused.size(), 2u);
        EXPECT_EQ(world.unused_settings().size(), 2u);
        const auto added = world.add<spark>("spark", {.prewarm = 1, .max_lifetime = ticks{5}});
        EXPECT_TRUE(added);
        EXPECT_EQ(added.why, "");
        EXPECT_EQ(world.unused_settings(),
                  lines{"pools.toml:3: there is no class crate in this world; the settings wait until it is added. "
                        "There are: spark"});
        world.start();
        EXPECT_EQ(world.stats<spark>().pool.idle, 3u) << "the file";
        EXPECT_EQ(world.lifetime_left(world.spawn<spark>()), ticks{5}) << "the code, where the file says nothing";
    }
}

TEST(a_class_that_is_added_later, S4_1_once_more_after_its_removal_gets_it_again) {
    lido::world world;
    world.add<spark>("spark");
    ASSERT_TRUE(world.configure(file("[class.spark]\nmax_lifetime = 8\n")));
    world.start();
    world.remove("spark");
    world.add<spark>("spark");
    EXPECT_EQ(world.lifetime_left(world.spawn<spark>()), ticks{8});
    EXPECT_TRUE(world.unused_settings().empty());
}

TEST(a_class_that_is_added_later, S4_1_gets_what_a_file_says_now_and_of_several_files_the_last_word) {
    lido::world world;
    ASSERT_TRUE(world.configure(file("[class.spark]\nprewarm = 3\nmax_lifetime = 8\n", "base.toml")));
    ASSERT_TRUE(world.configure(file("[class.spark]\nprewarm = 4\n", "mine.toml")));
    ASSERT_TRUE(world.configure(file("[class.spark]\nprewarm = 5\n", "mine.toml")));
    world.add<spark>("spark");
    ASSERT_TRUE(world.configure(file("", "mine.toml")));
    world.start();
    EXPECT_EQ(world.stats<spark>().pool.idle, 5u);
    EXPECT_EQ(world.lifetime_left(world.spawn<spark>()), ticks{8});
    world.remove("spark");
    world.add<spark>("spark");
    EXPECT_EQ(world.stats<spark>().pool.idle, 3u) << "mine.toml says nothing any more";
}

TEST(a_class_that_is_added_later, S4_1_and_cannot_have_what_the_file_said_is_added_without_and_says_so) {
    lido::world world;
    world.start();
    ASSERT_TRUE(world.configure(file("[class.plain]\nprewarm = 2\non_full = \"merge\"\n")));
    misuse_log log;
    const auto added = world.add<plain>("plain", {.prewarm = 1});
    EXPECT_TRUE(added);
    EXPECT_EQ(added.why,
              "pools.toml:3: plain: on_full merge needs `bool merge(const T& newcomer)` in the class; nothing "
              "that was kept for the class is applied");
    EXPECT_EQ(log.only().kind, lido::misuse_kind::bad_setting);
    EXPECT_EQ(world.stats<plain>().pool.idle, 1u);
    EXPECT_TRUE(world.unused_settings().empty());
}

}  // namespace world_settings_running_test
