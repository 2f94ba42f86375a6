// Commands: read from strangers' bytes, run on the program's thread, never late.
#include "client.hpp"
#include "control_parser.hpp"

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lido::test {
namespace inspect_control_test {

using inspect::parse_command;
using test::misuse_log;

TEST(inspect_control, reads_what_the_protocol_says) {
    EXPECT_EQ(parse_command(R"({"command":"pause","value":true})").value.on(), true);
    EXPECT_EQ(parse_command(R"({"command":"pause","value":-3})").value.number(), -3);
    EXPECT_EQ(parse_command(R"({"command":"pause","value":"ab"})").value.text(), "ab");
    EXPECT_EQ(parse_command(R"({"command":"pause","value":null})").value.value().index(), 0u);
    EXPECT_EQ(parse_command(R"({"command":"pause"})").name, "pause");
}

TEST(inspect_control, refuses_everything_else) {
    for (const char* bad :
         {"", "x", "[]", "{}", "1", R"({"command":1})", R"({"command":""})", R"({"command":"a","value":1.5})",
          R"({"command":"a","value":[]})", R"({"command":"a","value":{}})", R"({"command":"a","more":1})",
          R"({"command":"a\n"})", R"({"command":"a","value":"\u0000"})",
          R"({"command":"a","value":18446744073709551615})", R"({"command":"a"} x)", "{\"command\":\"\xff\"}"}) {
        EXPECT_FALSE(parse_command(bad).error.empty()) << bad;
    }
    EXPECT_FALSE(parse_command(R"({"command":")" + std::string(65, 'a') + "\"}"));
    EXPECT_FALSE(parse_command(std::string(4096, '[')));
}

TEST(inspect_control, runs_on_the_programs_thread_inside_sample) {
    shown_program p;
    std::thread::id ran_on;
    p.look.command({.name = "go", .kind = command_kind::number, .min = 0, .max = 9}, [&](const command_value& v) {
        ran_on = std::this_thread::get_id();
        return "went " + std::to_string(v.number());
    });
    const reply r = p.control(R"({"command":"go","value":7})");
    EXPECT_EQ(r.status, 200) << r.body;
    EXPECT_TRUE(r.parsed()["ok"].get<bool>());
    EXPECT_EQ(r.parsed()["said"].get<std::string>(), "went 7");
    EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TEST(inspect_control, values_are_checked_against_the_description) {
    shown_program p;
    int runs = 0;
    const auto count = [&](const command_value&) {
        ++runs;
        return std::string();
    };
    p.look.command({.name = "number", .kind = command_kind::number, .min = 1, .max = 3}, count);
    p.look.command({.name = "switch", .kind = command_kind::toggle}, count);
    p.look.command({.name = "button"}, count);
    p.look.command({.name = "choice", .kind = command_kind::choice, .choices = {"a", "b"}}, count);
    for (const char* bad : {R"({"command":"number","value":0})", R"({"command":"number","value":4})",
                            R"({"command":"number","value":true})", R"({"command":"switch","value":1})",
                            R"({"command":"switch"})", R"({"command":"button","value":1})",
                            R"({"command":"choice","value":"c"})", R"({"command":"choice"})", "nonsense"}) {
        const reply r = p.control(bad);
        EXPECT_EQ(r.status, 400) << bad;
        EXPECT_FALSE(r.error().empty());
    }
    EXPECT_EQ(p.control(R"({"command":"unknown"})").status, 404);
    EXPECT_EQ(runs, 0);
    EXPECT_EQ(p.control(R"({"command":"choice","value":"b"})").status, 200);
    EXPECT_EQ(p.control(R"({"command":"button","value":null})").status, 200);
    EXPECT_EQ(runs, 2);
}

TEST(inspect_control, without_a_sample_it_is_too_late_and_is_not_run_afterwards) {
    shown_program p;
    int runs = 0;
    p.look.command({.name = "go"}, [&](const command_value&) {
        ++runs;
        return std::string();
    });
    client c(p.look.port());
    c.send(p.request("POST", "/api/v1/control",
                     "Content-Type: application/json\r\nAuthorization: Bearer " + p.look.token() + "\r\n",
                     R"({"command":"go"})"));
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!c.complete() && std::chrono::steady_clock::now() < until) c.receive();
    EXPECT_EQ(to_reply(c.text).status, 504);
    p.collect();
    EXPECT_EQ(runs, 0);
}

TEST(inspect_control, too_many_that_wait_are_refused) {
    shown_program p;
    p.look.command({.name = "go"}, [](const command_value&) { return std::string(); });
    std::vector<client> waiting;
    const std::string ask = p.request(
        "POST", "/api/v1/control", "Content-Type: application/json\r\nAuthorization: Bearer " + p.look.token() + "\r\n",
        R"({"command":"go"})");
    for (int i = 0; i < 40; ++i) {
        waiting.emplace_back(p.look.port());
        waiting.back().send(ask);
    }
    // Nobody calls sample() meanwhile.
    int refused = 0;
    const auto until = std::chrono::steady_clock::now() + patience;
    while (refused < 8 && std::chrono::steady_clock::now() < until) {
        refused = 0;
        for (client& c : waiting) {
            c.receive(milliseconds{0});
            refused += to_reply(c.text).status == 429 ? 1 : 0;
        }
    }
    EXPECT_EQ(refused, 8);
}

TEST(inspect_control, a_command_that_throws_is_said_and_the_program_goes_on) {
    shown_program p;
    p.look.command({.name = "throw"}, [](const command_value&) -> std::string { throw std::runtime_error("no"); });
    EXPECT_EQ(p.control(R"({"command":"throw"})").status, 503);
    EXPECT_EQ(p.get("/api/v1/hello").status, 200);
}

TEST(inspect_control, a_command_that_nobody_could_send_is_refused_and_told) {
    shown_program p;
    misuse_log log;
    p.look.command({.name = ""}, [](const command_value&) { return std::string(); });
    p.look.command({.name = std::string(65, 'x')}, [](const command_value&) { return std::string(); });
    p.look.command({.name = "two\nlines"}, [](const command_value&) { return std::string(); });
    p.look.command({.name = "nothing to run"}, {});
    EXPECT_EQ(log.count(), 4u);
    EXPECT_EQ(p.get("/api/v1/hello").body.find("nothing to run"), std::string::npos);
}

TEST(inspect_control, a_command_may_replace_itself) {
    shown_program p;
    p.look.command({.name = "it"}, [&](const command_value&) {
        p.look.command({.name = "it"}, [](const command_value&) { return std::string("second"); });
        return std::string("first");
    });
    EXPECT_EQ(p.control(R"({"command":"it"})").parsed()["said"].get<std::string>(), "first");
    EXPECT_EQ(p.control(R"({"command":"it"})").parsed()["said"].get<std::string>(), "second");
    EXPECT_EQ(p.get("/api/v1/hello").parsed()["commands"].size(), 1u);
}

}  // namespace inspect_control_test
}  // namespace lido::test
