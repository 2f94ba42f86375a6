// Usage: check_serve ARENA: starts `arena --serve` as a user would, looks at it as the page would, and ends it as a shell would.
#include "check_process.hpp"
#include "session.hpp"

#include <lido/world/settings_file.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using arena::process;

int failures = 0;

void expect(bool holds, std::string_view what, std::string_view detail = "") {
    if (holds) return;
    std::fprintf(stderr, "serve: %.*s %.*s\n", static_cast<int>(what.size()), what.data(),
                 static_cast<int>(std::min<std::size_t>(detail.size(), 300)), detail.data());
    ++failures;
}

/// What stands between the first `before` and the next `after`.
[[nodiscard]] std::string between(std::string_view text, std::string_view before, std::string_view after) {
    const std::size_t at = text.find(before);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = text.substr(at + before.size());
    return std::string(rest.substr(0, rest.find(after)));
}

[[nodiscard]] std::uint64_t number(std::string_view json, std::string_view name) {
    return std::strtoull(between(json, "\"" + std::string(name) + "\":", ",").c_str(), nullptr, 10);
}

class connection {
public:
    explicit connection(int port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(static_cast<std::uint16_t>(port));
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const timeval patience{20, 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        expect(::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0, "cannot connect");
    }
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    ~connection() { ::close(fd_); }

    void send(std::string_view text) const {
        expect(::send(fd_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()), "cannot send");
    }
    /// Until `mark` came, which is left out; what came after it waits.
    [[nodiscard]] std::string until(std::string_view mark) {
        char part[16384];
        while (waiting_.find(mark) == std::string::npos) {
            const ssize_t n = ::recv(fd_, part, sizeof part, 0);
            if (n <= 0) break;
            waiting_.append(part, static_cast<std::size_t>(n));
        }
        const std::size_t at = waiting_.find(mark);
        std::string text = waiting_.substr(0, at);
        waiting_.erase(0, at == std::string::npos ? at : at + mark.size());
        return text;
    }

    [[nodiscard]] std::string rest() { return until("\n\n\n\n"); }  // which no answer holds

private:
    int fd_;
    std::string waiting_;
};

/// The arena, as it was started.
struct served {
    int port = 0;
    std::string token;

    explicit served(std::string_view link) {
        const std::string at = between(link, "open http://127.0.0.1:", "/");
        port = std::atoi(at.c_str());
        token = between(link, "/#token=", "\n");
        expect(port != 0 && token.size() == 32, "no address:", link);
    }

    [[nodiscard]] std::string head(std::string_view what) const {
        return std::string(what) + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n";
    }
    [[nodiscard]] std::string get(std::string_view path) const {
        connection c(port);
        c.send(head("GET " + std::string(path)) + "Connection: close\r\n\r\n");
        return c.rest();
    }
    [[nodiscard]] std::string command(std::string_view name, std::string_view value, bool with_token = true) const {
        connection c(port);
        const std::string body = "{\"command\":\"" + std::string(name) + "\",\"value\":" + std::string(value) + "}";
        std::string text = head("POST /api/v1/control") + "Content-Type: application/json\r\nConnection: close\r\n";
        if (with_token) text += "Authorization: Bearer " + token + "\r\n";
        c.send(text + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        return c.rest();
    }
    void ask(std::string_view name, std::string_view value) const {
        const std::string answer = command(name, value);
        expect(answer.find(" 200 ") != std::string::npos && answer.find("\"ok\":true") != std::string::npos, name,
               answer);
    }
};

class view {
public:
    explicit view(const served& of) : c_(of.port) { c_.send(of.head("GET /api/v1/views/arena") + "\r\n"); }

