// A way to the server that can lose what goes over it: connections that one side believes in and the other does not.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

namespace store_tests {

class relay {
public:
    explicit relay(std::uint16_t to) : to_(to) {
        listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in at = loopback(0);
        socklen_t size = sizeof(at);
        if (::bind(listener_, reinterpret_cast<sockaddr*>(&at), sizeof(at)) != 0 || ::listen(listener_, 8) != 0 ||
            ::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size) != 0 || ::pipe(wake_) != 0)
            std::abort();
        port_ = ntohs(at.sin_port);
        thread_ = std::thread([this] { run(); });
    }
    relay(const relay&) = delete;
    relay& operator=(const relay&) = delete;
    ~relay() {
        if (::write(wake_[1], "x", 1) != 1) std::abort();
        thread_.join();
        for (const pair& p : pairs_) {
            if (p.client >= 0) ::close(p.client);
            ::close(p.server);
        }
        for (const int s : {listener_, wake_[0], wake_[1]}) ::close(s);
    }

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// The next thing that the server says never arrives: the client's connection ends instead, and the server's goes on.
    void lose_next_answer() noexcept { lose_.store(true); }
    /// Connections are taken, and nothing goes on with them.
    void be_mute() noexcept { mute_.store(true); }
    [[nodiscard]] bool has_lost() const noexcept { return !lose_.load(); }

private:
    struct pair {
        int client;
        int server;
    };

    static sockaddr_in loopback(std::uint16_t port) {
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        at.sin_port = htons(port);
        return at;
    }

    void run() {
        for (;;) {
            std::vector<pollfd> on{{wake_[0], POLLIN, 0}, {listener_, POLLIN, 0}};
            for (const pair& p : pairs_) {
                on.push_back({p.client, POLLIN, 0});  // a negative one is passed over
                on.push_back({p.client >= 0 ? p.server : -1, POLLIN, 0});
            }
            ::poll(on.data(), on.size(), -1);
            if (on[0].revents != 0) return;
            const std::size_t known = pairs_.size();
            if (on[1].revents != 0) accept();
            for (std::size_t i = 0; i < known; ++i) {
                if (on[2 + 2 * i].revents != 0) move(pairs_[i], pairs_[i].client, pairs_[i].server);
                if (on[3 + 2 * i].revents == 0 || pairs_[i].client < 0) continue;
                if (lose_.exchange(false))
                    cut(pairs_[i]);
                else
                    move(pairs_[i], pairs_[i].server, pairs_[i].client);
            }
        }
    }
    void accept() {
        const int client = ::accept(listener_, nullptr, nullptr);
        const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in at = loopback(to_);
        if (::connect(server, reinterpret_cast<const sockaddr*>(&at), sizeof(at)) != 0) {
            ::close(client);
            ::close(server);
            return;
        }
        pairs_.push_back({client, server});
    }
    void move(pair& p, int from, int to) {
        char bytes[65536];
        const ssize_t got = ::read(from, bytes, sizeof(bytes));
        if (mute_.load()) return;
        if (got <= 0 || ::send(to, bytes, static_cast<std::size_t>(got), MSG_NOSIGNAL) != got) {
            // The client is gone, and means it: so the server hears of it.
            if (from == p.client) ::shutdown(p.server, SHUT_RDWR);
            cut(p);
        }
    }
    static void cut(pair& p) {
        ::close(p.client);
        p.client = -1;
    }

    std::uint16_t to_;
    std::uint16_t port_ = 0;
    int listener_ = -1;
    int wake_[2] = {-1, -1};
    std::vector<pair> pairs_;
    std::atomic<bool> lose_{false};
    std::atomic<bool> mute_{false};
    std::thread thread_;
};

}  // namespace store_tests
