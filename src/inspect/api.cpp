#include "api.hpp"

#include "control_parser.hpp"
#include "embedded.hpp"
#include "json_writer.hpp"
#include "metrics_writer.hpp"
#include "slot_watch.hpp"
#include "stage_api.hpp"
#include "store_writer.hpp"
#include "text.hpp"

#include <lido/core/config.hpp>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

namespace lido::inspect {

namespace {

[[nodiscard]] http_result plain(std::string body) {
    http_result r;
    r.answer.body = std::move(body);
    return r;
}

[[nodiscard]] http_result wrong(int status, std::string_view why) {
    http_result r;
    r.answer = error_answer(status, why);
    return r;
}

/// One event of a stream. Each line of the data gets a "data: " of its own.
[[nodiscard]] std::string event_text(std::string_view name, std::string_view data) {
    std::string out = "event: ";
    out.append(name).append("\ndata: ");
    for (const char c : data) {
        if (c == '\r') continue;
        out.push_back(c);
        if (c == '\n') out += "data: ";
    }
    out += "\n\n";
    return out;
}

class sample_stream final : public event_source {
public:
    explicit sample_stream(sample_text& from) : from_(from) {}

    [[nodiscard]] bool next(std::string& out) override {
        const std::uint64_t now = from_.number();
        if (now == seen_) return false;
        seen_ = now;
        out = from_.latest();
        return true;
    }

private:
    sample_text& from_;
    std::uint64_t seen_ = 0;
};

class view_stream final : public event_source {
public:
    view_stream(board& shared, view_board& view) : board_(shared), view_(view) {
        view_.readers.fetch_add(1, std::memory_order_relaxed);
    }
    view_stream(const view_stream&) = delete;
    view_stream& operator=(const view_stream&) = delete;
    ~view_stream() override { view_.readers.fetch_sub(1, std::memory_order_relaxed); }

    [[nodiscard]] bool next(std::string& out) override {
        std::string frame;
        if (!board_.frame_after(view_, seen_, frame)) return false;
        out = event_text("frame", frame);
        return true;
    }

private:
    board& board_;
    view_board& view_;
    std::uint64_t seen_ = 0;
};

class waiting_command final : public waiting_answer {
public:
    explicit waiting_command(std::shared_ptr<command_job> j) : job_(std::move(j)) {}
    waiting_command(const waiting_command&) = delete;
    waiting_command& operator=(const waiting_command&) = delete;
    /// A reader that left must not have its command run later.
    ~waiting_command() override { static_cast<void>(job_->move(job_state::waiting, job_state::given_up)); }

    [[nodiscard]] bool ready(http_answer& out) override {
        if (!job_->done()) return false;
        out = job_->failed ? error_answer(503, "the program could not do it")
                           : http_answer{200, "application/json", write_said(job_->said)};
        return true;
    }
    [[nodiscard]] http_answer too_late() override {
        if (!job_->move(job_state::waiting, job_state::given_up))
            return error_answer(504, "the command has begun and has not ended within two seconds");
        return error_answer(504, "the program did not come to it within two seconds; the command was not run");
    }

private:
    std::shared_ptr<command_job> job_;
};

class waiting_map final : public waiting_answer {
public:
    explicit waiting_map(std::shared_ptr<map_job> j) : job_(std::move(j)) {}
    waiting_map(const waiting_map&) = delete;
    waiting_map& operator=(const waiting_map&) = delete;
    ~waiting_map() override { static_cast<void>(job_->move(job_state::waiting, job_state::given_up)); }

    [[nodiscard]] bool ready(http_answer& out) override {
        if (!job_->done()) return false;
        out = job_->gone ? error_answer(404, "the slots of this pool cannot be shown, or it has just ended")
                         : http_answer{200, "application/json", write_map(job_->map)};
        return true;
    }
    [[nodiscard]] http_answer too_late() override {
        return error_answer(504, "the program did not show its slots within two seconds");
    }

private:
    std::shared_ptr<map_job> job_;
};

/// "12" and "12/map" of "/api/v1/pools/12/map".
[[nodiscard]] bool read_id(std::string_view text, std::uint32_t& out) {
    std::uint64_t n = 0;
    if (!read_number(text, n) || n > std::numeric_limits<std::uint32_t>::max()) return false;
    out = static_cast<std::uint32_t>(n);
    return true;
}

/// A number of the query; false when it is there and no such number.
[[nodiscard]] bool read_part(const checked_request& asked, std::string_view name, std::uint32_t& out) {
    const std::string* const text = asked.value(name);
    return text == nullptr || read_id(*text, out);
}

}  // namespace

const std::string& sample_text::latest() {
    if (number_ != from_.number()) {
        const moment now = from_.now();
        number_ = now.number;
        text_ = event_text("sample", write_sample(now));
    }
    return text_;
}

std::uint64_t api::now_ms() const noexcept {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started_).count());
}

std::string api::goodbye() { return event_text("bye", write_bye()); }

