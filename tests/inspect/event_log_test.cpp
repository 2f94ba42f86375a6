// What happens again is one event that grows, and no storm of drops pushes a misuse out.
#include "event_log.hpp"
#include "client.hpp"
#include "collector.hpp"

#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <support/allocation_counter.hpp>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace lido::test {
namespace inspect_event_log_test {

using inspect::event;
using inspect::event_kind;
using inspect::event_list;
using inspect::event_log;

struct thing {
    int value = 0;
};

TEST(inspect_event_log, a_cause_that_goes_on_is_one_event_under_its_first_number) {
    event_log log;
    std::uint32_t where = 0;
    std::uint32_t elsewhere = 0;
    log.add(10, 0, 3, event_kind::refused, 2, where);
    log.add(11, 250, 4, event_kind::refused, 1, elsewhere);
    log.add(12, 250, 3, event_kind::refused, 5, where);
    const event_list all = log.since(0);
    ASSERT_EQ(all.events.size(), 2u);
    EXPECT_EQ(all.next, 3u);
    EXPECT_EQ(all.dropped, 0u);
    EXPECT_EQ(all.events[0].pool, 4);
    const event& e = all.events[1];
    EXPECT_EQ(e.first, 0u);
    EXPECT_EQ(e.number, 2u);
    EXPECT_EQ(e.since, 10u);
    EXPECT_EQ(e.tick, 12u);
    EXPECT_EQ(e.count, 7u);
    EXPECT_EQ(e.text, "7 requests were refused");
    // Who has read up to 2 gets what is new, and nothing else.
    EXPECT_EQ(log.since(2).events.size(), 1u);
    EXPECT_TRUE(log.since(3).events.empty());
}

TEST(inspect_event_log, another_kind_another_pool_and_later_are_other_events) {
    event_log log;
    std::uint32_t refused = 0;
    std::uint32_t grown = 0;
    log.add(1, 0, 0, event_kind::refused, 1, refused);
    log.add(1, 0, 0, event_kind::grown, 1, grown);
    log.add(2, event_log::apart_ms, 0, event_kind::refused, 1, refused);
    EXPECT_EQ(log.since(0).events.size(), 2u);
    log.add(3, 2 * event_log::apart_ms + 1, 0, event_kind::refused, 1, refused);
    EXPECT_EQ(log.since(0).events.size(), 3u);
}

TEST(inspect_event_log, a_full_shelf_loses_the_oldest_and_says_how_many) {
    event_log log;
    std::vector<std::uint32_t> where(2 * event_log::most);
    for (std::uint32_t pool = 0; pool < where.size(); ++pool)
        log.add(pool, 0, pool, event_kind::refused, 1, where[pool]);
    const event_list all = log.since(0);
    ASSERT_EQ(all.events.size(), event_log::most);
    EXPECT_EQ(all.dropped, event_log::most);
    EXPECT_EQ(all.events.front().pool, static_cast<std::int64_t>(event_log::most));
    EXPECT_EQ(log.since(event_log::most).dropped, 0u);
    EXPECT_EQ(log.since(event_log::most - 3).dropped, 3u);
    // A place that has been given to another pool is not taken for one's own.
    log.add(9999, 1, 0, event_kind::refused, 1, where[0]);
    EXPECT_EQ(log.since(0).events.back().count, 1u);
    EXPECT_EQ(log.since(0).events.back().pool, 0);
}

TEST(inspect_event_log, counting_allocates_nothing) {
    event_log log;
    std::vector<std::uint32_t> where(2 * event_log::most);
    const allocation_watch watch;
    for (std::uint64_t round = 0; round < 3; ++round) {
        for (std::uint32_t pool = 0; pool < where.size(); ++pool)
            log.add(round, round, pool, event_kind::replaced, 1'000'000'000'000, where[pool]);
    }
    EXPECT_EQ(watch.allocations(), 0u);
}

TEST(inspect_event_log, misuse_is_kept_apart_from_a_storm_of_drops) {
    event_log log;
    log.add_misuse(1, 0, 17, 1, false, "bullets: released twice");
    std::uint64_t ms = 0;
    std::vector<std::uint32_t> where(2 * event_log::most);
    for (int round = 0; round < 20; ++round, ms += 2 * event_log::apart_ms) {
        for (std::uint32_t pool = 0; pool < where.size(); ++pool)
            log.add(ms, ms, pool, event_kind::refused, 1, where[pool]);
    }
    EXPECT_EQ(log.since(0).events.front().text, "bullets: released twice");
}

TEST(inspect_event_log, misuse_of_one_cause_is_one_event_with_the_latest_report) {
    event_log log;
    log.add_misuse(1, 0, 17, 1, false, "slot 1");
    log.add_misuse(2, 0, 18, 1, false, "another");
    log.add_misuse(3, 0, 17, 2, false, "slot 2");
    // A report that counts by itself says how often so far.
    log.add_misuse(4, 0, 19, 10, true, "ten times");
    log.add_misuse(5, 0, 19, 100, true, "a hundred times");
    const event_list all = log.since(0);
    ASSERT_EQ(all.events.size(), 3u);
    EXPECT_EQ(all.events[1].text, "slot 2");
    EXPECT_EQ(all.events[1].count, 3u);
    EXPECT_EQ(all.events[1].since, 1u);
    EXPECT_EQ(all.events[2].count, 100u);
}

TEST(inspect_event_log, half_a_minute_of_drops_leaves_everything_else_in_sight) {
    const misuse_handler before = set_misuse_handler([](const misuse&) {});
    {
        slot_pool<thing> drops{1, {.name = "drops"}};
        slot_pool<thing> grows{1, {.name = "grows", .on_full = on_full::grow_to(64)}};
        inspect::board shared;
        struct nobody final : inspect::waker {
            void wake() noexcept override {}
        } server;
        inspect::collector from{shared, server};
        static_cast<void>(from.add("drops", inspect::source_of(drops)));
        static_cast<void>(from.add("grows", inspect::source_of(grows)));
        const auto play = [&](std::uint64_t ms) {
            const std::lock_guard lock(shared.mutex);
            from.collect(ms, 1);
        };
        for (int i = 0; i < 9; ++i) grows.acquire(i);
        const auto h = drops.acquire(1).handle();
        drops.release(h);
        drops.release(h);
        drops.acquire(1);
        play(250);
        for (std::uint64_t ms = 500; ms < 600'000; ms += 250) {
            for (int i = 0; i < 50; ++i) drops.acquire(i);
            play(ms);
        }
        const event_list all = shared.events_since(0);
        ASSERT_EQ(all.events.size(), 3u);
        EXPECT_EQ(all.events[0].kind, event_kind::grown);
        EXPECT_EQ(all.events[1].kind, event_kind::misuse);
        EXPECT_EQ(all.events[2].kind, event_kind::refused);
        EXPECT_EQ(all.events[2].count, drops.stats().refused);
        EXPECT_EQ(all.dropped, 0u);
    }
    set_misuse_handler(before);
}

TEST(inspect_event_log, readers_get_the_name_and_the_begin_of_an_event) {
    slot_pool<thing> pool{1};
    shown_program p;
    p.look.watch("it", pool);
    p.collect();
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 4; ++i) pool.acquire(i);
        p.collect();
    }
    const json all = p.get("/api/v1/events").parsed();
    ASSERT_EQ(all["events"].size(), 1u);
    EXPECT_EQ(all["events"][0]["first"], 0);
    EXPECT_EQ(all["events"][0]["number"], 1);
    EXPECT_EQ(all["events"][0]["count"], 7);
    EXPECT_LT(all["events"][0]["since"].get<std::uint64_t>(), all["events"][0]["tick"].get<std::uint64_t>());
}

}  // namespace inspect_event_log_test
}  // namespace lido::test
