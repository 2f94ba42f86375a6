// A world as a part of save, restore and rewind: exactly as it was, timers, listeners and calls included.
#include <lido/world/world.hpp>

#include <lido/core/rewind/rewind.hpp>
#include <lido/core/slot_pool.hpp>

#include "core/misuse/misuse_log.hpp"
#include "support/allocation_counter.hpp"
#include "world/scripted.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace world_rewind_test {

using lido::ref;
using lido::snapshot;
using lido::ticks;
using lido::test::hook;
using lido::test::misuse_log;

struct ball {
    int value = 0;
    lido::transform transform;
};

struct named {
    std::string name = "nobody";
    void on_acquire() { name = "a name that is too long for the inside of a string"; }
    void hash(lido::hasher& h) const { h.add(std::uint64_t{name.size()}); }
};

struct sealed {  ///< moves only, and has a codec
    std::unique_ptr<int> content = std::make_unique<int>(0);
    void save(lido::image_writer& w) const { w.put(static_cast<std::uint32_t>(*content)); }
    bool load(lido::image_reader& r) {
        *content = static_cast<int>(r.take<std::uint32_t>());
        return r.ok();
    }
};

struct stubborn {  ///< cannot be copied in any way
    std::unique_ptr<int> content;
};

/// Everything a game does, told by a random generator.
struct game {
    lido::world world;
    std::vector<ref<ball>> known;
    int told = 0;

    game() {
        world.add<ball>("ball", {.max_lifetime = ticks{40}, .trim = {.after = ticks{20}, .margin = 2}});
        world.add<named>("named", {.capacity = 6, .on_full = lido::on_full::replace_oldest});
    }
    game(const game&) = delete;
    game& operator=(const game&) = delete;

    void step(std::mt19937& random) {
        for (int i = 0; i < 5; ++i) {
            const auto it = world.spawn<ball>({.x = static_cast<float>(random() % 100)});
            it->value = static_cast<int>(random() % 1000);
            if (random() % 3 == 0) world.set_lifetime(it, ticks{random() % 200});
            if (random() % 3 == 0) world.on_finished(it.reference(), [this] { ++told; });
            if (random() % 3 == 0)
                world.after(it.reference(), ticks{random() % 80}, [this](ball& b) { b.value += ++told; });
            known.push_back(it);
        }
        static_cast<void>(world.spawn<named>());
        if (random() % 2 == 0) world.return_to_pool(known[random() % known.size()]);
        if (random() % 16 == 0) world.return_all<ball>();
        if (random() % 16 == 0) world.pause<named>(random() % 2 == 0);
        if (random() % 16 == 0) world.set_time_scale<ball>({static_cast<std::uint16_t>(random() % 3), 2});
        world.tick();
    }
};

