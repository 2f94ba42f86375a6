// X1 for images of stages: the image that an earlier version wrote is restored by this one to the same state, from which it goes on the
// same; and the script that made it makes the same bytes. core/rewind/fixtures_golden.cpp says what a difference means.
#include <lido/core/rewind/save.hpp>
#include <lido/entity/stage/lasting.hpp>
#include <lido/entity/stage/stage.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "support/fixtures.hpp"

/// Not in an unnamed namespace: names of classes and types are part of an image.
namespace lido::fixtures::stage_game {

struct vault {
    std::int64_t gold = 5;
    double heat = 0.25;
    lido::text<10> sign;
    lido::link<vault> other;
    bool open = false;
};
constexpr auto describe(lido::type<vault>) { return lido::schema{1, lido::field<&vault::gold>{.min = 0}}; }

struct orc {
    using context_type = std::uint32_t;
    std::uint16_t hp = 30;
};
struct rock {
    std::uint32_t weight = 2;
    void on_acquire() { weight = 2; }
};

class game {
public:
    lido::world world{role::standalone, {.rollback = 3}};
    lido::stage stage{world};

    explicit game(bool turned = false) {
        if (turned) add_rock();
        stage.add<vault>("vault", {.history = 2});
        stage.add<orc>("orc", {.idle = 3, .max_lifetime = ticks{60}});
        if (!turned) add_rock();
        static_cast<void>(stage.name_call<vault>("open", [this](entity_ref<vault> v) {
            auto change = stage.edit(v);
            change->open = !change->open;
            static_cast<void>(change.commit());
        }));
    }

    void play(int count, std::uint64_t seed) {
        test::dice d(seed);
        for (int i = 0; i < count; ++i) {
            const auto v = stage.create<vault>({.id = d.below(3) == 0 ? "v" + std::to_string(d.below(20)) : ""});
            if (v) {
                auto change = stage.edit(v.reference());
                change->gold += d.below(9);
                change->other = stage.link_to(stage.find<vault>("v" + std::to_string(d.below(20))));
                static_cast<void>(change->sign.assign(d.below(2) == 0 ? "yes" : "né"));
                static_cast<void>(change.commit());
                static_cast<void>(stage.after(v, ticks{d.below(30) + 1}, named{"open"}));
                if (d.below(5) == 0) static_cast<void>(stage.lock(v, "gm", ticks{d.below(9) + 1}));
                if (d.below(3) == 0) static_cast<void>(stage.destroy(v));
            }
            const auto hp = static_cast<std::uint16_t>(d.below(50));
            const player whose{d.below(3)};
            const std::uint32_t luck = d.below(100);  // one after the other: arguments are evaluated in any order
            const auto o = stage.create<orc>({.owner = whose}, {.hp = hp}, luck);
            if (d.below(2) == 0) static_cast<void>(stage.pool(o));
            if (d.below(4) == 0) static_cast<void>(world.spawn<rock>());
            stage.tick();
        }
    }

private:
    void add_rock() { world.add<rock>("rock", {.max_lifetime = ticks{40}, .leaks = leaks::allow}); }
};

namespace {

constexpr const char* version = "0.2.0";

std::vector<std::byte> image_of(const lido::stage& s) {
    std::vector<std::byte> bytes;
    const save_result written = s.save(bytes);
    EXPECT_TRUE(written) << written.what();
    return bytes;
}
std::vector<std::byte> saved_game_of(lido::stage& s) {
    std::vector<std::byte> bytes;
    const lasting all{s};
    const save_result written = lido::save(bytes, all);
    EXPECT_TRUE(written) << written.what();
    return bytes;
}
std::string line_of(const game& g) {
    return std::to_string(g.stage.now().count) + " " + test::hex(g.stage.state_hash());
}

void write(const std::filesystem::path& folder) {
    const test::quiet_misuse hush;
    game g;
    g.play(60, 3);
    test::write_fixture(folder / "stage.image", test::as_text(image_of(g.stage)));
    test::write_fixture(folder / "stage.lasting", test::as_text(saved_game_of(g.stage)));
    std::string text = "# tick state\n" + line_of(g) + "\n";
    g.play(60, 4);
    text += line_of(g) + "\n";
    test::write_fixture(folder / "stage_image.txt", text);
}

[[maybe_unused]] testing::Environment* const writing =
    testing::AddGlobalTestEnvironment(new test::fixture_writing(&write));

TEST(a_stage_in_an_image, X1_of_an_earlier_version_is_restored_and_goes_on_to_the_same_hashes) {
    const test::quiet_misuse hush;
    const auto lines = test::fixture_lines(test::fixture_folder(version) / "stage_image.txt");
    const std::string file = test::read_fixture(test::fixture_folder(version) / "stage.image");
    ASSERT_EQ(lines.size(), 2u);
    for (const bool turned : {false, true}) {
        game g(turned);
        const restore_result done = g.stage.restore(test::as_bytes(file));
        ASSERT_TRUE(done) << done.what();
        EXPECT_TRUE(g.stage.validate()) << g.stage.validate().broken;
        EXPECT_EQ(line_of(g), lines.at("60"));
        g.play(60, 4);
        EXPECT_EQ(line_of(g), lines.at("120"));
    }
}

TEST(a_stage_in_an_image, X1_is_written_as_the_same_bytes) {
    const test::quiet_misuse hush;
    game g;
    g.play(60, 3);
    EXPECT_TRUE(test::as_text(image_of(g.stage)) == test::read_fixture(test::fixture_folder(version) / "stage.image"));
    EXPECT_TRUE(test::as_text(saved_game_of(g.stage)) ==
                test::read_fixture(test::fixture_folder(version) / "stage.lasting"));
    EXPECT_LT(image_of(g.stage).size(), 64u * 1024);
}

TEST(a_stage_in_an_image, X23_that_is_to_last_is_restored_to_the_same_state) {
    const test::quiet_misuse hush;
    const auto lines = test::fixture_lines(test::fixture_folder(version) / "stage_image.txt");
    const std::string file = test::read_fixture(test::fixture_folder(version) / "stage.lasting");
    for (const bool turned : {false, true}) {
        game g(turned);
        lasting all{g.stage};
        const restore_result done = lido::restore(test::as_bytes(file), all);
        ASSERT_TRUE(done) << done.what();
        all.settle();
        EXPECT_TRUE(g.stage.validate()) << g.stage.validate().broken;
        EXPECT_EQ(line_of(g), lines.at("60"));
    }
}

}  // namespace
}  // namespace lido::fixtures::stage_game
