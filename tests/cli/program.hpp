// Runs the program `lido` as a user does, and has what it said and returned.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "store/folder.hpp"

namespace cli_tests {

using store_tests::folder;

inline std::string read_file(const std::string& path) {
    const std::ifstream in(path, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}
inline void write_file(const std::string& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    ASSERT_TRUE(out.good()) << path;
}
inline bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

struct outcome {
    int exit = -1;  ///< -1: a signal ended it
    int signal = 0;
    std::string out;
    std::string err;
    [[nodiscard]] bool says(const std::string& text) const { return err.find(text) != std::string::npos; }
};

struct how_to_run {
    std::string input = {};
    int out = -1;  ///< instead of a file that is read afterwards
    int err = -1;
    bool as_nobody = false;  ///< root may read and write everything
    std::function<void(pid_t)> meanwhile = {};
};

/// Ends when the program has ended; a program that hangs is killed, and told.
inline int wait_for(pid_t child) {
    const int watch = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
    pollfd ended{watch, POLLIN, 0};
    if (watch < 0 || ::poll(&ended, 1, 120000) != 1) {
        ADD_FAILURE() << "waited two minutes for lido to end";
        ::kill(child, SIGKILL);
    }
    if (watch >= 0) ::close(watch);
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

inline outcome run(const std::vector<std::string>& words, const how_to_run& how = {}) {
    const folder own;
    write_file(own.file("in"), how.input);
    const int program = ::open(LIDO_CLI_PROGRAM, O_RDONLY | O_CLOEXEC);
    const int in = ::open(own.file("in").c_str(), O_RDONLY | O_CLOEXEC);
    const int out = ::open(own.file("out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const int err = ::open(own.file("err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_TRUE(program >= 0 && in >= 0 && out >= 0 && err >= 0);
    std::vector<std::string> texts{"lido"};
    texts.insert(texts.end(), words.begin(), words.end());
    std::vector<char*> argv;
    for (std::string& t : texts) argv.push_back(t.data());
    argv.push_back(nullptr);
    const int ends[3] = {in, how.out >= 0 ? how.out : out, how.err >= 0 ? how.err : err};
    pid_t child = -1;
    if (how.as_nobody && ::geteuid() == 0) {
        child = ::fork();
        if (child == 0) {
            for (int i = 0; i < 3; ++i) ::dup2(ends[i], i);
            if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(98);
            ::fexecve(program, argv.data(), environ);
            ::_exit(99);
        }
    } else {
        // A fork of a program with sanitizers takes longer than what is run.
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        for (int i = 0; i < 3; ++i) ::posix_spawn_file_actions_adddup2(&actions, ends[i], i);
        EXPECT_EQ(::posix_spawn(&child, LIDO_CLI_PROGRAM, &actions, nullptr, argv.data(), environ), 0);
        ::posix_spawn_file_actions_destroy(&actions);
    }
    for (const int file : {program, in, out, err}) ::close(file);
    if (how.meanwhile) how.meanwhile(child);
    const int status = wait_for(child);
    outcome o;
    if (WIFEXITED(status)) o.exit = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) o.signal = WTERMSIG(status);
    o.out = read_file(own.file("out"));
    o.err = read_file(own.file("err"));
    return o;
}

/// What is printed on stdout by a command that must succeed, and says nothing else.
inline std::string output_of(const std::vector<std::string>& words, int exit = 0) {
    const outcome o = run(words);
    EXPECT_EQ(o.exit, exit) << o.err;
    EXPECT_EQ(o.err, "");
    return o.out;
}

/// A refusal: nothing on stdout, one line on stderr, which has these words.
inline void expect_refused(const std::vector<std::string>& words, int exit, const std::string& with,
                           const how_to_run& how = {}) {
    const outcome o = run(words, how);
    EXPECT_EQ(o.exit, exit) << o.out << o.err;
    EXPECT_EQ(o.out, "");
    EXPECT_TRUE(o.says(with)) << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
}

}  // namespace cli_tests
