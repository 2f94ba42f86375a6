// S4.1: settings of classes from a TOML file: what each key gives, and what reading a file meets.
#include <lido/world/settings_file.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#if defined(__unix__)
#include <unistd.h>
#endif

namespace world_settings_file_test {

using lido::on_full;
using lido::parse_settings;
using lido::read_settings;
using lido::settings_entry;
using lido::settings_result;
using lido::ticks;

/// The one class of a sound text.
settings_entry only(std::string_view text) {
    settings_result r = parse_settings(text, "t");
    EXPECT_EQ(r.error, "") << text;
    EXPECT_EQ(r.table.classes.size(), 1u) << text;
    return r.table.classes.empty() ? settings_entry{} : r.table.classes.front();
}

on_full ending(std::string_view text) {
    const settings_entry e = only(text);
    EXPECT_TRUE(e.given.on_full) << text;
    return e.settings.on_full;
}

TEST(a_file_of_settings, S4_1_gives_every_key_with_its_line) {
    const settings_result r = parse_settings(R"([class.explosion]
prewarm = 64
max_lifetime = 120
roles = ["client", "dedicated_server"]
capacity = 65
on_full = "replace_oldest"
grow_to = 256
headroom = { above_percent = 90, priority = 4 }
idle_cap = 100
trim = { after = 600, margin = 16 }
reserve = 1000
leaks = "allow"
)",
                                             "pools.toml");
    ASSERT_TRUE(r) << r.error;
    EXPECT_EQ(r.table.source, "pools.toml");
    ASSERT_EQ(r.table.classes.size(), 1u);
    const settings_entry& e = r.table.classes[0];
    EXPECT_EQ(e.name, "explosion");
    EXPECT_EQ(e.line, 1u);
    EXPECT_EQ(e.settings.prewarm, 64u);
    EXPECT_EQ(e.settings.max_lifetime, ticks{120});
    EXPECT_EQ(e.settings.roles, (lido::role_set{false, true, false, true}));
    EXPECT_EQ(e.settings.capacity, 65u);
    EXPECT_EQ(e.settings.on_full, on_full::grow_to(256).then(on_full::replace_oldest));
    EXPECT_EQ(e.settings.headroom.above_percent, 90u);
    EXPECT_EQ(e.settings.headroom.priority, 4u);
    EXPECT_EQ(e.settings.idle_cap, 100u);
    EXPECT_EQ(e.settings.trim, (lido::trim_rule{ticks{600}, 16}));
    EXPECT_EQ(e.settings.reserve, 1000u);
    EXPECT_EQ(e.settings.leaks, lido::leaks::allow);
    EXPECT_EQ(e.given, (lido::settings_given{true, true, true, true, true, true, true, true, true, true}));
    EXPECT_EQ(e.lines, (lido::settings_lines{2, 3, 4, 5, 6, 8, 9, 10, 11, 12}));
}

TEST(a_file_of_settings, S4_1_leaves_what_it_does_not_name_at_its_default) {
    const settings_entry e = only("[class.spark]\n");
    const lido::class_settings defaults;
    EXPECT_EQ(e.given, lido::settings_given{});
    EXPECT_EQ(e.lines, lido::settings_lines{});
    EXPECT_EQ(e.settings.prewarm, defaults.prewarm);
    EXPECT_EQ(e.settings.roles, defaults.roles);
    EXPECT_EQ(e.settings.on_full, defaults.on_full);
    EXPECT_EQ(e.settings.idle_cap, defaults.idle_cap);
}

TEST(a_file_of_settings, S4_1_may_be_empty) {
    for (const std::string_view text : {"", "\n", "# nothing yet", "\xef\xbb\xbf", "[class]\n", "class = {}"}) {
        const settings_result r = parse_settings(text, "t");
        EXPECT_EQ(r.error, "");
        EXPECT_TRUE(r.table.classes.empty());
    }
}

