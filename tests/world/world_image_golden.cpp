// X1 for images of worlds: the image that an earlier version wrote is restored by this one to the same state, from which it goes on the
// same; and the script that made it makes the same bytes. core/rewind/fixtures_golden.cpp says what a difference means.
#include <lido/world/world.hpp>

#include "support/fixtures.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Not in an unnamed namespace: names of classes and types are part of an image.
namespace lido::fixtures::image_game {

struct sentry {
    std::uint32_t health = 10;
    std::uint32_t shots = 0;
    lido::ref<sentry> partner;

    void on_acquire() { *this = sentry(); }
};

struct box : pooled {
    std::vector<std::uint32_t> things;
    void on_acquire() { things.assign(3, 8); }
    void on_release() noexcept { things.clear(); }
    void save(image_writer& w) const {
        save_pooled(w);
        w.put(static_cast<std::uint32_t>(things.size()));
        for (const std::uint32_t t : things) w.put(t);
    }
    [[nodiscard]] bool load(image_reader& r) {
        if (!load_pooled(r)) return false;
        const auto count = r.take<std::uint32_t>();
        if (!r.has(count, sizeof(std::uint32_t))) return false;
        for (std::uint32_t i = 0; i < count; ++i) things.push_back(r.take<std::uint32_t>());
        return true;
    }
    void hash(hasher& h) const { h.add(things).add(in_use()).add(visible()); }
};

struct flash {
    static constexpr auto release = on_confirm;
    std::uint32_t light = 5;
    void on_acquire() { light = 5; }
    void hash(hasher& h) const { h.add(light); }
};

struct blow {
    std::int32_t by = 0;
    std::uint32_t from = 0;
};

/// Everything that an image holds; nothing that is the game's own decides what comes.
class game {
public:
    lido::world world{role::standalone, {.rollback = 3}};

    explicit game(bool turned = false) {
        if (turned) add_box();
        EXPECT_TRUE(world.add<flash>("flash", {.capacity = 6, .on_full = on_full::grow_to(40), .leaks = leaks::allow}));
        EXPECT_TRUE(world.add<sentry>("sentry", {.prewarm = 4,
                                                 .max_lifetime = ticks{90},
                                                 .capacity = 20,
                                                 .on_full = on_full::grow_to(60).then(on_full::replace_oldest),
                                                 .trim = {.after = ticks{30}, .margin = 2},
                                                 .leaks = leaks::allow}));
        if (!turned) add_box();
        EXPECT_TRUE((world.name_call<sentry, blow>("hit", [](sentry& s, const blow& b) {
            s.health -= static_cast<std::uint32_t>(b.by);
            s.shots += b.from;
        })));
        EXPECT_TRUE((world.name_call<box, lido::ref<sentry>>("tell", [this](box&, const lido::ref<sentry>& who) {
            if (sentry* const s = world.get(who)) ++s->shots;
        })));
        EXPECT_TRUE(world.name_call<lido::world>("wave", [](lido::world& w) {
            static_cast<void>(w.spawn<sentry>());
            static_cast<void>(w.spawn<sentry>());
        }));
    }

    /// `random` is all that decides, so that a game that goes on needs nothing but the world.
    void play(int count, std::uint64_t seed) {
        test::dice d(seed);
        for (int i = 0; i < count; ++i) {
            const lido::ref<sentry> s = world.spawn<sentry>();
            if (sentry* const it = world.get(s)) it->partner = s;
            if (d.below(2) == 0) {
                const ticks in{d.below(120) + 1};  // one after the other: arguments are evaluated in any order
                const blow with{static_cast<std::int32_t>(d.below(5)), 1};
                world.after(s, in, named{"hit", with});
            }
            if (d.below(3) == 0) world.return_to_pool(s);
            if (d.below(4) == 0) {
                const lido::ref<box> b = world.spawn<box>();
                world.on_finished(b, named{"tell", s});
                world.set_lifetime(b, ticks{d.below(3000) + 1});
            }
            const lido::ref<flash> f = world.spawn<flash>();
            if (d.below(2) == 0) world.return_to_pool(f);
            if (d.below(8) == 0) world.after(ticks{d.below(200) + 1}, named{"wave"});
            if (d.below(16) == 0) world.pause<box>(d.below(2) == 0);
            if (d.below(16) == 0) world.set_time_scale<sentry>({static_cast<std::uint16_t>(d.below(3) + 1), 2});
            world.tick();
        }
    }

private:
    void add_box() {
        EXPECT_TRUE(world.add<box>("box", {.capacity = 10, .on_full = on_full::replace_oldest, .leaks = leaks::allow}));
    }
};

namespace {

constexpr const char* version = "0.2.0";

std::vector<std::byte> image_of(const lido::world& w) {
    std::vector<std::byte> bytes;
    const save_result written = w.save(bytes);
    EXPECT_TRUE(written) << written.what();
    return bytes;
}

std::string line_of(const game& g) {
    return std::to_string(g.world.now().count) + " " + test::hex(g.world.state_hash());
}

void write(const std::filesystem::path& folder) {
    const test::quiet_misuse hush;
    game g;
    g.play(150, 3);
    test::write_fixture(folder / "world.image", test::as_text(image_of(g.world)));
    std::string text = "# tick state\n" + line_of(g) + "\n";
    g.play(150, 4);
    text += line_of(g) + "\n";
    test::write_fixture(folder / "world_image.txt", text);
}

[[maybe_unused]] testing::Environment* const writing =
    testing::AddGlobalTestEnvironment(new test::fixture_writing(&write));

TEST(a_world_in_an_image, X1_of_an_earlier_version_is_restored_and_goes_on_to_the_same_hashes) {
    const test::quiet_misuse hush;
    const auto lines = test::fixture_lines(test::fixture_folder(version) / "world_image.txt");
    const std::string file = test::read_fixture(test::fixture_folder(version) / "world.image");
    ASSERT_EQ(lines.size(), 2u);
    for (const bool turned : {false, true}) {
        game g(turned);
        const restore_result done = g.world.restore(test::as_bytes(file));
        ASSERT_TRUE(done) << done.what();
        EXPECT_TRUE(g.world.validate()) << g.world.validate().broken;
        EXPECT_EQ(line_of(g), lines.at("150"));
        g.play(150, 4);
        EXPECT_EQ(line_of(g), lines.at("300"));
    }
}

TEST(a_world_in_an_image, X1_is_written_as_the_same_bytes) {
    const test::quiet_misuse hush;
    game g;
    g.play(150, 3);
    EXPECT_TRUE(test::as_text(image_of(g.world)) == test::read_fixture(test::fixture_folder(version) / "world.image"));
    EXPECT_LT(image_of(g.world).size(), 64u * 1024);
}

}  // namespace
}  // namespace lido::fixtures::image_game
