// X23 S5.9: saved games: one file, replaced whole or not at all, that later builds read; and every wrong file is refused in words.
#include <lido/store/save_game.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "store/folder.hpp"

namespace store_save_game {

using lido::store::game_fault;
using store_tests::folder;
using bytes = std::vector<std::byte>;

struct door {
    std::uint16_t hp = 100;
    lido::text<8> sign;
};
struct rock {
    std::uint32_t weight = 2;
    void on_acquire() { weight = 2; }
};
struct dice {
    std::uint64_t state = 5;
};

struct game {
    lido::world world;
    lido::stage stage{world};
    game() {
        stage.add<door>("door");
        world.add<rock>("rock", {.leaks = lido::leaks::allow});
    }
    void live(std::uint16_t hp = 40) {
        stage.create<door>({.id = "gate"}, {.hp = hp});
        world.spawn<rock>();
        for (int i = 0; i < 3; ++i) stage.tick();
    }
};

bytes read(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const auto* const first = reinterpret_cast<const std::byte*>(all.data());
    return {first, first + all.size()};
}
void write(const std::string& file, const bytes& content) {
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
    ASSERT_TRUE(out.flush());
}
std::vector<std::string> names_in(const folder& f) {
    std::vector<std::string> all;
    for (const auto& e : std::filesystem::directory_iterator(f.path())) all.push_back(e.path().filename().string());
    return all;
}

TEST(store_save_game, comes_back_in_another_game) {
    const folder f;
    game from;
    from.live();
    dice d{77};
    const auto saved = lido::store::save_game(f.file("a.game"), from.stage, {.title = "vault"}, d);
    ASSERT_TRUE(saved) << saved.why();
    game to;
    to.live(1);
    dice other;
    const auto loaded = lido::store::load_game(f.file("a.game"), to.stage, {}, other);
    ASSERT_TRUE(loaded) << loaded.why();
    EXPECT_EQ(to.stage.get(to.stage.find<door>("gate"))->hp, 40);
    EXPECT_EQ(to.world.stats("rock").pool.size, 1u);
    EXPECT_EQ(other.state, 77u);
    EXPECT_EQ(loaded.info.title, "vault");
    EXPECT_EQ(loaded.info.tick, 3u);
    EXPECT_EQ(to.stage.state_hash(), from.stage.state_hash());
    EXPECT_EQ(names_in(f), (std::vector<std::string>{"a.game"}));
}

TEST(store_save_game, is_a_reset_of_which_readers_of_the_journal_are_told) {
    const folder f;
    game g;
    g.live();
    ASSERT_TRUE(lido::store::save_game(f.file("a.game"), g.stage));
    auto reader = g.stage.changes().open();
    ASSERT_TRUE(lido::store::load_game(f.file("a.game"), g.stage));
    std::vector<std::string> kinds;
    static_cast<void>(reader.read([&](const lido::journal_entry& e) { kinds.push_back(lido::to_string(e.kind())); }));
    EXPECT_EQ(kinds, (std::vector<std::string>{"reset"}));
}

TEST(store_save_game, of_a_world_alone) {
    const folder f;
    lido::world from;
    from.add<rock>("rock", {.leaks = lido::leaks::allow});
    from.spawn<rock>();
    from.tick();
    ASSERT_TRUE(lido::store::save_game(f.file("a.game"), from));
    lido::world to;
    to.add<rock>("rock", {.leaks = lido::leaks::allow});
    ASSERT_TRUE(lido::store::load_game(f.file("a.game"), to));
    EXPECT_EQ(to.state_hash(), from.state_hash());
}

TEST(store_save_game, shows_its_title_and_picture_without_the_rest_being_read) {
    const folder f;
    game g;
    g.live();
    lido::store::game_info info{.title = "Die Höhle", .build = "1.2 (abc)", .saved_at = 1700000000123};
    info.picture = {.width = 2, .height = 3, .bytes = bytes(24, std::byte{7})};
    ASSERT_TRUE(lido::store::save_game(f.file("a.game"), g.stage, info));
    lido::store::game_info read;
    const auto answer = lido::store::read_game_info(f.file("a.game"), read);
    ASSERT_TRUE(answer) << answer.why();
    info.tick = 3;
    EXPECT_EQ(read, info);
}

TEST(store_save_game, is_listed_the_latest_first_and_what_is_no_game_is_not) {
    const folder f;
    game g;
    g.live();
    for (const auto& [name, at] : {std::pair{"old", 10}, {"new", 30}, {"middle", 20}})
        ASSERT_TRUE(
            lido::store::save_game(f.file(std::string(name) + ".game"), g.stage, {.title = name, .saved_at = at}));
    std::filesystem::copy_file(f.file("old.game"), f.file("old.game.part"));
    write(f.file("notes.txt"), bytes(100, std::byte{'x'}));
    write(f.file("empty"), {});
    std::filesystem::create_directory(f.file("folder.game"));
    bytes cut = read(f.file("old.game"));
    cut.resize(cut.size() - 1);
    write(f.file("cut.game"), cut);
    const auto list = lido::store::list_games(f.path());
    ASSERT_TRUE(list) << list.answer.why();
    std::vector<std::string> titles;
    for (const auto& game : list.games) titles.push_back(game.answer ? game.info.title : "damaged");
    EXPECT_EQ(titles, (std::vector<std::string>{"new", "middle", "old", "damaged"}));
    EXPECT_EQ(list.games.back().file, f.file("cut.game"));
}

TEST(store_save_game, says_that_a_folder_is_not_there) {
    const auto list = lido::store::list_games("/nowhere/saves");
    EXPECT_FALSE(list);
    EXPECT_EQ(list.answer.why(), "/nowhere/saves: the folder cannot be read: No such file or directory");
    game g;
    const auto saved = lido::store::save_game("/nowhere/saves/a.game", g.stage);
    EXPECT_EQ(saved.fault(), game_fault::disk);
    EXPECT_EQ(saved.why(),
              "/nowhere/saves/a.game: not saved, and what was there is as before: its folder is not there");
}

// --- wrong files -----------------------------------------------------------------------------------------------------------------

struct a_wrong_file : testing::Test {
    folder f;
    std::string file = f.file("a.game");
    game g;
    bytes sound;

