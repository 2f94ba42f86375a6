// X1, S3.2: what an earlier version wrote is read by this one, and a script that an earlier version played is played by this one to
// the same end: the same handles, the same evictions, the same images to the byte. The files are in fixtures/, with a README.
//
// A difference in the bytes of an image or in a state hash breaks users' saves; one in the answers alone breaks their recorded games.
// Neither is to be "fixed" here: CHANGELOG.md says what changed, and a later version gets files of its own.
#include <lido/core/rewind/history.hpp>
#include <lido/core/rewind/rewind.hpp>

#include "core/rewind/fixture_shapes.hpp"
#include "support/dose.hpp"
#include "support/fixtures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace lido::fixtures {

/// For test names and messages.
inline void PrintTo(const fixture& f, std::ostream* out) { *out << f.name; }  // NOLINT(readability-identifier-naming)

namespace {

using test::as_bytes;
using test::as_text;
using test::fixture_folder;
using test::fixture_lines;
using test::hex;
using test::read_fixture;

constexpr const char* version = "0.1.0";
constexpr int steps_before = 3000;
constexpr int steps_after = 1000;
constexpr std::size_t largest_file = 16 * 1024;  // bytes; fixtures stay in the tree for ever

/// The last steps go on until there is something to compare: some objects, and idle ones where a shape has them.
void play_from_the_start(actor& a) {
    dice d(42);
    for (int i = 0; i < steps_before; ++i) a.step(d);
    const bool has_idle = a.stats().created != 0;
    for (int i = 0; i < steps_before && (a.stats().size < 10 || (has_idle && a.stats().idle < 4)); ++i) a.step(d);
}

void play_on(actor& a) {
    dice d(43);
    for (int i = 0; i < steps_after; ++i) a.step(d);
}

/// What is recorded of one fixture.
struct record {
    std::vector<std::byte> image;
    std::string line;  ///< of hashes.txt
};

/// `reached` becomes what the pool has counted when the image is written.
record play(const fixture& f, pool_stats* reached = nullptr) {
    const test::quiet_misuse hush;
    const std::unique_ptr<actor> a = f.make(1);
    play_from_the_start(*a);
    record r;
    r.image = a->image();
    if (reached != nullptr) *reached = a->stats();
    r.line = std::string(f.name) + " " + std::to_string(r.image.size()) + " " + hex(a->state_hash()) + " " +
             hex(a->answers());
    EXPECT_TRUE(a->validate()) << a->validate().broken;
    EXPECT_GT(a->stats().size, 3u) << "the script left nothing to compare";
    a->begin_anew();
    play_on(*a);
    r.line += " " + hex(a->state_hash()) + " " + hex(a->answers());
    EXPECT_TRUE(a->validate()) << a->validate().broken;
    return r;
}

/// The same line from a pool that has only read the image.
std::string restore_and_play_on(const fixture& f, const std::vector<std::byte>& image) {
    const test::quiet_misuse hush;
    const std::unique_ptr<actor> a = f.make(1);
    const restore_result accepted = a->restore(image);
    EXPECT_TRUE(accepted) << accepted.what();
    EXPECT_TRUE(a->validate()) << a->validate().broken;
    EXPECT_EQ(as_text(a->image()), as_text(image)) << "saved again, it is another image";
    std::string line = hex(a->state_hash());
    a->begin_anew();
    play_on(*a);
    EXPECT_TRUE(a->validate()) << a->validate().broken;
    line += " " + hex(a->state_hash()) + " " + hex(a->answers());
    return line;
}

/// Where this version means to play on differently, and what it plays to. Images of 0.1.0 are still read, and written again to the
/// byte; the scripts come to another end because bytemap_pool 0.1.0 left first_free where it was when a full pool was asked for an
/// object, and the engines whose handles it has moved it (CHANGELOG.md).
struct new_end {
    const char* name;
    const char* from_the_start;      ///< the line that hashes.txt would have
    const char* from_the_old_image;  ///< STATE of the image; STATE ANSWERS after more steps
};
constexpr new_end new_ends[] = {
    {"bytemap_pool", "bytemap_pool 1581 bf40756ef4b457fb be154158673125eb 20a51d4e1fef75df ab3b4b6ddb22d877",
     "91ab2d791cbfe051 807fc5dd2e520427 0ab628865cc38745"},
    {"bytemap_pool_map", "bytemap_pool_map 108 fd99853c1b0557cd cd1a4c1d4fae0d49 06c9dab96aa33826 ffa26f8a1e8a70f1",
     "c7aef3e67cf2ca76 c2158d6b721af1a8 40812384e3808f5f"},
};
const new_end* new_end_of(const std::string& name) {
    if (test::fixtures_are_written()) return nullptr;  // the files are this version's own
    for (const new_end& each : new_ends) {
        if (name == each.name) return &each;
    }
    return nullptr;
}

std::string image_name(const fixture& f) { return std::string(f.name) + ".image"; }

// --- the long run -------------------------------------------------------------------------------------------------------------------

/// Every shape in turn as the dice say; beside them two rings of kept ticks, whose pools go back and live through it again.
class long_run {
public:
    static constexpr int steps = 200'000;
    static constexpr int between = 10'000;  // steps from one line to the next

