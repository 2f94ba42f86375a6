// For the checks: a program that is started as a user would start it.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

namespace arena {

/// A program that was started, and what it says.
class process {
public:
    explicit process(std::vector<std::string> command) {
        int out[2];
        if (::pipe(out) != 0) return;
        std::vector<char*> arguments;
        arguments.reserve(command.size() + 1);
        for (std::string& a : command) arguments.push_back(a.data());
        arguments.push_back(nullptr);
        id_ = ::fork();
        if (id_ == 0) {
            ::dup2(out[1], 1);
            ::dup2(out[1], 2);
            ::close(out[0]);
            ::close(out[1]);
            ::execv(arguments[0], arguments.data());
            ::_exit(127);
        }
        ::close(out[1]);
        from_ = out[0];
    }
    process(const process&) = delete;
    process& operator=(const process&) = delete;
    ~process() {
        if (id_ > 0) static_cast<void>(end(SIGKILL));
        ::close(from_);
    }

    /// Up to the end of a line; empty at the end of all.
    [[nodiscard]] std::string line() const {
        std::string text;
        char c = 0;
        while (::read(from_, &c, 1) == 1 && c != '\n') text += c;
        return text;
    }

    /// What it ends with after a signal, or by itself for 0.
    [[nodiscard]] int end(int signal) {
        if (id_ <= 0) return 127;  // never started; and a signal to -1 would be one to everybody
        if (signal != 0) ::kill(id_, signal);
        int status = 0;
        ::waitpid(id_, &status, 0);
        id_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

private:
    pid_t id_ = -1;
    int from_ = -1;
};

}  // namespace arena
