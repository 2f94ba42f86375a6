// Files that are no stores, stores that somebody has, terminals, pipes, signals and passwords.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <termios.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "cli/small_store.hpp"

namespace cli_hostile {

using namespace cli_tests;

/// Each command, on this store.
std::vector<std::vector<std::string>> commands_on(const std::string& store, const std::string& spare) {
    return {{"store", "ls", store},
            {"store", "show", store, "door", "gate-1"},
            {"store", "diff", store, store},
            {"store", "export", store},
            {"store", "import", store, spare + ".jsonl"},
            {"store", "migrate", "--dry-run", store},
            {"store", "check", store},
            {"store", "backup", store, spare + ".copy"},
            {"store", "prune", store, "--older", "30d"}};
}

/// A place with an export that is good.
struct place {
    small_store good;
    std::string spare = good.file("spare");
    place() { write_file(spare + ".jsonl", output_of({"store", "export", good.file()})); }
};

TEST(cli_hostile, what_is_no_store_is_refused_by_every_command_and_stays_as_it_is) {
    place p;
    const std::string folder_path = p.good.path();
    const auto all_refuse = [&](const std::string& store, const std::string& words) {
        const std::string before = read_file(store);
        for (const auto& command : commands_on(store, p.spare)) {
            SCOPED_TRACE(command[1]);
            const bool makes = command[1] == "import" && !std::filesystem::is_directory(store) && before.empty();
            expect_refused(command, 3, makes ? "there is no store yet; --create makes one" : words);
        }
        EXPECT_EQ(read_file(store), before);
        EXPECT_FALSE(exists(store + "-lock"));
        EXPECT_FALSE(exists(p.spare + ".copy"));
    };
    all_refuse(p.good.file("nowhere.db"), "there is no such file; give the path of a store");
    EXPECT_FALSE(exists(p.good.file("nowhere.db")));
    all_refuse(folder_path, "it is a folder");
    write_file(p.good.file("empty.db"), "");
    all_refuse(p.good.file("empty.db"), "there is no store in it yet: the file is empty");
    write_file(p.good.file("text.db"), std::string(5000, 'x'));
    all_refuse(p.good.file("text.db"), "the file is no SQLite database; give the path of another");
    store_tests::run_sql(p.good.file("other.db"), "CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    all_refuse(p.good.file("other.db"), "it is a database of another program");
    ASSERT_EQ(::mkfifo(p.good.file("fifo").c_str(), 0600), 0);
    expect_refused({"store", "ls", p.good.file("fifo")}, 3, "it is no ordinary file");
}

TEST(cli_hostile, a_store_of_a_later_form_is_refused) {
    small_store s;
    s.sql("PRAGMA user_version = 2");
    expect_refused({"store", "ls", s.closed()}, 3, "it was written by a later version of lido");
}

TEST(cli_hostile, a_store_that_was_cut_off_is_refused_or_found_damaged) {
    place p;
    p.good.fill(3000);
    const std::string bytes = read_file(p.good.closed());
    const std::string cut = p.good.file("cut.db");
    for (const std::size_t length :
         {std::size_t{10}, std::size_t{100}, std::size_t{4096}, bytes.size() / 2, bytes.size() - 4096}) {
        SCOPED_TRACE(length);
        write_file(cut, bytes.substr(0, length));
        for (const auto& command : commands_on(cut, p.spare)) {
            if (command[1] == "show") continue;  // its row may be in what is left
            const outcome o = run(command);
            SCOPED_TRACE(command[1] + ": " + o.out.substr(0, 200) + o.err);
            if (command[1] == "check") {
                EXPECT_TRUE(o.exit == 1 || o.exit == 3);
            } else if (command[1] != "import" && command[1] != "prune") {
                EXPECT_EQ(o.exit, 3);
            }
            EXPECT_EQ(o.signal, 0);
            EXPECT_FALSE(exists(p.spare + ".copy"));
        }
    }
}

TEST(cli_hostile, a_store_that_this_user_may_not_read_or_write_is_refused) {
    small_store s;
    const std::string file = s.closed();
    // As root it is played by a user who has no right to it, as anybody else by the owner, who has none either.
    const bool root = ::geteuid() == 0;
    const auto allow = [&](const std::string& path, mode_t for_others, mode_t for_owner) {
        ASSERT_EQ(::chmod(path.c_str(), root ? for_others : for_owner), 0);
    };
    allow(s.path(), 0755, 0500);
    allow(file, 0600, 0000);
    expect_refused({"store", "ls", file}, 3, "it may not be read by this user", {.as_nobody = true});
    allow(file, 0644, 0400);
    expect_refused({"store", "ls", file}, 3, "copy the store to a folder of your own", {.as_nobody = true});
    const outcome prune = run({"store", "prune", file, "--older", "30d"}, {.as_nobody = true});
    EXPECT_EQ(prune.exit, 3) << prune.out;
    EXPECT_EQ(prune.out, "");
    allow(s.path(), 0700, 0000);
    const outcome hidden = run({"store", "ls", file}, {.as_nobody = true});
    EXPECT_TRUE(hidden.says("it cannot be looked at (Permission denied)")) << hidden.err;
    allow(s.path(), 0700, 0700);
}

TEST(cli_hostile, writing_commands_are_refused_while_a_game_has_the_store_and_reading_ones_are_not) {
    place p;
    for (const auto& command : commands_on(p.good.file(), p.spare)) {
        SCOPED_TRACE(command[1]);
        if (command[1] == "import" || command[1] == "prune") {
            expect_refused(command, 3,
                           "another program has it open for writing, process " + std::to_string(::getpid()) +
                               "; end that one first");
        } else {
            const outcome o = run(command);
            EXPECT_TRUE(o.exit == 0 || o.exit == 1) << o.err;
        }
    }
    // The game goes on: nobody has taken its store.
    p.good.begin();
    p.good.save("door", "gate-1", 7, 13, 3, "{}", 5);
    p.good.commit();
    p.good.closed();
    EXPECT_EQ(run({"store", "prune", p.good.file(), "--older", "30d"}).exit, 0);
}

TEST(cli_hostile, a_store_that_another_tool_has_locked_is_refused) {
    small_store s;
    const std::string file = s.closed();
    sqlite3* shell = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &shell), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(shell, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
    expect_refused({"store", "prune", file, "--older", "30d"}, 3,
                   "another program has the database locked; let it finish, or end it");
    sqlite3_close(shell);
}

TEST(cli_backup, is_a_store_like_the_first_while_a_game_has_that) {
    small_store s;
    const std::string copy = s.file("copy.db");
    EXPECT_EQ(output_of({"store", "backup", s.file(), copy}), copy + ": a copy of " + s.file() + "\n");
    EXPECT_EQ(output_of({"store", "diff", s.file(), copy, "--stamps"}), "no differences\n");
    EXPECT_FALSE(exists(copy + ".part"));
    expect_refused({"store", "backup", s.file(), copy}, 3, "there is a file of that name");
    expect_refused({"store", "backup", s.file(), s.file("no/such/copy")}, 3, "copying it");
    expect_refused({"store", "backup", s.file(), ""}, 2, "the name of the copy is empty");
}

/// A terminal that a test looks at.
class terminal {
public:
    terminal() {
        master_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        EXPECT_TRUE(master_ >= 0 && ::grantpt(master_) == 0 && ::unlockpt(master_) == 0);
        slave_ = ::open(::ptsname(master_), O_RDWR | O_NOCTTY | O_CLOEXEC);
        EXPECT_GE(slave_, 0);
    }
    terminal(const terminal&) = delete;
    terminal& operator=(const terminal&) = delete;
    ~terminal() {
        ::close(slave_);
        ::close(master_);
    }
    [[nodiscard]] int program_end() const { return slave_; }
    /// As Ctrl-S: whoever writes waits.
    void hold() const { EXPECT_EQ(::tcflow(slave_, TCOOFF), 0); }
    void go_on() const { EXPECT_EQ(::tcflow(slave_, TCOON), 0); }
    [[nodiscard]] std::string text() const {
        std::string all;
        pollfd there{master_, POLLIN, 0};
        char piece[4096];
        while (::poll(&there, 1, 0) == 1) {
            const ssize_t got = ::read(master_, piece, sizeof(piece));
            if (got <= 0) break;
            all.append(piece, static_cast<std::size_t>(got));
        }
        return all;
    }

private:
    int master_ = -1;
    int slave_ = -1;
};

TEST(cli_terminal, long_work_shows_progress_there_and_wipes_it_and_a_pipe_gets_none) {
    small_store s;
    s.fill(30000);
    const terminal t;
    EXPECT_EQ(run({"store", "export", s.file(), "--to", s.file("x.jsonl")}, {.err = t.program_end()}).exit, 0);
    const std::string text = t.text();
    EXPECT_NE(text.find("\rexporting: 1 of 30,004 rows\x1b[K"), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with("\r\x1b[K")) << text;
    const terminal second;
    EXPECT_EQ(run({"store", "backup", s.file(), s.file("copy.db")}, {.err = second.program_end()}).exit, 0);
    EXPECT_NE(second.text().find("\rcopying: "), std::string::npos);
    EXPECT_EQ(run({"store", "export", s.file(), "--to", s.file("y.jsonl")}).err, "");
}

/// Waits until a file is there.
void wait_for_file(const std::string& path) {
    for (int i = 0; i < 12000 && !exists(path); ++i) ::poll(nullptr, 0, 10);
    EXPECT_TRUE(exists(path)) << "waited two minutes for " << path;
}

TEST(cli_interrupt, a_backup_half_made_is_removed) {
    small_store s;
    s.fill(30000);
    const std::string copy = s.file("copy.db");
    const terminal t;
    t.hold();  // it cannot get past the first line of its progress
    const outcome o =
        run({"store", "backup", s.file(), copy}, {.err = t.program_end(), .meanwhile = [&](pid_t child) {
                                                      wait_for_file(copy + ".part");
                                                      ::kill(child, SIGINT);
                                                      // It waits for the terminal once more, with its last words.
                                                      for (int i = 0; i < 12000 && exists(copy + ".part"); ++i)
                                                          ::poll(nullptr, 0, 10);
                                                      t.go_on();
                                                  }});
    EXPECT_EQ(o.exit, 130);
    EXPECT_NE(t.text().find("lido store backup: interrupted; there is no copy"), std::string::npos);
    EXPECT_FALSE(exists(copy));
    EXPECT_FALSE(exists(copy + ".part"));
}

TEST(cli_interrupt, an_export_half_made_is_removed_and_an_import_changes_nothing) {
    small_store s;
    s.fill(3000);
    const terminal t;
    t.hold();
    const std::string to = s.file("x.jsonl");
    outcome o = run({"store", "export", s.file(), "--to", to}, {.err = t.program_end(), .meanwhile = [&](pid_t child) {
                                                                    wait_for_file(to + ".part");
                                                                    ::kill(child, SIGTERM);
                                                                    t.go_on();
                                                                }});
    // It may have been caught before its first row, and then as well behind it.
    EXPECT_EQ(o.exit, 130);
    EXPECT_FALSE(exists(to));
    EXPECT_FALSE(exists(to + ".part"));

    output_of({"store", "export", s.closed(), "--to", to});
    const terminal second;
    second.hold();
    o = run({"store", "import", s.file("new.db"), to, "--create"},
            {.err = second.program_end(), .meanwhile = [&](pid_t child) {
                 wait_for_file(s.file("new.db-lock"));
                 ::kill(child, SIGINT);
                 second.go_on();
             }});
    EXPECT_EQ(o.exit, 130);
    EXPECT_NE(second.text().find("interrupted; nothing was changed"), std::string::npos);
    EXPECT_EQ(output_of({"store", "ls", s.file("new.db")}), "no classes and no rows\n");
}

TEST(cli_output, a_reader_that_goes_away_ends_it_without_a_word) {
    small_store s;
    s.fill(20000);
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    ::close(ends[0]);
    for (const char* const command : {"ls", "export", "check"}) {
        const outcome o = run({"store", command, s.file()}, {.out = ends[1]});
        EXPECT_EQ(o.signal, SIGPIPE) << command;
        EXPECT_EQ(o.err, "") << command;
    }
    ::close(ends[1]);
}

TEST(cli_output, that_cannot_be_written_is_told) {
    small_store s;
    const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    ASSERT_GE(full, 0);
    const outcome o = run({"store", "ls", s.file()}, {.out = full});
    EXPECT_EQ(o.exit, 3);
    EXPECT_EQ(o.err, "lido store ls: the output cannot be written: No space left on device\n");
    ::close(full);
}

TEST(cli_passwords, of_addresses_are_in_nothing_that_is_said) {
    // No server has these names: whatever this build can do, it says something of them.
    const std::string first = "postgres://ann:s3cr3t@127.0.0.1:1/game";
    for (const std::string& address : {first, std::string("postgresql://ann:s3cr3t@[::1]:1/game?connect_timeout=1"),
                                       std::string("postgres://127.0.0.1:1/game?user=ann&password=s3cr3t"),
                                       std::string("postgres://ann:s3c%723t@127.0.0.1:1/s3cr3t"),
                                       std::string("postgres://ann:pa/s3cr3t@ss@127.0.0.1:1/game"),
                                       std::string("mysql://ann:s3cr3t@127.0.0.1/game")}) {
        const folder where;
        write_file(where.file("spare.jsonl"), "{}\n");
        auto all = commands_on(address, where.file("spare"));
        if (address != first) all.resize(1);
        for (const auto& command : all) {
            const outcome o = run(command);
            EXPECT_EQ(o.exit, 3) << command[1] << ": " << o.err;
            EXPECT_EQ((o.out + o.err).find("s3cr3t"), std::string::npos) << o.err;
            EXPECT_NE(o.err, "");
        }
        const outcome misplaced = run({"store", "ls", "w.db", address});
        EXPECT_EQ(misplaced.exit, 2);
        EXPECT_EQ(misplaced.err.find("s3cr3t"), std::string::npos) << misplaced.err;
        const outcome unknown = run({"store", address});
        EXPECT_EQ(unknown.err.find("s3cr3t"), std::string::npos) << unknown.err;
        const outcome no_group = run({address});
        EXPECT_EQ(no_group.err.find("s3cr3t"), std::string::npos) << no_group.err;
    }
}

#if !defined(LIDO_CLI_POSTGRES)
TEST(cli_passwords, an_address_is_refused_by_a_build_without_postgresql) {
    expect_refused({"store", "ls", "postgres://ann:s3cr3t@db/game"}, 3,
                   "postgres://ann:***@db/game: this build of lido has no PostgreSQL");
    expect_refused({"store", "ls", "mysql://db/game"}, 3, "a store is a file or postgres://…, and no mysql://…");
}
#endif

}  // namespace cli_hostile