TEST(a_rewound_world, X11_goes_on_exactly_as_it_did) {
    game g;
    std::mt19937 random(7);
    for (int i = 0; i < 150; ++i) g.step(random);
    snapshot then;
    ASSERT_TRUE(g.world.save(then));
    const std::uint64_t hash_then = g.world.state_hash();
    const auto random_then = random;
    const auto known_then = g.known;
    const int told_then = g.told;
    const auto stats_then = g.world.stats<ball>();
    std::vector<std::uint64_t> hashes[2];
    std::vector<ref<ball>> known[2];
    for (int turn = 0; turn < 2; ++turn) {
        for (int i = 0; i < 200; ++i) {
            g.step(random);
            hashes[turn].push_back(g.world.state_hash());
        }
        known[turn] = g.known;
        if (turn == 1) break;
        ASSERT_TRUE(g.world.restore(then));
        EXPECT_TRUE(g.world.validate());
        EXPECT_EQ(g.world.state_hash(), hash_then);
        const auto s = g.world.stats<ball>();
        EXPECT_EQ(s.timers, stats_then.timers);
        EXPECT_EQ(s.listeners, stats_then.listeners);
        EXPECT_EQ(s.counters.spawned, stats_then.counters.spawned);
        EXPECT_EQ(s.counters.expired, stats_then.counters.expired);
        EXPECT_EQ(s.counters.stale_ends, stats_then.counters.stale_ends);
        random = random_then;
        g.known = known_then;
        g.told = told_then;
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(known[0], known[1]);
    EXPECT_TRUE(g.world.validate());
    g.world.end();
}

TEST(a_rewound_world, X11_brings_back_lives_timers_listeners_and_calls) {
    lido::world world;
    world.add<ball>("ball");
    static int told, called;
    told = called = 0;
    const auto it = world.spawn<ball>();
    it->value = 5;
    world.set_lifetime(it, ticks{10});
    world.on_finished(it.reference(), [] { ++told; });
    world.after(it.reference(), ticks{4}, [] { ++called; });
    world.tick();
    snapshot then;
    ASSERT_TRUE(world.save(then));
    for (int i = 0; i < 20; ++i) world.tick();
    EXPECT_EQ(told, 1);
    EXPECT_EQ(called, 1);
    world.trim<ball>();
    ASSERT_TRUE(world.restore(then));
    EXPECT_EQ(world.now(), ticks{1});
    ASSERT_TRUE(world.lives(it));
    EXPECT_EQ(world.get(it.reference())->value, 5);
    EXPECT_EQ(world.lifetime_left(it), ticks{9});
    for (int i = 0; i < 8; ++i) world.tick();
    EXPECT_EQ(called, 2);
    EXPECT_TRUE(world.lives(it));
    world.tick();
    EXPECT_FALSE(world.lives(it));
    EXPECT_EQ(told, 2);
}

using thing = lido::test::scripted<0>;
using other = lido::test::scripted<1>;

TEST(a_rewound_world, S4_6_tells_an_undone_life_to_let_go_and_nobody_else) {
    thing::reset();
    lido::world world;
    world.add<thing>("thing");
    world.finished<thing>().connect([](thing&, ref<thing>) { ADD_FAILURE() << "it never lived"; });
    const auto stays = world.spawn<thing>();
    const auto back = world.spawn<thing>();
    snapshot then;
    ASSERT_TRUE(world.save(then));
    const auto undone = world.spawn<thing>();
    world.on_finished(undone.reference(), [] { ADD_FAILURE() << "it never lived"; });
    world.finished<thing>().disconnect_all();
    world.return_to_pool(back.reference());
    world.finished<thing>().connect([](thing&, ref<thing>) { ADD_FAILURE() << "it never lived"; });
    static_cast<void>(thing::taken());
    ASSERT_TRUE(world.restore(then));
    EXPECT_EQ(thing::taken(), "out of use, on_release") << "one was undone; who came back is as it was, untold";
    EXPECT_TRUE(world.lives(stays) && world.lives(back));
    EXPECT_TRUE(world.get(back.reference())->in_use());
    EXPECT_FALSE(world.lives(undone));
    world.finished<thing>().disconnect_all();
    EXPECT_TRUE(world.validate());
}

TEST(a_rewound_world, S4_6_refuses_all_that_the_hooks_of_undone_lives_ask_for) {
    for (const hook h : {hook::out_of_use, hook::on_release}) {
        thing::reset();
        other::reset();
        lido::world world;
        // Classes before and after the one whose lives are undone.
        world.add<ball>("before");
        world.add<thing>("thing");
        world.add<ball>("after");
        const auto before = world.as<ball>(world.spawn("before"));
        const auto after = world.as<ball>(world.spawn("after"));
        const auto brother = world.spawn<thing>();
        const auto waiting_before = world.after(before, ticks{5}, [] {});
        const auto listening_after = world.on_finished(after, [] {});
        world.set_lifetime(before, ticks{50});
        misuse_log log;  // a class that cannot be hashed is said to be
        snapshot then;
        ASSERT_TRUE(world.save(then));
        const std::uint64_t hash = world.state_hash();
        const auto stats_before = world.stats("before"), stats_after = world.stats("after"),
                   stats = world.stats("thing");
        static_cast<void>(world.spawn<thing>());
        bool ran = false;
        thing::once(h) = [&](thing& me) {
            ran = true;
            EXPECT_FALSE(me.return_to_pool());
            EXPECT_FALSE(world.return_to_pool(before));
            EXPECT_FALSE(world.return_to_pool(lido::any_ref(after)));
            EXPECT_FALSE(world.return_to_pool(brother.reference()));
            EXPECT_EQ(world.return_all(), 0u);
            EXPECT_FALSE(world.spawn("before") || world.spawn("after") || world.spawn<thing>());
            EXPECT_FALSE(world.set_lifetime(before, ticks{1}));
            EXPECT_FALSE(world.on_finished(before, [] {}));
            EXPECT_FALSE(world.after(after, ticks{1}, [] {}));
            EXPECT_FALSE(world.cancel(waiting_before));
            EXPECT_FALSE(world.disconnect(listening_after));
            world.pause("before");
            world.pause("after");
            world.set_time_scale("after", {3, 1});
            world.trim("before");
            world.trim<thing>();
            world.tick();
            EXPECT_TRUE(world.end().refused);
            int visited = 0;
            world.for_each<ball>([&](ball&) { ++visited; });
            EXPECT_EQ(visited, 0);
        };
        ASSERT_TRUE(world.restore(then));
        EXPECT_TRUE(ran);
        EXPECT_EQ(world.state_hash(), hash);
        EXPECT_TRUE(world.lives(before) && world.lives(after) && world.lives(brother));
        EXPECT_FALSE(world.stats("before").paused || world.stats("after").paused);
        EXPECT_EQ(world.stats("before").counters.refused, stats_before.counters.refused);
        EXPECT_EQ(world.stats("before").counters.stale_ends, stats_before.counters.stale_ends);
        EXPECT_EQ(world.stats("after").counters.stale_ends, stats_after.counters.stale_ends);
        EXPECT_EQ(world.stats("thing").counters.refused, stats.counters.refused);
        EXPECT_TRUE(world.validate());
        EXPECT_TRUE(world.spawn("before") && world.spawn<thing>()) << "afterwards it is open again";
        EXPECT_TRUE(world.cancel(waiting_before));
        EXPECT_TRUE(world.disconnect(listening_after));
        world.tick();
        EXPECT_EQ(world.now(), ticks{1});
    }
}

TEST(a_rewound_world, X11_copies_what_objects_own) {
    lido::world world;
    world.add<named>("named");
    const auto it = world.spawn<named>();
    snapshot then;
    ASSERT_TRUE(world.save(then));
    it->name = "another name that is also too long for the inside of a string";
    world.return_to_pool(it.reference());
    world.trim<named>();
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(world.restore(then)) << "as often as one likes";
        EXPECT_EQ(world.get(it.reference())->name, "a name that is too long for the inside of a string");
    }
}

