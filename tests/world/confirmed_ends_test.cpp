// X2: ends that wait until they are certain. A rollback before that brings back the same life and the same object.
#include <lido/world/world.hpp>

#include <lido/core/rewind/save.hpp>
#include <lido/world/pooled.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace world_confirmed_ends_test {

using lido::end_reason;
using lido::ref;
using lido::snapshot;
using lido::ticks;
using lido::test::misuse_log;

std::string hooks;  // what was called of whom, of all classes here
void note(const std::string& what) { hooks += (hooks.empty() ? "" : ", ") + what; }
[[nodiscard]] std::string taken() { return std::exchange(hooks, {}); }

/// State: it is copied, and a restore brings its value back.
struct flame {
    static constexpr auto release = lido::on_confirm;
    int value = 0;
    void set_in_use(bool on) { note(on ? "in use" : "out of use"); }
    void on_release(end_reason why) noexcept { note(std::string("released ") + to_string(why)); }
};

/// Holds something that nobody can copy: what a sound engine plays.
struct sound {
    static constexpr auto release = lido::on_confirm;
    static inline int playing = 0;
    std::unique_ptr<int> voice;
    void on_acquire() {
        voice = std::make_unique<int>(7);
        ++playing;
    }
    void on_release() noexcept {
        voice.reset();
        --playing;
    }
    void hash(lido::hasher&) const noexcept {}  // only heard: no part of the state
};

/// Asks something of its world when it is released.
struct curious {
    static constexpr auto release = lido::on_confirm;
    std::function<void()> ask;
    void on_release() noexcept {
        if (ask) ask();
    }
};

/// Nobody can copy or move it.
struct pinned {
    static constexpr auto release = lido::on_confirm;
    std::atomic<int> level{0};
    void on_acquire() noexcept { level = 3; }
    void on_release() noexcept { level = 0; }
    void hash(lido::hasher&) const noexcept {}
};

struct plain {
    int value = 0;
};

class confirmed_ends : public testing::Test {
protected:
    void SetUp() override {
        hooks.clear();
        sound::playing = 0;
    }
    /// A few ticks in, so that there is a past.
    static void run(lido::world& w, int count) {
        for (int i = 0; i < count; ++i) w.tick();
    }
};

TEST_F(confirmed_ends, X2_on_release_waits_until_the_end_is_certain) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<flame>();
    run(world, 3);
    const ref<flame> it = world.spawn<flame>();
    EXPECT_EQ(taken(), "in use");
    EXPECT_TRUE(world.return_to_pool(it));
    EXPECT_EQ(taken(), "out of use");
    world.confirm({2});
    EXPECT_EQ(taken(), "");
    world.confirm({3});
    EXPECT_EQ(taken(), "released by its reference");
    world.confirm({3});
    world.confirm({9});
    run(world, 20);
    EXPECT_EQ(taken(), "");
    EXPECT_TRUE(world.validate());
}

TEST_F(confirmed_ends, X2_nobody_finds_a_life_that_waits) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<flame>();
    const ref<flame> it = world.spawn<flame>();
    world.return_to_pool(it);
    EXPECT_EQ(world.get(it), nullptr);
    EXPECT_FALSE(world.lives(it));
    EXPECT_EQ(world.state(it), lido::life_state::waiting);
    EXPECT_EQ(world.stats<flame>().pool.waiting_ends, 1u);
    EXPECT_FALSE(world.return_to_pool(it));
    EXPECT_EQ(world.active<flame>(), 0u);
    world.for_each<flame>([](flame&) { ADD_FAILURE(); });
    EXPECT_FALSE(world.on_finished(it, [] { ADD_FAILURE(); }));
    EXPECT_FALSE(world.after(it, ticks{1}, [] { ADD_FAILURE(); }));
    run(world, 3);
}

