// S4.1, S4.2: what is said of classes in code and by configure(), in which role they are built, and the start.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace world_settings_test {

using lido::on_full;
using lido::role;
using lido::spawn_refusal;
using lido::ticks;
using lido::test::misuse_log;

struct spark {
    int value = 0;
};
struct crate {
    int value = 0;
};

constexpr role roles[] = {role::standalone, role::client, role::listen_server, role::dedicated_server};

class a_class_in_a_role : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(a_class_in_a_role, S4_1_S4_2_is_built_only_where_it_may_be) {
    const role mine = roles[std::get<0>(GetParam())];
    const role allowed = roles[std::get<1>(GetParam())];
    lido::role_set only{false, false, false, false};
    if (allowed == role::standalone) only.standalone = true;
    if (allowed == role::client) only.client = true;
    if (allowed == role::listen_server) only.listen_server = true;
    if (allowed == role::dedicated_server) only.dedicated_server = true;
    lido::world world(mine);
    EXPECT_EQ(world.as(), mine);
    EXPECT_TRUE(world.add<spark>("spark", {.prewarm = 3, .roles = only}));
    EXPECT_TRUE(world.add<crate>("crate"));
    const auto report = world.start();
    misuse_log log;
    const auto it = world.spawn<spark>();
    if (mine == allowed) {
        EXPECT_EQ(report.built, (std::vector<std::string>{"spark", "crate"}));
        EXPECT_TRUE(report.skipped.empty());
        EXPECT_TRUE(it);
        EXPECT_EQ(world.stats<spark>().pool.created, 3u);
    } else {
        EXPECT_EQ(report.built, std::vector<std::string>{"crate"});
        ASSERT_EQ(report.skipped.size(), 1u);
        EXPECT_EQ(report.skipped[0].name, "spark");
        EXPECT_EQ(report.skipped[0].why, "its settings do not let a " + std::string(to_string(mine)) + " build it");
        EXPECT_EQ(it.why(), spawn_refusal::not_in_this_role);
        EXPECT_EQ(world.spawn("spark").why, spawn_refusal::not_in_this_role);
        EXPECT_EQ(log.count(), 0u) << "nobody's mistake: quiet";
        EXPECT_EQ(world.stats<spark>().pool.created, 0u);
        EXPECT_FALSE(world.stats<spark>().built);
        EXPECT_EQ(world.stats<spark>().counters.refused, 2u);
        EXPECT_EQ(world.return_all<spark>(), 0u);
        EXPECT_EQ(world.trim<spark>(), 0u);
        EXPECT_EQ(world.add<spark>("late", {.roles = only}).why,
                  "its settings do not let a " + std::string(to_string(mine)) + " build it");
        int visited = 0;
        world.for_each<spark>([&](spark&) { ++visited; });
        EXPECT_EQ(visited, 0);
        world.tick();
        EXPECT_TRUE(world.validate());
        EXPECT_EQ(world.end().active(), 0u);
    }
}
INSTANTIATE_TEST_SUITE_P(roles, a_class_in_a_role, testing::Combine(testing::Range(0, 4), testing::Range(0, 4)));

TEST(adding_a_class, S4_2_twice_is_refused_and_says_so) {
    lido::world world;
    const auto first = world.add<spark>("spark", {.capacity = 7});
    EXPECT_TRUE(first);
    const auto second = world.add<crate>("spark");
    EXPECT_FALSE(second);
    EXPECT_EQ(second.number, first.number);
    EXPECT_EQ(second.why, "there is a class spark already");
    EXPECT_FALSE(world.add<spark>("spark"));
    EXPECT_EQ(world.class_count(), 1u);
    EXPECT_EQ(world.stats("spark").type, lido::type_name<spark>()) << "the first stays";
}

TEST(adding_a_class, S4_2_needs_a_name) {
    lido::world world;
    EXPECT_EQ(world.add<spark>("").why, "a class needs a name");
    EXPECT_EQ(world.class_count(), 0u);
    EXPECT_TRUE(world.add<spark>());
    EXPECT_EQ(world.stats(0).name, lido::type_name<spark>());
}

TEST(adding_a_class, S4_2_to_a_world_that_runs_builds_it_at_once) {
    lido::world world;
    world.start();
    const auto added = world.add<spark>("spark", {.prewarm = 5});
    EXPECT_TRUE(added);
    EXPECT_EQ(added.why, "");
    EXPECT_EQ(world.stats<spark>().pool.idle, 5u);
    EXPECT_TRUE(world.spawn<spark>());
    EXPECT_FALSE(world.add<spark>("spark"));
}