TEST(a_file_of_settings, S4_1_keeps_its_classes_in_order) {
    const settings_result r = parse_settings(R"(
[class.zebra]
prewarm = 1
[class."game::ape"]
[class.cat.trim]
after = 5
)",
                                             "t");
    ASSERT_TRUE(r) << r.error;
    ASSERT_EQ(r.table.classes.size(), 3u);
    EXPECT_EQ(r.table.classes[0].name, "zebra");
    EXPECT_EQ(r.table.classes[0].line, 2u);
    EXPECT_EQ(r.table.classes[1].name, "game::ape");
    EXPECT_EQ(r.table.classes[1].line, 4u);
    EXPECT_EQ(r.table.classes[2].name, "cat");
    EXPECT_EQ(r.table.classes[2].line, 5u);
    EXPECT_EQ(r.table.classes[2].settings.trim.after, ticks{5});
}

TEST(a_file_of_settings, S4_1_may_be_written_in_any_way_that_toml_has) {
    for (const std::string_view text : {
             "class.a.trim.after = 5\r\nclass.a.trim.margin = 0x10\r\n",
             "class = { a = { trim = { after = 5, margin = 16 } } }",
             "[class]\na.trim = { margin = 1_6, after = +5 }",
             "[class.a]\ntrim.after = 0b101\ntrim.margin = 0o20",
             "['class'.\"a\"]\n'trim' = { 'after' = 5, \"margin\" = 16 }",
         }) {
        const settings_entry e = only(text);
        EXPECT_EQ(e.name, "a");
        EXPECT_EQ(e.settings.trim, (lido::trim_rule{ticks{5}, 16})) << text;
    }
}

TEST(a_file_of_settings, S4_1_takes_the_smallest_and_the_largest_of_each_number) {
    settings_entry e = only(
        "[class.a]\nprewarm=0\nmax_lifetime=0\ncapacity=0\ngrow_to=1\nidle_cap=0\n"
        "headroom={above_percent=1,priority=0}\ntrim={after=0,margin=0}");
    EXPECT_EQ(e.settings.idle_cap, 0u);
    EXPECT_EQ(e.settings.on_full.cap(), 1u);
    EXPECT_EQ(e.settings.headroom.above_percent, 1u);
    e = only(
        "[class.a]\nprewarm=16777216\nmax_lifetime=1099511627776\ncapacity=16777216\ngrow_to=16777216\nidle_cap="
        "16777216\n"
        "headroom={above_percent=100,priority=15}\ntrim={after=1099511627776,margin=16777216}");
    EXPECT_EQ(e.settings.prewarm, 1u << 24);
    EXPECT_EQ(e.settings.max_lifetime.count, std::uint64_t{1} << 40);
    EXPECT_EQ(e.settings.headroom.priority, lido::max_priority);
    EXPECT_EQ(e.settings.trim, (lido::trim_rule{ticks{std::uint64_t{1} << 40}, 1u << 24}));
}

TEST(a_full_class, S4_1_does_what_the_file_says) {
    EXPECT_EQ(ending("[class.a]\non_full='reject'"), on_full::reject);
    EXPECT_EQ(ending("[class.a]\non_full='grow'"), on_full::grow());
    EXPECT_EQ(ending("[class.a]\non_full='replace_oldest'"), on_full::replace_oldest);
    EXPECT_EQ(ending("[class.a]\non_full='replace_lowest'"), on_full::replace_lowest);
    EXPECT_EQ(ending("[class.a]\non_full='replace_if'"), on_full::replace_if);
    EXPECT_EQ(ending("[class.a]\non_full='merge'"), on_full::merge);
}

TEST(a_full_class, S4_1_grows_to_a_cap_first_where_the_file_has_one) {
    EXPECT_EQ(ending("[class.a]\ngrow_to=9"), on_full::grow_to(9));
    EXPECT_EQ(ending("[class.a]\ngrow_to=9\non_full='grow'"), on_full::grow_to(9));
    EXPECT_EQ(ending("[class.a]\ngrow_to=9\non_full='reject'"), on_full::grow_to(9));
    EXPECT_EQ(ending("[class.a]\ngrow_to=9\non_full='merge'"), on_full::grow_to(9).then(on_full::merge));
    EXPECT_EQ(only("[class.a]\ngrow_to=9").lines.on_full, 2u);
    EXPECT_EQ(only("[class.a]\ngrow_to=9\non_full='merge'").lines.on_full, 3u);
}