TEST_F(confirmed_ends, X2_a_rollback_brings_back_the_same_life_and_object) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<flame>();
    run(world, 3);
    const auto it = world.spawn<flame>();
    it->value = 5;
    flame* const there = it.get();
    snapshot past;
    ASSERT_TRUE(world.save(past));
    run(world, 2);
    it->value = 6;
    world.return_to_pool(it.reference());
    run(world, 3);
    hooks.clear();
    ASSERT_TRUE(world.restore(past));
    EXPECT_EQ(taken(), "in use");
    ASSERT_EQ(world.get(it.reference()), there);
    EXPECT_EQ(there->value, 5);
    world.confirm({5});
    run(world, 20);
    EXPECT_EQ(taken(), "");
    EXPECT_TRUE(world.lives(it));
    world.return_to_pool(it.reference());
    world.confirm_all();
    EXPECT_EQ(taken(), "out of use, released by its reference");
}

TEST_F(confirmed_ends, X2_an_object_that_cannot_be_copied_stays_as_it_is) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<sound>();
    const auto it = world.spawn<sound>();
    const int* const voice = it->voice.get();
    snapshot past;
    ASSERT_TRUE(world.save(past));
    run(world, 1);
    world.return_to_pool(it.reference());
    EXPECT_EQ(sound::playing, 1);
    run(world, 2);
    ASSERT_TRUE(world.restore(past));
    ASSERT_NE(world.get(it.reference()), nullptr);
    EXPECT_EQ(world.get(it.reference())->voice.get(), voice);
    EXPECT_EQ(sound::playing, 1);
    world.return_to_pool(it.reference());
    world.confirm({0});
    EXPECT_EQ(sound::playing, 0);
}

TEST_F(confirmed_ends, X2_an_object_that_cannot_be_moved_either_stays_too) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<pinned>("pinned", {.prewarm = 2});
    const auto it = world.spawn<pinned>();
    snapshot past;
    ASSERT_TRUE(world.save(past));
    run(world, 1);
    it->level = 7;
    world.return_to_pool(it.reference());
    ASSERT_TRUE(world.restore(past));
    ASSERT_EQ(world.get(it.reference()), it.get());
    EXPECT_EQ(it->level, 7);
}

TEST_F(confirmed_ends, X2_a_life_that_a_restore_undoes_is_released_once) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<flame>();
    world.add<sound>();
    run(world, 1);
    snapshot past;
    ASSERT_TRUE(world.save(past));
    static_cast<void>(world.spawn<flame>());
    const ref<flame> ended = world.spawn<flame>();
    static_cast<void>(world.spawn<sound>());
    world.return_to_pool(ended);
    hooks.clear();
    ASSERT_TRUE(world.restore(past));
    EXPECT_EQ(sound::playing, 0);
    EXPECT_EQ(taken(), "out of use, released undone by a restore, released by its reference");
    world.confirm_all();
    EXPECT_EQ(taken(), "");
    EXPECT_TRUE(world.validate());
}

TEST_F(confirmed_ends, X2_without_a_confirm_the_window_decides) {
    lido::world world{lido::role::client, {.rollback = 4}};
    world.add<flame>();
    const ref<flame> it = world.spawn<flame>();
    run(world, 1);
    world.return_to_pool(it);
    hooks.clear();
    run(world, 4);
    EXPECT_EQ(taken(), "") << "a restore to four ticks ago still finds it";
    run(world, 1);
    EXPECT_EQ(taken(), "released by its reference");
}

TEST_F(confirmed_ends, X2_a_world_that_never_rolls_back_releases_with_the_next_tick) {
    lido::world world;
    world.add<flame>();
    world.return_to_pool(world.spawn<flame>().reference());
    EXPECT_EQ(taken(), "in use, out of use");
    world.tick();
    EXPECT_EQ(taken(), "released by its reference");
}

