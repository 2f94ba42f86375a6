// Who is answered, and who is not.
#include "client.hpp"
#include "embedded.hpp"
#include "request_check.hpp"

#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lido::test {
namespace inspect_safety_test {

using namespace inspect;

[[nodiscard]] access_policy local() {
    access_policy p;
    p.port = 7777;
    p.token = "0123456789abcdef";
    return p;
}
[[nodiscard]] access_policy remote() {
    access_policy p = local();
    p.remote = true;
    p.hosts = {"game.example"};
    return p;
}

struct asking {
    std::string method = "GET";
    std::string target = "/api/v1/hello";
    std::vector<std::pair<std::string, std::string>> headers = {{"host", "127.0.0.1:7777"}};
    std::string body = {};
};

[[nodiscard]] int status_of(const asking& a, const access_policy& policy) {
    http_request r;
    r.method = a.method;
    r.target = a.target;
    r.headers = a.headers;
    r.body = a.body;
    checked_request out{};
    return check_request(r, policy, out).status;
}

[[nodiscard]] int status_with(const access_policy& policy, const std::string& name, const std::string& value) {
    asking a;
    if (name == "host") a.headers.clear();
    a.headers.emplace_back(name, value);
    return status_of(a, policy);
}

TEST(inspect_safety, only_names_of_this_machine_are_answered) {
    for (const char* good : {"127.0.0.1:7777", "localhost:7777", "LOCALHOST:7777", "[::1]:7777"})
        EXPECT_EQ(status_with(local(), "host", good), 0) << good;
    for (const char* bad : {"evil.example:7777", "evil.example", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:7777:1",
                            "localhost.evil.example:7777", "127.0.0.1.evil.example:7777", "192.168.1.2:7777", "",
                            ":7777", "[::1", "[::1]x:7777", "127.0.0.1:+7777", "127.0.0.1:07777777777777777777777"})
        EXPECT_EQ(status_with(local(), "host", bad), 403) << bad;
    EXPECT_EQ(status_of({.headers = {}}, local()), 400);
}

TEST(inspect_safety, only_the_own_origin_is_answered) {
    EXPECT_EQ(status_with(local(), "origin", "http://127.0.0.1:7777"), 0);
    for (const char* bad : {"http://evil.example", "null", "https://127.0.0.1:7777", "http://127.0.0.1:7778",
                            "http://localhost:7777", "http://127.0.0.1:7777.evil.example", ""})
        EXPECT_EQ(status_with(local(), "origin", bad), 403) << bad;
}

TEST(inspect_safety, other_methods_are_refused) {
    for (const char* method : {"PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "FROB"})
        EXPECT_EQ(status_of({.method = method}, local()), 405) << method;
    EXPECT_EQ(status_of({.method = "HEAD"}, local()), 0);
    EXPECT_EQ(status_of({.method = "POST"}, local()), 405);
    EXPECT_EQ(status_of({.target = "/api/v1/control"}, local()), 405);
    EXPECT_EQ(status_of({.body = "x"}, local()), 400);
}

TEST(inspect_safety, odd_paths_are_refused) {
    for (const char* bad : {"/../x", "/%2e%2e/x", "/a/..%2fb", "/%00", "/a%0a", "/a%", "/a%2", "/a%zz", "/\\x",
                            "//evil", "/a?b=%00", "/a?b=1&b=2", "/a?1&2&3&4&5&6&7&8&9&10&11&12&13&14&15&16&17"})
        EXPECT_EQ(status_of({.target = bad}, local()), 400) << bad;
    EXPECT_EQ(status_of({.target = "/a?b=%41&c"}, local()), 0);
}

TEST(inspect_safety, commands_need_the_token_in_its_header_and_json) {
    asking a{.method = "POST", .target = "/api/v1/control"};
    EXPECT_EQ(status_of(a, local()), 401);
    a.headers.emplace_back("authorization", "Bearer 0123456789abcdeX");
    EXPECT_EQ(status_of(a, local()), 401);
    a.headers.back().second = "Basic 0123456789abcdef";
    EXPECT_EQ(status_of(a, local()), 401);
    a.headers.back().second = "Bearer 0123456789abcdef";
    EXPECT_EQ(status_of(a, local()), 400);  // no content type
    a.headers.emplace_back("content-type", "text/plain");
    EXPECT_EQ(status_of(a, local()), 400);  // what a form of another site could send
    a.headers.back().second = "application/json; charset=utf-8";
    EXPECT_EQ(status_of(a, local()), 0);
    // The address is not enough for a command.
    a.headers = {{"host", "127.0.0.1:7777"}};
    a.target = "/api/v1/control?token=0123456789abcdef";
    EXPECT_EQ(status_of(a, local()), 401);
    EXPECT_EQ(status_of(a, remote()), 401);
}

TEST(inspect_safety, a_remote_reader_needs_the_token_for_everything_but_the_page) {
    const auto asked = [](const char* target, std::vector<std::pair<std::string, std::string>> more = {}) {
        asking a{.target = target};
        for (auto& h : more) a.headers.push_back(std::move(h));
        return status_of(a, remote());
    };
    // It says nothing of the program, and the token in its link never leaves the browser.
    for (const char* path : {"/", "/index.html", "/app/main.js"}) EXPECT_EQ(asked(path), 0) << path;
    for (const char* path :
         {"/api/v1/hello", "/api/v1/pools", "/metrics", "/api/v1/stream", "/apparatus", "/nowhere"}) {
        EXPECT_EQ(asked(path), 401) << path;
        EXPECT_EQ(asked(path, {{"authorization", "Bearer 0123456789abcdef"}}), 0) << path;
    }
    EXPECT_EQ(asked("/api/v1/stream?token=0123456789abcdef"), 0);
    EXPECT_EQ(asked("/api/v1/views/x?token=0123456789abcdef"), 0);
    EXPECT_EQ(asked("/api/v1/pools?token=0123456789abcdef"), 401);
    EXPECT_EQ(asked("/api/v1/stream?token=0123456789abcde"), 401);
}

TEST(inspect_safety, a_remote_server_goes_by_addresses_and_the_names_it_was_given) {
    for (const char* good :
         {"192.168.1.2:7777", "[fe80::1]:7777", "game.example", "GAME.example:443", "localhost:7777"})
        EXPECT_TRUE(is_own_host(good, remote())) << good;
    for (const char* bad :
         {"evil.example:7777", "192.168.1.2", "192.168.1.256:7777", "1.2.3:7777", "game.example:x", "[x]:7777"})
        EXPECT_FALSE(is_own_host(bad, remote())) << bad;
}

TEST(inspect_safety, an_empty_secret_is_no_secret) {
    EXPECT_FALSE(same_secret("", ""));
    EXPECT_FALSE(same_secret("a", ""));
    EXPECT_TRUE(same_secret("abc", "abc"));
    EXPECT_FALSE(same_secret("abc", "abd"));
}

TEST(inspect_safety, the_server_keeps_these_rules) {
    shown_program p;
    EXPECT_EQ(p.get("/api/v1/hello").status, 200);
    EXPECT_EQ(p.get("/api/v1/hello", "Origin: http://" + p.host() + "\r\n").status, 200);
    const reply other = p.get("/api/v1/hello", "Origin: http://evil.example\r\n");
    EXPECT_EQ(other.status, 403);
    EXPECT_FALSE(other.error().empty());
    const std::string port = std::to_string(p.look.port());
    EXPECT_EQ(p.raw("GET / HTTP/1.1\r\nHost: rebound.example:" + port + "\r\n\r\n").status, 403);
    EXPECT_EQ(p.get("/nowhere").status, 404);
    EXPECT_EQ(p.raw(p.request("OPTIONS", "/")).status, 405);
    EXPECT_TRUE(p.raw(p.request("PUT", "/")).has("Allow: GET, HEAD, POST"));
    EXPECT_EQ(p.control(R"({"command":"x"})", "Authorization: Bearer nonsense\r\n").status, 401);
}

TEST(inspect_safety, every_answer_has_its_safety_headers) {
    shown_program p;
    for (const char* path : {"/", "/api/v1/hello", "/nowhere", "/metrics"}) {
        const reply r = p.get(path);
        EXPECT_TRUE(r.has("Content-Security-Policy: default-src 'self';")) << path;
        EXPECT_TRUE(r.has("X-Content-Type-Options: nosniff")) << path;
        EXPECT_TRUE(r.has("Cache-Control: no-store")) << path;
        EXPECT_TRUE(r.has("Referrer-Policy: no-referrer")) << path;
        EXPECT_FALSE(r.has("Access-Control-Allow")) << path;
    }
}

TEST(inspect_safety, the_page_is_served_byte_for_byte) {
    shown_program p;
    ASSERT_FALSE(embedded_files().empty());
    for (const embedded_file& f : embedded_files()) {
        const reply r = p.get(f.path);
        EXPECT_EQ(r.status, 200) << f.path;
        EXPECT_EQ(r.body, f.bytes) << f.path;
        EXPECT_TRUE(r.has("Content-Type: " + std::string(f.type))) << f.path;
    }
    EXPECT_EQ(p.get("/index.html").status, 200);
    client c(p.look.port());
    c.send(p.request("HEAD", "/", "Connection: close\r\n"));
    ASSERT_TRUE(play(p.look, p.tick, [&] {
        c.receive();
        return c.ended;
    }));
    EXPECT_TRUE(to_reply(c.text).body.empty());
}

TEST(inspect_safety, a_remote_page_comes_without_the_token_and_its_figures_do_not) {
    shown_program p{{.bind = "0.0.0.0", .allow_remote = true}};
    EXPECT_EQ(p.look.link(), p.look.address() + "/#token=" + p.look.token());
    const reply r = p.get("/");
    EXPECT_EQ(r.status, 200);
    EXPECT_FALSE(r.has("Set-Cookie"));
    EXPECT_EQ(r.body.find(p.look.token()), std::string::npos);
    EXPECT_EQ(p.get("/api/v1/pools").status, 401);
    EXPECT_EQ(p.get("/api/v1/pools", "Authorization: Bearer " + p.look.token() + "\r\n").status, 200);
}

}  // namespace inspect_safety_test
}  // namespace lido::test
