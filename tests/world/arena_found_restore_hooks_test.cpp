// Found while writing the guide: hooks of lives that a restore undoes can change nothing of the world that it puts in place.
#include <lido/core.hpp>
#include <lido/world/world.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace world_arena_found_restore_hooks_test {

/// Does what it is told as its life ends.
struct meddler {
    std::function<void()>* last_act = nullptr;
    void on_acquire() noexcept { last_act = nullptr; }
    void hash(lido::hasher&) const noexcept {}
    void on_release() noexcept {
        if (last_act != nullptr) (*last_act)();
    }
};

struct bystander {
    int ended = 0;
    void on_release() noexcept { ++ended; }
};

class hooks_of_a_restore : public testing::Test {
protected:
    hooks_of_a_restore() {
        // One class before the meddler's and one after it: a restore puts classes in place in their order.
        world.add<bystander>("before", {.max_lifetime = lido::ticks{50}, .leaks = lido::leaks::allow});
        world.add<meddler>("meddler", {.max_lifetime = lido::ticks{50}, .leaks = lido::leaks::allow});
        world.add<bystander>("after", {.max_lifetime = lido::ticks{50}, .leaks = lido::leaks::allow});
        world.start();
        before = world.as<bystander>(world.spawn("before"));
        after = world.as<bystander>(world.spawn("after"));
        EXPECT_TRUE(world.save(saved));
        hash = world.state_hash();
    }

    /// Begins lives that the restore undoes; one of them does `act`.
    void restore_with(std::function<void()> act) {
        const auto undone = world.spawn<meddler>();
        undone->last_act = &act;
        other = world.spawn<meddler>();
        EXPECT_TRUE(world.restore(saved));
        EXPECT_EQ(world.state_hash(), hash);
        EXPECT_EQ(world.validate().broken, nullptr);
        EXPECT_EQ(world.get(before)->ended, 0);
        EXPECT_EQ(world.get(after)->ended, 0);
        EXPECT_FALSE(world.lives(other));
    }

    lido::world world;
    lido::snapshot saved;
    lido::ref<bystander> before, after;
    lido::ref<meddler> other;
    unsigned long long hash = 0;
};

TEST_F(hooks_of_a_restore, S4_6_cannot_return_objects_of_any_class) {
    int refused = 0;
    restore_with([&] {
        refused += world.return_to_pool(before) ? 0 : 1;
        refused += world.return_to_pool(after) ? 0 : 1;
        refused += world.return_to_pool(other) ? 0 : 1;
        refused += world.return_all() == 0 ? 1 : 0;
    });
    EXPECT_EQ(refused, 4);
}

TEST_F(hooks_of_a_restore, S4_5_cannot_spawn) {
    bool refused = false;
    restore_with([&] { refused = !world.spawn<meddler>() && !world.spawn("before"); });
    EXPECT_TRUE(refused);
}

TEST_F(hooks_of_a_restore, S4_7_cannot_start_or_change_timers_and_listeners) {
    bool refused = false;
    const auto call = world.after(before, lido::ticks{5}, [] {});
    const auto listener = world.on_finished(before, [] {});
    EXPECT_TRUE(world.save(saved));
    hash = world.state_hash();
    restore_with([&] {
        refused = !world.set_lifetime(before, lido::ticks{2}) && !world.after(before, lido::ticks{1}, [] {}) &&
                  !world.on_finished(after, [] {}) && !world.cancel(call) && !world.disconnect(listener);
    });
    EXPECT_TRUE(refused);
    EXPECT_TRUE(world.cancel(call));
    EXPECT_TRUE(world.disconnect(listener));
    EXPECT_TRUE(world.return_to_pool(before));  // and afterwards all of it works
}

}  // namespace world_arena_found_restore_hooks_test