    void SetUp() override {
        g.live();
        ASSERT_TRUE(lido::store::save_game(file, g.stage, {.title = "t", .saved_at = 5}));
        sound = read(file);
        g.live(7);  // refused: the id is taken. Some more ticks
    }
    /// And nothing changes.
    std::string why(game_fault kind) {
        const std::uint64_t before = g.stage.state_hash();
        const auto loaded = lido::store::load_game(file, g.stage);
        EXPECT_EQ(loaded.fault(), kind) << loaded.why();
        EXPECT_EQ(g.stage.state_hash(), before);
        std::string text = loaded.why();
        EXPECT_EQ(text.substr(0, file.size() + 2), file + ": ");
        return text.substr(file.size() + 2);
    }
};

TEST_F(a_wrong_file, that_is_not_there_is_refused) {
    file = f.file("none.game");
    EXPECT_EQ(why(game_fault::no_file), "there is no such file");
}
TEST_F(a_wrong_file, that_is_something_else_is_refused) {
    write(file, bytes(5000, std::byte{'x'}));
    EXPECT_EQ(why(game_fault::not_a_game), "this is no saved game");
    file = f.path();
    EXPECT_EQ(why(game_fault::not_a_game), "this is no saved game, but no file at all");
}
TEST_F(a_wrong_file, that_never_ends_is_not_read) {
    file = "/dev/zero";
    EXPECT_EQ(why(game_fault::not_a_game), "this is no saved game, but no file at all");
}
TEST_F(a_wrong_file, of_a_later_format_is_refused) {
    sound[8] = std::byte{2};
    write(file, sound);
    EXPECT_EQ(why(game_fault::later_version),
              "saved by a later version (file format 2, and this reads 1); use the program that saved it");
}
TEST_F(a_wrong_file, that_was_cut_anywhere_is_refused) {
    for (std::size_t size = 0; size < sound.size(); ++size) {
        write(file, bytes(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(size)));
        EXPECT_EQ(why(game_fault::damaged), "the file ends too early: it was not copied whole") << size;
        lido::store::game_info info;
        ASSERT_FALSE(lido::store::read_game_info(file, info)) << size;
    }
}
TEST_F(a_wrong_file, with_any_byte_changed_is_refused) {
    for (std::size_t at = 0; at < sound.size(); ++at) {
        bytes wrong = sound;
        wrong[at] ^= std::byte{0x21};
        write(file, wrong);
        const std::uint64_t before = g.stage.state_hash();
        ASSERT_FALSE(lido::store::load_game(file, g.stage)) << at;
        ASSERT_EQ(g.stage.state_hash(), before) << at;
    }
}
TEST_F(a_wrong_file, that_goes_on_behind_its_end_is_refused) {
    sound.push_back(std::byte{0});
    write(file, sound);
    EXPECT_EQ(why(game_fault::damaged), "the file is damaged: something follows the end of the game");
}
TEST_F(a_wrong_file, whose_title_was_changed_is_refused_in_the_list_too) {
    sound[50] ^= std::byte{1};
    write(file, sound);
    EXPECT_EQ(why(game_fault::damaged), "the file is damaged: the checksum of its title and picture does not match");
    const auto list = lido::store::list_games(f.path());
    ASSERT_EQ(list.games.size(), 1u);
    EXPECT_EQ(list.games[0].answer.fault(), game_fault::damaged);
    EXPECT_EQ(list.games[0].info, lido::store::game_info());
}
TEST_F(a_wrong_file, of_another_game_is_refused_in_the_words_of_the_stage) {
    lido::world w;
    lido::stage s{w};
    s.add<rock>("boulder");
    s.create<rock>();
    ASSERT_TRUE(lido::store::save_game(file, s));
    EXPECT_EQ(
        why(game_fault::refused),
        "not loaded: the image has the entities \"boulder\", which this stage does not have; add the class before the "
        "restore");
}

// --- the disk --------------------------------------------------------------------------------------------------------------------

/// What is there stays, and nothing is left beside it.
void expect_refused(const folder& f, game& g, const std::string& words) {
    const std::string file = f.file("a.game");
    const bytes before = read(file);
    ASSERT_FALSE(before.empty());
    const auto saved = lido::store::save_game(file, g.stage, {.title = "new"});
    EXPECT_EQ(saved.fault(), game_fault::disk);
    EXPECT_EQ(saved.why(), file + words);
    EXPECT_EQ(read(file), before);
    for (const std::string& name : names_in(f)) EXPECT_EQ(name, "a.game");
}

TEST(a_game_that_cannot_be_saved, leaves_the_old_one_where_the_disk_is_full) {
    const folder f;
    game g;
    g.live();
    ASSERT_TRUE(lido::store::save_game(f.file("a.game"), g.stage));
    rlimit before = {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    for (const rlim_t room : {rlim_t{0}, rlim_t{1}, rlim_t{40}, rlim_t{400}}) {
        const rlimit small = {room, before.rlim_max};
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
        const std::string file = f.file("a.game");
        const auto saved = lido::store::save_game(file, g.stage);
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
        EXPECT_EQ(
            saved.why(),
            file + ": not saved, and what was there is as before: the file would be larger than this system allows")
            << room;
        EXPECT_EQ(names_in(f), (std::vector<std::string>{"a.game"}));
        game to;
        EXPECT_TRUE(lido::store::load_game(file, to.stage));
    }
    std::signal(SIGXFSZ, handler);
}

TEST(a_game_that_cannot_be_saved, leaves_the_old_one_where_its_folder_may_not_be_written) {
    if (::geteuid() == 0) {
        // Root may write everywhere: a folder in place of the part does the same.
        const folder f;
        game g;
        g.live();
        ASSERT_TRUE(lido::store::save_game(f.file("a.game"), g.stage));
        std::filesystem::create_directory(f.file("a.game.part"));
        const auto saved = lido::store::save_game(f.file("a.game"), g.stage);
        EXPECT_EQ(saved.why(), f.file("a.game") + ": not saved, and what was there is as before: it is a folder");
        return;
    }
    const folder f;
    game g;
    g.live();
    ASSERT_TRUE(lido::store::save_game(f.file("a.game"), g.stage));
    ASSERT_EQ(::chmod(f.path().c_str(), 0500), 0);
    expect_refused(
        f, g, ": not saved, and what was there is as before: its folder or the file may not be written by this user");
    ASSERT_EQ(::chmod(f.path().c_str(), 0700), 0);
}

TEST(a_game_that_cannot_be_saved, leaves_the_old_one_where_another_program_is_saving_it) {
    const folder f;
    game g;
    g.live();
    ASSERT_TRUE(lido::store::save_game(f.file("a.game"), g.stage));
    const int other = ::open(f.file("a.game.part").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
    const auto saved = lido::store::save_game(f.file("a.game"), g.stage);
    EXPECT_EQ(saved.why(), f.file("a.game") + ": not saved: another program is just saving to it; try again");
    ::close(other);
    EXPECT_TRUE(lido::store::save_game(f.file("a.game"), g.stage)) << "what a killed program has left is no hindrance";
}

TEST(a_game_that_cannot_be_saved, does_not_take_the_place_of_a_folder) {
    const folder f;
    game g;
    std::filesystem::create_directory(f.file("a.game"));
    const auto saved = lido::store::save_game(f.file("a.game"), g.stage);
    EXPECT_EQ(saved.why(), f.file("a.game") + ": not saved, and what was there is as before: it is a folder");
    EXPECT_EQ(names_in(f), (std::vector<std::string>{"a.game"}));
}

TEST(a_game_that_cannot_be_saved, says_what_of_it_cannot_be_in_a_file) {
    const folder f;
    game g;
    g.live();
    g.world.after(lido::ticks{5}, [] {});
    const std::string file = f.file("a.game");
    const auto saved = lido::store::save_game(file, g.stage);
    EXPECT_EQ(saved.fault(), game_fault::refused);
    EXPECT_EQ(saved.why(), file +
                               ": not saved: the world: a waiting call without a name cannot be written into an image; "
                               "give it one with name_call(), and start it with lido::named");
    EXPECT_TRUE(names_in(f).empty());
    lido::store::game_info large;
    large.picture.bytes.resize(lido::store::game_picture::most_bytes + 1);
    game other;
    EXPECT_EQ(lido::store::save_game(file, other.stage, large).why(),
              file + ": not saved: its picture has more than 1 MiB; save a smaller one");
    EXPECT_EQ(lido::store::save_game(file, other.stage, {.title = std::string(1025, 'x')}).why(),
              file + ": not saved: title and build have at most 1024 bytes each");
}

TEST(store_save_game, goes_through_a_link_and_leaves_it_a_link) {
    const folder f;
    game g;
    g.live();
    ASSERT_TRUE(lido::store::save_game(f.file("real.game"), g.stage));
    std::filesystem::create_symlink(f.file("real.game"), f.file("latest"));
    ASSERT_TRUE(lido::store::save_game(f.file("latest"), g.stage, {.title = "through"}));
    EXPECT_TRUE(std::filesystem::is_symlink(f.file("latest")));
    lido::store::game_info info;
    ASSERT_TRUE(lido::store::read_game_info(f.file("real.game"), info));
    EXPECT_EQ(info.title, "through");
}

}  // namespace store_save_game
