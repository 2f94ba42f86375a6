// X14, streams: what a reader gets, when it is slow, when it leaves, and at the end.
#include "client.hpp"
#include "http_server.hpp"

#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace lido::test {
namespace inspect_stream_test {

struct thing {
    int value = 0;
};

[[nodiscard]] std::size_t count_of(const std::string& text, std::string_view what) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++n;
    return n;
}

/// The data of the last whole event of that name.
[[nodiscard]] json last(const std::string& text, const std::string& name) {
    const std::size_t end = text.rfind("\n\n");
    const std::size_t at = text.rfind("event: " + name + "\ndata: ", end);
    if (at == std::string::npos) return {};
    const std::size_t from = at + name.size() + 14;
    return json::parse(text.substr(from, text.find('\n', from) - from), nullptr, false);
}

TEST(inspect_stream, tells_the_figures_four_times_a_second) {
    slot_pool<thing> pool{8};
    shown_program p;
    p.look.watch("it", pool);
    client c = p.open("/api/v1/stream");
    ASSERT_TRUE(play(p.look, p.tick, [&] {
        c.receive();
        return count_of(c.text, "event: sample\n") >= 3;
    }));
    EXPECT_TRUE(c.text.starts_with("HTTP/1.1 200"));
    EXPECT_NE(c.text.find("Content-Type: text/event-stream"), std::string::npos);
    pool.acquire(1);
    p.collect();
    ASSERT_TRUE(play(p.look, p.tick, [&] {
        c.receive();
        const json s = last(c.text, "sample");
        return s.is_object() && s["pools"][0][1] == 1;
    }));
    const pool_stats s = pool.stats();
    const json sample = last(c.text, "sample");
    EXPECT_EQ(sample["pools"][0], json::array({0, s.size, s.peak, s.capacity, s.bytes, s.acquired, s.refused,
                                               s.replaced, s.grown, s.idle, s.retired, s.released, s.waiting_ends}));
    EXPECT_TRUE(sample.contains("ms") && sample.contains("worlds") && sample.contains("events_next"));
}

TEST(inspect_stream, says_goodbye_when_the_program_ends) {
    auto p = std::make_unique<shown_program>();
    client c = p->open("/api/v1/stream");
    ASSERT_TRUE(play(p->look, p->tick, [&] {
        c.receive();
        return count_of(c.text, "event: sample\n") >= 1;
    }));
    p.reset();
    for (int i = 0; i < 1000 && !c.ended; ++i) c.receive(milliseconds{10});
    EXPECT_TRUE(c.ended);
    EXPECT_EQ(last(c.text, "bye")["reason"].get<std::string>(), "the program has ended");
}

TEST(inspect_stream, a_heartbeat_keeps_a_quiet_stream_open) {
    shown_program p;
    static_cast<void>(p.look.wants("field"));
    client c = p.open("/api/v1/views/field");
    ASSERT_TRUE(play(p.look, p.tick, [&] {
        c.receive();
        return count_of(c.text, ":\n\n") >= 2;
    }));
}

TEST(inspect_stream, a_view_is_made_only_while_somebody_looks) {
    shown_program p;
    EXPECT_FALSE(p.look.wants("field"));
    EXPECT_EQ(p.get("/api/v1/views/other").status, 404);
    {
        client c = p.open("/api/v1/views/field");
        ASSERT_TRUE(play(p.look, p.tick, [&] { return p.look.wants("field"); }));
        p.look.publish("field", "{\"a\":\n1}");
        ASSERT_TRUE(play(p.look, p.tick, [&] {
            c.receive();
            if (c.text.find("event: frame\n") == std::string::npos) p.look.publish("field", "{\"a\":\n1}");
            return c.text.find("event: frame\ndata: {\"a\":\ndata: 1}\n\n") != std::string::npos;
        }));
    }
    EXPECT_TRUE(play(p.look, p.tick, [&] { return !p.look.wants("field"); }));
}

TEST(inspect_stream, a_slow_reader_skips_and_the_program_does_not_wait) {
    shown_program p;
    static_cast<void>(p.look.wants("field"));
    client slow = p.open("/api/v1/views/field", 4096);
    ASSERT_TRUE(play(p.look, p.tick, [&] { return p.look.wants("field"); }));
    // 200 frames of 64 KiB, and nobody reads: most must be dropped.
    const std::string padding(64 * 1024, 'x');
    for (int i = 0; i < 200; ++i) {
        p.look.publish("field", "{\"n\":" + std::to_string(i) + ",\"p\":\"" + padding + "\"}");
        p.look.sample(++p.tick);
        // Another reader is served meanwhile.
        if (i % 50 == 0) {
            EXPECT_EQ(p.get("/api/v1/hello").status, 200);
        }
    }
    ASSERT_TRUE(play(p.look, p.tick, [&] {
        slow.receive();
        p.look.publish("field", "\"the end\"");
        return slow.text.find("data: \"the end\"") != std::string::npos;
    }));
    EXPECT_LT(count_of(slow.text, "event: frame\n"), 200u);
}

TEST(inspect_stream, a_reader_that_takes_nothing_is_closed) {
    shown_program p;
    static_cast<void>(p.look.wants("field"));
    client dead = p.open("/api/v1/views/field", 4096);
    ASSERT_TRUE(play(p.look, p.tick, [&] { return p.look.wants("field"); }));
    const std::string frame = "\"" + std::string(900 * 1024, 'x') + "\"";
    EXPECT_TRUE(play(p.look, p.tick, [&] {
        p.look.publish("field", frame);
        return !p.look.wants("field");
    }));
}

TEST(inspect_stream, streams_and_connections_are_bounded) {
    shown_program p;
    std::vector<client> streams;
    for (std::size_t i = 0; i < inspect::http_server::most_streams; ++i) streams.push_back(p.open("/api/v1/stream"));
    for (client& c : streams) {
        ASSERT_TRUE(play(p.look, p.tick, [&] {
            c.receive();
            return !c.text.empty();
        }));
        EXPECT_TRUE(c.text.starts_with("HTTP/1.1 200"));
    }
    EXPECT_EQ(p.get("/api/v1/stream").status, 503);
    EXPECT_EQ(p.get("/api/v1/hello").status, 200);
    std::vector<client> silent;
    for (std::size_t i = streams.size(); i < inspect::http_server::most_connections; ++i)
        silent.emplace_back(p.look.port());
    // Those before may not be accepted yet: ask until one is too many.
    reply r;
    ASSERT_TRUE(play(p.look, p.tick, [&] {
        r = p.get("/api/v1/hello");
        return r.status == 503;
    }));
    EXPECT_FALSE(r.error().empty());
    silent.clear();
    EXPECT_TRUE(play(p.look, p.tick, [&] { return p.get("/api/v1/hello").status == 200; }));
}

TEST(inspect_stream, pools_may_come_and_go_while_readers_read) {
    shown_program p;
    client c = p.open("/api/v1/stream");
    for (int i = 0; i < 200; ++i) {
        slot_pool<thing> pool{16};
        const watched shown = p.look.watch_scoped("short-lived", pool);
        pool.acquire(i);
        client map = p.open("/api/v1/pools/" + std::to_string(i) + "/map");
        client detail = p.open("/api/v1/pools/" + std::to_string(i));
        p.look.sample(++p.tick);
        c.receive(milliseconds{0});
    }
    EXPECT_EQ(p.get("/api/v1/pools").status, 200);
}

}  // namespace inspect_stream_test
}  // namespace lido::test
