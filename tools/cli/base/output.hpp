// What a command says: its output to one file, everything else to stderr.
//
// LO1. A password that stands in an address is in nothing that is written to stderr: every sentence goes through say().
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lido::cli {

/// Sentences to stderr, a line each: "lido store ls: …".
class speaker {
public:
    explicit speaker(std::string command) : command_(std::move(command)) {}
    /// The same, in the name of another command.
    void speak_for(std::string command) { command_ = std::move(command); }
    /// Of whatever is said from here on, this is left out.
    void keep_secret(std::string secret);
    void say(std::string_view sentence) const;
    /// Says it and returns `exit_code`.
    [[nodiscard]] int say(int exit_code, std::string_view sentence) const;
    [[nodiscard]] std::string without_secrets(std::string text) const;

private:
    std::string command_;
    std::vector<std::string> secrets_;
};

/// Output, written in large pieces. A failure is kept: put() does nothing after one, and the command looks at good() now and then.
class output {
public:
    explicit output(int file) noexcept : file_(file) {}
    output(const output&) = delete;
    output& operator=(const output&) = delete;
    ~output() { flush(); }

    void put(std::string_view text);
    void line(std::string_view text) {
        put(text);
        put("\n");
    }
    void flush() noexcept;
    /// False when nobody takes it any more.
    [[nodiscard]] bool good() const noexcept { return error_ == 0; }
    [[nodiscard]] int error() const noexcept { return error_; }

private:
    std::string waiting_;
    int file_;
    int error_ = 0;
};

}  // namespace lido::cli
