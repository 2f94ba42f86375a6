// X23: what a saved game has of a stage is read by later builds: entities migrate by the names of their fields, other objects as their class says.
#include <lido/core/rewind/save.hpp>
#include <lido/entity/stage/lasting.hpp>
#include <lido/entity/stage/stage.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/rewind/image_map.hpp"

namespace stage_lasting {

using lido::restore_error;
using lido::ticks;
using bytes = std::vector<std::byte>;
using lines = std::vector<std::string>;

inline lines heard;

/// The build that saves.
namespace older {
struct hero {
    std::uint16_t health = 50;
    std::int16_t x = 0;
    std::uint8_t mana = 9;
    double angle_rad = 0;
    lido::link<hero> friend_of;
    lido::text<6> name;
};
constexpr auto describe(lido::type<hero>) { return lido::schema{1}; }
struct ghost {
    std::int32_t n = 0;
};
struct coin {
    std::uint32_t worth = 1;
    lido::any_ref of;
    void on_acquire() { worth = 1; }
};
struct leaf {
    std::uint32_t green = 1;
    std::uint32_t dry = 2;
    void on_acquire() { green = 1; }
};
}  // namespace older

/// The build that loads: renamed, widened, dropped, added, computed.
namespace newer {
struct hero {
    lido::text<12> name;
    std::int64_t hp = 1;
    std::int32_t x = 0;
    float angle = 0;
    lido::link<hero> friend_of;
    std::uint32_t gold = 77;
};
constexpr auto describe(lido::type<hero>) {
    return lido::schema{2, lido::field<&hero::hp>{.max = 100, .was = "health"}};
}
inline void migrate(lido::from_revision<1>, const lido::record& old, hero& now) {
    now.angle = static_cast<float>(old.number("angle_rad") * 2);
}
inline void on_begin(const hero& h, const lido::entity_birth& birth) {
    heard.push_back(std::string(birth.id.view()) + " " + std::to_string(h.hp));
}
struct coin {
    std::uint32_t worth = 1;
    lido::any_ref of;
    void on_acquire() { worth = 1; }
};
struct leaf {
    std::uint64_t green = 1;
    inline static int released = 0;
    void on_acquire() { green = 1; }
    void on_release() noexcept { ++released; }
};
struct fresh {
    std::int32_t n = 3;
};
struct dew {
    std::uint32_t wet = 4;
    void on_acquire() { wet = 4; }
};
}  // namespace newer

struct old_game {
    lido::world world;
    lido::stage stage{world};
    lido::ref<older::coin> coin;
    bytes saved;

    old_game() {
        stage.add<older::hero>("hero", {.history = 2});
        world.add<older::coin>("coin", {.leaks = lido::leaks::allow});
        world.add<older::leaf>("leaf", {.leaks = lido::leaks::allow});
        const auto al =
            stage.create<older::hero>({.id = "al", .owner = {6}}, {.health = 40, .x = -7, .mana = 3, .angle_rad = 0.5});
        older::hero with;
        with.friend_of = stage.link_to(al.reference());
        EXPECT_TRUE(with.name.assign("bo'\"é"));
        stage.create<older::hero>({.id = "bo"}, with);
        stage.lock(al, "shop", ticks{9});
        coin = world.spawn<older::coin>();
        world.get(coin)->worth = 12;
        world.get(coin)->of = al.reference().in_world();
        world.spawn<older::leaf>();
        for (int i = 0; i < 5; ++i) stage.tick();
    }
    void save() {
        const lido::lasting all{stage};
        const lido::save_result done = lido::save(saved, all);
        ASSERT_TRUE(done) << done.what();
    }
};

struct new_game {
    lido::world world;
    lido::stage stage{world, {.journal_bytes = 4096}};  // thousands of them are made

