// A reader of the inspector, byte by byte: plain sockets, nothing that would tidy up what a test sends.
//
// The test's own thread is the program's: whoever waits for an answer calls sample() meanwhile. Everything has a deadline.
#pragma once

#include <lido/inspect/inspector.hpp>

#include <gtest/gtest.h>

#include "nlohmann.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace lido::test {

using inspect::json;
using std::chrono::milliseconds;

inline constexpr milliseconds patience{20'000};  // of a test, under a sanitizer, on a busy machine

/// Calls sample() until `done`; false when that took too long.
template <class Done>
[[nodiscard]] bool play(inspector& look, std::uint64_t& tick, Done&& done, milliseconds within = patience) {
    const auto until = std::chrono::steady_clock::now() + within;
    while (!done()) {
        if (std::chrono::steady_clock::now() > until) return false;
        look.sample(++tick);
    }
    return true;
}

class client {
public:
    /// With a small receive buffer, a reader that does not read is felt early.
    explicit client(std::uint16_t port, int receive_buffer = 0) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
        if (receive_buffer != 0) ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        connected_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
    }
    client(client&& other) noexcept
        : text(std::move(other.text)),
          ended(other.ended),
          fd_(std::exchange(other.fd_, -1)),
          connected_(other.connected_) {}
    client(const client&) = delete;
    client& operator=(const client&) = delete;
    ~client() {
        if (fd_ >= 0) ::close(fd_);
    }

    [[nodiscard]] bool connected() const noexcept { return connected_; }

    /// As much as the server takes: one that has refused may close before the end.
    void send(std::string_view bytes) {
        while (!bytes.empty()) {
            pollfd p{fd_, POLLOUT, 0};
            if (::poll(&p, 1, 5000) <= 0) return;
            const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (n <= 0) return;
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
    }

    /// Takes what is there, or comes within the time.
    void receive(milliseconds wait = milliseconds{2}) {
        pollfd p{fd_, POLLIN, 0};
        if (ended || ::poll(&p, 1, static_cast<int>(wait.count())) <= 0) return;
        char bytes[16 * 1024];
        const ssize_t n = ::recv(fd_, bytes, sizeof bytes, 0);
        if (n > 0) {
            text.append(bytes, static_cast<std::size_t>(n));
        } else {
            ended = true;
        }
    }

    /// Whether `text` is a whole answer.
    [[nodiscard]] bool complete() const {
        const std::size_t head = text.find("\r\n\r\n");
        if (head == std::string::npos) return ended;
        const std::size_t at = text.find("Content-Length: ");
        if (at == std::string::npos || at > head) return ended;
        return ended || text.size() >= head + 4 + std::stoul(text.substr(at + 16));
    }

    std::string text;
    bool ended = false;

private:
    int fd_;
    bool connected_ = false;
};

struct reply {
    int status = 0;
    std::string head;
    std::string body;

    [[nodiscard]] json parsed() const { return json::parse(body, nullptr, false); }
    [[nodiscard]] std::string error() const {
        const json j = parsed();
        return j.is_object() && j.contains("error") ? j["error"].get<std::string>() : std::string{};
    }
    [[nodiscard]] bool has(std::string_view header) const { return head.find(header) != std::string::npos; }
};

[[nodiscard]] inline reply to_reply(const std::string& text) {
    reply r;
    const std::size_t end = text.find("\r\n\r\n");
    r.head = text.substr(0, end);
    if (r.head.starts_with("HTTP/1.1 ")) r.status = std::stoi(r.head.substr(9, 3));
    if (end != std::string::npos) r.body = text.substr(end + 4);
    return r;
}

/// An inspector on a free port of the loopback, its ticks, and readers for it.
struct shown_program {
    explicit shown_program(inspector_options options = {}) : look(std::move(options)) {
        EXPECT_TRUE(look.running()) << look.error();
    }

    inspector look;
    std::uint64_t tick = 0;

    [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(look.port()); }

    [[nodiscard]] std::string request(std::string_view method, std::string_view path, std::string_view more = {},
                                      std::string_view body = {}) const {
        std::string text(method);
        text.append(" ").append(path).append(" HTTP/1.1\r\nHost: ").append(host()).append("\r\n").append(more);
        if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
        return text.append("\r\n").append(body);
    }

    /// Sends these bytes and plays until the answer is there.
    [[nodiscard]] reply raw(std::string_view bytes) {
        client c(look.port());
        c.send(bytes);
        EXPECT_TRUE(play(look, tick,
                         [&] {
                             c.receive();
                             return c.complete();
                         }))
            << "no answer to " << bytes.substr(0, 200);
        return to_reply(c.text);
    }
    [[nodiscard]] reply get(std::string_view path, std::string_view more = {}) {
        return raw(request("GET", path, more));
    }
    [[nodiscard]] reply control(std::string_view body, std::string_view more = {}) {
        std::string headers = "Content-Type: application/json\r\n";
        headers += more.empty() ? "Authorization: Bearer " + look.token() + "\r\n" : std::string(more);
        return raw(request("POST", "/api/v1/control", headers, body));
    }
    [[nodiscard]] client open(std::string_view path, int receive_buffer = 0) {
        client c(look.port(), receive_buffer);
        c.send(request("GET", path));
        return c;
    }

    /// Plays until everything has been collected that was there when it was called.
    void collect() {
        const std::uint64_t from = tick;
        EXPECT_TRUE(
            play(look, tick, [&] { return get_now("/api/v1/pools").parsed()["tick"].get<std::uint64_t>() > from; }));
    }

private:
    /// For answers that need no sample().
    [[nodiscard]] reply get_now(std::string_view path) {
        client c(look.port());
        c.send(request("GET", path));
        const auto until = std::chrono::steady_clock::now() + patience;
        while (!c.complete() && std::chrono::steady_clock::now() < until) c.receive();
        return to_reply(c.text);
    }
};

}  // namespace lido::test
