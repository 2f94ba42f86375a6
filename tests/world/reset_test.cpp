// X8: builds with forensics compare an object of a world that begins another life with a fresh one that begins the same life.
#include <lido/world/world.hpp>

#include "support/reporting.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace world_reset_test {

using lido::misuse_kind;
using lido::ref;
using lido::ticks;

#if LIDO_FORENSICS

class a_world_class : public testing::Test, protected lido::test::reporting {};

struct shot {
    using payload_type = int;
    int power = 1;
    int hits = 0;
    std::vector<int> path = {};
    lido::transform transform = {};
    void on_acquire(const int& with) {
        power = with;
        path.clear();
    }
};

TEST_F(a_world_class, X8_that_is_not_reset_is_told_by_the_fields_that_were_kept) {
    lido::world world;
    world.add<shot>("shot");
    const auto first = world.spawn<shot>({.x = 1}, 5);
    first->hits = 3;
    first->path = {1, 2, 3};
    world.return_to_pool(first.reference());
    EXPECT_TRUE(world.spawn<shot>({.x = 2}, 6)) << "placed and set up by its hooks, but for one field";
    const auto told = log.only();
    EXPECT_EQ(told.kind, misuse_kind::kept_field);
    EXPECT_EQ(told.pool, "shot");
    EXPECT_NE(told.story.find("hits (3, fresh 0)"), std::string::npos) << told.story;
    EXPECT_EQ(told.story.find("power"), std::string::npos) << told.story;
    EXPECT_EQ(told.story.find("path"), std::string::npos) << told.story;
    EXPECT_EQ(told.story.find("transform"), std::string::npos) << told.story;
    world.end();
}

struct connecting {
    static inline lido::world* in = nullptr;
    static inline int heard = 0;
    int n = 0;
    void on_acquire() {
        n = 1;
        if (in == nullptr) return;
        in->finished<shot>().connect([] { ++heard; });
        in->begun("shot").connect([] { ++heard; });
    }
};

TEST_F(a_world_class, X8_whose_hook_connects_is_connected_once) {
    lido::world world;
    world.add<shot>("shot", {.leaks = lido::leaks::allow});
    world.add<connecting>("connecting", {.leaks = lido::leaks::allow});
    world.return_to_pool(world.spawn<connecting>().reference());
    connecting::in = &world;
    connecting::heard = 0;
    EXPECT_TRUE(world.spawn<connecting>());
    connecting::in = nullptr;
    world.return_to_pool(world.spawn<shot>({}, 1).reference());
    EXPECT_EQ(connecting::heard, 2);
}

struct clean {
    int hits = 0;
    int kept = 0;
    lido::life mine = {};
    lido::any_ref self = {};
    bool used = false;
    using kept_fields = lido::kept<&clean::kept>;
    void set_life(lido::life l) {
        mine = l;
        self = l.reference();
    }
    void on_acquire() { hits = 0; }
    void set_in_use(bool on) { used = on; }
};

TEST_F(a_world_class, X8_that_is_reset_or_keeps_on_purpose_is_not_told) {
    lido::world world;
    world.add<clean>("clean", {.prewarm = 1, .max_lifetime = ticks{5}});
    for (int i = 0; i < 10; ++i) {
        const auto it = i % 2 == 0 ? world.spawn<clean>().reference() : world.as<clean>(world.spawn("clean"));
        ASSERT_TRUE(it);
        clean& c = *world.get(it);
        EXPECT_TRUE(c.used);
        c.hits = c.kept = i + 1;
        world.return_to_pool(it);
    }
    EXPECT_EQ(log.count(), 0u);
    EXPECT_TRUE(world.validate());
}

TEST_F(a_world_class, X8_can_be_left_out_of_the_check) {
    for (const bool by_settings : {true, false}) {
        lido::world world;
        world.add<shot>("shot", {.reset_check = !by_settings});
        lido::reports.resets = by_settings;
        const auto first = world.spawn<shot>({}, 1);
        first->hits = 1;
        world.return_to_pool(first.reference());
        EXPECT_TRUE(world.spawn<shot>({}, 1));
        lido::reports.resets = true;
        world.end();
    }
    EXPECT_EQ(log.count(), 0u);
}

struct child {
    int value = 0;
};
/// Asks the world for all that it can as it begins.
struct asker {
    static inline lido::world* in = nullptr;
    static inline int begun = 0;
    ref<child> made = {};
    lido::any_ref self = {};
    int looked = 0;
    void set_life(lido::life mine) { self = mine.reference(); }
    void on_acquire() {
        ++begun;
        looked = in->get(made) != nullptr;
        made = in->spawn<child>();
        static_cast<void>(in->spawn("child"));
        in->return_to_pool(self.class_of() == 0 ? lido::any_ref() : lido::any_ref(made));
        in->after(made, ticks{3}, [] {});
        in->on_finished(made, [] {});
        in->set_lifetime(self, ticks{3});
    }
};

TEST_F(a_world_class, X8_whose_hooks_ask_the_world_changes_nothing_by_being_checked) {
    std::vector<std::uint64_t> seen[2];
    for (const bool checked : {false, true}) {
        lido::world world;
        asker::in = &world;
        asker::begun = 0;
        world.add<child>("child");
        world.add<asker>("asker", {.reset_check = checked});
        for (int i = 0; i < 6; ++i) {
            const auto it = world.spawn<asker>();
            ASSERT_TRUE(it);
            EXPECT_TRUE(world.return_to_pool(it.reference()));
            world.tick();
            for (const char* name : {"child", "asker"}) {
                const auto s = world.stats(name);
                seen[checked].insert(seen[checked].end(), {s.pool.size, s.counters.spawned, s.counters.refused,
                                                           s.counters.stale_ends, s.timers, s.listeners});
            }
            EXPECT_TRUE(world.validate());
        }
        EXPECT_EQ(log.count(), 0u);
        EXPECT_EQ(asker::begun, checked ? 7 : 6) << "once for a fresh one: then it is known to ask";
        world.end();
    }
    EXPECT_EQ(seen[0], seen[1]);
}

struct thrower {
    static inline int calls = 0;
    static inline int at = 0;
    int value = 0;
    void on_acquire() {
        if (++calls == at) throw std::runtime_error("broken");
    }
};

TEST_F(a_world_class, X8_whose_hook_throws_for_the_fresh_one_alone_has_begun_its_life) {
    lido::world world;
    thrower::calls = 0;
    thrower::at = 3;
    world.add<thrower>("thrower");
    world.return_to_pool(world.spawn<thrower>().reference());
    EXPECT_TRUE(world.spawn<thrower>());
    EXPECT_EQ(world.active<thrower>(), 1u);
    EXPECT_TRUE(world.validate());
    world.tick();
    EXPECT_FALSE(world.end().refused);
}

struct vast {
    char bytes[100'000] = {};
    int left = 0;
    void on_acquire() {}
};

TEST_F(a_world_class, X8_of_large_objects_is_checked_too) {
    lido::world world;
    world.add<vast>("vast");
    const auto first = world.spawn<vast>();
    first->left = 1;
    world.return_to_pool(first.reference());
    EXPECT_TRUE(world.spawn<vast>());
    EXPECT_NE(log.only().story.find("left (1, fresh 0)"), std::string::npos);
    world.end();
}

#endif

}  // namespace world_reset_test
