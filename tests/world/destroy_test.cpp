// S4.9: a life that ends for good: by the one path, and its object is not kept for another life.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"
#include "world/scripted.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace world_destroy_test {

using lido::any_ref;
using lido::end_reason;
using lido::ref;
using lido::spawn_refusal;
using lido::ticks;

/// Owns memory, and counts how many of it there are.
struct hoard : lido::pooled {
    static inline int there = 0;
    static inline std::vector<end_reason> reasons;

    hoard() { ++there; }
    hoard(const hoard& other) : lido::pooled(other), gold(other.gold), lives(other.lives) { ++there; }
    hoard(hoard&& other) noexcept : lido::pooled(other), gold(std::move(other.gold)), lives(other.lives) { ++there; }
    hoard& operator=(const hoard&) = default;
    hoard& operator=(hoard&&) noexcept = default;
    ~hoard() { --there; }

    std::vector<int> gold;
    int lives = 0;

    void on_acquire() {
        ++lives;
        gold.assign(100, lives);
    }
    void on_release(end_reason why) noexcept { reasons.push_back(why); }
    void hash(lido::hasher& h) const { h.add(std::uint64_t{gold.size()}).add(std::uint64_t(lives)); }
};

struct destroyed_for_good : testing::Test {
    destroyed_for_good() {
        hoard::reasons.clear();
        world.add<hoard>("hoard", {.leaks = lido::leaks::allow, .reset_check = false});
    }
    ~destroyed_for_good() override {
        world.end();
        EXPECT_EQ(hoard::there, 0);
    }
    lido::world world;
};

TEST_F(destroyed_for_good, S4_9_an_object_is_not_kept_and_the_next_life_has_a_new_one) {
    const auto one = world.spawn<hoard>();
    EXPECT_TRUE(world.destroy(one.reference()));
    EXPECT_EQ(hoard::there, 0) << "gone, with all it owned";
    EXPECT_FALSE(world.lives(one));
    EXPECT_EQ(world.get(one), nullptr);
    EXPECT_EQ(world.stats<hoard>().pool.idle, 0u);
    const auto next = world.spawn<hoard>();
    EXPECT_EQ(next->lives, 1) << "its first";
    EXPECT_EQ(next.reference().life().index(), one.reference().life().index()) << "the slot is free for others";
    EXPECT_NE(next.reference(), one.reference());
    EXPECT_TRUE(world.validate());
}

TEST_F(destroyed_for_good, S4_9_whoever_asks_and_however_it_is_named) {
    const auto ways = {
        +[](lido::world& w, ref<hoard> which) { return w.destroy(which); },
        +[](lido::world& w, ref<hoard> which) { return w.destroy(any_ref(which)); },
        +[](lido::world& w, ref<hoard> which) { return w.destroy(*w.get(which)); },
        +[](lido::world& w, ref<hoard> which) { return w.destroy(w.get(any_ref(which))); },
        +[](lido::world& w, ref<hoard> which) { return w.get(which)->destroy(); },
    };
    std::uint64_t count = 0;
    for (const auto way : ways) {
        const ref<hoard> which = world.spawn<hoard>();
        EXPECT_TRUE(way(world, which)) << count;
        EXPECT_EQ(hoard::there, 0) << count;
        EXPECT_FALSE(world.destroy(which)) << "once";
        EXPECT_EQ(hoard::reasons.size(), ++count);
        EXPECT_EQ(hoard::reasons.back(), end_reason::destroyed);
    }
    EXPECT_EQ(world.stats<hoard>().counters.destroyed, count);
    EXPECT_EQ(world.stats<hoard>().counters.returned, count) << "they are ends as others are";
    EXPECT_EQ(world.stats<hoard>().counters.stale_ends, count);
    EXPECT_EQ(world.stats<hoard>().pool.destroyed, count);
    EXPECT_FALSE(world.destroy(any_ref()));
    EXPECT_FALSE(world.destroy(lido::any_object()));
    hoard outside;
    EXPECT_FALSE(world.destroy(outside));
    EXPECT_EQ(world.stats<hoard>().counters.stale_ends, count) << "nobody was named";
}

TEST_F(destroyed_for_good, S4_9_a_life_ends_by_the_one_path) {
    using thing = lido::test::scripted<71>;
    thing::reset();
    static std::string told;
    told.clear();
    world.add<thing>("thing");
    const auto one = world.spawn<thing>();
    world.after(one, ticks{1}, [](thing&) { ADD_FAILURE() << "it went with its life"; });
    world.set_lifetime(one, ticks{1});
    world.on_finished(one, [](thing&, ref<thing>, end_reason why) { told += std::string("life ") + to_string(why); });
    world.finished<thing>().connect([](thing& it, ref<thing> which, end_reason why) {
        told += std::string(", class ") + to_string(why) + (it.self() == any_ref(which) ? "" : "?");
    });
    thing::log.clear();
    world.destroy(one.reference());
    EXPECT_EQ(thing::taken(), "out of use, on_release");
    EXPECT_EQ(told, "life for good, class for good");
    EXPECT_EQ(world.stats<thing>().timers, 0u);
    world.tick();
    EXPECT_TRUE(world.validate());
}