TEST(a_rewound_world, X11_copies_by_codec_what_can_only_move) {
    lido::world world;
    world.add<sealed>("sealed");
    const auto it = world.spawn<sealed>();
    *it->content = 3;
    snapshot then;
    ASSERT_TRUE(world.save(then));
    const std::uint64_t hash = world.state_hash();
    *it->content = 4;
    EXPECT_NE(world.state_hash(), hash);
    world.return_to_pool(it.reference());
    ASSERT_TRUE(world.restore(then));
    EXPECT_EQ(*world.get(it.reference())->content, 3);
    EXPECT_EQ(world.state_hash(), hash);
    EXPECT_EQ(world.ref_of(*world.get(it.reference())), it.reference());
}

TEST(a_rewound_world, X11_that_holds_what_cannot_be_saved_says_so) {
    lido::world world;
    world.add<ball>("ball");
    world.add<stubborn>("stubborn");
    world.start();
    misuse_log log;
    snapshot s;
    EXPECT_FALSE(world.save(s));
    const auto told = log.only();
    EXPECT_EQ(told.kind, lido::misuse_kind::bad_setting);
    EXPECT_EQ(told.pool, "stubborn");
    EXPECT_EQ(
        told.what,
        "this class cannot be saved: it is not copyable and has no `save` and `load`, or its move constructor can "
        "throw");
    EXPECT_FALSE(s);
    EXPECT_FALSE(world.restore(s));
    world.remove<stubborn>();
    EXPECT_TRUE(world.save(s));
}

