// Reports of misuse become events, and reach the handler from before as if nobody listened.
#include "client.hpp"

#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace lido::test {
namespace inspect_misuse_test {

struct thing {
    int value = 0;
};

std::atomic<int> told{0};
void count_it(const misuse&) { ++told; }

class counting_handler {
public:
    counting_handler() : before_(set_misuse_handler(&count_it)) { told = 0; }
    counting_handler(const counting_handler&) = delete;
    counting_handler& operator=(const counting_handler&) = delete;
    ~counting_handler() { set_misuse_handler(before_); }

private:
    misuse_handler before_;
};

void release_twice(slot_pool<thing>& pool) {
    const auto h = pool.acquire(1).handle();
    pool.release(h);
    pool.release(h);
}

TEST(inspect_misuse, becomes_an_event_with_its_text) {
    const counting_handler handler;
    slot_pool<thing> pool{4, {.name = "bullets"}};
    shown_program p;
    p.look.watch("bullets", pool);
    release_twice(pool);
    p.collect();
    const json all = p.get("/api/v1/events").parsed();
    ASSERT_EQ(all["events"].size(), 1u);
    EXPECT_EQ(all["events"][0]["kind"].get<std::string>(), "misuse");
    EXPECT_EQ(all["events"][0]["pool"], 0);
    EXPECT_TRUE(all["events"][0]["text"].get<std::string>().starts_with("bullets: "));
    EXPECT_EQ(told, 1);
}

TEST(inspect_misuse, the_handler_from_before_is_back_at_the_end) {
    const counting_handler handler;
    slot_pool<thing> pool{4};
    {
        inspector look;
        release_twice(pool);
    }
    const misuse_handler now = set_misuse_handler(&count_it);
    EXPECT_EQ(now, &count_it);
    release_twice(pool);
    EXPECT_GE(told, 1);
}

TEST(inspect_misuse, a_second_inspector_serves_and_is_not_told) {
    const counting_handler handler;
    slot_pool<thing> pool{4, {.name = "it"}};
    shown_program first;
    shown_program second;
    first.look.watch("it", pool);
    second.look.watch("it", pool);
    release_twice(pool);
    first.collect();
    second.collect();
    EXPECT_EQ(first.get("/api/v1/events").parsed()["events"].size(), 1u);
    EXPECT_EQ(second.get("/api/v1/events").parsed()["events"].size(), 0u);
    EXPECT_EQ(told, 1);
}

TEST(inspect_misuse, may_come_from_any_thread) {
    const counting_handler handler;
    shown_program p;
    std::vector<std::thread> threads;
    std::atomic<int> left{4};
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&left] {
            for (int i = 0; i < 100; ++i)
                report_misuse({.kind = misuse_kind::bad_setting, .pool = "any", .what = "told"});
            --left;
        });
    }
    EXPECT_TRUE(play(p.look, p.tick, [&] { return left == 0; }));
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(told, 400);
    p.collect();
    const json all = p.get("/api/v1/events").parsed();
    EXPECT_GE(all["events"].size(), 1u);
    EXPECT_TRUE(all["events"][0]["pool"].is_null());
}

}  // namespace inspect_misuse_test
}  // namespace lido::test
