// X1 for worlds: a script that an earlier version played is played by this one to the same state, tick for tick. Its fixture is a file
// of hashes; world_image_golden.cpp has one of bytes; core/rewind/fixtures_golden.cpp says what a difference means.
#include <lido/world/world.hpp>

#include <lido/core/meta/hash.hpp>
#include <lido/core/rewind/save.hpp>

#include "support/fixtures.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Not in an unnamed namespace: names of classes are part of what a world is.
namespace lido::fixtures {

struct spark {
    std::uint32_t value = 0;
    lido::transform transform;

    void on_acquire() { value = 1; }
    /// A full class folds newcomers into what has the same place.
    bool merge(const spark& newcomer) {
        if (newcomer.transform.x != transform.x) return false;
        value += 100;
        return true;
    }
};

struct blast {
    std::uint32_t power = 3;
};

/// Takes a payload, is seen while in use, and owns memory.
struct bomb : pooled {
    using payload_type = blast;
    std::uint32_t power = 0;
    std::vector<std::uint32_t> hits;

    void on_acquire(const blast& with) {
        power = with.power;
        hits.assign(power % 4, power);
    }
    void on_release() noexcept { hits.clear(); }
    void hash(hasher& h) const { h.add(power).add(hits).add(in_use()).add(visible()); }
};

struct number {
    std::uint32_t shown = 0;
    void on_acquire(const payload& with) {
        const blast* const b = with.get<blast>();
        shown = b != nullptr ? b->power : 0;
    }
};

namespace {

// What a program is answered is held to 0.1.0. The hash of the state is held to files of its own since 0.2.0: until then the calls that
// waited for lives which had ended were state, and so were the handles of their timers.
constexpr const char* answers_since = "0.1.0";
constexpr const char* states_since = "0.2.0";
constexpr int ticks_between = 100;  // from one line to the next
constexpr int lines = 20;

/// Everything a game does with a world. What its listeners and calls see goes into `told`.
class game {
public:
    lido::world world{role::client};

    game() {
        EXPECT_TRUE(world.add<spark>("spark", {.prewarm = 8,
                                               .max_lifetime = ticks{40},
                                               .capacity = 30,
                                               .on_full = on_full::grow_to(60).then(on_full::merge),
                                               .trim = {.after = ticks{20}, .margin = 2}}));
        EXPECT_TRUE(world.add<bomb>("bomb", {.capacity = 16,
                                             .on_full = on_full::replace_lowest,
                                             .headroom = {.above_percent = 75, .priority = 2},
                                             .idle_cap = 10}));
        EXPECT_TRUE(world.add<number>("number", {.prewarm = 20, .capacity = 12, .on_full = on_full::replace_oldest}));
        EXPECT_TRUE(world.add<number>("server's number", {.roles = {.client = false}}));
        world.finished<bomb>().connect([this](bomb& b, ref<bomb> which) { tell(which, b.power); });
        static_cast<void>(world.start({.objects_a_tick = 3}));
    }
    game(const game&) = delete;
    game& operator=(const game&) = delete;
    ~game() { static_cast<void>(world.end()); }

    void play(int count) {
        for (int i = 0; i < count; ++i) tick();
    }

    [[nodiscard]] std::string line() const {
        return std::to_string(world.now().count) + " " + test::hex(world.state_hash()) + " " +
               test::hex(notes_.told.digest());
    }

    /// All that is the game's own; the world has its snapshot.
    struct notes {
        test::dice random{11};
        std::vector<any_ref> known;
        hasher told;
    };
    [[nodiscard]] const notes& own() const { return notes_; }
    void go_back_to(const notes& own) { notes_ = own; }

private:
    void tell(any_ref which, std::uint32_t what) { notes_.told.add(which.class_of()).add(which.life()).add(what); }

    void know(any_ref which, spawn_refusal why) {
        tell(which, static_cast<std::uint32_t>(why));
        if (!which) return;
        if (notes_.known.size() == 200) notes_.known.erase(notes_.known.begin(), notes_.known.begin() + 100);
        notes_.known.push_back(which);
    }

