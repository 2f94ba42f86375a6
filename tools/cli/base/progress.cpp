#include "progress.hpp"

#include <unistd.h>

#include <chrono>
#include <cstddef>

#include "text.hpp"

namespace lido::cli {
namespace {

/// In one piece; a signal that comes meanwhile ends the wait, and the line is lost.
void write_line(std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t done = ::write(STDERR_FILENO, text.data(), text.size());
        if (done <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(done));
    }
}

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

progress::progress(std::string_view what, std::uint64_t of, std::string_view units)
    : what_(what), units_(units), of_(of), terminal_(::isatty(STDERR_FILENO) == 1) {}

void progress::at(std::uint64_t done, std::uint64_t of) {
    if (!terminal_) return;
    const std::int64_t time = now();
    if (there_ && time < next_) return;
    next_ = time + 100;
    there_ = true;
    write_line("\r" + what_ + ": " + grouped(done) + (of != 0 ? " of " + grouped(of) : std::string()) + " " + units_ +
               "\x1b[K");
}

void progress::wipe() noexcept {
    if (there_) write_line("\r\x1b[K");
    there_ = false;
}

}  // namespace lido::cli
