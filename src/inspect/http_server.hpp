// The server: one thread, poll(), bounded in everything. It knows HTTP and server-sent events, and nothing of pools.
//
//   reading  ->  answering  ->  reading …             keep-alive
//            ->  waiting (for the program's thread)   ->  answering
//            ->  streaming                            until the reader leaves
//   any      ->  lingering                            answered, closed for writing; what still comes is thrown away
//
// IH1. A connection keeps at most http_limits::head + body bytes of input, and of output one answer, or one event of a stream: the
//      next is made only when the one before has left. A reader that does not read costs one buffer and is closed after write_ms.
// IH2. Only the server's thread touches connections.
#pragma once

#include "board.hpp"
#include "http_request.hpp"
#include "request_check.hpp"
#include "sockets.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace lido::inspect {

struct http_answer {
    int status = 200;
    std::string type = "application/json";
    std::string body;
};

/// An answer that the program's thread has to help with. Asked again and again, until it has one or time is up.
class waiting_answer {
public:
    virtual ~waiting_answer() = default;
    [[nodiscard]] virtual bool ready(http_answer& out) = 0;
    /// The program did not come to it within wait_ms.
    [[nodiscard]] virtual http_answer too_late() = 0;
};

/// A stream of events. Asked when the event before has left.
class event_source {
public:
    virtual ~event_source() = default;
    /// The next event if there is one, as text of the stream.
    [[nodiscard]] virtual bool next(std::string& out) = 0;
};

/// What the server does with a request: exactly one of the three is given.
struct http_result {
    http_answer answer;
    std::unique_ptr<waiting_answer> waiting;
    std::unique_ptr<event_source> stream;
};

class http_handler {
public:
    virtual ~http_handler() = default;
    [[nodiscard]] virtual http_result handle(const http_request& request, const checked_request& asked) = 0;
    /// The last event of every stream.
    [[nodiscard]] virtual std::string goodbye() = 0;
};

[[nodiscard]] http_answer error_answer(int status, std::string_view why);

class http_server final : public waker {
public:
    static constexpr std::size_t most_connections = 64;
    static constexpr std::size_t most_streams = 32;
    static constexpr std::size_t most_lingering = 64;     ///< beside the others
    static constexpr std::uint32_t most_requests = 1000;  ///< on one connection
    static constexpr std::uint64_t request_ms = 5'000;    ///< for a request to arrive whole
    static constexpr std::uint64_t idle_ms = 15'000;      ///< between two
    static constexpr std::uint64_t write_ms = 5'000;      ///< without a byte taken
    static constexpr std::uint64_t wait_ms = 2'000;       ///< for the program's thread
    static constexpr std::uint64_t linger_ms = 1'000;
    static constexpr std::uint64_t heartbeat_ms = 2'000;
    static constexpr std::uint64_t goodbye_ms = 500;

    http_server(listening from, access_policy policy, http_handler& handler, std::atomic<int>& readers);
    ~http_server();

    /// Threads: any.
    void wake() noexcept override;

    /// Whether the thread could be started.
    [[nodiscard]] bool running() const noexcept { return thread_.joinable(); }

private:
    enum class phase : std::uint8_t { reading, answering, waiting, streaming, lingering };

    struct connection {
        file_number socket;
        phase is = phase::reading;
        bool close_after = false;
        bool body_wanted = true;
        bool said_continue = false;
        std::uint32_t requests = 0;
        std::uint64_t deadline = 0;
        std::uint64_t last_event = 0;
        std::string in;
        std::string out;
        std::size_t sent = 0;
        std::unique_ptr<waiting_answer> waiting;
        std::unique_ptr<event_source> stream;

        [[nodiscard]] bool has_output() const noexcept { return sent < out.size(); }
    };

    void run();
    void accept_all(std::uint64_t now);
    /// False when the connection is over.
    [[nodiscard]] bool serve(connection& c, bool readable, std::uint64_t now);
    [[nodiscard]] bool read(connection& c, std::uint64_t now);
    [[nodiscard]] bool write(connection& c, std::uint64_t now);
    void next_request(connection& c, std::uint64_t now);
    void begin(connection& c, const http_request& request, std::uint64_t now);
    void answer(connection& c, const http_answer& a, std::uint64_t now);
    void refuse(connection& c, int status, std::string_view why, std::uint64_t now);
    [[nodiscard]] bool timed_out(connection& c, std::uint64_t now);
    void feed(connection& c, std::uint64_t now);
    void say_goodbye();
    void count_readers() noexcept;
    [[nodiscard]] std::uint64_t ms() const noexcept;

    listening from_;
    access_policy policy_;
    http_handler& handler_;
    std::atomic<int>& readers_;
    pipe_ends wake_;
    std::atomic<bool> woken_{false};
    std::atomic<bool> stop_{false};
    std::vector<std::unique_ptr<connection>> connections_;
    std::size_t streams_ = 0;
    const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    std::thread thread_;
};

}  // namespace lido::inspect