    long_run() {
        for (const fixture& f : all_fixtures) {
            actors_.push_back(f.make(8));
            // All draw from one set of dice, so one that lives otherwise than then would change the rolls of the others.
            actors_.back()->full_pools_are_left_alone = new_end_of(f.name) != nullptr;
        }
    }

    void play(int count) {
        const test::quiet_misuse hush;
        for (int i = 0; i < count; ++i, ++step_) {
            const std::uint32_t which = dice_.below(static_cast<std::uint32_t>(actors_.size()) + 2);
            if (which < actors_.size()) {
                actors_[which]->step(dice_);
            } else if (which == actors_.size()) {
                slots_.step(dice_);
                rows_.step(dice_);
            } else {
                objects_.step(dice_);
                list_.step(dice_);
            }
            if (step_ % 50 == 49) tick();
        }
    }

    /// One line: after so many steps the hash of each shape and of its answers.
    [[nodiscard]] std::string line() const {
        std::string text = std::to_string(step_);
        for (const auto& a : actors_) text += " " + of(*a);
        return text + " " + of(slots_) + " " + of(rows_) + " " + of(objects_) + " " + of(list_);
    }
    [[nodiscard]] static std::string names() {
        std::string text = "# steps";
        for (const fixture& f : all_fixtures) text += std::string(" ") + f.name;
        return text + " history_slots history_rows rewind_objects rewind_list";
    }

    /// Without the words of those that play to a new end.
    [[nodiscard]] static std::string without_new_ends(const std::string& line) {
        std::istringstream words(line);
        std::string kept;
        std::string word;
        words >> kept;
        for (std::size_t i = 0; words >> word; ++i) {
            if (i >= std::size(all_fixtures) || new_end_of(all_fixtures[i].name) == nullptr) kept += " " + word;
        }
        return kept;
    }

    void validate() const {
        for (const auto& a : actors_) EXPECT_TRUE(a->validate()) << a->validate().broken;
        for (const actor* const a : {static_cast<const actor*>(&slots_), static_cast<const actor*>(&rows_),
                                     static_cast<const actor*>(&objects_), static_cast<const actor*>(&list_)}) {
            EXPECT_TRUE(a->validate()) << a->validate().broken;
        }
    }

private:
    static std::string of(const actor& a) {
        hasher h;
        h.add(a.state_hash()).add(a.answers());
        return hex(h.digest());
    }

    /// Saves; and now and then goes back up to five ticks.
    void tick() {
        ++tick_;
        changes_.save(tick_, slots_.pool, rows_.pool);
        EXPECT_TRUE(ring_.save(tick_, objects_.pool, list_.list));
        if (dice_.below(8) != 0) return;
        const std::uint64_t to = tick_ - dice_.below(6);
        EXPECT_EQ(changes_.has(to), static_cast<bool>(changes_.restore(to, slots_.pool, rows_.pool)));
        EXPECT_EQ(ring_.has(to), static_cast<bool>(ring_.restore(to, objects_.pool, list_.list)));
    }