TEST(prewarming, S4_1_more_than_can_be_active_needs_an_idle_cap) {
    EXPECT_TRUE(parse_settings("[class.a]\nprewarm=8\ncapacity=4\nidle_cap=8", "t"));
    EXPECT_TRUE(parse_settings("[class.a]\nprewarm=8\ncapacity=0", "t"));
    EXPECT_FALSE(parse_settings("[class.a]\nprewarm=8\ncapacity=4", "t"));
    EXPECT_FALSE(parse_settings("[class.a]\nprewarm=8\ncapacity=4\nidle_cap=7", "t"));
}

// --- files -------------------------------------------------------------------------------------------------------------------

/// A folder that is gone afterwards.
class scratch {
public:
    scratch() {
        const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
        path_ = std::filesystem::path(::testing::TempDir()) / ("lido_" + test);
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;
    ~scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path file(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
        return path_ / name;
    }

private:
    std::filesystem::path path_;
};

TEST(reading_a_file, S4_1_gives_what_is_in_it) {
    const scratch folder;
    const std::filesystem::path file = folder.file("pools.toml", "[class.a]\nprewarm = 3\n");
    const settings_result r = read_settings(file);
    ASSERT_TRUE(r) << r.error;
    EXPECT_EQ(r.table.source, file.string());
    ASSERT_EQ(r.table.classes.size(), 1u);
    EXPECT_EQ(r.table.classes[0].settings.prewarm, 3u);
}

TEST(reading_a_file, S4_1_names_the_file_in_a_message) {
    const scratch folder;
    const std::filesystem::path file = folder.file("pools.toml", "[class.a]\nprewarm = -3\n");
    const settings_result r = read_settings(file);
    EXPECT_FALSE(r);
    EXPECT_EQ(r.error, file.string() + ":2: a: prewarm is -3; it must be 0 to 16777216");
    EXPECT_TRUE(r.table.classes.empty());
    EXPECT_TRUE(r.table.source.empty());
}

TEST(reading_a_file, S4_1_that_is_none_says_so) {
    const scratch folder;
    const std::string none = (folder.path() / "none.toml").string();
    EXPECT_EQ(read_settings(none).error, none + ": there is no such file");
    EXPECT_EQ(read_settings(folder.path()).error, folder.path().string() + ": this is a folder; give the file in it");
    EXPECT_EQ(read_settings("").error, ": there is no such file");
}

TEST(reading_a_file, S4_1_stops_at_one_megabyte) {
    const scratch folder;
    std::string text(lido::settings_limits::file_bytes, '#');
    EXPECT_EQ(read_settings(folder.file("fits.toml", text)).error, "");
    text += '#';
    const std::filesystem::path large = folder.file("large.toml", text);
    const std::string expected = ": is larger than 1048576 bytes; this cannot be a file of settings";
    EXPECT_EQ(read_settings(large).error, large.string() + expected);
    EXPECT_EQ(parse_settings(text, "t").error, "t" + expected);
}

#if defined(__unix__)
TEST(reading_a_file, S4_1_that_may_not_be_read_says_so) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
    const scratch folder;
    const std::filesystem::path file = folder.file("pools.toml", "");
    std::filesystem::permissions(file, std::filesystem::perms::none);
    EXPECT_EQ(read_settings(file).error, file.string() + ": cannot be read: Permission denied");
}

TEST(reading_a_file, S4_1_that_is_a_device_says_so) {
    EXPECT_EQ(read_settings("/dev/zero").error, "/dev/zero: this is not a regular file");
}
#endif

}  // namespace world_settings_file_test