TEST_F(confirmed_ends, X2_references_do_not_depend_on_when_a_machine_confirms) {
    lido::world early{lido::role::client, {.rollback = 4}};
    lido::world late{lido::role::client, {.rollback = 4}};
    for (lido::world* w : {&early, &late}) w->add<flame>();
    ref<flame> last[2];
    for (int i = 0; i < 40; ++i) {
        int at = 0;
        for (lido::world* w : {&early, &late}) {
            if (last[at]) w->return_to_pool(last[at]);
            last[at++] = w->spawn<flame>();
            w->tick();
        }
        EXPECT_EQ(last[0], last[1]);
        early.confirm(early.now());
        EXPECT_EQ(early.state_hash(), late.state_hash());
    }
}

TEST_F(confirmed_ends, X2_what_waits_holds_its_place) {
    lido::world world{lido::role::client, {.rollback = 4}};
    world.add<flame>({.capacity = 2, .on_full = lido::on_full::reject});
    const ref<flame> one = world.spawn<flame>();
    static_cast<void>(world.spawn<flame>());
    world.return_to_pool(one);
    EXPECT_EQ(world.spawn<flame>().why(), lido::spawn_refusal::full);
    world.confirm_all();
    EXPECT_EQ(world.spawn<flame>().why(), lido::spawn_refusal::full) << "its slot is free when the window has passed";
    run(world, 5);
    EXPECT_TRUE(world.spawn<flame>());
}

TEST_F(confirmed_ends, X2_a_restore_to_before_what_is_certain_is_refused) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<flame>();
    const ref<flame> it = world.spawn<flame>();
    snapshot past;
    ASSERT_TRUE(world.save(past));
    run(world, 1);
    world.return_to_pool(it);
    world.confirm({1});
    const std::uint64_t hash = world.state_hash();
    const auto refused = world.restore(past);
    EXPECT_FALSE(refused);
    EXPECT_EQ(world.state_hash(), hash);
    EXPECT_EQ(world.now(), ticks{1});
    world.confirm_all();
    EXPECT_TRUE(world.restore(past)) << "everything was let go: this is a loaded game";
    EXPECT_TRUE(world.lives(it));
}

TEST_F(confirmed_ends, X2_hooks_of_what_is_let_go_change_nothing_of_the_world) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<curious>();
    world.add<plain>();
    const auto other = world.spawn<plain>();
    other->value = 3;
    bool asked = false;
    const auto it = world.spawn<curious>();
    it->ask = [&] {
        asked = true;
        EXPECT_EQ(world.spawn<plain>().why(), lido::spawn_refusal::world_closed);
        EXPECT_FALSE(world.return_to_pool(other.reference()));
        EXPECT_EQ(world.get(other.reference())->value, 3) << "it may be looked at";
        const misuse_log log;
        world.tick();
        world.confirm({7});
        EXPECT_EQ(log.count(), 2u);
    };
    world.return_to_pool(it.reference());
    world.confirm({0});
    EXPECT_TRUE(asked);
    EXPECT_EQ(world.active<plain>(), 1u);
    EXPECT_EQ(world.now(), ticks{0});
}

TEST_F(confirmed_ends, X2_confirm_from_inside_a_hook_is_refused) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<flame>();
    world.add<plain>();
    world.return_to_pool(world.spawn<flame>().reference());
    hooks.clear();
    const misuse_log log;
    const auto it = world.spawn<plain>();
    world.after(it.reference(), ticks{1}, [&world] {
        world.confirm({100});
        world.confirm_all();
    });
    world.tick();
    EXPECT_EQ(log.count(), 2u);
    EXPECT_EQ(taken(), "");
}

TEST_F(confirmed_ends, X2_the_end_of_a_class_or_world_is_certain) {
    {
        lido::world world{lido::role::client, {.rollback = 8}};
        world.add<flame>();
        world.return_to_pool(world.spawn<flame>().reference());
        static_cast<void>(world.spawn<flame>());
        hooks.clear();
        world.remove<flame>();
        EXPECT_EQ(taken(), "out of use, released by its reference, released with all of its class");
        world.add<sound>();
        world.return_to_pool(world.spawn<sound>().reference());
        static_cast<void>(world.spawn<sound>());
        static_cast<void>(world.end());
    }
    EXPECT_EQ(sound::playing, 0);
}