/// From each of its own hooks: gone when that has come back, and not before.
class from_a_hook : public testing::TestWithParam<lido::test::hook> {};

TEST_P(from_a_hook, S4_9_an_object_may_destroy_itself) {
    using thing = lido::test::scripted<72>;
    thing::reset();
    lido::world world;
    world.add<thing>("thing", {.leaks = lido::leaks::allow});
    bool asked = false;
    bool done = false;
    const auto destroy = [&](thing& it) {
        asked = true;
        done = it.destroy();
        it.lives += 1000;  // it is there still
        EXPECT_EQ(world.stats<thing>().pool.destroyed, 0u);
    };
    thing::once(GetParam()) = destroy;
    const auto one = world.spawn<thing>();
    const bool begins = GetParam() <= lido::test::hook::in_use;
    if (begins) {
        EXPECT_EQ(one.why(), spawn_refusal::ended_at_once);
    } else {
        ASSERT_TRUE(one);
        world.return_to_pool(one);
    }
    ASSERT_TRUE(asked);
    EXPECT_EQ(done, begins) << "the end of a life that is ending already is its own";
    EXPECT_EQ(world.stats<thing>().pool.destroyed, begins ? 1u : 0u);
    EXPECT_EQ(world.stats<thing>().counters.destroyed, begins ? 1u : 0u);
    EXPECT_EQ(world.stats<thing>().pool.idle, begins ? 0u : 1u);
    EXPECT_FALSE(world.lives(one));
    EXPECT_TRUE(world.validate());
}

INSTANTIATE_TEST_SUITE_P(hooks, from_a_hook, testing::ValuesIn(lido::test::all_hooks), [](const auto& tested) {
    std::string name = to_string(tested.param);
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
});

TEST_F(destroyed_for_good, S4_9_from_a_waiting_call_an_object_goes_when_that_has_come_back) {
    const auto one = world.spawn<hoard>();
    world.after(one, ticks{1}, [](hoard& it) {
        EXPECT_TRUE(it.destroy());
        EXPECT_EQ(hoard::there, 1);
        it.gold.push_back(1);
    });
    world.tick();
    EXPECT_EQ(hoard::there, 0);
}

TEST_F(destroyed_for_good, S4_9_in_a_walk_any_object_may_be) {
    std::vector<any_ref> all;
    for (int i = 0; i < 5; ++i) all.push_back(world.spawn<hoard>());
    int seen = 0;
    world.for_each<hoard>([&](hoard& it) {
        ++seen;
        if (it.self() == all[0]) world.destroy(all[3]);
        if (it.self() == all[1]) it.destroy();
    });
    EXPECT_EQ(seen, 4);
    EXPECT_EQ(hoard::there, 3);
    EXPECT_TRUE(world.validate());
}

TEST_F(destroyed_for_good, S4_4_the_next_spawn_takes_an_idle_object_first_and_then_the_slot) {
    const auto a = world.spawn<hoard>();
    const auto b = world.spawn<hoard>();
    const auto c = world.spawn<hoard>();
    world.return_to_pool(b);
    world.destroy(a.reference());
    world.return_to_pool(c);
    EXPECT_EQ(world.spawn<hoard>().reference().life().index(), c.reference().life().index());
    EXPECT_EQ(world.spawn<hoard>().reference().life().index(), b.reference().life().index());
    EXPECT_EQ(world.spawn<hoard>().reference().life().index(), a.reference().life().index());
}

TEST_F(destroyed_for_good, S4_4_makes_room_in_a_class_that_is_full) {
    lido::world full;
    full.add<hoard>("hoard", {.prewarm = 2, .on_full = lido::on_full::reject, .idle_cap = 2, .reset_check = false});
    const auto a = full.spawn<hoard>();
    static_cast<void>(full.spawn<hoard>());
    EXPECT_EQ(full.spawn<hoard>().why(), spawn_refusal::full);
    full.destroy(a.reference());
    EXPECT_TRUE(full.spawn<hoard>());
    EXPECT_EQ(full.stats<hoard>().pool.idle_overflow, 0u) << "it was not for lack of room";
    full.end();
}

TEST_F(destroyed_for_good, X11_comes_back_in_a_restore_and_is_played_again_alike) {
    static_cast<void>(world.spawn<hoard>());
    const auto one = world.spawn<hoard>();
    const auto other = world.spawn<hoard>();
    static_cast<void>(world.return_to_pool(world.spawn<hoard>()));
    lido::snapshot then;
    ASSERT_TRUE(world.save(then));
    const std::uint64_t hash_then = world.state_hash();
    std::vector<any_ref> handles[2];
    std::uint64_t hash[2];
    for (int pass = 0; pass < 2; ++pass) {
        world.destroy(one.reference());
        world.return_to_pool(other);
        for (int i = 0; i < 4; ++i) handles[pass].push_back(world.spawn<hoard>());
        world.destroy(handles[pass][1]);
        hash[pass] = world.state_hash();
        EXPECT_TRUE(world.validate());
        ASSERT_TRUE(world.restore(then));
        EXPECT_EQ(world.state_hash(), hash_then);
        ASSERT_TRUE(world.lives(one));
        EXPECT_EQ(world.get(one)->gold.size(), 100u);
        EXPECT_EQ(world.get(one)->self(), any_ref(one));
        EXPECT_TRUE(world.validate());
    }
    EXPECT_EQ(handles[0], handles[1]);
    EXPECT_EQ(hash[0], hash[1]);
}