    void spawn() {
        test::dice& d = notes_.random;
        const std::uint32_t what = d.below(8);
        const transform where{.x = static_cast<float>(d.below(12)) * 0.5f, .y = 2};
        const request wish{.priority = static_cast<std::uint8_t>(d.below(4))};
        const blast with{d.below(50)};
        if (what < 4) {
            const auto it = world.spawn<spark>(where);
            know(it, it.why());
            if (!it) return;
            if (d.below(3) == 0) world.set_lifetime(it, ticks{d.below(200)});
            if (d.below(3) == 0)
                world.on_finished(it.reference(), [this](spark& s, ref<spark> which) { tell(which, s.value); });
            if (d.below(3) == 0)
                world.after(it.reference(), ticks{d.below(80)},
                            [this](spark& s, ref<spark> which) { tell(which, ++s.value); });
        } else if (what < 7) {
            const auto it = world.spawn_as<bomb>(wish, where, with);
            know(it, it.why());
            if (it && d.below(4) == 0)
                world.after(it.reference(), ticks{d.below(30) + 1}, [](bomb& b) { b.return_to_pool(); });
        } else {
            const any_spawned it =
                world.spawn(d.below(8) == 0 ? "server's number" : "number", where, payload(with), wish);
            know(it.which, it.why);
        }
    }

    void tick() {
        for (int i = 0; i < 5; ++i) spawn();
        test::dice& d = notes_.random;
        if (d.below(2) == 0 && !notes_.known.empty()) {
            const any_ref which = notes_.known[d.below(static_cast<std::uint32_t>(notes_.known.size()))];
            tell(which, world.return_to_pool(which) ? 1 : 0);
        }
        if (d.below(16) == 0) tell({}, world.return_all<spark>());
        if (d.below(16) == 0) world.pause<spark>(d.below(2) == 0);
        if (d.below(16) == 0) world.set_time_scale<spark>({static_cast<std::uint16_t>(d.below(3)), 2});
        if (d.below(32) == 0) static_cast<void>(world.trim<bomb>(2));  // the bytes depend on the machine's pages
        world.for_each<number>([this](number& n, ref<number> which) { tell(which, ++n.shown); });
        world.tick();
    }

    notes notes_;
};

void write(const std::filesystem::path& folder) {
    const test::quiet_misuse hush;
    game g;
    std::string text = "# tick state answers\n";
    for (int i = 0; i < lines; ++i) {
        g.play(ticks_between);
        text += g.line() + "\n";
    }
    test::write_fixture(folder / "world.txt", text);
}

[[maybe_unused]] testing::Environment* const writing =
    testing::AddGlobalTestEnvironment(new test::fixture_writing(&write));

TEST(a_world, X1_plays_the_script_of_its_fixture_to_the_same_hashes) {
    const test::quiet_misuse hush;
    const auto answers = test::fixture_lines(test::fixture_folder(answers_since) / "world.txt");
    const auto states = test::fixture_lines(test::fixture_folder(states_since) / "world.txt");
    EXPECT_EQ(answers.size(), std::size_t{lines});
    EXPECT_EQ(states.size(), std::size_t{lines});
    game g;
    snapshot then;
    game::notes notes;
    const auto expect_lines = [&](int count) {
        for (int i = 0; i < count; ++i) {
            g.play(ticks_between);
            const std::string line = g.line();
            const std::string tick = line.substr(0, line.find(' '));
            ASSERT_TRUE(answers.contains(tick) && states.contains(tick)) << line;
            ASSERT_EQ(line.substr(line.rfind(' ')), answers.at(tick).substr(answers.at(tick).rfind(' ')));
            ASSERT_EQ(line, states.at(tick));
            EXPECT_TRUE(g.world.validate()) << g.world.validate().broken;
        }
    };
    expect_lines(lines / 2);
    ASSERT_TRUE(g.world.save(then));
    notes = g.own();
    expect_lines(lines / 2);
    // Once more from the middle, as a rewind does.
    ASSERT_TRUE(g.world.restore(then));
    g.go_back_to(notes);
    expect_lines(lines / 2);
}

}  // namespace
}  // namespace lido::fixtures
