// S5.9: a short game on a disk of which each call fails once: the first, the second, and so on until a run gets through without one; and on one
// whose power is cut, or whose program is killed, in each call. The real store and SQLite; ledger.hpp says what has to hold.
#include <gtest/gtest.h>
#include <lido/store/store.hpp>

#include <cstdint>
#include <string>

#include "store/faulty_disk.hpp"
#include "store/sim/ledger.hpp"

namespace store_faulty_vfs {

using namespace std::chrono_literals;
using store_sim::broken_rule;
using store_sim::database_state;
using store_tests::all_calls;
using store_tests::disk_call;
using store_tests::faulty_disk;
using store_tests::only;
using store_tests::vault;

constexpr const char* file = "world.db";

database_state state_of(faulty_disk& disk) {
    const faulty_disk::calm calm(disk);
    return store_sim::look_into(*lido::store::make_sqlite_database(file, {.vfs = disk.vfs()}));
}

/// Two vaults that trade, one that is erased. Ends when all is durable, or with the disk.
void play(faulty_disk& disk, store_sim::ledger& book, const faulty_disk::fault& when_open = {}) {
    lido::world world;
    lido::stage stage{world};
    stage.add<vault>("vault");
    std::chrono::nanoseconds now{1s};
    lido::store::store_options options{.wait = 0ms, .flush_at_end = 0ms, .by = lido::store::runner::step};
    options.clock = [&now] { return now; };
    options.wall_clock = [] { return lido::store::wall_time{1000}; };
    options.say = [](std::string_view) {};
    std::unique_ptr<lido::store::store> store;
    // A program that cannot open its database is started again.
    for (int n = 0; store == nullptr || !*store; ++n) {
        store.reset();
        if (n == 10 || disk.ended()) return;
        store = std::make_unique<lido::store::store>(
            stage, lido::store::make_sqlite_database(file, {.vfs = disk.vfs()}), options);
    }
    book.begin(stage, store->run(), state_of(disk));
    if (when_open.in != 0) disk.fail(when_open);
    struct closed {
        store_sim::ledger& of;
        ~closed() { of.end(); }
    } const closes{book};
    store->saved.connect([&](const lido::store::save_event& e) {
        book.read();
        book.told(e, true);
    });
    store->failed.connect([&](const lido::store::save_event& e) {
        book.read();
        book.told(e, false);
    });
    const auto settle = [&] {
        for (int n = 0; n < 200 && !disk.ended(); ++n, now += 100ms) {
            stage.tick();
            book.read();
            store->tick();
            while (store->step()) {
            }
            if (store->stats().pending == 0 && store->stats().loading == 0) break;
        }
    };
    for (const char* const id : {"v0", "v1", "v2"}) {
        static_cast<void>(stage.create<vault>({.id = id, .persistent = true}, {.gold = 100}));
    }
    settle();
    const auto ann = stage.find<vault>("v0");
    const auto bob = stage.find<vault>("v1");
    for (int n = 0; n < 4 && stage.lives(ann) && stage.lives(bob); ++n) {
        auto trade = stage.edit(ann, bob);
        trade[ann].gold -= 7;
        trade[bob].gold += 7;
        ASSERT_TRUE(trade.commit());
        if (n == 2) static_cast<void>(stage.erase(stage.find<vault>("v2")));
        settle();
    }
    if (disk.ended()) return;
    ASSERT_TRUE(static_cast<bool>(*store)) << store->why();
    ASSERT_EQ(store->stats().pending, 0u) << "a disk that failed once is used again";
    book.read();
    book.check_all_saved(state_of(disk));
}

/// Returns whether the fault came.
bool with_a_fault(const faulty_disk::fault& how, bool forgets) {
    faulty_disk disk(how.in);
    disk.forgets_after_a_failed_sync = forgets;
    if (!forgets) disk.fail(how);
    store_sim::ledger book;
    // What was forgotten while the file was opened, the next connection would find, and build upon.
    play(disk, book, forgets ? how : faulty_disk::fault{});
    const bool came = disk.stats().failed != 0;
    disk.fail({});
    // What is said to be durable is so without any more ado of the program.
    disk.cut_power();
    disk.start();
    book.check(state_of(disk), false);
    return came;
}

void each_call_fails(std::uint64_t calls, bool full, bool forgets, std::uint64_t at_least) {
    std::uint64_t n = 1;
    for (bool came = true; came; ++n) {
        SCOPED_TRACE("call " + std::to_string(n));
        ASSERT_LT(n, 2000u);
        try {
            came = with_a_fault({.in = n, .calls = calls, .full = full}, forgets);
        } catch (const broken_rule& wrong) {
            FAIL() << wrong.what();
        }
        if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_GT(n, at_least) << "hardly a call could fail";
}

TEST(store_faulty_vfs, S5_9_a_call_that_fails_costs_nothing_whichever_it_is) { each_call_fails(1, false, false, 100); }
TEST(store_faulty_vfs, S5_9_a_disk_that_is_full_for_five_calls_costs_nothing) { each_call_fails(5, true, false, 100); }
TEST(store_faulty_vfs, S5_9_a_sync_that_fails_and_forgets_what_it_was_to_write_costs_nothing) {
    each_call_fails(2, false, true, 50);
}

/// Returns whether the end came.
bool with_an_end(std::uint64_t in, bool power, std::uint64_t seed) {
    faulty_disk disk(seed);
    store_sim::ledger book;
    disk.end_in(in, power);
    play(disk, book);
    const bool came = disk.ended();
    disk.start();
    // Opened for writing first: only a writer can mend a file that was just being made.
    lido::store::opened_database found;
    const auto opened =
        lido::store::make_sqlite_database(file, {.vfs = disk.vfs()})->open(lido::store::open_mode::write, found);
    EXPECT_TRUE(opened) << opened.why();
    book.check(state_of(disk), false);
    play(disk, book);
    book.check(state_of(disk), false);
    return came;
}

void ends_in_each_call(bool power) {
    std::uint64_t n = 1;
    for (bool came = true; came; ++n) {
        SCOPED_TRACE("call " + std::to_string(n));
        ASSERT_LT(n, 2000u);
        try {
            came = with_an_end(n, power, n * 7);
        } catch (const broken_rule& wrong) {
            FAIL() << wrong.what();
        }
        if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_GT(n, 100u) << "hardly a call could be the last";
}

TEST(store_faulty_vfs, S5_9_a_loss_of_power_in_any_call_loses_nothing_acknowledged_and_tears_no_trade) {
    ends_in_each_call(true);
}
TEST(store_faulty_vfs, S5_9_a_kill_in_any_call_loses_nothing_acknowledged_and_tears_no_trade) {
    ends_in_each_call(false);
}

TEST(store_faulty_vfs, a_disk_that_lies_about_syncs_breaks_the_promise) {
    faulty_disk disk(3);
    disk.lies_about_syncs = true;
    store_sim::ledger book;
    play(disk, book);
    ASSERT_GT(book.stats().acknowledged, 3u);
    disk.cut_power();
    disk.start();
    EXPECT_THROW(book.check(state_of(disk), false), broken_rule);
}

}  // namespace store_faulty_vfs