TEST(adding_a_class, S4_2_again_after_it_was_removed_is_a_new_class) {
    lido::world world;
    EXPECT_EQ(world.add<spark>("spark").number, 0u);
    static_cast<void>(world.spawn<spark>());
    world.remove("spark");
    EXPECT_EQ(world.add<spark>("spark").number, 1u);
    EXPECT_EQ(world.active<spark>(), 0u);
    EXPECT_TRUE(world.spawn<spark>());
    EXPECT_EQ(world.stats(0).name, "");
    EXPECT_EQ(world.stats(1).name, "spark");
}

TEST(adding_a_class, S4_3_works_for_hundreds) {
    lido::world world;
    for (int i = 0; i < 300; ++i) EXPECT_TRUE(world.add<crate>("crate" + std::to_string(i)));
    EXPECT_TRUE(world.add<spark>("spark"));
    EXPECT_EQ(lido::any_ref(world.spawn<spark>()).class_of(), 300u);
    EXPECT_EQ(world.spawn("crate299").which.class_of(), 299u);
    for (int i = 0; i < 299; ++i) world.remove("crate" + std::to_string(i));
    EXPECT_EQ(lido::any_ref(world.spawn<crate>()).class_of(), 299u) << "the one that is left";
}

TEST(a_start, S4_2_comes_by_itself_with_the_first_spawn_or_tick) {
    for (int how = 0; how < 3; ++how) {
        lido::world world;
        world.add<spark>("spark", {.prewarm = 4});
        world.add<crate>("crate", {.prewarm = 2});
        EXPECT_FALSE(world.started());
        EXPECT_FALSE(world.stats<spark>().built);
        if (how == 0) static_cast<void>(world.spawn<spark>());
        if (how == 1) static_cast<void>(world.spawn("spark"));
        if (how == 2) world.tick();
        EXPECT_TRUE(world.started());
        EXPECT_EQ(world.stats<spark>().pool.created, 4u);
        EXPECT_EQ(world.stats<crate>().pool.created, 2u);
        EXPECT_TRUE(world.start().built.empty()) << "once";
    }
}

TEST(a_start, X11_in_slices_makes_so_many_a_tick_and_says_how_far_it_is) {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 10});
    world.add<crate>("crate", {.prewarm = 5});
    const auto report = world.start({.objects_a_tick = 4});
    EXPECT_EQ(report.objects_left, 15u);
    EXPECT_EQ(report.built.size(), 2u);
    std::uint64_t made = 0;
    for (int i = 0; i < 4; ++i) {
        EXPECT_FALSE(world.progress().done());
        world.tick();
        const auto p = world.progress();
        EXPECT_EQ(p.wanted, 15u);
        EXPECT_LE(p.made - made, 4u);
        made = p.made;
        EXPECT_EQ(made, world.stats<spark>().pool.created + world.stats<crate>().pool.created);
    }
    EXPECT_TRUE(world.progress().done());
    world.tick();
    EXPECT_EQ(world.stats<spark>().pool.created, 10u);
    EXPECT_EQ(world.stats<crate>().pool.created, 5u);
}

TEST(a_start, X11_in_slices_serves_spawns_before_it_is_done_and_counts_what_they_took) {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 10, .capacity = 100});
    world.start({.objects_a_tick = 2});
    EXPECT_TRUE(world.spawn<spark>()) << "made for it";
    std::uint64_t made = world.progress().made;
    for (int i = 0; i < 8; ++i) {
        world.tick();
        EXPECT_TRUE(world.spawn<spark>());
        EXPECT_GE(world.progress().made, made) << "never backwards";
        made = world.progress().made;
    }
    EXPECT_TRUE(world.progress().done());
    for (int i = 0; i < 10; ++i) world.tick();
    EXPECT_EQ(world.stats<spark>().pool.created, 10u) << "ten were asked for, whoever has them";
}

TEST(a_start, S4_2_that_prewarms_more_than_there_is_room_for_is_bounded_by_the_settings) {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 8, .capacity = 4, .on_full = on_full::reject});
    world.start();
    EXPECT_EQ(world.stats<spark>().pool.created, 8u) << "at least as many as are prewarmed may be active";
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(world.spawn<spark>());
    EXPECT_FALSE(world.spawn<spark>());
}

