// S4.1, X11: settings are no state. A restore leaves them, brings what is older than a change up to them, and replays go on exactly.
#include <lido/world/world.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace world_settings_rewind_test {

using lido::on_full;
using lido::ticks;

struct spark {
    std::uint32_t value = 0;
};

/// A table with one class in it; `change` sets what is given.
template <class Change>
[[nodiscard]] lido::settings_table table_of(Change change) {
    lido::settings_entry e;
    e.name = "spark";
    change(e.settings, e.given);
    lido::settings_table t;
    t.classes.push_back(e);
    return t;
}
void raise_cap(lido::class_settings& s, lido::settings_given& given) {
    s.on_full = on_full::grow_to(64);
    s.capacity = 20;
    given.on_full = given.capacity = true;
}
void lower_idle_cap(lido::class_settings& s, lido::settings_given& given) {
    s.idle_cap = 4;
    given.idle_cap = true;
}
void replace_the_oldest(lido::class_settings& s, lido::settings_given& given) {
    s.on_full = on_full::grow_to(16).then(on_full::replace_oldest);
    given.on_full = true;
}
void make_more_ahead(lido::class_settings& s, lido::settings_given& given) {
    s.prewarm = 12;
    given.prewarm = true;
}

TEST(a_raised_cap, S4_1_holds_after_a_restore_of_what_was_before_it) {
    lido::world world;
    world.add<spark>("spark", {.capacity = 4, .on_full = on_full::grow_to(16), .reserve = 64});
    static_cast<void>(world.spawn<spark>());
    lido::snapshot before;
    ASSERT_TRUE(world.save(before));
    ASSERT_TRUE(world.configure(table_of(raise_cap)));
    ASSERT_TRUE(world.restore(before));
    EXPECT_EQ(world.stats<spark>().pool.capacity, 20u);
    std::uint32_t count = 1;
    while (world.spawn<spark>()) ++count;
    EXPECT_EQ(count, 64u);
    EXPECT_TRUE(world.validate());
}

TEST(a_lowered_idle_cap, X11_lets_go_after_a_restore_as_it_did_the_first_time) {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 0, .trim = {.most_a_tick = 3}, .leaks = lido::leaks::allow});
    std::vector<lido::ref<spark>> live;
    for (int i = 0; i < 20; ++i) live.push_back(world.spawn<spark>());
    world.return_all();
    lido::snapshot before;
    ASSERT_TRUE(world.save(before));
    ASSERT_TRUE(world.configure(table_of(lower_idle_cap)));
    world.tick();
    lido::snapshot half_way;
    ASSERT_TRUE(world.save(half_way));
    std::vector<std::uint64_t> first;
    for (int i = 0; i < 8; ++i) {
        world.tick();
        first.push_back(world.state_hash());
    }
    EXPECT_EQ(world.stats<spark>().pool.idle, 4u);
    for (int round = 0; round < 2; ++round) {
        ASSERT_TRUE(world.restore(half_way));
        for (int i = 0; i < 8; ++i) {
            world.tick();
            EXPECT_EQ(world.state_hash(), first[static_cast<std::size_t>(i)]) << i;
        }
        ASSERT_TRUE(world.restore(before));
        for (int i = 0; i < 9; ++i) world.tick();
        EXPECT_EQ(world.state_hash(), first.back()) << "surplus that a restore brings back goes, too";
    }
    EXPECT_TRUE(world.validate());
}

TEST(an_ending_by_age, S4_4_takes_back_a_save_from_before_ages_were_kept) {
    lido::world world;
    world.add<spark>("spark", {.capacity = 2, .on_full = on_full::grow_to(16), .leaks = lido::leaks::allow});
    const auto oldest = world.spawn<spark>();
    for (int i = 0; i < 15; ++i) static_cast<void>(world.spawn<spark>());
    lido::snapshot before;
    ASSERT_TRUE(world.save(before));
    ASSERT_TRUE(world.configure(table_of(replace_the_oldest)));
    for (int round = 0; round < 2; ++round) {
        EXPECT_TRUE(world.spawn<spark>());
        EXPECT_FALSE(world.lives(oldest));
        EXPECT_EQ(world.active<spark>(), 16u);
        ASSERT_TRUE(world.restore(before));
        EXPECT_TRUE(world.lives(oldest));
        EXPECT_TRUE(world.validate());
    }
}

