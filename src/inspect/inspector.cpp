#include <lido/inspect/inspector.hpp>

#include "api.hpp"
#include "board.hpp"
#include "collector.hpp"
#include "http_server.hpp"
#include "request_check.hpp"
#include "sockets.hpp"
#include "text.hpp"

#include <lido/core/config.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <utility>

namespace lido {

namespace {

/// The ports that are tried when none is asked for.
constexpr std::uint16_t first_port = 7777;
constexpr std::uint16_t ports_to_try = 100;

/// 128 bits from the system, as hexadecimal digits.
[[nodiscard]] std::string make_token() {
    std::random_device from;
    std::string token;
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t bits = from();
        for (int shift = 28; shift >= 0; shift -= 4) token.push_back("0123456789abcdef"[bits >> shift & 15]);
    }
    return token;
}

/// What may stand in an address and a header as it is.
[[nodiscard]] bool is_token(const std::string& token) {
    return token.size() >= 8 && token.size() <= 128 && std::all_of(token.begin(), token.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                      c == '_';
           });
}

[[nodiscard]] inspect::listening listen_somewhere(const inspector_options& options, std::string& error) {
    const bool any = options.port == 0;
    std::uint16_t port = any ? first_port : options.port;
    inspect::listening got = inspect::listen_on(options.bind, port);
    for (std::uint16_t i = 1; any && got.busy && i < ports_to_try; ++i) got = inspect::listen_on(options.bind, ++port);
    if (got.socket) return got;
    if (got.busy && any) {
        error = "the ports from 7777 to 7876 are all in use: end one of those programs, or choose another port";
    } else if (got.busy) {
        error = "port " + std::to_string(port) + " is in use: end the program that has it, choose another port, or " +
                "give port 0, which takes the first free one from 7777 on";
    } else {
        error = "cannot listen on " + options.bind + ", port " + std::to_string(port) + ": " + got.error;
    }
    return got;
}

}  // namespace

/// From below to above: the board, who puts up, who answers.
struct inspector::rooms final : inspect::waker {
    inspect::board board;
    std::string error;
    std::string address;
    std::string token;
    std::uint16_t port = 0;
    inspect::collector collector{board, *this};
    std::unique_ptr<inspect::api> api;
    std::unique_ptr<inspect::http_server> server;

    ~rooms() {
        server.reset();  // before what its thread reads
    }

    void wake() noexcept override {
        if (server != nullptr) server->wake();
    }

    void open(inspector_options options) {
        token = options.token.empty() ? make_token() : options.token;
        if (!is_token(token)) {
            error = "the token must be 8 to 128 letters, digits, - and _: leave it empty to have one made";
            return;
        }
        if (!inspect::is_ip(options.bind)) {
            error = "\"" + options.bind + "\" is not an IPv4 or IPv6 address: 127.0.0.1 is this machine alone";
            return;
        }
        const bool remote = !inspect::is_loopback(options.bind);
        if (remote && !options.allow_remote) {
            error = options.bind + " can be reached from other machines: set allow_remote if that is meant, " +
                    "or bind 127.0.0.1";
            return;
        }
        inspect::listening listening = listen_somewhere(options, error);
        if (!listening.socket) return;
        port = listening.port;
        const bool six = options.bind.find(':') != std::string::npos;
        address = "http://" + (six ? "[" + options.bind + "]" : options.bind) + ":" + std::to_string(port);

        inspect::access_policy policy;
        policy.port = port;
        policy.token = token;
        policy.remote = remote;
        // Of 127.0.0.0/8 any may be bound, and goes by its own name then.
        if (!remote) policy.loopback = six ? "[" + options.bind + "]" : options.bind;
        for (const std::string& h : options.hosts) policy.hosts.push_back(inspect::lower(h));
        const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
        api = std::make_unique<inspect::api>(
            board, std::move(options.program),
            static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(since_1970).count()),
            collector.started());
        server = std::make_unique<inspect::http_server>(std::move(listening), std::move(policy), *api, board.readers);
        if (!server->running()) {
            server.reset();
            address.clear();
            error = "the system has no thread or pipe left for the inspector";
        }
    }
};

inspector::inspector(inspector_options options) : rooms_(std::make_unique<rooms>()) {
    rooms_->open(std::move(options));
}
inspector::~inspector() = default;

bool inspector::running() const noexcept { return rooms_->server != nullptr; }
const std::string& inspector::error() const noexcept { return rooms_->error; }
std::string inspector::address() const { return rooms_->address; }
std::string inspector::link() const { return running() ? rooms_->address + "/#token=" + rooms_->token : std::string{}; }
const std::string& inspector::token() const noexcept { return rooms_->token; }
std::uint16_t inspector::port() const noexcept { return rooms_->port; }

watch_id inspector::add(const std::string& name, inspect::pool_source source) {
    return {rooms_->collector.add(name, source)};
}
watch_id inspector::add(std::string name, inspect::world_source source) {
    return {rooms_->collector.add(std::move(name), source)};
}
watch_id inspector::add(std::string name, const inspect::stage_source& source) {
    return {rooms_->collector.add(std::move(name), source)};
}
watch_id inspector::add(std::string name, const inspect::store_source& source) {
    return {rooms_->collector.add(std::move(name), source)};
}
void inspector::unwatch(watch_id id) noexcept { rooms_->collector.remove(id.number); }

void inspector::sample(std::uint64_t tick) { rooms_->collector.sample(tick); }

void inspector::command(command_description what, std::function<std::string(const command_value&)> run) {
    rooms_->collector.set_command(std::move(what), std::move(run));
}
bool inspector::wants(std::string_view view) { return rooms_->collector.wants(view); }
void inspector::publish(std::string_view view, std::string_view json) { rooms_->collector.publish(view, json); }

}  // namespace lido
