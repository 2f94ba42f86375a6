// How far a run is, on stderr.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace bench {

/// One line on a terminal; in a log, one line every few seconds.
class progress {
public:
    explicit progress(std::size_t total) : total_(total), terminal_(isatty(STDERR_FILENO) != 0) {}

    void begin(const std::string& label) {
        ++done_;
        const auto now = std::chrono::steady_clock::now();
        const double elapsed = std::chrono::duration<double>(now - start_).count();
        if (terminal_) {
            std::fprintf(stderr, "\r\033[K[%zu/%zu] %.0f s  %s", done_, total_, elapsed, label.c_str());
        } else if (done_ == 1 || now - last_ > std::chrono::seconds(10)) {
            std::fprintf(stderr, "[%zu/%zu] %.0f s  %s\n", done_, total_, elapsed, label.c_str());
            last_ = now;
        }
        std::fflush(stderr);
    }

    void end() const {
        const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
        std::fprintf(stderr, "%s[%zu/%zu] %.0f s\n", terminal_ ? "\r\033[K" : "", done_, total_, elapsed);
    }

private:
    std::size_t total_;
    std::size_t done_ = 0;
    bool terminal_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point last_;
};

}  // namespace bench