TEST(objects_made_ahead, S4_1_are_asked_for_again_when_a_restore_has_undone_the_request) {
    lido::world world;
    world.add<spark>("spark", {.prewarm = 2});
    world.start({.objects_a_tick = 5});
    world.tick();
    lido::snapshot before;
    ASSERT_TRUE(world.save(before));
    ASSERT_TRUE(world.configure(table_of(make_more_ahead)));
    for (int i = 0; i < 3; ++i) world.tick();
    ASSERT_EQ(world.stats<spark>().pool.idle, 12u);
    lido::snapshot after;
    ASSERT_TRUE(world.save(after));
    ASSERT_TRUE(world.restore(before));
    for (int i = 0; i < 3; ++i) world.tick();
    EXPECT_EQ(world.stats<spark>().pool.idle, 12u);
    // What was let go on purpose is not asked for again.
    world.trim<spark>();
    lido::snapshot trimmed;
    ASSERT_TRUE(world.save(trimmed));
    ASSERT_TRUE(world.restore(trimmed));
    for (int i = 0; i < 3; ++i) world.tick();
    EXPECT_EQ(world.stats<spark>().pool.idle, 0u);
}

/// Random spawns, returns and ticks, the same for the same seed.
std::vector<std::uint64_t> play(lido::world& world, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<lido::ref<spark>> live;
    world.for_each<spark>([&](spark&, lido::ref<spark> r) { live.push_back(r); });
    std::vector<std::uint64_t> hashes;
    for (int step = 0; step < 60; ++step) {
        switch (random() % 4) {
            case 0:
            case 1:
                if (const auto made = world.spawn<spark>()) live.push_back(made.reference());
                break;
            case 2:
                if (live.empty()) break;
                std::swap(live[random() % live.size()], live.back());
                world.return_to_pool(live.back());
                live.pop_back();
                break;
            default: world.tick();
        }
        hashes.push_back(world.state_hash());
    }
    return hashes;
}

TEST(a_replay, X11_after_settings_changed_is_exact_from_any_tick_before_or_since) {
    constexpr void (*changes[])(lido::class_settings&, lido::settings_given&) = {raise_cap, lower_idle_cap,
                                                                                 make_more_ahead};
    for (unsigned seed = 0; seed < 12; ++seed) {
        lido::world world;
        world.add<spark>("spark", {.prewarm = 3,
                                   .max_lifetime = ticks{9},
                                   .capacity = 6,
                                   .on_full = on_full::grow_to(16).then(on_full::replace_oldest),
                                   .reserve = 64,
                                   .trim = {.after = ticks{5}, .most_a_tick = 2},
                                   .leaks = lido::leaks::allow});
        world.start({.objects_a_tick = 2});
        lido::snapshot older, newer;
        static_cast<void>(play(world, seed));
        ASSERT_TRUE(world.save(older));
        static_cast<void>(play(world, seed + 100));
        for (unsigned i = 0; i < 3; ++i) {
            // Refused for a prewarm above the idle cap, which changes nothing.
            if ((seed >> i) % 2 != 0 || i == seed % 3) static_cast<void>(world.configure(table_of(changes[i])));
        }
        ASSERT_TRUE(world.save(newer));
        const auto first = play(world, seed + 200);
        ASSERT_TRUE(world.restore(newer));
        EXPECT_EQ(play(world, seed + 200), first) << seed;
        ASSERT_TRUE(world.restore(older));
        const auto again = play(world, seed + 300);
        ASSERT_TRUE(world.restore(older));
        EXPECT_EQ(play(world, seed + 300), again) << seed;
        EXPECT_TRUE(world.validate());
    }
}

}  // namespace world_settings_rewind_test
