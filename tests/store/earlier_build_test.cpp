// X23: a saved game that an earlier build wrote, kept in the tree, is loaded by this one, in which the structs are others. The script that
// wrote it stands here; tests/core/rewind/fixtures/README.md tells how and when it is run.
#include <lido/store/save_game.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/fixtures.hpp"

namespace store_earlier_build {

/// Never to be changed: what the file was written with.
namespace then {
enum class mood : std::uint8_t { calm, angry };
struct hero {
    std::uint16_t health = 50;
    std::int16_t x = 0;
    double angle_rad = 0;
    lido::link<hero> follows;
    lido::text<6> name;
    std::uint8_t mana = 9;
    mood now = mood::calm;
};
constexpr auto describe(lido::type<hero>) { return lido::schema{1}; }
struct room {
    std::uint8_t lamps = 1;
};
struct coin {
    std::uint32_t worth = 1;
    lido::any_ref of;
    void on_acquire() { *this = coin(); }
};
struct leaf {
    std::uint32_t green = 1;
    std::uint32_t dry = 2;
    void on_acquire() { *this = leaf(); }
};
struct spike {
    std::uint32_t sharp = 1;
    void on_acquire() { *this = spike(); }
};

void write(const std::filesystem::path& to) {
    lido::world world;
    lido::stage stage{world};
    stage.add<room>("room");
    world.add<spike>("spike", {.leaks = lido::leaks::allow});
    world.add<coin>("coin", {.leaks = lido::leaks::allow});
    stage.add<hero>("hero");
    world.add<leaf>("leaf", {.leaks = lido::leaks::allow});
    hero h;
    h.health = 70;
    h.x = -7;
    h.angle_rad = 0.5;
    h.now = mood::angry;
    const auto ann = stage.create<hero>({.id = "ann", .owner = {6}, .version = 40}, h).reference();
    hero with;
    with.follows = stage.link_to(ann);
    ASSERT_TRUE(with.name.assign("Bö\"b"));
    stage.create<hero>({.id = "bob"}, with);
    stage.create<room>({.id = "hall"});
    const auto c = world.spawn<coin>();
    world.get(c.reference())->worth = 12;
    world.get(c.reference())->of = ann.in_world();
    world.spawn<leaf>();
    world.spawn<spike>();
    for (int i = 0; i < 30; ++i) stage.tick();
    const auto saved = lido::store::save_game(to.string(), stage,
                                              {.title = "Im Keller",
                                               .build = "0.9",
                                               .saved_at = 1700000000000,
                                               .picture = {1, 2, std::vector<std::byte>(8)}});
    ASSERT_TRUE(saved) << saved.why();
}
}  // namespace then

[[maybe_unused]] testing::Environment* const writing = testing::AddGlobalTestEnvironment(
    new lido::test::fixture_writing([](const std::filesystem::path& to) { then::write(to / "earlier_build.game"); }));

/// This build: renamed, widened, dropped, added, computed; a class less, and another with other fields.
namespace now {
enum class mood : std::uint16_t { calm, angry, tired };
struct hero {
    lido::text<12> name;
    std::uint32_t gold = 77;
    std::int64_t hp = 1;
    std::int32_t x = 0;
    float angle = 0;
    lido::link<hero> follows;
    mood now = mood::calm;
    std::optional<std::uint8_t> luck;
};
constexpr auto describe(lido::type<hero>) {
    return lido::schema{3, lido::field<&hero::hp>{.max = 100, .was = "health"}};
}
void migrate(lido::from_revision<1>, const lido::record& old, hero& h) {
    h.angle = static_cast<float>(old.number("angle_rad") * 57.29578);
    h.gold += static_cast<std::uint32_t>(old.whole("mana"));
}
struct coin {
    std::uint32_t worth = 1;
    lido::any_ref of;
    void on_acquire() { *this = coin(); }
};
struct leaf {
    std::uint32_t green = 1;
    float dry = 2;
    void on_acquire() { *this = leaf(); }
};
struct dew {
    std::uint32_t wet = 1;
    void on_acquire() { *this = dew(); }
};
}  // namespace now

struct program {
    lido::world world;
    lido::stage stage{world};
    explicit program(lido::changed_layout leaves = lido::changed_layout::drop) {
        world.add<now::dew>("dew", {.leaks = lido::leaks::allow});
        stage.add<now::hero>("hero", {.history = 4});
        world.add<now::leaf>("leaf", {.leaks = lido::leaks::allow, .changed_layout = leaves});
        world.add<now::coin>("coin", {.leaks = lido::leaks::allow});
    }
};
std::string file() { return (lido::test::fixture_folder("0.2.0") / "earlier_build.game").string(); }

TEST(a_game_of_an_earlier_build, X23_is_loaded_with_its_entities_migrated) {
    program p;
    const auto loaded = lido::store::load_game(file(), p.stage, {.leave_out_classes = true});
    ASSERT_TRUE(loaded) << loaded.why();
    EXPECT_EQ(loaded.info.title, "Im Keller");
    EXPECT_EQ(loaded.info.build, "0.9");
    EXPECT_EQ(loaded.info.tick, 30u);
    EXPECT_EQ(loaded.info.picture.height, 2);
    EXPECT_EQ(loaded.left_out, (std::vector<std::string>{"room", "spike"}));
    EXPECT_EQ(loaded.dropped, (std::vector<std::string>{"leaf"}));
    const auto ann = p.stage.find<now::hero>("ann");
    const now::hero* const a = p.stage.get(ann);
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(a->hp, 70);
    EXPECT_EQ(a->x, -7);
    EXPECT_NEAR(a->angle, 28.65f, 0.01f);
    EXPECT_EQ(a->gold, 86u);
    EXPECT_EQ(a->now, now::mood::angry);
    EXPECT_FALSE(a->luck.has_value());
    EXPECT_EQ(p.stage.info(ann).owner, lido::player{6});
    EXPECT_EQ(p.stage.info(ann).version, 40u);
    const now::hero* const b = p.stage.get(p.stage.find<now::hero>("bob"));
    ASSERT_NE(b, nullptr);
    EXPECT_EQ(b->name.view(), "Bö\"b");
    EXPECT_EQ(p.stage.follow(b->follows), ann);
    std::uint32_t worth = 0;
    p.world.for_each<now::coin>([&](const now::coin& c) {
        worth += c.worth;
        EXPECT_EQ(c.of, ann.in_world());
    });
    EXPECT_EQ(worth, 12u);
    EXPECT_EQ(p.world.stats("leaf").pool.size, 0u);
    EXPECT_EQ(p.stage.now(), lido::ticks{30});
    EXPECT_EQ(p.stage.validate().broken, nullptr);
    EXPECT_EQ(p.world.validate().broken, nullptr);
}

TEST(a_game_of_an_earlier_build, X23_goes_on_and_is_saved_and_loaded_again_by_this_one) {
    program p;
    ASSERT_TRUE(lido::store::load_game(file(), p.stage, {.leave_out_classes = true}));
    auto change = p.stage.edit(p.stage.find<now::hero>("bob"));
    change->luck = std::uint8_t{3};
    ASSERT_TRUE(change.commit()) << change.why();
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(p.world.spawn<now::dew>());
        EXPECT_TRUE(p.world.spawn<now::leaf>());
        EXPECT_TRUE(p.stage.create<now::hero>());
        p.stage.tick();
    }
    const std::string again = testing::TempDir() + "lido_again.game";
    ASSERT_TRUE(lido::store::save_game(again, p.stage));
    program q;
    const auto loaded = lido::store::load_game(again, q.stage);
    ASSERT_TRUE(loaded) << loaded.why();
    EXPECT_TRUE(loaded.left_out.empty());
    EXPECT_TRUE(loaded.dropped.empty());
    EXPECT_EQ(q.stage.state_hash(), p.stage.state_hash());
    std::filesystem::remove(again);
}

TEST(a_game_of_an_earlier_build, X23_is_refused_where_its_objects_are_not_to_be_dropped) {
    program p(lido::changed_layout::refuse);
    const auto loaded = lido::store::load_game(file(), p.stage, {.leave_out_classes = true});
    EXPECT_EQ(loaded.fault(), lido::store::game_fault::refused);
    EXPECT_NE(loaded.why().find("leaf: its objects have other fields in the saved game than in this build"),
              std::string::npos)
        << loaded.why();
    EXPECT_EQ(p.stage.size(), 0u);
}

TEST(a_game_of_an_earlier_build, X23_is_refused_where_a_class_is_no_more_and_nobody_said_so) {
    program p;
    const auto loaded = lido::store::load_game(file(), p.stage);
    EXPECT_NE(loaded.why().find("the image has the entities \"room\", which this stage does not have"),
              std::string::npos)
        << loaded.why();
}

TEST(a_game_of_an_earlier_build, X23_is_written_as_the_same_bytes) {
    const std::string again = testing::TempDir() + "lido_same.game";
    then::write(again);
    EXPECT_TRUE(lido::test::read_fixture(again) == lido::test::read_fixture(file()));
    std::filesystem::remove(again);
}

}  // namespace store_earlier_build