// --- configure ---------------------------------------------------------------------------------------------------------------

lido::settings_table table_of(lido::settings_entry e) {
    lido::settings_table t;
    t.source = "pools.toml";
    t.classes.push_back(std::move(e));
    return t;
}

/// A class in lines of a file, each setting on its own line, from 2.
lido::settings_entry everything(const std::string& name) {
    lido::settings_entry e;
    e.name = name;
    e.line = 1;
    e.settings = {.prewarm = 6,
                  .max_lifetime = ticks{90},
                  .roles = {.client = false},
                  .capacity = 12,
                  .on_full = on_full::grow_to(64),
                  .headroom = {.above_percent = 80, .priority = 3},
                  .idle_cap = 32,
                  .trim = {.after = ticks{60}, .margin = 8, .most_a_tick = 4}};
    e.given = {true, true, true, true, true, true, true, true};
    e.lines = {2, 3, 4, 5, 6, 7, 8, 9};
    return e;
}

TEST(configure, S4_1_before_the_start_takes_all_of_it_over) {
    lido::world world(role::client);
    world.add<spark>("spark");
    const auto report = world.configure(table_of(everything("spark")));
    EXPECT_TRUE(report);
    EXPECT_EQ(report.applied, std::vector<std::string>{"spark"});
    EXPECT_TRUE(report.cannot.empty());
    EXPECT_EQ(world.start().skipped.size(), 1u) << "not for clients, the file said";
}

TEST(configure, S4_1_leaves_what_the_file_did_not_give) {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 3, .max_lifetime = ticks{2}});
    lido::settings_entry e;
    e.name = "spark";
    e.settings.prewarm = 5;
    e.given.prewarm = true;
    EXPECT_TRUE(world.configure(table_of(e)));
    world.start();
    EXPECT_EQ(world.stats<spark>().pool.idle, 5u);
    EXPECT_EQ(world.lifetime_left(world.spawn<spark>()), ticks{2});
}

TEST(configure, S4_1_of_a_class_that_is_not_there_waits_for_it_and_names_those_there_are) {
    lido::world world;
    world.add<spark>("spark");
    world.add<crate>("crate");
    lido::settings_table table = table_of(everything("spark"));
    lido::settings_entry unknown;
    unknown.name = "sparks";
    unknown.line = 14;
    table.classes.push_back(unknown);
    const auto report = world.configure(table);
    EXPECT_TRUE(report);
    EXPECT_EQ(report.applied, std::vector<std::string>{"spark"});
    const std::vector<std::string> waits{
        "pools.toml:14: there is no class sparks in this world; the settings wait until it is added. There are: spark, "
        "crate"};
    EXPECT_EQ(report.unused, waits);
    EXPECT_EQ(world.unused_settings(), waits);
}

TEST(configure, S4_1_of_what_a_class_cannot_have_applies_nothing_and_says_where) {
    lido::world world;
    world.add<spark>("spark");
    world.add<crate>("crate");
    lido::settings_table table = table_of(everything("spark"));
    lido::settings_entry wrong;
    wrong.name = "crate";
    wrong.line = 20;
    wrong.settings.on_full = on_full::merge;
    wrong.given.on_full = true;
    wrong.lines.on_full = 22;
    table.classes.push_back(wrong);
    EXPECT_EQ(world.configure(table).error,
              "pools.toml:22: crate: on_full merge needs `bool merge(const T& newcomer)` in the class");
    world.start();
    EXPECT_EQ(world.stats<spark>().pool.created, 0u);
    EXPECT_EQ(world.configure(table).error,
              "pools.toml:22: crate: on_full merge needs `bool merge(const T& newcomer)` in the class");
}

TEST(configure, S4_1_a_complaint_names_the_line_of_its_setting) {
    lido::world world;
    world.add<spark>("spark");
    lido::settings_entry e;
    e.name = "spark";
    e.settings.prewarm = 5;
    e.settings.idle_cap = 4;
    e.settings.on_full = on_full::grow_to(64);
    e.given.prewarm = e.given.idle_cap = e.given.on_full = true;
    e.line = 1;
    e.lines.prewarm = 2;
    e.lines.idle_cap = 3;
    e.lines.on_full = 4;
    EXPECT_EQ(world.configure(table_of(e)).error,
              "pools.toml:2: spark: prewarm is more than idle_cap, so the last of them could not wait");
}