TEST_F(confirmed_ends, X2_a_class_that_waits_cannot_replace) {
    lido::world world;
    const lido::added_class added = world.add<flame>({.capacity = 2, .on_full = lido::on_full::replace_oldest});
    EXPECT_FALSE(added);
    EXPECT_NE(added.why.find("keeps its place until that is certain"), std::string::npos) << added.why;
}

TEST_F(confirmed_ends, X2_lifetimes_and_listeners_are_replayed_and_the_release_is_not) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<flame>({.max_lifetime = ticks{3}});
    int told = 0;
    const ref<flame> it = world.spawn<flame>();
    world.on_finished(it, [&told] { ++told; });
    snapshot past;
    ASSERT_TRUE(world.save(past));
    hooks.clear();
    run(world, 5);
    EXPECT_EQ(told, 1);
    EXPECT_EQ(taken(), "out of use");
    ASSERT_TRUE(world.restore(past));
    run(world, 5);
    EXPECT_EQ(told, 2) << "listeners are of the simulation, and it ran twice";
    EXPECT_EQ(taken(), "in use, out of use");
    world.confirm({3});
    EXPECT_EQ(taken(), "released its lifetime was over");
}

// --- which birth it is ---------------------------------------------------------------------------------------------------------

TEST_F(confirmed_ends, X2_a_replay_of_the_same_birth_has_the_same_key) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<flame>();
    run(world, 4);
    snapshot past;
    ASSERT_TRUE(world.save(past));
    const ref<flame> first = world.spawn<flame>();
    const lido::spawn_key key = world.key_of(first);
    EXPECT_EQ(key, (lido::spawn_key{.tick = 4, .spawner = {}, .ordinal = 1}));
    ASSERT_TRUE(world.restore(past));
    const ref<flame> again = world.spawn<flame>();
    EXPECT_EQ(again, first);
    EXPECT_EQ(world.key_of(again), key);
}

TEST_F(confirmed_ends, X2_another_birth_with_the_same_reference_has_another_key) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<flame>();
    world.add<plain>();
    const lido::any_ref ann = world.spawn<plain>();
    const lido::any_ref bob = world.spawn<plain>();
    snapshot past;
    ASSERT_TRUE(world.save(past));
    const auto fire = [&world](lido::any_ref who) {
        const auto by = world.acting(who);
        return world.spawn<flame>().reference();
    };
    const ref<flame> of_ann = fire(ann);
    const lido::spawn_key key = world.key_of(of_ann);
    EXPECT_EQ(key.spawner, ann);
    ASSERT_TRUE(world.restore(past));
    const ref<flame> of_bob = fire(bob);
    EXPECT_EQ(of_bob, of_ann) << "the same place: only the key tells them apart";
    EXPECT_NE(world.key_of(of_bob), key);
    EXPECT_EQ(world.key_of(fire(ann)), key) << "his shot came first this time; hers is the same birth still";
}

TEST_F(confirmed_ends, X2_births_are_counted_from_a_snapshot_in_the_middle_of_a_tick) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<flame>();
    static_cast<void>(world.spawn<flame>());
    snapshot past;
    ASSERT_TRUE(world.save(past));
    EXPECT_EQ(world.key_of(world.spawn<flame>().reference()).ordinal, 2u);
    EXPECT_EQ(world.key_of(world.spawn<flame>().reference()).ordinal, 3u);
    ASSERT_TRUE(world.restore(past));
    EXPECT_EQ(world.key_of(world.spawn<flame>().reference()).ordinal, 2u);
    world.tick();
    EXPECT_EQ(world.key_of(world.spawn<flame>().reference()).ordinal, 1u);
}

