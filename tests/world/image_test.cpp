// X1: an image of a world brings it back exactly, in another process, whatever the order in which its classes were added.
#include <lido/core/rewind/save.hpp>
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace world_image {

/// Plain bytes, with a reference to its own kind and one to another.
struct guard {
    std::int32_t health = 10;
    std::uint32_t steps = 0;
    lido::ref<guard> next;
    lido::any_ref target;

    void on_acquire() { *this = guard(); }
};

/// Owns memory, and knows its life.
struct chest : lido::pooled {
    std::vector<std::uint32_t> gold;
    lido::any_ref told_self;

    void set_life(lido::life mine) noexcept {
        pooled::set_life(mine);
        told_self = mine.reference();
    }
    void on_release() noexcept { gold.clear(); }
    void save(lido::image_writer& w) const {
        save_pooled(w);
        w.put(static_cast<std::uint32_t>(gold.size()));
        for (const std::uint32_t g : gold) w.put(g);
    }
    [[nodiscard]] bool load(lido::image_reader& r) {
        if (!load_pooled(r)) return false;
        const auto count = r.take<std::uint32_t>();
        if (!r.has(count, sizeof(std::uint32_t))) return false;
        for (std::uint32_t i = 0; i < count; ++i) gold.push_back(r.take<std::uint32_t>());
        return true;
    }
    void hash(lido::hasher& h) const { h.add(gold).add(in_use()).add(visible()); }
};

struct torch {
    std::uint32_t light = 1;
};

struct toll {
    std::int32_t by = 0;
};

/// A program: what it adds, and in which order.
struct game {
    lido::world world;
    int told = 0;

    explicit game(bool turned = false) {
        if (turned) {
            add_torch();
            add_chest();
            add_guard();
        } else {
            add_guard();
            add_chest();
            add_torch();
        }
        const bool named =
            world.name_call<guard, toll>("pay", [this](guard& g, const toll& t) { g.health -= t.by + (told++ & 0); }) &&
            world.name_call<chest>("opened", [this](chest&) { ++told; }) &&
            world.name_call<lido::world, lido::ref<guard>>("relief", [](lido::world& w, const lido::ref<guard>& g) {
                if (guard* const it = w.get(g)) it->health += 100;
            });
        EXPECT_TRUE(named);
    }
    void add_guard() {
        EXPECT_TRUE(
            world.add<guard>("guard", {.prewarm = 3, .max_lifetime = lido::ticks{40}, .leaks = lido::leaks::allow}));
    }
    void add_chest() {
        EXPECT_TRUE(
            world.add<chest>("chest", {.trim = {.after = lido::ticks{5}, .margin = 1}, .leaks = lido::leaks::allow}));
    }
    void add_torch() {
        EXPECT_TRUE(world.add<torch>(
            "torch", {.capacity = 4, .on_full = lido::on_full::replace_oldest, .leaks = lido::leaks::allow}));
    }

    /// A little of everything, from which every tick makes something new.
    void play(int ticks, std::uint32_t random) {
        for (int i = 0; i < ticks; ++i) {
            random = random * 1664525u + 1013904223u;
            const std::uint32_t roll = random >> 16;
            const lido::ref<guard> g = world.spawn<guard>();
            world.get(g)->target = world.spawn<torch>();
            if (roll % 2 == 0) world.after(g, lido::ticks{roll % 50 + 1}, lido::named{"pay", toll{3}});
            if (roll % 3 == 0) world.return_to_pool(g);
            if (roll % 5 == 0) {
                const lido::ref<chest> c = world.spawn<chest>();
                world.get(c)->gold.assign(roll % 7, roll);
                world.on_finished(c, lido::named{"opened"});
                world.set_lifetime(c, lido::ticks{roll % 2000 + 1});
            }
            if (roll % 11 == 0) world.after(lido::ticks{roll % 300 + 1}, lido::named{"relief", g});
            if (roll % 13 == 0) world.pause<guard>(roll % 2 == 0);
            if (roll % 17 == 0) world.set_time_scale<torch>({static_cast<std::uint16_t>(roll % 3 + 1), 2});
            world.tick();
        }
    }
};

std::vector<std::byte> image_of(const lido::world& w) {
    std::vector<std::byte> bytes;
    const lido::save_result written = w.save(bytes);
    EXPECT_TRUE(written) << written.what();
    return bytes;
}

TEST(an_image_of_a_world, X1_brings_another_process_to_the_same_state_from_which_it_goes_on_the_same) {
    for (const bool turned : {false, true}) {
        game first;
        first.play(300, 7);
        const std::vector<std::byte> image = image_of(first.world);
        game second(turned);
        const lido::restore_result done = second.world.restore(image);
        ASSERT_TRUE(done) << done.what();
        EXPECT_TRUE(second.world.validate()) << second.world.validate().broken;
        EXPECT_EQ(second.world.state_hash(), first.world.state_hash());
        EXPECT_EQ(image_of(second.world), image);
        for (int i = 0; i < 20; ++i) {
            first.play(10, static_cast<std::uint32_t>(i));
            second.play(10, static_cast<std::uint32_t>(i));
            ASSERT_EQ(second.world.state_hash(), first.world.state_hash()) << "after " << 10 * (i + 1) << " ticks";
        }
        EXPECT_EQ(second.world.last_error(), "");
    }
}

TEST(an_image_of_a_world, gives_classes_the_numbers_of_the_writer_so_that_references_inside_objects_mean_the_same) {
    game first;
    const lido::ref<guard> g = first.world.spawn<guard>();
    const lido::ref<torch> t = first.world.spawn<torch>();
    first.world.get(g)->target = t;
    first.world.get(g)->next = g;
    first.world.get(t)->light = 77;
    const auto image = image_of(first.world);
    game second(true);
    ASSERT_TRUE(second.world.restore(image));
    ASSERT_NE(second.world.get(g), nullptr);
    EXPECT_EQ(second.world.get(g)->next, g);
    EXPECT_EQ(second.world.get(second.world.as<torch>(second.world.get(g)->target))->light, 77u);
    EXPECT_EQ(second.world.stats(0).name, "guard");
    EXPECT_EQ(second.world.stats(2).name, "torch");
    EXPECT_EQ(second.world.spawn<guard>().reference().class_of(), g.class_of());
    EXPECT_TRUE(second.world.has("chest"));
}

TEST(an_image_of_a_world, leaves_the_numbers_of_removed_classes_unused) {
    game first;
    first.world.add<torch>("candle");
    first.world.remove("chest");
    first.world.add<chest>("chest");
    const lido::any_ref late = first.world.spawn<chest>();
    EXPECT_EQ(late.class_of(), 4u);
    const auto image = image_of(first.world);
    game second;
    second.world.add<torch>("candle");
    ASSERT_TRUE(second.world.restore(image));
    EXPECT_TRUE(second.world.lives(late));
    EXPECT_EQ(second.world.class_count(), 5u);
    EXPECT_EQ(second.world.stats(1).name, "");
    EXPECT_EQ(second.world.add<torch>("lamp").number, 5u);
    EXPECT_EQ(second.world.state_hash(), second.world.state_hash());
}

TEST(an_image_of_a_world, tells_objects_their_lives_anew_by_the_new_numbers) {
    game first;
    const lido::ref<chest> c = first.world.spawn<chest>();
    first.world.get(c)->set_visible(false);
    const auto image = image_of(first.world);
    game second(true);
    ASSERT_TRUE(second.world.restore(image));
    chest* const there = second.world.get(c);
    EXPECT_EQ(there->told_self, lido::any_ref(c));
    EXPECT_TRUE(there->in_use());
    EXPECT_FALSE(there->visible());
    EXPECT_TRUE(there->return_to_pool());
    EXPECT_FALSE(second.world.lives(c));
    EXPECT_TRUE(first.world.lives(c));
}

TEST(an_image_of_a_world, calls_what_has_the_same_name_here_at_the_same_tick) {
    game first;
    const lido::ref<guard> g = first.world.spawn<guard>();
    const lido::ref<chest> c = first.world.spawn<chest>();
    first.world.after(g, lido::ticks{4}, lido::named{"pay", toll{7}});
    first.world.on_finished(c, lido::named{"opened"});
    first.world.after(lido::ticks{6}, lido::named{"relief", g});
    first.play(2, 3);
    const auto image = image_of(first.world);
    game second(true);
    ASSERT_TRUE(second.world.restore(image));
    second.world.pause<guard>(false);
    for (int i = 0; i < 2; ++i) second.world.tick();
    EXPECT_EQ(second.world.get(g)->health, 3);
    for (int i = 0; i < 2; ++i) second.world.tick();
    EXPECT_EQ(second.world.get(g)->health, 103);
    const int before = second.told;
    second.world.return_to_pool(c);
    EXPECT_EQ(second.told, before + 1);
    EXPECT_EQ(first.told, 0);
}

TEST(an_image_of_a_world, keeps_what_names_calls_and_connections) {
    game first;
    const lido::ref<guard> g = first.world.spawn<guard>();
    const lido::ref<chest> c = first.world.spawn<chest>();
    const auto call = first.world.after(g, lido::ticks{4}, lido::named{"pay", toll{7}});
    const auto of_world = first.world.after(lido::ticks{4}, lido::named{"relief", g});
    const auto listener = first.world.on_finished(c, lido::named{"opened"});
    const auto image = image_of(first.world);
    game second(true);
    ASSERT_TRUE(second.world.restore(image));
    EXPECT_TRUE(second.world.cancel(call));
    EXPECT_FALSE(second.world.cancel(call));
    EXPECT_TRUE(second.world.cancel(of_world));
    EXPECT_TRUE(second.world.disconnect(listener));
    EXPECT_TRUE(second.world.validate());
}

TEST(an_image_of_a_world, that_has_not_started_is_restored_as_one_that_has_not) {
    game first;
    const auto image = image_of(first.world);
    game second(true);
    second.play(5, 1);
    ASSERT_TRUE(second.world.restore(image));
    EXPECT_FALSE(second.world.started());
    EXPECT_EQ(second.world.state_hash(), first.world.state_hash());
    first.play(5, 2);
    second.play(5, 2);
    EXPECT_EQ(second.world.state_hash(), first.world.state_hash());
}

TEST(an_image_of_a_world, starts_one_that_has_not_and_goes_on_with_a_sliced_start) {
    game first;
    first.world.start({.objects_a_tick = 1});
    first.world.tick();
    const auto image = image_of(first.world);
    game second(true);
    ASSERT_TRUE(second.world.restore(image));
    EXPECT_TRUE(second.world.started());
    for (int i = 0; i < 5; ++i) {
        first.world.tick();
        second.world.tick();
    }
    EXPECT_TRUE(second.world.progress().done());
    EXPECT_EQ(second.world.state_hash(), first.world.state_hash());
}

TEST(an_image_of_a_world, undoes_the_lives_of_now_with_their_hooks_and_replaces_the_others) {
    game g;
    const lido::ref<chest> kept = g.world.spawn<chest>();
    g.world.get(kept)->gold = {1, 2, 3};
    const auto image = image_of(g.world);
    const lido::ref<chest> undone = g.world.spawn<chest>();
    chest* const object = g.world.get(undone);
    object->gold = {9};
    g.world.get(kept)->gold.clear();
    ASSERT_TRUE(g.world.restore(image));
    EXPECT_FALSE(g.world.lives(undone));
    EXPECT_EQ(g.world.get(kept)->gold, (std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT_EQ(g.world.spawn<chest>().reference(), undone);
}

TEST(an_image_of_a_world, is_part_of_a_larger_one) {
    struct score {
        std::uint32_t points = 0;
    } points{41};
    game first;
    first.play(20, 5);
    std::vector<std::byte> bytes;
    ASSERT_TRUE(lido::save(bytes, first.world, points));
    game second(true);
    score other;
    ASSERT_TRUE(lido::restore(bytes, second.world, other));
    EXPECT_EQ(other.points, 41u);
    EXPECT_EQ(second.world.state_hash(), first.world.state_hash());
}

TEST(an_image_of_a_world, is_the_same_bytes_for_the_same_state) {
    game first;
    game second;
    first.play(100, 9);
    second.play(100, 9);
    EXPECT_EQ(image_of(first.world), image_of(second.world));
}

/// Its ends wait until they are certain.
struct flare {
    static constexpr auto release = lido::on_confirm;
    std::uint32_t heat = 3;
    void on_acquire() { heat = 3; }
    void hash(lido::hasher& h) const { h.add(heat); }
};

TEST(an_image_of_a_world, keeps_ends_that_wait_and_which_birth_a_life_is) {
    lido::world first(lido::role::standalone, {.rollback = 4});
    lido::world second(lido::role::standalone, {.rollback = 4});
    first.add<flare>("flare", {.leaks = lido::leaks::allow});
    first.add<torch>("torch");
    second.add<torch>("torch");
    second.add<flare>("flare", {.leaks = lido::leaks::allow});
    first.tick();
    const lido::ref<flare> lives = first.spawn<flare>();
    const lido::ref<flare> over = first.spawn<flare>();
    first.return_to_pool(over);
    const auto image = image_of(first);
    const lido::restore_result done = second.restore(image);
    ASSERT_TRUE(done) << done.what();
    EXPECT_EQ(second.state_hash(), first.state_hash());
    EXPECT_EQ(image_of(second), image);
    EXPECT_TRUE(second.validate()) << second.validate().broken;
    EXPECT_EQ(second.key_of(lives), first.key_of(lives));
    EXPECT_EQ(second.key_of(lives).ordinal, 1u);
    for (int i = 0; i < 10; ++i) {
        const lido::any_ref one = first.spawn<flare>();
        const lido::any_ref other = second.spawn<flare>();
        EXPECT_EQ(one, other) << "after " << i << " ticks";
        EXPECT_EQ(first.key_of(one), second.key_of(other));
        first.tick();
        second.tick();
        EXPECT_EQ(second.state_hash(), first.state_hash());
    }
}

TEST(an_image_of_a_world, with_ten_thousand_lives_is_read_and_written) {
    game first;
    for (int i = 0; i < 10'000; ++i) {
        const lido::ref<guard> g = first.world.spawn<guard>();
        if (i % 4 == 0)
            first.world.after(g, lido::ticks{static_cast<std::uint64_t>(i % 30 + 1)}, lido::named{"pay", toll{1}});
    }
    const auto image = image_of(first.world);
    game second(true);
    ASSERT_TRUE(second.world.restore(image));
    EXPECT_EQ(second.world.state_hash(), first.world.state_hash());
    for (int i = 0; i < 10; ++i) second.world.tick();
    EXPECT_TRUE(second.world.validate());
}

}  // namespace world_image
