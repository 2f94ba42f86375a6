#include "output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "text.hpp"

namespace lido::cli {

void speaker::keep_secret(std::string secret) {
    if (!secret.empty()) secrets_.push_back(std::move(secret));
}

std::string speaker::without_secrets(std::string text) const {
    for (const std::string& secret : secrets_) {
        for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + 3))
            text.replace(at, secret.size(), "***");
    }
    return text;
}

void speaker::say(std::string_view sentence) const {
    // In one piece, so that lines of several programs do not mix.
    const std::string line = command_ + ": " + printable(without_secrets(std::string(sentence))) + "\n";
    std::string_view left = line;
    while (!left.empty()) {
        const ssize_t done = ::write(STDERR_FILENO, left.data(), left.size());
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return;
        left.remove_prefix(static_cast<std::size_t>(done));
    }
}

int speaker::say(int exit_code, std::string_view sentence) const {
    say(sentence);
    return exit_code;
}

void output::put(std::string_view text) {
    if (error_ != 0) return;
    waiting_ += text;
    if (waiting_.size() >= std::size_t{64} * 1024) flush();
}

void output::flush() noexcept {
    std::string_view left = waiting_;
    while (!left.empty() && error_ == 0) {
        const ssize_t done = ::write(file_, left.data(), left.size());
        if (done < 0) {
            if (errno != EINTR) error_ = errno;
            continue;
        }
        left.remove_prefix(static_cast<std::size_t>(done));
    }
    waiting_.clear();
}

}  // namespace lido::cli