TEST(a_rewound_world, X11_with_other_classes_than_then_is_refused_and_unchanged) {
    lido::world world;
    world.add<ball>("ball");
    world.add<named>("named");
    const auto it = world.spawn<ball>();
    snapshot then;
    ASSERT_TRUE(world.save(then));
    world.add<sealed>("sealed");
    it->value = 9;
    auto refused = world.restore(then);
    EXPECT_FALSE(refused);
    EXPECT_STREQ(refused.what(), "classes were added since the snapshot was saved");
    EXPECT_EQ(it->value, 9);
    snapshot later;
    ASSERT_TRUE(world.save(later));
    world.remove<named>();
    refused = world.restore(later);
    EXPECT_STREQ(refused.what(), "a class was removed since the snapshot was saved");
    EXPECT_EQ(it->value, 9);
    EXPECT_TRUE(world.lives(it));
    EXPECT_FALSE(world.restore(snapshot()));
    EXPECT_TRUE(world.validate());
    EXPECT_TRUE(world.spawn<ball>());

    lido::world stranger;
    stranger.add<ball>("sphere");
    stranger.add<named>("named");
    refused = stranger.restore(then);
    EXPECT_STREQ(refused.what(), "the classes of the snapshot have other names, or another order");
    EXPECT_FALSE(stranger.lives(it));
}