http_result api::handle(const http_request& request, const checked_request& asked) {
    const std::string_view path = asked.path;
    if (request.method == "POST") return control(request);
    if (path == "/api/v1/hello") return hello();
    if (path == "/api/v1/events") return events(asked);
    if (path == "/api/v1/stream") {
        http_result r;
        r.stream = std::make_unique<sample_stream>(sample_);
        return r;
    }
    constexpr std::string_view views = "/api/v1/views/";
    if (path.starts_with(views)) return view(path.substr(views.size()));
    if (path.starts_with("/api/v1/pools")) return pools(asked);
    if (path.starts_with(stages_path)) return stages_answer(board_, asked);
    if (path == "/api/v1/stores") return plain(write_stores(board_.now()));
    if (path == "/metrics") {
        http_result r = plain(write_metrics(board_.now()));
        r.answer.type = metrics_type;
        return r;
    }
    return file(asked);
}

http_result api::hello() const {
    hello_figures h;
    h.program = program_;
    h.version = std::to_string(LIDO_VERSION_MAJOR) + "." + std::to_string(LIDO_VERSION_MINOR) + "." +
                std::to_string(LIDO_VERSION_PATCH);
    h.started_ms = started_ms_;
    board_.fill(h);
    return plain(write_hello(h));
}

http_result api::pools(const checked_request& asked) {
    constexpr std::string_view all = "/api/v1/pools";
    std::string_view rest = std::string_view(asked.path).substr(all.size());
    if (rest.empty()) return plain(write_pools(board_.now()));
    if (rest.front() != '/') return wrong(404, "there is nothing at this address");
    rest.remove_prefix(1);
    std::uint32_t id = 0;
    const std::string_view number = rest.substr(0, rest.find('/'));
    if (!read_id(number, id)) return wrong(404, "there is no such pool");
    rest.remove_prefix(number.size());
    if (rest.empty()) return pool(id);
    if (rest == "/map") return map(id, asked);
    return wrong(404, "there is nothing at this address");
}

http_result api::pool(std::uint32_t id) {
    const std::optional<pool_detail> found = board_.detail_of(id, now_ms());
    return found ? plain(write_pool(*found)) : wrong(404, "there is no such pool");
}

http_result api::map(std::uint32_t id, const checked_request& asked) {
    auto j = std::make_shared<map_job>();
    j->wish.pool = id;
    if (const std::string* const by = asked.value("by")) {
        if (*by != "age" && *by != "generation") return wrong(400, "by is age or generation");
        j->wish.by = *by == "age" ? map_by::age : map_by::generation;
    }
    if (!read_part(asked, "from", j->wish.from) || !read_part(asked, "to", j->wish.to) ||
        !read_part(asked, "cells", j->wish.cells))
        return wrong(400, "from, to and cells are whole numbers");
    if (j->wish.cells == 0 || j->wish.cells > slot_watch::most_cells) return wrong(400, "cells is from 1 to 65536");
    const std::optional<pool_figures> found = board_.pool(id);
    if (!found) return wrong(404, "there is no such pool");
    if (found->gone) return wrong(404, "this pool has ended");
    if (!board_.ask(j, now_ms())) return wrong(429, "too many requests wait for the program");
    http_result r;
    r.waiting = std::make_unique<waiting_map>(std::move(j));
    return r;
}

http_result api::events(const checked_request& asked) const {
    std::uint64_t after = 0;
    if (const std::string* const text = asked.value("after"); text != nullptr && !read_number(*text, after))
        return wrong(400, "after is a whole number");
    return plain(write_events(board_.events_since(after)));
}

http_result api::view(std::string_view name) {
    view_board* const found = board_.find_view(name);
    if (found == nullptr) return wrong(404, "there is no such view");
    http_result r;
    r.stream = std::make_unique<view_stream>(board_, *found);
    return r;
}

http_result api::control(const http_request& request) {
    parsed_command asked = parse_command(request.body);
    if (!asked) return wrong(400, asked.error);
    const std::optional<command_description> known = board_.find_command(asked.name);
    if (!known) return wrong(404, "there is no such command");
    if (const std::string why = check_value(asked.value, *known); !why.empty()) return wrong(400, why);
    auto j = std::make_shared<command_job>();
    j->name = std::move(asked.name);
    j->value = std::move(asked.value);
    if (!board_.ask(j)) return wrong(429, "too many commands wait for the program");
    http_result r;
    r.waiting = std::make_unique<waiting_command>(std::move(j));
    return r;
}

http_result api::file(const checked_request& asked) {
    const std::string_view path = asked.path == "/index.html" ? std::string_view("/") : std::string_view(asked.path);
    for (const embedded_file& f : embedded_files()) {
        if (f.path != path) continue;
        http_result r = plain(std::string(f.bytes));
        r.answer.type = f.type;
        return r;
    }
    return wrong(404, "there is nothing at this address");
}

}  // namespace lido::inspect