TEST(configure, S4_1_at_run_time_names_only_what_differs) {
    lido::world world;
    world.add<spark>("spark", {.trim = {.after = ticks{60}, .margin = 4}});
    world.start();
    lido::settings_entry e;
    e.name = "spark";
    e.settings.trim = {.after = ticks{60}, .margin = 8};
    e.given.trim = e.given.max_lifetime = true;
    const auto first = world.configure(table_of(e));
    EXPECT_EQ(first.applied, std::vector<std::string>{"spark.trim.margin is 8 now"});
    const auto again = world.configure(table_of(e));
    EXPECT_TRUE(again.applied.empty() && again.cannot.empty() && again.error.empty());
}

TEST(configure, X11_at_run_time_makes_more_objects_with_the_next_tick) {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 2, .capacity = 50});
    world.start();
    lido::settings_entry e;
    e.name = "spark";
    e.settings.prewarm = 20;
    e.given.prewarm = true;
    EXPECT_TRUE(world.configure(table_of(e)));
    EXPECT_EQ(world.stats<spark>().pool.created, 2u);
    world.tick();
    EXPECT_EQ(world.stats<spark>().pool.created, 20u);
    EXPECT_TRUE(world.progress().done());
}

TEST(a_class, S4_1_is_not_asked_for_more_objects_ahead_than_a_file_may_ask_for) {
    lido::world world;
    EXPECT_EQ(world.add<spark>("spark", {.prewarm = 0xffffffff}).why,
              "spark: prewarm is 4294967295; it must be 0 to 16777216");
    EXPECT_FALSE(world.has("spark"));
}

TEST(a_name, S4_1_with_characters_that_a_terminal_acts_on_is_spelled_out_in_messages) {
    lido::world world;
    lido::test::misuse_log log;
    const std::string evil =
        "a\x1b[2Jb\n\x7f\xc2\x9b"
        "c\xc3\xa9";
    const std::string shown =
        "a\\x1b[2Jb\\x0a\\x7f\xc2\\x9b"
        "c\xc3\xa9";
    world.add<spark>(evil);
    EXPECT_EQ(world.stats(0).name, evil);
    EXPECT_EQ(world.add<spark>(evil).why, "there is a class " + shown + " already");
    static_cast<void>(world.spawn("lost\r"));
    EXPECT_EQ(world.last_error(), "there is no class lost\\x0d in this world; add it first. There are: " + shown);
    static_cast<void>(world.spawn(evil, {}, 7));
    EXPECT_EQ(world.last_error().substr(0, shown.size()), shown);
    for (const auto& told : log.all()) {
        EXPECT_EQ((told.pool + told.what).find_first_of("\x1b\r\n"), std::string::npos) << told.what;
    }
    lido::settings_table table{.source = "text", .classes = {{}}};
    table.classes[0].name = "x\x1b";
    EXPECT_EQ(world.configure(table).error.find('\x1b'), std::string::npos);
    EXPECT_TRUE(world.spawn(evil));
    world.end();
}

/// Writes down how it was put into use, or out of it.
struct switched {
    static inline std::string log = {};
    void set_in_use(bool on) { log += on ? "+" : "-"; }
    bool unused = false;
};

TEST(an_object_made_ahead, S4_2_starts_out_of_use) {
    switched::log.clear();
    lido::world world;
    world.add<switched>("switched", {.prewarm = 2});
    world.start();
    EXPECT_EQ(switched::log, "--");
    const auto first = world.spawn<switched>();
    EXPECT_EQ(switched::log, "--+");
    static_cast<void>(world.spawn<switched>());
    static_cast<void>(world.spawn<switched>());
    EXPECT_EQ(switched::log, "--+++") << "one that is made for a spawn is put into use at once";
    EXPECT_TRUE(world.return_to_pool(first.reference()));
    EXPECT_EQ(switched::log, "--+++-");
    world.end();
    switched::log.clear();
    lido::world sliced;
    sliced.add<switched>("switched", {.prewarm = 3}, {.create = [] { return switched(); }});
    sliced.start({.objects_a_tick = 1});
    sliced.tick();
    EXPECT_EQ(switched::log, "-");
    sliced.end();
}

}  // namespace world_settings_test
