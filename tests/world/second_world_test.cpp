// A snapshot is of classes, not of one world: a second world with the same classes, for prediction, takes it and is its own.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace world_second_world_test {

using lido::ref;
using lido::snapshot;
using lido::ticks;
using lido::test::misuse_log;

struct rocket : lido::pooled {
    int fuel = 0;
    void on_acquire() { fuel = 100; }
    void hash(lido::hasher& h) const { h.add(std::uint64_t(fuel)).add(in_use()); }
};

struct crate {
    int value = 0;
};

/// Copied by its codec, which knows nothing of what lido::pooled holds.
struct sealed : lido::pooled {
    std::unique_ptr<int> content = std::make_unique<int>(0);
    void save(lido::image_writer& w) const { w.put(static_cast<std::uint32_t>(*content)); }
    bool load(lido::image_reader& r) {
        *content = static_cast<int>(r.take<std::uint32_t>());
        return r.ok();
    }
};

void add_classes(lido::world& world) {
    world.add<rocket>("rocket", {.prewarm = 4, .max_lifetime = ticks{30}, .leaks = lido::leaks::allow});
    world.add<crate>("crate", {.leaks = lido::leaks::allow});
}

TEST(a_second_world, X11_takes_a_snapshot_of_the_first_and_outlives_it) {
    for (const bool started : {false, true}) {
        lido::world second;
        add_classes(second);
        if (started) {
            static_cast<void>(second.spawn<rocket>());
            for (int i = 0; i < 3; ++i) second.tick();
        }
        ref<rocket> which;
        std::uint64_t later = 0;
        {
            lido::world first;
            add_classes(first);
            for (int i = 0; i < 1000; ++i) static_cast<void>(first.spawn<crate>());
            which = first.spawn<rocket>();
            first.tick();
            snapshot s;
            ASSERT_TRUE(first.save(s));
            const auto taken = second.restore(s);
            ASSERT_TRUE(taken) << taken.what();
            EXPECT_TRUE(second.started());
            EXPECT_EQ(second.now(), first.now());
            EXPECT_EQ(second.state_hash(), first.state_hash());
            // It predicts, and the first is not touched.
            ASSERT_NE(second.get(which), nullptr);
            EXPECT_EQ(second.get(which)->self(), lido::any_ref(which));
            EXPECT_TRUE(second.get(which)->return_to_pool());
            EXPECT_FALSE(second.lives(which));
            EXPECT_TRUE(first.lives(which));
            ASSERT_TRUE(second.restore(s));
            for (int i = 0; i < 10; ++i) {
                const auto a = first.spawn<rocket>();
                const auto b = second.spawn<rocket>();
                EXPECT_EQ(a.reference(), b.reference());
                first.tick();
                second.tick();
                EXPECT_EQ(second.state_hash(), first.state_hash());
            }
            later = first.state_hash();
            EXPECT_TRUE(second.validate());
        }
        EXPECT_EQ(second.state_hash(), later);
        EXPECT_TRUE(second.get(which)->return_to_pool()) << "its own class is asked, not that of a world that is gone";
        EXPECT_FALSE(second.lives(which));
        EXPECT_TRUE(second.validate());
    }
}

TEST(a_second_world, X11_goes_back_and_forth_with_the_first) {
    lido::world first, second;
    add_classes(first);
    add_classes(second);
    const auto it = first.spawn<rocket>();
    snapshot s;
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(first.save(s) && second.restore(s));
        second.get(it.reference())->fuel -= 10;
        second.tick();
        ASSERT_TRUE(second.save(s) && first.restore(s));
        EXPECT_EQ(first.get(it.reference())->fuel, 90 - 10 * i);
    }
    EXPECT_TRUE(first.get(it.reference())->return_to_pool());
    EXPECT_FALSE(first.lives(it));
    EXPECT_TRUE(second.lives(it));
}

TEST(a_rewound_object, X11_that_is_copied_by_its_codec_still_knows_its_life) {
    lido::world world;
    world.add<sealed>("sealed");
    const auto it = world.spawn<sealed>();
    snapshot s;
    ASSERT_TRUE(world.save(s));
    world.return_to_pool(it.reference());
    world.trim<sealed>();
    ASSERT_TRUE(world.restore(s));
    EXPECT_TRUE(world.get(it.reference())->return_to_pool());
    EXPECT_FALSE(world.lives(it));
}

TEST(a_second_world, X11_with_other_classes_is_refused_with_the_reason_and_unchanged) {
    lido::world first;
    add_classes(first);
    static_cast<void>(first.spawn<rocket>());
    snapshot s;
    ASSERT_TRUE(first.save(s));
    const auto refused = [&](lido::world& other, const char* why) {
        const std::uint64_t before = other.state_hash();
        const bool started = other.started();
        EXPECT_STREQ(other.restore(s).what(), why);
        EXPECT_EQ(other.state_hash(), before);
        EXPECT_EQ(other.started(), started);
        EXPECT_EQ(other.stats(0).built, started);
        EXPECT_TRUE(other.validate());
    };
    lido::world fewer;
    fewer.add<rocket>("rocket");
    refused(fewer, "the snapshot has classes that were not added to this world");
    lido::world more;
    add_classes(more);
    more.add<sealed>("sealed");
    refused(more, "classes were added since the snapshot was saved");
    lido::world turned;
    turned.add<crate>("crate");
    turned.add<rocket>("rocket");
    refused(turned, "the classes of the snapshot have other types, or another order");
    lido::world renamed;
    renamed.add<rocket>("rocket");
    renamed.add<crate>("box");
    refused(renamed, "the classes of the snapshot have other names, or another order");
    lido::world poorer;
    poorer.add<rocket>("rocket");
    poorer.add<crate>("crate", {.roles = {.standalone = false}});
    refused(poorer, "the snapshot has the state of a class that this role does not build");
    poorer.start();
    refused(poorer, "the snapshot has the state of a class that this role does not build");
    lido::world ageing;
    ageing.add<rocket>("rocket");
    ageing.add<crate>("crate", {.capacity = 10, .on_full = lido::on_full::replace_oldest});
    refused(ageing, "one of the two pools keeps ages and the other does not");
    ASSERT_TRUE(poorer.save(s));
    EXPECT_STREQ(first.restore(s).what(), "a class is built here that was not built where the snapshot was saved");
}

TEST(a_second_world, X11_that_cannot_hold_as_many_is_refused) {
    lido::world first, second;
    first.add<crate>("crate", {.leaks = lido::leaks::allow});
    second.add<crate>("crate", {.capacity = 10, .on_full = lido::on_full::reject});
    for (int i = 0; i < 11; ++i) static_cast<void>(first.spawn<crate>());
    snapshot s;
    ASSERT_TRUE(first.save(s));
    EXPECT_STREQ(second.restore(s).what(), "more than this pool may hold");
    EXPECT_FALSE(second.stats<crate>().built);
    EXPECT_TRUE(second.spawn<crate>());
}

}  // namespace world_second_world_test
