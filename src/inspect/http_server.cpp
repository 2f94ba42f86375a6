#include "http_server.hpp"

#include "json_writer.hpp"

#include <lido/core/config.hpp>

#include <poll.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lido::inspect {

namespace {

[[nodiscard]] std::string_view reason(int status) noexcept {
    switch (status) {
        case 200: return "OK";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 408: return "Request Timeout";
        case 413: return "Content Too Large";
        case 414: return "URI Too Long";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 503: return "Service Unavailable";
        case 504: return "Gateway Timeout";
        default: return "Error";
    }
}

/// On every answer. The page loads nothing from elsewhere, runs no code that is not a file of its own, and is in nobody's frame.
constexpr std::string_view safety_headers =
    "Content-Security-Policy: default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cache-Control: no-store\r\n"
    "Referrer-Policy: no-referrer\r\n";

[[nodiscard]] std::string head_of(int status, std::string_view type) {
    std::string out = "HTTP/1.1 " + std::to_string(status) + " ";
    out.append(reason(status)).append("\r\nContent-Type: ").append(type).append("\r\n").append(safety_headers);
    if (status == 401) out += "WWW-Authenticate: Bearer realm=\"lido\"\r\n";
    if (status == 405) out += "Allow: GET, HEAD, POST\r\n";
    if (status == 503 || status == 429) out += "Retry-After: 2\r\n";
    return out;
}

}  // namespace

http_answer error_answer(int status, std::string_view why) { return {status, "application/json", write_error(why)}; }

http_server::http_server(listening from, access_policy policy, http_handler& handler, std::atomic<int>& readers)
    : from_(std::move(from)), policy_(std::move(policy)), handler_(handler), readers_(readers), wake_(make_pipe()) {
    if (!wake_.read) return;
    LIDO_TRY {
        thread_ = std::thread([this] { run(); });
    }
    LIDO_CATCH_ALL {
        // running() says it.
    }
}

http_server::~http_server() {
    stop_.store(true, std::memory_order_release);
    wake();
    if (thread_.joinable()) thread_.join();
}

void http_server::wake() noexcept {
    // One byte is enough, however often: a system call is saved while the server has not come round.
    if (woken_.exchange(true, std::memory_order_acq_rel)) return;
    write_byte(wake_.write);
}

std::uint64_t http_server::ms() const noexcept {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started_).count());
}

void http_server::count_readers() noexcept {
    const auto count = std::count_if(connections_.begin(), connections_.end(), [](const auto& c) {
        return c->is == phase::streaming || c->is == phase::waiting;
    });
    readers_.store(static_cast<int>(count), std::memory_order_relaxed);
    streams_ = static_cast<std::size_t>(std::count_if(connections_.begin(), connections_.end(),
                                                      [](const auto& c) { return c->is == phase::streaming; }));
}

void http_server::run() {
    std::vector<pollfd> watched;
    std::vector<std::unique_ptr<connection>> left;
    while (!stop_.load(std::memory_order_acquire)) {
        watched.clear();
        watched.push_back({wake_.read.get(), POLLIN, 0});
        watched.push_back({from_.socket.get(), POLLIN, 0});
        for (const auto& c : connections_) {
            // A stream is read only to see its reader leave.
            const bool reads = c->is != phase::waiting && (c->is == phase::lingering || !c->has_output());
            watched.push_back(
                {c->socket.get(), static_cast<short>((reads ? POLLIN : 0) | (c->has_output() ? POLLOUT : 0)), 0});
        }
        // With connections, often enough to keep their deadlines.
        const int timeout = connections_.empty() ? -1 : 100;
        if (::poll(watched.data(), static_cast<nfds_t>(watched.size()), timeout) < 0) continue;
        const std::uint64_t now = ms();
        if (watched[0].revents != 0) {
            std::array<char, 64> bytes{};
            std::size_t done = 0;
            while (read_some(wake_.read, bytes.data(), bytes.size(), done) == io::some) {
            }
            // After the pipe is empty, or a byte that comes in between would be taken for one that was not written yet, and no
            // later one would be. Acquires what was done before the calls that found the flag up.
            static_cast<void>(woken_.exchange(false, std::memory_order_acq_rel));
        }
        for (std::size_t i = 0; i < connections_.size(); ++i) {
            const short what = watched[i + 2].revents;
            if (serve(*connections_[i], (what & (POLLIN | POLLHUP | POLLERR)) != 0, now)) {
                left.push_back(std::move(connections_[i]));
            }
        }
        std::swap(left, connections_);
        left.clear();  // closes those that are over
        if (watched[1].revents != 0) accept_all(now);
        count_readers();
    }
    say_goodbye();
    readers_.store(0, std::memory_order_relaxed);
}