TEST_F(confirmed_ends, X2_what_a_waiting_call_spawns_is_of_its_life) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<flame>();
    world.add<plain>();
    const ref<plain> gun = world.spawn<plain>();
    ref<flame> shot;
    world.after(gun, ticks{2}, [&] { shot = world.spawn<flame>(); });
    run(world, 2);
    EXPECT_EQ(world.key_of(shot), (lido::spawn_key{.tick = 2, .spawner = gun, .ordinal = 1}));
}

TEST_F(confirmed_ends, X2_classes_that_do_not_wait_have_no_key) {
    lido::world world;
    world.add<plain>();
    EXPECT_FALSE(world.key_of(world.spawn<plain>()));
    EXPECT_FALSE(world.key_of({}));
}

TEST_F(confirmed_ends, X2_of_a_class_that_is_added_late_have_the_whole_window) {
    lido::world world{lido::role::client, {.rollback = 8}};
    run(world, 100);
    world.add<sound>();
    const ref<sound> it = world.spawn<sound>();
    snapshot then;
    ASSERT_TRUE(world.save(then));
    EXPECT_TRUE(world.return_to_pool(it));
    world.confirm({99});
    EXPECT_EQ(sound::playing, 1) << "it ended in tick 100";
    run(world, 8);
    EXPECT_EQ(sound::playing, 1);
    const lido::restore_result back = world.restore(then);
    EXPECT_TRUE(back) << back.what();
    EXPECT_TRUE(world.lives(it));
    EXPECT_TRUE(world.return_to_pool(it));
    run(world, 9);
    EXPECT_EQ(sound::playing, 0);
}

TEST_F(confirmed_ends, X2_in_the_longest_window_wait_for_confirm) {
    lido::world world{lido::role::client, {.rollback = 0xffffffff}};
    world.add<sound>();
    EXPECT_TRUE(world.return_to_pool(world.spawn<sound>().reference()));
    run(world, 50);
    EXPECT_EQ(sound::playing, 1);
    EXPECT_EQ(world.stats<sound>().pool.waiting_ends, 1u);
    world.confirm(world.now());
    EXPECT_EQ(sound::playing, 0);
}

TEST_F(confirmed_ends, X2_a_restore_of_a_later_moment_ends_a_life_again_and_releases_it_once) {
    lido::world world{lido::role::client, {.rollback = 8}};
    world.add<sound>();
    world.add<flame>();
    const ref<sound> it = world.spawn<sound>();
    const ref<flame> other = world.spawn<flame>();
    const int* const voice = world.get(it)->voice.get();
    snapshot alive, ended;
    ASSERT_TRUE(world.save(alive));
    world.tick();
    EXPECT_TRUE(world.return_to_pool(it));
    EXPECT_TRUE(world.return_to_pool(other));
    world.tick();
    ASSERT_TRUE(world.save(ended));
    const std::uint64_t later = world.state_hash();
    for (int i = 0; i < 3; ++i) {
        const lido::restore_result back = world.restore(alive);
        ASSERT_TRUE(back) << back.what();
        EXPECT_EQ(world.get(it)->voice.get(), voice);
        hooks.clear();
        const lido::restore_result forth = world.restore(ended);
        ASSERT_TRUE(forth) << forth.what();
        EXPECT_EQ(taken(), "out of use") << "and not released";
        EXPECT_EQ(sound::playing, 1);
        EXPECT_EQ(world.state(it), lido::life_state::waiting);
        EXPECT_EQ(world.state_hash(), later);
        EXPECT_TRUE(world.validate());
    }
    world.confirm(world.now());
    EXPECT_EQ(sound::playing, 0);
    EXPECT_EQ(taken(), "released undone by a restore");
    EXPECT_FALSE(world.restore(alive)) << "what it has alive is gone";
}

}  // namespace world_confirmed_ends_test