TEST_F(destroyed_for_good, S4_12_refused_in_a_save_and_in_a_restore) {
    struct nosy : lido::pooled {
        nosy() = default;
        nosy(const nosy& other) : lido::pooled(other) { EXPECT_FALSE(other.destroy()); }
        nosy(nosy&&) noexcept = default;
        nosy& operator=(const nosy&) = default;
        nosy& operator=(nosy&&) noexcept = default;
    };
    world.add<nosy>("nosy", {.leaks = lido::leaks::allow});
    const auto one = world.spawn<nosy>();
    lido::snapshot then;
    ASSERT_TRUE(world.save(then));
    EXPECT_TRUE(world.lives(one));
}

/// Spawns another as it is destroyed.
struct hydra {
    static inline lido::world* in = nullptr;
    static inline ref<hydra> head;
    ~hydra();
};
hydra::~hydra() {
    if (lido::world* const w = std::exchange(in, nullptr)) head = w->spawn<hydra>();
}

TEST_F(destroyed_for_good, S4_9_an_object_may_spawn_others_from_its_destructor) {
    lido::world lake;
    lake.add<hydra>("hydra", {.leaks = lido::leaks::allow});
    const auto one = lake.spawn<hydra>();
    hydra::in = &lake;
    EXPECT_TRUE(lake.destroy(one.reference()));
    EXPECT_TRUE(lake.lives(hydra::head));
    EXPECT_NE(hydra::head.life().index(), one.reference().life().index()) << "its own slot is not free yet";
    EXPECT_TRUE(lake.validate());
    EXPECT_EQ(lake.active<hydra>(), 1u);
}

struct plain {
    int value = 3;
};

TEST_F(destroyed_for_good, S4_9_a_plain_struct_begins_with_its_defaults) {
    world.add<plain>("plain");
    const auto one = world.spawn<plain>();
    one->value = 9;
    world.return_to_pool(one);
    EXPECT_EQ(world.spawn<plain>()->value, 9) << "one that is kept has what the last life left";
    world.destroy(world.ref_of(one.get()));
    EXPECT_EQ(world.spawn<plain>()->value, 3);
    EXPECT_EQ(world.stats<plain>().counters.destroyed, 1u);
}

TEST_F(destroyed_for_good, S4_6_an_object_by_its_base_is_told) {
    lido::test::misuse_log log;
    const auto one = world.spawn<hoard>();
    const lido::pooled& base = *one;
    EXPECT_FALSE(world.destroy(base));
    EXPECT_EQ(log.only().kind, lido::world_misuse::unknown_class);
    EXPECT_TRUE(world.lives(one));
}

/// Its ends wait until they are certain.
struct fuse {
    static constexpr auto release = lido::on_confirm;
    static inline int there = 0;
    static inline std::string told;
    std::vector<int> gold = std::vector<int>(10);
    fuse() { ++there; }
    fuse(const fuse& other) : gold(other.gold) { ++there; }
    fuse(fuse&& other) noexcept : gold(std::move(other.gold)) { ++there; }
    fuse& operator=(const fuse&) = default;
    fuse& operator=(fuse&&) noexcept = default;
    ~fuse() { --there; }
    void on_release(end_reason why) noexcept { told += to_string(why); }
};

TEST(destroyed_before_it_is_certain, X2_an_object_may_come_back_and_goes_when_its_slot_is_free) {
    fuse::told.clear();
    lido::world world{lido::role::client, {.rollback = 3}};
    world.add<fuse>("fuse", {.leaks = lido::leaks::allow});
    world.tick();
    const auto one = world.spawn<fuse>();
    lido::snapshot then;
    ASSERT_TRUE(world.save(then));
    const int there = fuse::there;
    for (int pass = 0; pass < 2; ++pass) {
        EXPECT_TRUE(world.destroy(one.reference()));
        EXPECT_EQ(fuse::there, there);
        EXPECT_EQ(fuse::told, "");
        EXPECT_EQ(world.stats<fuse>().counters.destroyed, 1u);
        world.tick();
        if (pass == 1) break;
        ASSERT_TRUE(world.restore(then));
        EXPECT_EQ(world.get(one), one.get()) << "the same object";
    }
    world.confirm(world.now());
    EXPECT_EQ(fuse::told, "for good");
    for (int i = 0; i < 4; ++i) world.tick();
    EXPECT_EQ(fuse::there, there - 1) << "gone";
    EXPECT_EQ(world.stats<fuse>().pool.idle, 0u);
    EXPECT_TRUE(world.validate());
    EXPECT_TRUE(world.spawn<fuse>());
}

}  // namespace world_destroy_test