    [[nodiscard]] std::string frame() {
        static_cast<void>(c_.until("event: frame\ndata: "));
        return c_.until("\n\n");
    }
    /// The first frame that `is` says yes to.
    template <class F>
    [[nodiscard]] std::string first(F&& is, std::string_view what) {
        std::string f;
        for (int i = 0; i < 600; ++i) {
            f = frame();
            if (is(f)) return f;
        }
        expect(false, "no such frame:", what);
        return f;
    }
    [[nodiscard]] std::string at(std::uint64_t tick) {
        return first([tick](const std::string& f) { return number(f, "at") == tick; }, std::to_string(tick));
    }

private:
    connection c_;
};

[[nodiscard]] std::string hash_of(const std::string& frame) { return between(frame, "\"hash\":\"", "\""); }

[[nodiscard]] std::string hex(std::uint64_t n) {
    char text[17];
    std::snprintf(text, sizeof text, "%016" PRIx64, n);
    return text;
}

void check_frame(const std::string& f) {
    for (const std::string_view kind : {"ship", "bullet", "enemy_bullet", "enemy", "glint", "shot", "particle",
                                        "debris", "orb", "missile", "explosion", "ember", "text"}) {
        const std::string key = "{\"kind\":\"" + std::string(kind) + "\",\"points\":\"";
        expect(f.find(key) != std::string::npos, "no group:", kind);
        expect(between(f, key, "\"").size() % 4 == 0, "not base64:", kind);
    }
    // One point, four bytes, eight characters.
    expect(between(f, "\"ship\",\"points\":\"", "\"").size() == 8, "the ship", f);
    expect(number(f, "width") == 640 && number(f, "height") == 360, "the field", f);
    expect(f.size() > 2 && f.front() == '{' && f.substr(f.size() - 2) == "}}", "not whole", f);
}

/// The page's work: pause, step, a burst, back, and on again; hashes are those of a session without a server.
void look_and_play(const served& game) {
    const std::string hello = game.get("/api/v1/hello");
    expect(hello.find("\"views\":[\"arena\"]") != std::string::npos, "no view", hello);
    for (const std::string_view name : {"pause", "step", "burst", "speed", "seed", "seek"}) {
        expect(hello.find("\"name\":\"" + std::string(name) + "\"") != std::string::npos, "no command:", name);
    }
    const std::string pools = game.get("/api/v1/pools");
    for (const std::string_view name : {"bullets", "enemies", "glitter", "player bullets", "xp orbs", "particles",
                                        "death debris", "damage numbers", "world/ember"}) {
        expect(pools.find("\"name\":\"" + std::string(name) + "\"") != std::string::npos, "no pool:", name);
    }
    const std::string stages = game.get("/api/v1/stages");
    for (const std::string_view name : {"vaults", "door", "vault", "purse", "boss", "books"}) {
        expect(stages.find("\"name\":\"" + std::string(name) + "\"") != std::string::npos,
               "not among the stages:", name);
    }
    expect(game.command("pause", "true", false).find(" 200 ") == std::string::npos, "a command without the token");

    view seen(game);
    game.ask("speed", "\"8\"");
    check_frame(seen.first([](const std::string& f) { return number(f, "at") > 120; }, "after tick 120"));
    game.ask("pause", "true");
    const std::string still =
        seen.first([](const std::string& f) { return f.find("\"paused\":true") != std::string::npos; }, "paused");
    const std::uint64_t tick = number(still, "at");
    expect(still.find("\"speed\":8,") != std::string::npos, "its speed", still);

    const lido::settings_result file = lido::read_settings(ARENA_POOLS);
    const auto own = std::make_unique<arena::session>(7, file.table);
    while (own->at() < tick) own->play();
    expect(hash_of(still) == hex(own->hash()), "another game than without a server:", hash_of(still));

    game.ask("step", "null");
    own->play();
    expect(hash_of(seen.at(tick + 1)) == hex(own->hash()), "a step");
    game.ask("burst", "\"embers\"");
    own->burst(arena::crowd::embers);
    game.ask("step", "null");
    own->play();
    expect(hash_of(seen.at(tick + 2)) == hex(own->hash()), "a burst");

    game.ask("seek", std::to_string(tick - 55));
    expect(own->seek(tick - 55) && hash_of(seen.at(tick - 55)) == hex(own->hash()), "back");
    game.ask("pause", "false");
    const std::string on = seen.first([&](const std::string& f) { return number(f, "at") > tick + 2; }, "on again");
    expect(on.find("\"exact\":true") != std::string::npos && number(on, "checked") >= 57, "the replay",
           between(on, "\"replay\"", "}"));

    game.ask("seed", "9");
    expect(number(seen.first([](const std::string& f) { return number(f, "seed") == 9; }, "seed 9"), "newest") < 600,
           "a new game");
    const std::string vault = game.get("/api/v1/stages/0/entity?id=vault-3");
    expect(vault.find("\"gold\"") != std::string::npos, "a vault of the new game", vault);
    expect(game.command("seek", "999999999").find("kept are the ticks") != std::string::npos,
           "a tick that is not kept");
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return 2;
    std::signal(SIGPIPE, SIG_IGN);
    const std::string program = arguments[1];
    // An end of its own, should this test not come to its end.
    const std::vector<std::string> plain{program, "--serve", "--pools", ARENA_POOLS, "--for", "300"};
    {
        process first(plain);
        const served at(first.line());
        if (at.port == 0) return 1;
        look_and_play(at);
        {
            process second(plain);
            expect(served(second.line()).port != at.port, "two on one port");
            expect(second.end(SIGINT) == 0, "after control and C");
        }
        std::vector<std::string> busy = plain;
        busy.insert(busy.end(), {"--port", std::to_string(at.port)});
        process third(busy);
        const std::string said = third.line();
        expect(said.substr(0, 7) == "arena: " && said.find("in use") != std::string::npos, "of a busy port:", said);
        expect(third.end(0) == 2, "a busy port");

        view looks_on(at);
        static_cast<void>(looks_on.frame());
        const auto before = std::chrono::steady_clock::now();
        expect(first.end(SIGTERM) == 0, "after a signal");
        expect(std::chrono::steady_clock::now() - before < std::chrono::seconds(5), "a slow end");
    }
    std::vector<std::string> brief = plain;
    brief.insert(brief.end(), {"--for", "1"});
    process last(brief);
    expect(last.end(0) == 0, "--for 1");
    return failures == 0 ? 0 : 1;
}