    explicit new_game(lido::changed_layout leaves = lido::changed_layout::drop) {
        heard.clear();
        newer::leaf::released = 0;
        world.add<newer::dew>("dew", {.prewarm = 3, .leaks = lido::leaks::allow});
        stage.add<newer::fresh>("fresh");
        world.add<newer::leaf>("leaf", {.leaks = lido::leaks::allow, .changed_layout = leaves});
        world.add<newer::coin>("coin", {.leaks = lido::leaks::allow});
        stage.add<newer::hero>("hero", {.history = 5});
    }
    void expect_sound() const {
        EXPECT_EQ(stage.validate().broken, nullptr);
        EXPECT_EQ(world.validate().broken, nullptr);
    }
};

TEST(stage_lasting, migrates_entities_by_the_names_of_their_fields) {
    old_game old;
    old.save();
    new_game now;
    lido::lasting all{now.stage};
    const lido::restore_result done = lido::restore(old.saved, all);
    ASSERT_TRUE(done) << done.what();
    all.settle();
    now.expect_sound();
    const auto al = now.stage.find<newer::hero>("al");
    const auto bo = now.stage.find<newer::hero>("bo");
    ASSERT_NE(now.stage.get(al), nullptr);
    EXPECT_EQ(now.stage.get(al)->hp, 40) << "renamed and widened";
    EXPECT_EQ(now.stage.get(al)->x, -7) << "widened";
    EXPECT_EQ(now.stage.get(al)->angle, 1.0f) << "by migrate";
    EXPECT_EQ(now.stage.get(al)->gold, 77u) << "added";
    EXPECT_EQ(now.stage.get(bo)->name.view(), "bo'\"é") << "longer";
    EXPECT_EQ(now.stage.follow(now.stage.get(bo)->friend_of), al);
    EXPECT_EQ(now.stage.info(al).owner, lido::player{6});
    EXPECT_EQ(now.stage.info(al).generation, old.stage.info(old.stage.find("al")).generation);
    EXPECT_EQ(now.stage.info(al).locked_by.view(), "shop");
    EXPECT_EQ(now.stage.now(), ticks{5});
    EXPECT_EQ(now.stage.history_size(al), 0u);
    auto change = now.stage.edit(bo);
    change->gold = 1;
    ASSERT_TRUE(change.commit()) << change.why();
    EXPECT_EQ(now.stage.history_size(bo), 1u);
    ASSERT_TRUE(now.stage.undo_to(bo, now.stage.info(bo).version - 1));
    EXPECT_EQ(now.stage.get(bo)->gold, 77u);
}

TEST(stage_lasting, calls_on_begin_for_each_entity_when_all_of_them_are_there) {
    old_game old;
    old.save();
    new_game now;
    lido::lasting all{now.stage};
    ASSERT_TRUE(lido::restore(old.saved, all));
    EXPECT_TRUE(heard.empty());
    all.settle();
    EXPECT_EQ(heard, (lines{"al 40", "bo 50"}));
}

TEST(stage_lasting, has_references_inside_objects_that_name_the_same_lives) {
    old_game old;
    old.save();
    new_game now;
    lido::lasting all{now.stage};
    ASSERT_TRUE(lido::restore(old.saved, all));
    all.settle();
    std::size_t coins = 0;
    now.world.for_each<newer::coin>([&](const newer::coin& c) {
        ++coins;
        EXPECT_EQ(c.worth, 12u);
        EXPECT_EQ(c.of, now.stage.find<newer::hero>("al").in_world());
    });
    EXPECT_EQ(coins, 1u);
}

TEST(stage_lasting, drops_objects_that_have_other_fields_where_their_class_says_so) {
    old_game old;
    old.save();
    new_game now;
    lido::lasting all{now.stage};
    ASSERT_TRUE(lido::restore(old.saved, all));
    EXPECT_EQ(all.dropped(), (lines{"leaf"}));
    all.settle();
    EXPECT_EQ(now.world.stats("leaf").pool.size, 0u);
    EXPECT_EQ(newer::leaf::released, 1);
    EXPECT_TRUE(now.world.spawn<newer::leaf>());
    now.stage.tick();
    now.expect_sound();
}

TEST(stage_lasting, is_refused_for_them_where_it_does_not_and_nothing_changes) {
    old_game old;
    old.save();
    new_game now(lido::changed_layout::refuse);
    now.stage.create<newer::hero>({.id = "here"});
    const std::uint64_t before = now.stage.state_hash();
    lido::lasting all{now.stage};
    const lido::restore_result r = lido::restore(old.saved, all);
    EXPECT_EQ(r.error, restore_error::other_type);
    EXPECT_STREQ(
        r.what(),
        "leaf: its objects have other fields in the saved game than in this build; to load the game without them, "
        "say changed_layout = drop in the settings of the class");
    EXPECT_EQ(now.stage.state_hash(), before);
    EXPECT_TRUE(now.stage.find("here"));
}

TEST(stage_lasting, builds_classes_that_were_not_there_yet) {
    old_game old;
    old.save();
    new_game now;
    now.stage.create<newer::fresh>({.id = "old life"});
    now.world.spawn<newer::dew>();
    lido::lasting all{now.stage};
    ASSERT_TRUE(lido::restore(old.saved, all));
    all.settle();
    now.expect_sound();
    EXPECT_FALSE(now.stage.find("old life"));
    EXPECT_EQ(now.world.stats("dew").pool.size, 0u);
    EXPECT_TRUE(now.world.spawn<newer::dew>());
    const auto f = now.stage.create<newer::fresh>({.id = "new life"});
    ASSERT_TRUE(f) << f.why();
    for (int i = 0; i < 3; ++i) now.stage.tick();
    now.expect_sound();
}

TEST(stage_lasting, leaves_out_classes_that_are_no_more_where_it_is_told_to) {
    old_game old;
    old.stage.add<older::ghost>("ghost");
    old.stage.create<older::ghost>({.id = "boo"});
    old.save();
    new_game now;
    {
        lido::lasting all{now.stage};
        EXPECT_STREQ(
            lido::restore(old.saved, all).what(),
            "the image has the entities \"ghost\", which this stage does not have; add the class before the restore");
    }
    lido::lasting all{now.stage, {.leave_out_classes = true}};
    const lido::restore_result done = lido::restore(old.saved, all);
    ASSERT_TRUE(done) << done.what();
    all.settle();
    EXPECT_EQ(all.left_out(), (lines{"ghost"}));
    EXPECT_FALSE(now.stage.find("boo"));
    EXPECT_TRUE(now.stage.find("al"));
    now.expect_sound();
}

TEST(stage_lasting, of_a_later_revision_is_refused) {
    new_game later;
    later.stage.create<newer::hero>({.id = "al"});
    bytes saved;
    {
        const lido::lasting all{later.stage};
        ASSERT_TRUE(lido::save(saved, all));
    }
    old_game old;
    lido::lasting all{old.stage, {.leave_out_classes = true}};
    const lido::restore_result r = lido::restore(saved, all);
    EXPECT_EQ(r.error, restore_error::other_version);
    EXPECT_STREQ(r.what(), "hero: it was stored by a later version of the program");
}

TEST(stage_lasting, names_the_entity_and_the_field_that_cannot_be_taken_over) {
    old_game old;
    auto change = old.stage.edit(old.stage.find<older::hero>("bo"));
    change->health = 101;
    ASSERT_TRUE(change.commit());
    old.save();
    new_game now;
    lido::lasting all{now.stage};
    EXPECT_STREQ(lido::restore(old.saved, all).what(), "\"bo\" (hero): hp: the value is above its maximum");
}

TEST(stage_lasting, leaves_out_what_is_code_of_the_running_program) {
    old_game old;
    const auto al = old.stage.find("al");
    int released = 0;
    ASSERT_TRUE(old.stage.manage(al, [&released] { ++released; }));
    ASSERT_TRUE(old.stage.on_updated(al, [](const lido::entity_event&) {}));
    old.save();
    lido::lasting all{old.stage};
    ASSERT_TRUE(lido::restore(old.saved, all));
    all.settle();
    EXPECT_EQ(released, 1) << "the life that had it is no more";
    EXPECT_EQ(old.stage.stats().listeners, 0u);
    EXPECT_EQ(old.stage.stats().managed, 0u);
}

TEST(stage_lasting, is_no_exact_image_and_the_other_way_round) {
    old_game old;
    old.save();
    const lido::restore_result exact = old.stage.restore(old.saved);
    EXPECT_EQ(exact.error, restore_error::other_shape);
    bytes image;
    ASSERT_TRUE(old.stage.save(image));
    lido::lasting all{old.stage};
    EXPECT_EQ(lido::restore(image, all).error, restore_error::other_shape);
}

TEST(stage_lasting, works_for_a_world_without_a_stage) {
    lido::world old;
    old.add<older::coin>("coin", {.leaks = lido::leaks::allow});
    old.add<older::leaf>("leaf", {.leaks = lido::leaks::allow});
    old.get(old.spawn<older::coin>().reference())->worth = 31;
    old.spawn<older::leaf>();
    old.tick();
    bytes saved;
    {
        const lido::lasting all{old};
        ASSERT_TRUE(lido::save(saved, all));
    }
    lido::world now;
    now.add<newer::leaf>("leaf", {.leaks = lido::leaks::allow, .changed_layout = lido::changed_layout::drop});
    now.add<newer::dew>("dew", {.leaks = lido::leaks::allow});
    now.add<newer::coin>("coin", {.leaks = lido::leaks::allow});
    lido::lasting all{now};
    const lido::restore_result done = lido::restore(saved, all);
    ASSERT_TRUE(done) << done.what();
    all.settle();
    std::uint32_t worth = 0;
    now.for_each<newer::coin>([&](const newer::coin& c) { worth += c.worth; });
    EXPECT_EQ(worth, 31u);
    EXPECT_EQ(now.stats("leaf").pool.size, 0u);
    EXPECT_TRUE(now.spawn<newer::dew>());
    EXPECT_EQ(now.validate().broken, nullptr);
}

TEST(stage_lasting, or_a_sound_stage_follow_from_every_flipped_bit_under_a_right_checksum) {
    old_game old;
    old.save();
    std::size_t refused = 0;
    new_game to;
    for (std::size_t bit = 0; bit < old.saved.size() * 8; ++bit) {
        bytes wrong = old.saved;
        wrong[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        lido::test::seal(wrong);
        const std::uint64_t before = to.stage.state_hash();
        lido::lasting all{to.stage};
        const lido::restore_result r = lido::restore(wrong, all);
        if (!r) {
            ++refused;
            ASSERT_STRNE(r.what(), "");
            ASSERT_EQ(to.stage.state_hash(), before);
            continue;
        }
        all.settle();
        ASSERT_EQ(to.stage.validate().broken, nullptr) << bit;
        ASSERT_EQ(to.world.validate().broken, nullptr) << bit;
        to.stage.tick();
    }
    EXPECT_GT(refused, old.saved.size() * 2) << "of " << old.saved.size() * 8;
}

}  // namespace stage_lasting