    dice dice_{7};
    int step_ = 0;
    std::uint64_t tick_ = 0;
    std::vector<std::unique_ptr<actor>> actors_;
    pool_actor<slot_marked> slots_{{.on_full = on_full::replace_oldest}, 100u};
    pool_actor<dense_marked> rows_{{}, 100u};
    pool_actor<recycle_plain> objects_{{.idle_cap = 20}, 60u};
    list_actor<list_ranked> list_{{.on_full = on_full::replace_lowest}};
    history<8, slot_marked, dense_marked> changes_;
    rewind<8> ring_;
};

// --- writing ------------------------------------------------------------------------------------------------------------------------

void write_all(const std::filesystem::path& folder) {
    std::string lines = "# name bytes state answers; state and answers after more steps\n";
    for (const fixture& f : all_fixtures) {
        const record r = play(f);
        test::write_fixture(folder / image_name(f), as_text(r.image));
        lines += r.line + "\n";
    }
    test::write_fixture(folder / "hashes.txt", lines);
    long_run run;
    lines = long_run::names() + "\n";
    for (int step = 0; step < long_run::steps; step += long_run::between) {
        run.play(long_run::between);
        lines += run.line() + "\n";
    }
    test::write_fixture(folder / "long_run.txt", lines);
}

[[maybe_unused]] testing::Environment* const writing =
    testing::AddGlobalTestEnvironment(new test::fixture_writing(&write_all));

// --- tests --------------------------------------------------------------------------------------------------------------------------

class a_fixture : public testing::TestWithParam<fixture> {};

TEST_P(a_fixture, X1_is_written_again_byte_for_byte) {
    const fixture& f = GetParam();
    const record r = play(f);
    EXPECT_LT(r.image.size(), largest_file);
    if (const new_end* const now = new_end_of(f.name)) {
        EXPECT_EQ(r.line, now->from_the_start);
        return;
    }
    EXPECT_TRUE(as_text(r.image) == read_fixture(fixture_folder(version) / image_name(f))) << "the bytes differ";
    EXPECT_EQ(r.line, fixture_lines(fixture_folder(version) / "hashes.txt")[f.name]);
}

TEST_P(a_fixture, X1_is_restored_and_goes_on_as_it_did) {
    const fixture& f = GetParam();
    const std::string recorded = fixture_lines(fixture_folder(version) / "hashes.txt")[f.name];
    const std::string file = read_fixture(fixture_folder(version) / image_name(f));
    const std::string line = restore_and_play_on(f, as_bytes(file));
    // name bytes STATE answers STATE ANSWERS
    ASSERT_EQ(recorded.size(), std::string(f.name).size() + std::to_string(file.size()).size() + 2 + 4 * 17 - 1);
    const std::string numbers = recorded.substr(recorded.size() - (4 * 17 - 1));
    EXPECT_EQ(line.substr(0, 16), numbers.substr(0, 16)) << "the image holds another state now";
    const new_end* const now = new_end_of(f.name);
    EXPECT_EQ(line, now != nullptr ? now->from_the_old_image : numbers.substr(0, 16) + numbers.substr(2 * 17 - 1));
}

INSTANTIATE_TEST_SUITE_P(of, a_fixture, testing::ValuesIn(all_fixtures),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(the_fixtures, X1_reach_whatever_a_pool_counts) {
    pool_stats most;
    for (const fixture& f : all_fixtures) {
        pool_stats s;
        static_cast<void>(play(f, &s));
        most.retired = std::max(most.retired, s.retired);
        most.refused_headroom = std::max(most.refused_headroom, s.refused_headroom);
        most.refused_kind_cap = std::max(most.refused_kind_cap, s.refused_kind_cap);
        most.merged = std::max(most.merged, s.merged);
        most.replaced = std::max(most.replaced, s.replaced);
        most.grown = std::max(most.grown, s.grown);
        most.rests_cut_short = std::max(most.rests_cut_short, s.rests_cut_short);
        most.bad_releases = std::max(most.bad_releases, s.bad_releases);
        most.idle = std::max(most.idle, s.idle);
    }
    EXPECT_GT(most.retired, 0u);
    EXPECT_GT(most.refused_headroom, 0u);
    EXPECT_GT(most.refused_kind_cap, 0u);
    EXPECT_GT(most.merged, 0u);
    EXPECT_GT(most.replaced, 0u);
    EXPECT_GT(most.grown, 0u);
    EXPECT_GT(most.rests_cut_short, 0u);
    EXPECT_GT(most.bad_releases, 0u);
    EXPECT_GT(most.idle, 0u);
}

TEST(the_long_run, X1_is_played_again_to_the_same_hashes) {
    const auto recorded = fixture_lines(fixture_folder(version) / "long_run.txt");
    EXPECT_EQ(recorded.size(), std::size_t{long_run::steps / long_run::between});
    long_run run;
    for (int step = 0; step < test::dose(long_run::steps); step += long_run::between) {
        run.play(long_run::between);
        const std::string line = run.line();
        const auto then = recorded.find(line.substr(0, line.find(' ')));
        ASSERT_NE(then, recorded.end()) << line;
        ASSERT_EQ(long_run::without_new_ends(line), long_run::without_new_ends(then->second)) << long_run::names();
        run.validate();
    }
}

TEST(the_fixtures, X1_have_a_test_each) {
    std::set<std::string> expected = {"hashes.txt", "long_run.txt", "world.txt"};
    for (const fixture& f : all_fixtures) expected.insert(image_name(f));
    std::set<std::string> found = {"world.txt"};  // written by another test file
    for (const auto& entry : std::filesystem::directory_iterator(fixture_folder(version)))
        found.insert(entry.path().filename().string());
    EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace lido::fixtures