void http_server::accept_all(std::uint64_t now) {
    // Not for ever: who connects in a loop must not keep the others waiting.
    for (int i = 0; i < 32; ++i) {
        file_number socket = accept_one(from_.socket);
        if (!socket) return;
        if (connections_.size() >= most_connections + most_lingering) continue;  // closed at once
        auto c = std::make_unique<connection>();
        c->socket = std::move(socket);
        c->deadline = now + request_ms;
        const auto busy = std::count_if(connections_.begin(), connections_.end(),
                                        [](const auto& other) { return other->is != phase::lingering; });
        if (static_cast<std::size_t>(busy) >= most_connections) {
            refuse(*c, 503, "too many readers are connected", now);
            if (!write(*c, now)) continue;
        }
        connections_.push_back(std::move(c));
    }
}

bool http_server::serve(connection& c, bool readable, std::uint64_t now) {
    if (readable && !read(c, now)) return false;
    if (c.is == phase::waiting) {
        http_answer a;
        if (c.waiting->ready(a)) {
            c.waiting.reset();
            answer(c, a, now);
        }
    }
    if (c.is == phase::streaming && !c.has_output()) feed(c, now);
    // A few of the requests that came in one piece; the rest waits for the next turn.
    for (int i = 0; i < 16; ++i) {
        if (c.has_output() && !write(c, now)) return false;
        if (c.is != phase::reading || c.has_output() || c.in.empty()) break;
        next_request(c, now);
        if (c.is == phase::reading && !c.has_output()) break;
    }
    return !timed_out(c, now);
}

bool http_server::read(connection& c, std::uint64_t now) {
    std::array<char, 4096> bytes{};
    std::size_t done = 0;
    // A bounded number of bytes a turn: one reader must not keep the others waiting.
    for (int i = 0; i < 8; ++i) {
        const io got = read_some(c.socket, bytes.data(), bytes.size(), done);
        if (got == io::end) return false;
        if (got == io::later) return true;
        // What comes to a stream or after a refusal means nothing.
        if (c.is == phase::streaming || c.is == phase::lingering || c.is == phase::waiting) continue;
        if (c.in.empty()) c.deadline = now + request_ms;
        c.in.append(bytes.data(), done);
        if (c.in.size() > http_limits::head + http_limits::body) return true;
    }
    return true;
}

void http_server::next_request(connection& c, std::uint64_t now) {
    http_parse p = parse_request(c.in);
    if (p.is == http_parse::result::incomplete) {
        if (p.head_complete && p.request.expects_continue && !std::exchange(c.said_continue, true))
            c.out += "HTTP/1.1 100 Continue\r\n\r\n";
        return;
    }
    if (p.is == http_parse::result::refused) {
        refuse(c, p.wrong.status, p.wrong.why, now);
        return;
    }
    c.in.erase(0, p.used);
    c.said_continue = false;
    begin(c, p.request, now);
}

void http_server::begin(connection& c, const http_request& request, std::uint64_t now) {
    checked_request asked;
    c.body_wanted = request.method != "HEAD";
    c.close_after = !request.keep_alive || ++c.requests >= most_requests;
    if (const refusal_of_request wrong = check_request(request, policy_, asked)) {
        answer(c, error_answer(wrong.status, wrong.why), now);
        return;
    }
    http_result r = handler_.handle(request, asked);
    if (r.waiting != nullptr) {
        c.waiting = std::move(r.waiting);
        c.is = phase::waiting;
        c.deadline = now + wait_ms;
        return;
    }
    if (r.stream == nullptr) {
        answer(c, r.answer, now);
        return;
    }
    if (c.body_wanted && streams_ >= most_streams) {
        answer(c, error_answer(503, "too many streams are open"), now);
        return;
    }
    c.out += head_of(200, "text/event-stream");
    c.out += "Connection: close\r\n\r\n";
    c.in.clear();
    if (!c.body_wanted) {
        c.close_after = true;
        c.is = phase::answering;
        c.deadline = now + write_ms;
        return;
    }
    ++streams_;
    c.stream = std::move(r.stream);
    c.is = phase::streaming;
    c.deadline = now + write_ms;
    c.last_event = now;
    // At once what there is, and so that a browser calls the stream open.
    std::string first;
    c.out += c.stream->next(first) ? first : ":\n\n";
}

