// Bytes that no browser sends get an answer that says no, and the next reader is served.
#include "client.hpp"
#include "http_request.hpp"

#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace lido::test {
namespace inspect_hostile_test {

using inspect::http_parse;
using inspect::parse_request;

[[nodiscard]] int status_of(std::string_view bytes) {
    const http_parse p = parse_request(bytes);
    return p.is == http_parse::result::refused ? p.wrong.status : p.is == http_parse::result::complete ? 200 : 0;
}

TEST(inspect_hostile, what_is_no_request_is_refused) {
    for (const char* bytes : {"\r\n\r\n",
                              "GET\r\n\r\n",
                              "GET /\r\n\r\n",
                              "GET / HTTP/2.0\r\n\r\n",
                              "GET  HTTP/1.1\r\n\r\n",
                              "G\x01T / HTTP/1.1\r\n\r\n",
                              "GET x HTTP/1.1\r\n\r\n",
                              "GET http://a/ HTTP/1.1\r\n\r\n",
                              "GET /\x7f HTTP/1.1\r\n\r\n",
                              "GET / x HTTP/1.1\r\n\r\n",
                              "GET / HTTP/1.1\r\nno colon\r\n\r\n",
                              "GET / HTTP/1.1\r\n: empty\r\n\r\n",
                              "GET / HTTP/1.1\r\nA : b\r\n\r\n",
                              "GET / HTTP/1.1\r\n folded: b\r\n\r\n",
                              "GET / HTTP/1.1\r\nA: b\x01\r\n\r\n",
                              "GET / HTTP/1.1\nHost: a\n\r\n\r\n",
                              "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                              "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                              "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                              "GET / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n",
                              "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
                              "GET / HTTP/1.1\r\nExpect: cake\r\n\r\n"})
        EXPECT_EQ(status_of(bytes), 400) << bytes;
}

TEST(inspect_hostile, limits_are_kept) {
    const std::string long_target = "GET /" + std::string(3000, 'a');
    EXPECT_EQ(status_of(long_target), 414);
    EXPECT_EQ(status_of(long_target + " HTTP/1.1\r\n\r\n"), 414);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nA: " + std::string(20'000, 'a')), 431);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nA: " + std::string(20'000, 'a') + "\r\n\r\n"), 431);
    std::string many = "GET / HTTP/1.1\r\n";
    for (int i = 0; i < 150; ++i) many += "A: b\r\n";
    EXPECT_EQ(status_of(many), 431);
    EXPECT_EQ(status_of(many + "\r\n"), 431);
    EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: 4097\r\n\r\n"), 413);
    EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n"), 400);
}

TEST(inspect_hostile, a_request_in_pieces_is_the_same) {
    const std::string whole = "POST /a HTTP/1.1\r\nHost: b\r\nContent-Length: 3\r\n\r\nxyz";
    for (std::size_t n = 0; n < whole.size(); ++n)
        EXPECT_EQ(parse_request(std::string_view(whole).substr(0, n)).is, http_parse::result::incomplete) << n;
    const http_parse p = parse_request(whole + "next");
    ASSERT_EQ(p.is, http_parse::result::complete);
    EXPECT_EQ(p.request.body, "xyz");
    EXPECT_EQ(p.used, whole.size());
}

TEST(inspect_hostile, the_server_answers_and_goes_on) {
    shown_program p;
    const std::string megabyte(1024 * 1024, 'a');
    EXPECT_EQ(p.raw("GET / HTTP/1.1\r\nHost: " + p.host() + "\r\nA: " + megabyte + "\r\n\r\n").status, 431);
    std::string endless = "GET / HTTP/1.1\r\n";
    for (int i = 0; i < 50'000; ++i) endless += "A: b\r\n";
    EXPECT_EQ(p.raw(endless).status, 431);
    EXPECT_EQ(p.raw("GET /" + megabyte).status, 414);
    EXPECT_EQ(p.raw(p.request("POST", "/api/v1/control", "Content-Length: 5000\r\n") + std::string(5000, 'x')).status,
              413);
    EXPECT_EQ(p.raw(megabyte).status, 414);
    EXPECT_EQ(p.raw(std::string(100, '\0') + "\r\n\r\n").status, 400);
    EXPECT_EQ(p.get("/../../etc/passwd").status, 400);
    EXPECT_EQ(p.get("/%00").status, 400);
    EXPECT_EQ(p.get("/api/v1/pools/99999999999999999999").status, 404);
    EXPECT_EQ(p.get("/api/v1/pools/-1").status, 404);
    EXPECT_EQ(p.get("/api/v1/poolsx").status, 404);
    EXPECT_EQ(p.get("/api/v1/hello").status, 200);
}

TEST(inspect_hostile, a_body_longer_than_said_is_the_next_request_and_refused) {
    shown_program p;
    p.look.command({.name = "x"}, [](const command_value&) { return std::string("done"); });
    client c(p.look.port());
    const std::string body = R"({"command":"x"})";
    c.send(p.request("POST", "/api/v1/control",
                     "Content-Type: application/json\r\nAuthorization: Bearer " + p.look.token() + "\r\n", body) +
           "trailing rubbish\r\n\r\n");
    ASSERT_TRUE(play(p.look, p.tick, [&] {
        c.receive();
        return c.ended;
    }));
    EXPECT_TRUE(c.text.starts_with("HTTP/1.1 200"));
    EXPECT_NE(c.text.find("HTTP/1.1 400"), std::string::npos);
}

TEST(inspect_hostile, requests_may_come_together_and_are_answered_in_turn) {
    shown_program p;
    client c(p.look.port());
    std::string many;
    for (int i = 0; i < 50; ++i) many += p.request("GET", "/api/v1/hello");
    c.send(many + p.request("GET", "/nowhere", "Connection: close\r\n"));
    ASSERT_TRUE(play(p.look, p.tick, [&] {
        c.receive();
        return c.ended;
    }));
    std::size_t answers = 0;
    for (std::size_t at = 0; (at = c.text.find("HTTP/1.1 200", at)) != std::string::npos; ++at) ++answers;
    EXPECT_EQ(answers, 50u);
    EXPECT_NE(c.text.find("HTTP/1.1 404"), std::string::npos);
}

TEST(inspect_hostile, a_hundred_continue_is_said) {
    shown_program p;
    p.look.command({.name = "x"}, [](const command_value&) { return std::string("done"); });
    client c(p.look.port());
    c.send(p.request("POST", "/api/v1/control",
                     "Expect: 100-continue\r\nContent-Length: 15\r\nContent-Type: application/json\r\nAuthorization: "
                     "Bearer " +
                         p.look.token() + "\r\n"));
    ASSERT_TRUE(play(p.look, p.tick, [&] {
        c.receive();
        return c.text.ends_with("100 Continue\r\n\r\n");
    }));
    c.text.clear();
    c.send(R"({"command":"x"})");
    ASSERT_TRUE(play(p.look, p.tick, [&] {
        c.receive();
        return c.complete();
    }));
    EXPECT_EQ(to_reply(c.text).status, 200);
}

TEST(inspect_hostile, a_request_that_never_ends_is_ended) {
    shown_program p;
    client c(p.look.port());
    c.send("GET / HTTP/1.1\r\nHost: ");
    ASSERT_TRUE(play(p.look, p.tick, [&] {
        c.receive();
        return c.ended;
    }));
    EXPECT_EQ(to_reply(c.text).status, 408);
}

}  // namespace inspect_hostile_test
}  // namespace lido::test
