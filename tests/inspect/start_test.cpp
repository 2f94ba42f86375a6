// How an inspector starts, and what it says when it cannot.
#include "client.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace lido::test {
namespace inspect_start_test {

TEST(inspect_start, serves_on_the_loopback_alone) {
    inspector look;
    ASSERT_TRUE(look.running()) << look.error();
    EXPECT_GE(look.port(), 7777);
    EXPECT_EQ(look.address(), "http://127.0.0.1:" + std::to_string(look.port()));
    EXPECT_EQ(look.link(), look.address() + "/#token=" + look.token());
    EXPECT_EQ(look.token().size(), 32u);
    EXPECT_TRUE(look.error().empty());
}

TEST(inspect_start, the_next_free_port_is_taken) {
    inspector one;
    inspector two;
    ASSERT_TRUE(one.running() && two.running());
    EXPECT_GT(two.port(), one.port());
    EXPECT_NE(one.token(), two.token());
}

TEST(inspect_start, a_busy_port_is_said_and_nothing_throws) {
    inspector one;
    ASSERT_TRUE(one.running());
    inspector two{{.port = one.port()}};
    EXPECT_FALSE(two.running());
    EXPECT_NE(two.error().find("port " + std::to_string(one.port()) + " is in use"), std::string::npos) << two.error();
    EXPECT_TRUE(two.address().empty());
    EXPECT_TRUE(two.link().empty());
    // What does not run can be used all the same.
    two.sample(1);
    two.command({.name = "x"}, [](const command_value&) { return std::string(); });
    EXPECT_FALSE(two.wants("view"));
    two.publish("view", "{}");
}

TEST(inspect_start, a_port_is_free_again_afterwards) {
    std::uint16_t port = 0;
    {
        inspector one;
        port = one.port();
    }
    inspector two{{.port = port}};
    EXPECT_TRUE(two.running()) << two.error();
}

TEST(inspect_start, other_machines_need_to_be_allowed) {
    inspector look{{.bind = "0.0.0.0"}};
    EXPECT_FALSE(look.running());
    EXPECT_NE(look.error().find("allow_remote"), std::string::npos) << look.error();
}

TEST(inspect_start, what_is_no_address_is_said) {
    inspector look{{.bind = "localhost"}};
    EXPECT_FALSE(look.running());
    EXPECT_NE(look.error().find("127.0.0.1"), std::string::npos) << look.error();
}

TEST(inspect_start, a_token_that_does_not_fit_an_address_is_refused) {
    for (const char* token : {"short", "has a space in it", "has\nanother line"}) {
        inspector look{{.token = token}};
        EXPECT_FALSE(look.running()) << token;
    }
    inspector look{{.token = "of-my-own_choice"}};
    EXPECT_EQ(look.token(), "of-my-own_choice");
}

TEST(inspect_start, ends_at_once_whatever_readers_do) {
    auto look = std::make_unique<inspector>();
    ASSERT_TRUE(look->running());
    client silent(look->port());
    client half(look->port());
    half.send("GET / HT");
    client stream(look->port(), 4096);
    stream.send("GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(look->port()) + "\r\n\r\n");
    // A server that waited for its readers would wait for ever: none of them leaves. The limit is for a busy machine.
    const auto start = std::chrono::steady_clock::now();
    look.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - start, patience) << "waited for the inspector to end";
}

}  // namespace inspect_start_test
}  // namespace lido::test