void http_server::answer(connection& c, const http_answer& a, std::uint64_t now) {
    c.out += head_of(a.status, a.type);
    c.out += "Content-Length: " + std::to_string(a.body.size()) + "\r\n";
    c.out += c.close_after ? "Connection: close\r\n\r\n" : "Connection: keep-alive\r\n\r\n";
    if (c.body_wanted) c.out += a.body;
    c.is = phase::answering;
    c.deadline = now + write_ms;
}

void http_server::refuse(connection& c, int status, std::string_view why, std::uint64_t now) {
    c.close_after = true;
    c.in.clear();
    answer(c, error_answer(status, why), now);
}

bool http_server::write(connection& c, std::uint64_t now) {
    while (c.has_output()) {
        std::size_t done = 0;
        const io went = write_some(c.socket, std::string_view(c.out).substr(c.sent), done);
        if (went == io::end) return false;
        if (went == io::later) return true;
        c.sent += done;
        if (c.is == phase::answering || c.is == phase::streaming) c.deadline = now + write_ms;
    }
    c.out.clear();
    c.sent = 0;
    if (c.out.capacity() > 64 * 1024) c.out.shrink_to_fit();
    if (c.is != phase::answering) return true;
    if (c.close_after) {
        // A plain close() while input is unread would reset the connection and take the answer along.
        end_writing(c.socket);
        c.is = phase::lingering;
        c.deadline = now + linger_ms;
        return true;
    }
    c.is = phase::reading;
    c.deadline = now + (c.in.empty() ? idle_ms : request_ms);
    return true;
}

bool http_server::timed_out(connection& c, std::uint64_t now) {
    switch (c.is) {
        case phase::streaming:
            // Only output that nobody takes counts.
            return c.has_output() && now > c.deadline;
        case phase::waiting:
            if (now <= c.deadline) return false;
            answer(c, c.waiting->too_late(), now);
            c.waiting.reset();
            return !write(c, now);
        case phase::reading:
            if (now <= c.deadline) return false;
            if (c.in.empty()) return true;
            refuse(c, 408, "the request took too long to arrive", now);
            return !write(c, now);
        case phase::answering:
        case phase::lingering: return now > c.deadline;
    }
    return true;
}

void http_server::feed(connection& c, std::uint64_t now) {
    std::string event;
    if (c.stream->next(event)) {
        c.out = std::move(event);
    } else if (now - c.last_event >= heartbeat_ms) {
        c.out = ":\n\n";
    } else {
        return;
    }
    c.last_event = now;
    c.deadline = now + write_ms;
}

void http_server::say_goodbye() {
    const std::uint64_t until = ms() + goodbye_ms;
    from_.socket.close();
    for (const auto& c : connections_) {
        if (c->is == phase::streaming) c->out += handler_.goodbye();
        if (c->is == phase::waiting) answer(*c, error_answer(503, "the program has ended"), ms());
    }
    std::vector<pollfd> watched;
    while (true) {
        watched.clear();
        for (const auto& c : connections_) {
            while (c->has_output()) {
                std::size_t done = 0;
                const io went = write_some(c->socket, std::string_view(c->out).substr(c->sent), done);
                if (went == io::later) break;
                c->sent = went == io::end ? c->out.size() : c->sent + done;
            }
            if (c->has_output()) watched.push_back({c->socket.get(), POLLOUT, 0});
        }
        const std::uint64_t now = ms();
        if (watched.empty() || now >= until) break;
        static_cast<void>(::poll(watched.data(), static_cast<nfds_t>(watched.size()), static_cast<int>(until - now)));
    }
    for (const auto& c : connections_) end_writing(c->socket);
    connections_.clear();
}

}  // namespace lido::inspect
