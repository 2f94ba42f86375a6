// S5.9: what a store costs the game: no memory in steady state, no waiting, whatever the database does.
#include <gtest/gtest.h>
#include <support/allocation_counter.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "store/folder.hpp"
#include "store/town.hpp"

namespace store_game_thread {

using namespace store_tests;

TEST(store_game_thread, saves_in_steady_state_ask_for_no_memory) {
    fake_disk disk;
    town t(disk);
    std::vector<lido::entity_ref<vault>> all;
    for (int i = 0; i < 64; ++i) {
        const auto v = t.stage.create<vault>({.id = "v" + std::to_string(i), .persistent = true});
        all.push_back(v);
    }
    t.settle();
    t.saved.reserve(100000);
    const auto round = [&](std::size_t& asked) {
        for (int n = 0; n < 30; ++n) {
            for (const auto v : all) static_cast<void>(t.pay(v, 1));
            for (std::size_t i = 0; i + 1 < all.size(); i += 2) static_cast<void>(t.move(all[i], all[i + 1], 1));
            t.stage.tick();
            {
                const lido::test::allocation_watch watch;
                t.store->tick();
                asked += watch.allocations();
            }
            t.now += 100ms;
            while (t.store->step()) {
            }
        }
    };
    // The first rounds find out how much they need. The keys of what is told are copied by the test, and short.
    std::size_t asked = 0;
    round(asked);
    round(asked);
    asked = 0;
    round(asked);
    EXPECT_EQ(asked, 0u);
    EXPECT_GT(t.store->stats().saves, 64u);
}

TEST(store_game_thread, creations_and_ends_in_steady_state_ask_for_no_memory) {
    fake_disk disk;
    std::chrono::nanoseconds now{1s};
    lido::world world;
    lido::stage stage{world, {.journal_bytes = std::size_t{1} << 16}};
    stage.add<vault>("vault");
    // Nobody listens: what a listener does with what it is told is its own affair.
    lido::store::store store{stage,
                             std::make_unique<fake_database>(disk),
                             {.by = lido::store::runner::step, .clock = [&now] { return now; }}};
    // Longer than what a string holds by itself.
    std::vector<std::string> ids;
    for (int i = 0; i < 32; ++i) ids.push_back("the-vault-of-somebody-" + std::to_string(i));
    std::size_t asked = 0;
    const auto tick = [&] {
        stage.tick();
        {
            const lido::test::allocation_watch watch;
            store.tick();
            asked += watch.allocations();
        }
        now += 100ms;
        while (store.step()) {
        }
    };
    const auto lives = [&](int n) {
        for (const std::string& id : ids) {
            const lido::test::allocation_watch watch;
            static_cast<void>(stage.create<vault>({.id = id, .persistent = true}));
            asked += watch.allocations();
        }
        for (int k = 0; k < 40; ++k) tick();
        for (const std::string& id : ids) {
            const auto v = stage.find<vault>(id);
            ASSERT_TRUE(stage.lives(v));
            auto e = stage.edit(v);
            ++e->gold;
            ASSERT_TRUE(e.commit());
            const auto ended = n % 2 == 0 ? stage.pool(v) : stage.destroy(v);
            ASSERT_TRUE(ended) << ended.why();
        }
    };
    // The first ones find out how much they need.
    for (int n = 0; n < 8; ++n) lives(n);
    asked = 0;
    for (int n = 0; n < 8; ++n) lives(n);
    EXPECT_EQ(asked, 0u);
    EXPECT_EQ(store.stats().loads, 16 * ids.size());
    EXPECT_TRUE(store.validate()) << store.validate().broken;
}

/// A database whose calls do not return until they may.
class stuck_database final : public lido::store::database {
public:
    struct gate_keeper {
        std::mutex mutex;
        std::condition_variable changed;
        bool open = true;
        bool waiting = false;
        void set(bool to) {
            const std::lock_guard lock(mutex);
            open = to;
            changed.notify_all();
        }
        void pass() {
            std::unique_lock lock(mutex);
            waiting = true;
            changed.notify_all();
            changed.wait(lock, [this] { return open; });
            waiting = false;
        }
        void wait_until_somebody_waits() {
            std::unique_lock lock(mutex);
            changed.wait(lock, [this] { return waiting; });
        }
    };
    stuck_database(fake_disk& disk, gate_keeper& g) : in_(disk), gate_(g) {}
    using answer = lido::store::db_answer;
    answer open(lido::store::open_mode how, lido::store::opened_database& found) override {
        return in_.open(how, found);
    }
    void close() noexcept override { in_.close(); }
    answer begin() override {
        gate_.pass();
        return in_.begin();
    }
    answer commit() override {
        gate_.pass();
        return in_.commit();
    }
    void rollback() noexcept override { in_.rollback(); }
    answer claim(std::string_view c, std::string_view k, std::uint64_t e, lido::store::wall_time n,
                 lido::store::row_sink& to) override {
        return in_.claim(c, k, e, n, to);
    }
    answer write(const lido::store::row_write& w, lido::store::write_outcome& o) override { return in_.write(w, o); }
    answer put_position(const lido::store::stored_position& p) override { return in_.put_position(p); }
    answer put_class(const lido::store::class_note& n) override { return in_.put_class(n); }
    answer prune(lido::store::wall_time, std::uint64_t, std::uint64_t&) override { return {}; }
    answer position(lido::store::stored_position& p) override { return in_.position(p); }
    answer find(std::string_view c, std::string_view k, lido::store::row_sink& to) override {
        return in_.find(c, k, to);
    }
    answer scan(const lido::store::row_range& w, lido::store::row_sink& to) override { return in_.scan(w, to); }
    answer count(const lido::store::row_range& w, std::uint64_t& n) override { return in_.count(w, n); }
    answer classes(lido::store::class_sink& to) override { return in_.classes(to); }
    answer backup(std::string_view, const std::function<bool(std::uint64_t, std::uint64_t)>&) override { return {}; }
    answer check(const std::function<void(std::string_view)>&) override { return {}; }
    [[nodiscard]] std::string describe() const override { return "a stuck one"; }

private:
    fake_database in_;
    gate_keeper& gate_;
};

TEST(store_game_thread, a_disk_that_does_not_return_holds_up_nothing_and_memory_stays_bounded) {
    fake_disk disk;
    stuck_database::gate_keeper keeper;
    lido::world world;
    lido::stage stage{world};
    stage.add<vault>("vault");
    lido::store::store store{stage, std::make_unique<stuck_database>(disk, keeper), {.wait = 0ms}};
    std::vector<lido::entity_ref<vault>> all;
    for (int i = 0; i < 16; ++i)
        all.push_back(stage.create<vault>({.id = "v" + std::to_string(i), .persistent = true}));
    ASSERT_TRUE(store.wait_for_loads());
    ASSERT_TRUE(store.flush());
    keeper.set(false);
    std::size_t held = 0;
    for (int n = 0; n < 400; ++n) {
        for (const auto v : all) {
            auto e = stage.edit(v);
            ++e->gold;
            ASSERT_TRUE(e.commit());
        }
        stage.tick();
        store.tick();
        if (n == 0) keeper.wait_until_somebody_waits();
        EXPECT_LE(store.stats().pending, 16u);
        if (n == 20) held = store.stats().bytes_held;
    }
    EXPECT_EQ(store.stats().bytes_held, held);
    keeper.set(true);
    ASSERT_TRUE(store.flush());
    for (int i = 0; i < 16; ++i) EXPECT_EQ(disk.data("vault", "v" + std::to_string(i)).substr(0, 11), R"({"gold":400)");
}

TEST(store_game_thread, the_game_and_the_writer_meet_only_where_they_may) {
    const folder where;
    lido::world world;
    lido::stage stage{world};
    stage.add<vault>("vault");
    lido::store::sqlite store{stage, where.file("w.db"), {.wait = 0ms}, {.sync = lido::store::sync_level::off}};
    int told = 0;
    const std::thread::id here = std::this_thread::get_id();
    store.saved.connect([&told, here](const lido::store::save_event&) {
        EXPECT_EQ(std::this_thread::get_id(), here);
        ++told;
    });
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < 20; ++i) {
            const std::string id = "v" + std::to_string(i);
            const auto v = stage.find<vault>(id);
            if (!v) {
                static_cast<void>(stage.create<vault>({.id = id, .persistent = true}));
            } else if ((i + round) % 7 == 0) {
                static_cast<void>(stage.destroy(v));
            } else {
                auto e = stage.edit(v);
                ++e->gold;
                static_cast<void>(e.commit());
            }
            stage.tick();
            store.tick();
        }
        if (round % 5 == 0) EXPECT_TRUE(store.wait_for_loads());
    }
    ASSERT_TRUE(store.flush());
    EXPECT_GT(told, 20);
    EXPECT_TRUE(store.validate());
}

}  // namespace store_game_thread
