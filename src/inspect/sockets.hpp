// What of POSIX sockets the server needs: everything non-blocking, everything closed by its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace lido::inspect {

class file_number {
public:
    file_number() = default;
    explicit file_number(int fd) noexcept : fd_(fd) {}
    file_number(file_number&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    file_number& operator=(file_number&& other) noexcept {
        if (this != &other) {
            close();
            fd_ = std::exchange(other.fd_, -1);
        }
        return *this;
    }
    ~file_number() { close(); }

    void close() noexcept;
    [[nodiscard]] int get() const noexcept { return fd_; }
    [[nodiscard]] explicit operator bool() const noexcept { return fd_ >= 0; }

private:
    int fd_ = -1;
};

struct listening {
    file_number socket;
    std::uint16_t port = 0;
    bool busy = false;  ///< somebody else has that port
    std::string error;  ///< the system's words
};

/// An IPv4 or IPv6 address; port 0 is chosen by the system.
[[nodiscard]] listening listen_on(const std::string& address, std::uint16_t port);
/// Whether it is an address, and one that other machines cannot reach.
[[nodiscard]] bool is_ip(const std::string& address);
[[nodiscard]] bool is_loopback(const std::string& address);

/// Empty when nobody waits.
[[nodiscard]] file_number accept_one(const file_number& from) noexcept;

enum class io { some, later, end };
/// Reads into `into` up to `most` bytes; `done` is how many.
[[nodiscard]] io read_some(const file_number& from, char* into, std::size_t most, std::size_t& done) noexcept;
[[nodiscard]] io write_some(const file_number& to, std::string_view bytes, std::size_t& done) noexcept;
void end_writing(const file_number& of) noexcept;

struct pipe_ends {
    file_number read;
    file_number write;
};
[[nodiscard]] pipe_ends make_pipe() noexcept;
void write_byte(const file_number& to) noexcept;

}  // namespace lido::inspect
