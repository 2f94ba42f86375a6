// A PostgreSQL server of the tests' own: in a folder that goes with it, on a free port of the loopback and a socket in that folder. One for a
// test program, started when a test first asks for it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace store_tests {

class postgres_server {
public:
    /// Null where there is no PostgreSQL on this machine: why_not() says so. Ends the program where there is one that does not start.
    static postgres_server* get();
    static const char* why_not() noexcept {
        return "no PostgreSQL server is installed on this machine (Debian: postgresql)";
    }

    postgres_server(const postgres_server&) = delete;
    postgres_server& operator=(const postgres_server&) = delete;
    ~postgres_server();

    /// With the password.
    [[nodiscard]] std::string url(const std::string& database = "game") const;
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    static constexpr const char* password = "s3cret-Pa55";

    /// Ends it at once, as a power switch does to the program: no checkpoint, no farewell to anyone.
    void stop_immediately();
    /// On the thread that lives as long as the program: the server goes with the thread that has started it.
    void start();
    /// Kills one of its processes, which makes the postmaster throw away all sessions and recover.
    void kill_a_child();
    /// All of its processes.
    void freeze();
    void thaw();

    /// A person with psql: as the owner, in the database; the first column of the first row.
    std::string sql(const std::string& text, const std::string& database = "game");

private:
    postgres_server();
    void make_files();
    [[nodiscard]] pid_t run(const std::vector<std::string>& command, const std::string& output) const;
    [[nodiscard]] bool answers() const;
    [[nodiscard]] std::vector<pid_t> processes() const;
    [[nodiscard]] std::string log() const;

    std::string folder_;
    std::uint16_t port_ = 0;
    pid_t process_ = -1;
};

}  // namespace store_tests