TEST(a_rewound_world, X11_that_was_saved_before_its_first_spawn_is_again_as_it_was_then) {
    thing::reset();
    lido::world world;
    world.add<thing>("thing", {.prewarm = 3});
    world.add<ball>("ball", {.max_lifetime = ticks{5}});
    const misuse_log log;  // a thing cannot be hashed
    snapshot then;
    ASSERT_TRUE(world.save(then));
    const std::uint64_t hash = world.state_hash();
    std::vector<lido::any_ref> made[2];
    std::vector<std::uint64_t> hashes[2];
    for (int turn = 0; turn < 2; ++turn) {
        EXPECT_FALSE(world.started());
        EXPECT_EQ(world.state_hash(), hash);
        for (int i = 0; i < 20; ++i) {
            made[turn].push_back(world.spawn<thing>());
            const auto b = world.spawn<ball>();
            made[turn].push_back(b);
            world.after(b.reference(), ticks{2}, [](ball& me) { ++me.value; });
            world.on_finished(b.reference(), [] {});
            if (i % 3 == 0) world.return_to_pool(made[turn][made[turn].size() / 2]);
            world.tick();
            hashes[turn].push_back(world.state_hash());
        }
        static_cast<void>(thing::taken());
        const std::uint32_t active = world.active<thing>();
        ASSERT_TRUE(world.restore(then)) << world.restore(then).what();
        std::string expected;
        for (std::uint32_t i = 0; i < active; ++i)
            expected += expected.empty() ? "out of use, on_release" : ", out of use, on_release";
        EXPECT_EQ(thing::taken(), expected) << "undone lives are told to let go";
        EXPECT_EQ(world.now(), ticks{0});
        EXPECT_EQ(world.active<thing>() + world.active<ball>(), 0u);
        EXPECT_EQ(world.stats<ball>().timers + world.stats<ball>().listeners, 0u);
        EXPECT_FALSE(world.lives(made[turn].back()));
        EXPECT_TRUE(world.validate());
    }
    EXPECT_EQ(made[0], made[1]);
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(a_rewound_world, X11_starts_once_more_in_the_slices_of_its_first_start) {
    lido::world world;
    world.add<ball>("ball", {.prewarm = 10});
    snapshot then;
    ASSERT_TRUE(world.save(then));
    world.start({.objects_a_tick = 3});
    world.tick();
    EXPECT_EQ(world.progress().made, 3u);
    ASSERT_TRUE(world.restore(then));
    world.tick();
    EXPECT_EQ(world.progress().made, 3u);
}

TEST(a_rewound_world, X11_lies_beside_a_pool_in_a_ring_of_ticks) {
    lido::world world;
    world.add<ball>("ball", {.max_lifetime = ticks{5}});
    lido::slot_pool<int> scores(64);
    lido::rewind<8> ring;
    std::vector<std::uint64_t> hashes;
    std::vector<ref<ball>> made;
    for (std::uint64_t t = 0; t < 20; ++t) {
        ASSERT_TRUE(ring.save(t, world, scores));
        hashes.push_back(lido::state_hash(world, scores));
        made.push_back(world.spawn<ball>());
        static_cast<void>(scores.acquire(static_cast<int>(t)));
        world.tick();
    }
    EXPECT_FALSE(ring.restore(11, world, scores)) << "too long ago";
    ASSERT_TRUE(ring.restore(13, world, scores));
    EXPECT_EQ(lido::state_hash(world, scores), hashes[13]);
    for (std::uint64_t t = 13; t < 20; ++t) {
        EXPECT_EQ(lido::state_hash(world, scores), hashes[t]);
        EXPECT_EQ(world.spawn<ball>().reference(), made[t]);
        static_cast<void>(scores.acquire(static_cast<int>(t)));
        world.tick();
    }
}

TEST(a_world_that_runs, X11_allocates_nothing_once_it_is_warm) {
    lido::world world;
    world.add<ball>("ball", {.prewarm = 64, .max_lifetime = ticks{9}});
    static int told;
    lido::rewind<8> ring;
    std::size_t allocations = 0;
    for (std::uint64_t t = 0; t < 400; ++t) {
        const lido::test::allocation_watch counted;
        for (int i = 0; i < 5; ++i) {
            const auto it = world.spawn<ball>({.x = 1});
            world.on_finished(it.reference(), [] { ++told; });
            world.after(it.reference(), ticks{3}, [](ball& b) { ++b.value; });
            if (i == 0) world.return_to_pool(it.reference());
            if (i == 1) world.set_lifetime(it, ticks{2});
            if (i == 2) world.disconnect(world.on_finished(it.reference(), [] {}));
            if (i == 3) world.cancel(world.after(it.reference(), ticks{3}, [] {}));
        }
        if (t % 50 == 49) world.return_all<ball>();
        ring.save(t, world);
        world.tick();
        if (t % 60 == 59) static_cast<void>(ring.restore(t - 3, world));
        if (t >= 200) allocations += counted.allocations();
    }
    EXPECT_EQ(allocations, 0u);
    EXPECT_GT(told, 0);
    EXPECT_TRUE(world.validate());
}

TEST(a_class_that_cannot_be_hashed, is_reported_once) {
    struct base {
        int hidden = 0;
    };
    struct derived : base {};
    struct other_derived : base {};
    static_assert(!lido::world_detail::world_hashable<derived>);
    lido::world world;
    misuse_log log;
    world.add<derived>("derived");
    world.add<other_derived>("other");
    world.start();
    const std::uint64_t first = world.state_hash();
    for (int i = 0; i < 9; ++i) EXPECT_EQ(world.state_hash(), first);
    EXPECT_EQ(log.count(), 2u) << "each class once";
}

struct unassignable {
    std::vector<int> steps = {};
    unassignable() = default;
    unassignable(const unassignable&) = default;
    unassignable(unassignable&&) noexcept = default;
    unassignable& operator=(const unassignable&) = delete;
    ~unassignable() = default;
};

TEST(a_class_that_cannot_be_assigned, X1_is_restored_while_its_objects_live) {
    lido::world world;
    world.add<unassignable>("unassignable");
    const auto it = world.spawn<unassignable>();
    it->steps = {1};
    snapshot past;
    ASSERT_TRUE(world.save(past));
    it->steps = {2};
    ASSERT_TRUE(world.restore(past));
    ASSERT_TRUE(world.lives(it));
    EXPECT_EQ(world.get(it.reference())->steps, std::vector<int>{1});
    EXPECT_TRUE(world.validate());
    EXPECT_TRUE(world.return_to_pool(it.reference()));
}

}  // namespace world_rewind_test
