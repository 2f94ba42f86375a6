// Turns the reports of builds with forensics on for one test, and keeps what was told.
#pragma once

#include <lido/core/checks/place.hpp>
#include <lido/core/checks/report.hpp>

#include "core/misuse/misuse_log.hpp"

#include <string>

namespace lido::test {

class reporting {
public:
    reporting() { switch_all(true); }
    reporting(const reporting&) = delete;
    reporting& operator=(const reporting&) = delete;
    ~reporting() {
        switch_all(false);
        set_tick(no_tick);
    }

    misuse_log log{false};

    /// The story of the only report.
    [[nodiscard]] std::string story() { return log.only().story; }

private:
    static void switch_all(bool on) noexcept {
        reports.stale_gets = on;
        reports.leaks = on;
        reports.resets = on;
    }
};

/// "file.cpp:12", as a report names a line of the test's own file.
inline std::string at_line(const char* file, int line) {
    const std::string path = file;
    return path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(line);
}

}  // namespace lido::test

#define LIDO_AT(line) ::lido::test::at_line(__FILE__, line)
