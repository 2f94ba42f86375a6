#include "sockets.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace lido::inspect {

namespace {

#ifdef MSG_NOSIGNAL
constexpr int quiet = MSG_NOSIGNAL;  // a reader that left is no reason to end the program
#else
constexpr int quiet = 0;
#endif

[[nodiscard]] bool prepare(int fd) noexcept {
    const int flags = ::fcntl(fd, F_GETFL, 0);
    return flags >= 0 && ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 && ::fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

void set(int fd, int level, int name, int value) noexcept {
    static_cast<void>(::setsockopt(fd, level, name, &value, sizeof value));
}

struct ip_address {
    sockaddr_storage bytes{};
    socklen_t size = 0;  ///< 0: it is none
};

[[nodiscard]] ip_address read_ip(const std::string& text, std::uint16_t port) noexcept {
    ip_address a;
    sockaddr_in four{};
    sockaddr_in6 six{};
    if (::inet_pton(AF_INET, text.c_str(), &four.sin_addr) == 1) {
        four.sin_family = AF_INET;
        four.sin_port = htons(port);
        std::memcpy(&a.bytes, &four, sizeof four);
        a.size = sizeof four;
    } else if (::inet_pton(AF_INET6, text.c_str(), &six.sin6_addr) == 1) {
        six.sin6_family = AF_INET6;
        six.sin6_port = htons(port);
        std::memcpy(&a.bytes, &six, sizeof six);
        a.size = sizeof six;
    }
    return a;
}

[[nodiscard]] std::uint16_t port_of(int fd) noexcept {
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &size) != 0) return 0;
    if (bound.ss_family == AF_INET6) {
        sockaddr_in6 six{};
        std::memcpy(&six, &bound, sizeof six);
        return ntohs(six.sin6_port);
    }
    sockaddr_in four{};
    std::memcpy(&four, &bound, sizeof four);
    return ntohs(four.sin_port);
}

}  // namespace

void file_number::close() noexcept {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

listening listen_on(const std::string& address, std::uint16_t port) {
    listening l;
    const ip_address at = read_ip(address, port);
    file_number s(::socket(at.bytes.ss_family, SOCK_STREAM, 0));
    if (!s || !prepare(s.get())) {
        l.error = std::strerror(errno);
        return l;
    }
    // A port whose last owner has just ended is free.
    set(s.get(), SOL_SOCKET, SO_REUSEADDR, 1);
    if (at.bytes.ss_family == AF_INET6) set(s.get(), IPPROTO_IPV6, IPV6_V6ONLY, 1);
    if (::bind(s.get(), reinterpret_cast<const sockaddr*>(&at.bytes), at.size) != 0 || ::listen(s.get(), 64) != 0) {
        l.busy = errno == EADDRINUSE;
        l.error = std::strerror(errno);
        return l;
    }
    l.port = port_of(s.get());
    l.socket = std::move(s);
    return l;
}

bool is_ip(const std::string& address) { return read_ip(address, 0).size != 0; }

bool is_loopback(const std::string& address) {
    in_addr four{};
    in6_addr six{};
    if (::inet_pton(AF_INET, address.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
    return ::inet_pton(AF_INET6, address.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

file_number accept_one(const file_number& from) noexcept {
    file_number c(::accept(from.get(), nullptr, nullptr));
    if (c && !prepare(c.get())) c.close();
    if (c) {
        set(c.get(), IPPROTO_TCP, TCP_NODELAY, 1);
#ifdef SO_NOSIGPIPE
        set(c.get(), SOL_SOCKET, SO_NOSIGPIPE, 1);
#endif
    }
    return c;
}

io read_some(const file_number& from, char* into, std::size_t most, std::size_t& done) noexcept {
    done = 0;
    const ssize_t n = ::read(from.get(), into, most);
    if (n > 0) {
        done = static_cast<std::size_t>(n);
        return io::some;
    }
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return io::later;
    return io::end;
}

io write_some(const file_number& to, std::string_view bytes, std::size_t& done) noexcept {
    done = 0;
    const ssize_t n = ::send(to.get(), bytes.data(), bytes.size(), quiet);
    if (n >= 0) {
        done = static_cast<std::size_t>(n);
        return io::some;
    }
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? io::later : io::end;
}

void end_writing(const file_number& of) noexcept { static_cast<void>(::shutdown(of.get(), SHUT_WR)); }

pipe_ends make_pipe() noexcept {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return {};
    pipe_ends p{file_number(ends[0]), file_number(ends[1])};
    if (!prepare(ends[0]) || !prepare(ends[1])) return {};
    return p;
}

void write_byte(const file_number& to) noexcept {
    const char byte = 1;
    // A full pipe wakes as well.
    [[maybe_unused]] const ssize_t n = ::write(to.get(), &byte, 1);
}

}  // namespace lido::inspect
