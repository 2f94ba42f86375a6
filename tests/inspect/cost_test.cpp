// What a program pays that nobody looks into, and what a hundred readers may take.
#include "client.hpp"

#include <lido/core.hpp>
#include <lido/entity.hpp>
#include <lido/world.hpp>

#include <support/allocation_counter.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <string>
#include <vector>

namespace lido::test {
namespace inspect_cost_test {

struct thing {
    int value = 0;
};

/// A store that is well; where it keeps what is nobody's business here.
struct small_store {
    struct position {
        std::uint64_t tick = 0, commit = 0;
    };
    struct figures {
        position durable, confirmed;
        std::uint64_t entities = 0, pending = 0, loading = 0, bytes_held = 0, saves = 0, coalesced = 0, superseded = 0,
                      failed = 0;
        std::uint64_t loads = 0, loads_refused = 0, transactions = 0, retries = 0, bytes_written = 0, snapshots = 0;
        std::uint64_t creations_refused = 0;
    };
    std::string database = "a database that has a name which no string keeps in itself";
    [[nodiscard]] static figures stats() noexcept { return {}; }
    [[nodiscard]] const std::string& describe() const noexcept { return database; }
    [[nodiscard]] static std::string trouble() { return {}; }
    [[nodiscard]] static std::uint64_t run() noexcept { return 1; }
    [[nodiscard]] explicit operator bool() const noexcept { return true; }
};

TEST(inspect_cost, nobody_connected_nothing_allocated) {
    slot_pool<thing> pool{64};
    slot_pool<thing> full{1};
    world w;
    w.add<thing>("thing", {.prewarm = 8, .leaks = leaks::allow});
    w.start();
    inspector look;
    ASSERT_TRUE(look.running());
    look.watch("pool", pool);
    look.watch("full", full);
    look.watch("world", w);
    world entities;
    lido::stage stage(entities, {.journal_bytes = 1 << 12});
    stage.add<thing>("thing", {.prewarm = 8});
    const auto edited = stage.create<thing>({.id = "edited"});
    ASSERT_TRUE(edited);
    look.watch("stage", stage);
    const small_store store;
    look.watch("store", store);
    std::uint64_t tick = 0;
    full.acquire(1);
    const auto some = [&](milliseconds span) {
        const auto until = std::chrono::steady_clock::now() + span;
        while (std::chrono::steady_clock::now() < until) {
            const auto h = pool.acquire(1).handle();
            full.acquire(2);  // refused: an event each period
            auto change = stage.edit(edited);
            ++change->value;
            EXPECT_TRUE(change.commit());
            stage.tick();
            look.sample(++tick);
            static_cast<void>(look.wants("view"));
            pool.release(h);
        }
    };
    some(milliseconds{300});
    const allocation_watch watch;
    some(milliseconds{1100});  // four periods and more
    EXPECT_EQ(watch.allocations(), 0u);
}

TEST(inspect_cost, looking_at_a_large_pool_takes_a_few_percent_of_the_time_at_most) {
    slot_pool<thing> pool{100'000};
    while (!pool.full()) pool.acquire(1);
    shown_program p;
    p.look.watch("large", pool);
    client map = p.open("/api/v1/pools/0/map");
    ASSERT_TRUE(play(p.look, p.tick, [&] {
        map.receive(milliseconds{0});
        return map.complete();
    }));
    // For a second somebody has just looked. Were it looked at each tick, there would be a few hundred ticks. The second is one of
    // this thread's own processor time, so that it does not matter what else runs.
    const auto used = [] {
        timespec now{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec};
    };
    const std::uint64_t from = p.tick;
    const auto until = used() + milliseconds{1000};
    while (used() < until) p.look.sample(++p.tick);
    EXPECT_GT(p.tick - from, 20'000u);
}

TEST(inspect_cost, a_hundred_readers_are_served_or_told_no) {
    slot_pool<thing> pool{64};
    shown_program p;
    p.look.watch("pool", pool);
    std::vector<client> readers;
    readers.reserve(100);
    for (int i = 0; i < 100; ++i) readers.push_back(p.open(i % 3 == 0 ? "/api/v1/stream" : "/api/v1/pools"));
    const auto start = std::chrono::steady_clock::now();
    int asked = 100;
    std::vector<int> good(readers.size());
    int refused = 0;
    // Two seconds of readers that ask again as soon as they are answered.
    while (std::chrono::steady_clock::now() - start < milliseconds{2000}) {
        for (std::size_t i = 0; i < readers.size(); ++i) {
            client& c = readers[i];
            c.receive(milliseconds{0});
            p.look.sample(++p.tick);
            if (i % 3 == 0 || !c.complete()) continue;
            if (to_reply(c.text).status == 200) {
                ++good[i];
                c.text.clear();
                c.send(p.request("GET", i % 2 == 0 ? "/metrics" : "/api/v1/pools/0"));
                ++asked;
            }
        }
    }
    int served = 0;
    for (std::size_t i = 0; i < readers.size(); ++i) {
        const bool stream = readers[i].text.find("event: sample") != std::string::npos;
        if (good[i] > 0 || stream) ++served;
        if (to_reply(readers[i].text).status == 503) ++refused;
    }
    EXPECT_GE(served, 50);
    EXPECT_GE(refused, 1);
    EXPECT_GT(asked, 100);
    RecordProperty("asked", asked);
    // And afterwards all is well.
    readers.clear();
    EXPECT_TRUE(play(p.look, p.tick, [&] { return p.get("/api/v1/hello").status == 200; }));
}

}  // namespace inspect_cost_test
}  // namespace lido::test
