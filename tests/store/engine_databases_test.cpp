// S5.9: what a store promises, over each kind of real database and with its thread: saves, loads, ties, and a database that goes away in the
// middle and comes back. Another kind is one more line at the end.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "store/front_database.hpp"
#include "store/place.hpp"
#include "store/sqlite_place.hpp"
#include "store/town.hpp"
#if defined(LIDO_STORE_POSTGRES)
#include <lido/store/postgres.hpp>

#include "store/postgres/postgres_place.hpp"
#endif

namespace store_engine_databases {

using namespace store_tests;
using lido::store::save_end;

/// A place, and how its database goes away: no call gets through until it is back.
struct engine_kind {
    const char* name;
    make_place make;
    void (*away)(database_place&);
    void (*back)(database_place&);
    const char* missing = "";
};

/// The game of a test, on the database of its place.
struct village {
    explicit village(std::unique_ptr<lido::store::database> db, lido::store::store_options options = {}) {
        stage.add<vault>("vault");
        stage.add<gate>("gate");
        options.retry.first = 5ms;
        options.retry.longest = 50ms;
        options.say = [this](std::string_view what) { said->push_back(std::string(what)); };
        store = std::make_unique<lido::store::store>(stage, std::move(db), options);
        EXPECT_TRUE(*store) << store->why();
        store->saved.connect([this](const lido::store::save_event& e) {
            auto& last = durable[std::string(e.key)];
            EXPECT_LE(last, std::pair(e.generation, e.version)) << e.key;
            last = {e.generation, e.version};
        });
        store->failed.connect([this](const lido::store::save_event& e) {
            failed.push_back({std::string(e.key), e.generation, e.version, e.end, e.kept, std::string(e.why)});
        });
        store->refused.connect([this](const lido::store::load_event& e) {
            refused.push_back(std::string(e.key) + ": " + std::string(e.why));
        });
    }
    void tick() {
        stage.tick();
        store->tick();
    }
    bool flush() {
        const auto done = store->flush(1min);
        EXPECT_TRUE(done) << done.why();
        return static_cast<bool>(done);
    }
    lido::entity_ref<vault> open_vault(const std::string& id, std::int64_t gold = 0) {
        const auto made = stage.create<vault>({.id = id, .persistent = true}, {.gold = gold});
        EXPECT_TRUE(made) << made.why();
        EXPECT_TRUE(store->wait_for_loads(1min));
        return made.reference();
    }
    bool pay(lido::entity_ref<vault> who, std::int64_t gold) {
        auto e = stage.edit(who);
        e->gold += gold;
        return static_cast<bool>(e.commit());
    }
    bool move(lido::entity_ref<vault> from, lido::entity_ref<vault> to, std::int64_t gold) {
        auto e = stage.edit(from, to);
        e[from].gold -= gold;
        e[to].gold += gold;
        return static_cast<bool>(e.commit());
    }
    /// Ticks until something is so; fails when it never is.
    void tick_until(const char* what, const std::function<bool()>& is_so) {
        const auto late = std::chrono::steady_clock::now() + 60s;
        while (!is_so()) {
            ASSERT_LT(std::chrono::steady_clock::now(), late) << "waited 60 s until " << what;
            tick();
            std::this_thread::sleep_for(1ms);
        }
    }

    std::shared_ptr<std::vector<std::string>> said = std::make_shared<std::vector<std::string>>();
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> durable;
    std::vector<told_save> failed;
    std::vector<std::string> refused;
    lido::world world;
    lido::stage stage{world};
    std::unique_ptr<lido::store::store> store;
};

class engine_databases : public ::testing::TestWithParam<engine_kind> {
protected:
    void SetUp() override {
        place = GetParam().make();
        if (place == nullptr) GTEST_SKIP() << GetParam().missing;
    }
    [[nodiscard]] std::unique_ptr<village> begin(const lido::store::store_options& options = {.wait = 0ms}) {
        return std::make_unique<village>(place->connect(), options);
    }
    /// What a tool that only reads finds; numbers alone, because each kind has its own spaces in JSON.
    struct found_row {
        lido::store::row_state state{};
        std::uint64_t generation = 0, version = 0, birth = 0, owner = 0;
        bool there = false;
    };
    [[nodiscard]] found_row row(std::string_view of_class, std::string_view key) {
        found_row r;
        auto db = place->connect();
        lido::store::opened_database found;
        const auto opened = db->open(lido::store::open_mode::read, found);
        EXPECT_TRUE(opened) << opened.why();
        lido::store::row_function each([&r](const lido::store::stored_row& s) {
            r = {s.state, s.generation, s.version, s.birth, s.owner, true};
            return true;
        });
        EXPECT_TRUE(db->find(of_class, key, each));
        return r;
    }
    /// As another build, or a person, has left it.
    void put(std::string_view key, std::string_view data, std::int64_t revision = 1) {
        auto db = place->connect();
        lido::store::opened_database found;
        const auto opened = db->open(lido::store::open_mode::write, found);
        ASSERT_TRUE(opened) << opened.why();
        lido::store::row_write w;
        w.of_class = "vault";
        w.key = key;
        w.epoch = found.epoch;
        w.by = lido::store::fence::database;
        w.generation = w.version = 1;
        w.revision = revision;
        w.data = data;
        lido::store::write_outcome outcome{};
        ASSERT_TRUE(db->begin());
        ASSERT_TRUE(db->write(w, outcome));
        ASSERT_TRUE(db->commit());
    }

    std::unique_ptr<database_place> place;
};

TEST_P(engine_databases, what_was_saved_comes_back_whole_under_a_new_generation) {
    constexpr std::int64_t much = (std::int64_t{1} << 62) + 1;
    std::uint64_t generation = 0, run = 0;
    {
        const auto t = begin();
        const auto v = t->open_vault("v", much);
        auto e = t->stage.edit(v);
        ASSERT_TRUE(e->keeper.assign("Zoë \"\\ 'x'"));
        ASSERT_TRUE(e.commit());
        ASSERT_TRUE(t->stage.set_owner(v, {42}));
        ASSERT_TRUE(t->flush());
        EXPECT_TRUE(t->store->is_saved(v));
        generation = t->stage.info(v).generation;
        run = t->store->run();
        EXPECT_EQ(t->durable.at("v"), (std::pair{generation, t->stage.info(v).version}));
    }
    EXPECT_EQ(row("vault", "v").owner, 42u);
    const auto t = begin();
    EXPECT_EQ(t->store->run(), run + 1);
    const auto v = t->open_vault("v");
    ASSERT_TRUE(t->stage.lives(v));
    EXPECT_EQ(t->stage.get(v)->gold, much);
    EXPECT_EQ(t->stage.get(v)->keeper.view(), "Zoë \"\\ 'x'");
    EXPECT_EQ(t->stage.info(v).owner, lido::player{42});
    EXPECT_GT(t->stage.info(v).generation, generation);
    ASSERT_TRUE(t->flush());
    EXPECT_TRUE(t->durable.empty()) << "nothing has changed";
    EXPECT_EQ(row("vault", "v").generation, generation);
    EXPECT_TRUE(t->store->validate()) << t->store->validate().broken;
}

TEST_P(engine_databases, many_changes_of_a_tick_are_one_transaction_and_each_row_has_its_last_version) {
    const auto t = begin({.wait = 1h});
    std::vector<lido::entity_ref<vault>> all;
    for (int i = 0; i < 300; ++i)
        all.push_back(t->stage.create<vault>({.id = "v" + std::to_string(i), .persistent = true}));
    ASSERT_TRUE(t->store->wait_for_loads(1min));
    ASSERT_TRUE(t->flush());
    const std::uint64_t before = t->store->stats().transactions;
    for (int n = 0; n < 5; ++n) {
        for (const auto v : all) ASSERT_TRUE(t->pay(v, 1));
        t->tick();
    }
    ASSERT_TRUE(t->flush());
    EXPECT_EQ(t->store->stats().transactions, before + 1);
    EXPECT_EQ(row("vault", "v299").version, t->stage.info(all[299]).version);
    EXPECT_EQ(t->store->stats().durable.commit, t->store->stats().confirmed.commit);
}

TEST_P(engine_databases, pool_and_destroy_keep_the_row_and_erase_leaves_a_tombstone) {
    const auto t = begin();
    const auto a = t->open_vault("a", 1);
    const auto b = t->open_vault("b", 2);
    const auto c = t->open_vault("c", 3);
    const std::uint64_t birth = t->stage.info(a).generation;
    ASSERT_TRUE(t->pay(a, 10));
    ASSERT_EQ(t->stage.pool(a), lido::end_outcome::pooled);
    ASSERT_EQ(t->stage.destroy(b), lido::end_outcome::destroyed);
    ASSERT_EQ(t->stage.erase(c), lido::end_outcome::erased);
    ASSERT_TRUE(t->flush());
    EXPECT_EQ(row("vault", "c").state, lido::store::row_state::erased);
    EXPECT_EQ(t->stage.get(t->open_vault("a"))->gold, 11);
    EXPECT_EQ(t->stage.get(t->open_vault("b"))->gold, 2);
    EXPECT_EQ(t->stage.get(t->open_vault("c", 7))->gold, 7) << "a new entity";
    ASSERT_TRUE(t->pay(t->stage.find<vault>("a"), 1));
    ASSERT_TRUE(t->flush());
    EXPECT_EQ(row("vault", "a").birth, birth) << "links that were stored still mean it";
    EXPECT_TRUE(t->store->validate()) << t->store->validate().broken;
}

TEST_P(engine_databases, a_whole_class_is_loaded_page_by_page_with_its_links) {
    // In no order of any language, and over the end of pages.
    const auto name = [](int i) { return std::string(i % 3 == 0 ? "a" : i % 3 == 1 ? "B" : "é") + std::to_string(i); };
    constexpr int count = 2600;
    {
        const auto t = begin();
        ASSERT_TRUE(t->store->wait(t->store->load_all<vault>()));
        for (int i = 0; i < count; ++i) {
            ASSERT_TRUE(t->stage.create<vault>({.id = name(i), .persistent = true}, {.gold = i}));
            if (i % 100 == 0) t->tick();
        }
        const auto g = t->stage.create<gate>({.id = "g", .persistent = true});
        ASSERT_TRUE(t->store->wait_for_loads(1min));
        auto e = t->stage.edit(g);
        e->guards = t->stage.link_to(t->stage.find<vault>(name(2)));
        ASSERT_TRUE(e.commit());
        ASSERT_TRUE(t->flush());
    }
    const auto t = begin();
    const auto gates = t->store->load_all<gate>();
    const auto done = t->store->wait(t->store->load_all<vault>());
    ASSERT_TRUE(done) << done.why;
    ASSERT_TRUE(t->store->wait(gates));
    EXPECT_EQ(done.of, static_cast<std::uint64_t>(count));
    EXPECT_EQ(done.made, static_cast<std::uint64_t>(count));
    for (int i = 0; i < count; ++i) {
        const auto v = t->stage.find<vault>(name(i));
        ASSERT_TRUE(t->stage.lives(v)) << name(i);
        ASSERT_EQ(t->stage.get(v)->gold, i);
    }
    EXPECT_EQ(t->stage.follow(t->stage.get(t->stage.find<gate>("g"))->guards), t->stage.find<vault>(name(2)));
}

TEST_P(engine_databases, the_rows_of_a_prefix_are_loaded_and_no_others) {
    {
        const auto t = begin();
        for (const char* const id : {"north-1", "north-2", "nortH-3", "north%4", "northX5", "south-1"})
            t->open_vault(id, 1);
        ASSERT_TRUE(t->flush());
    }
    const auto t = begin();
    const auto done = t->store->wait(t->store->load_all<vault>("north-"));
    ASSERT_TRUE(done) << done.why;
    EXPECT_EQ(done.made, 2u);
    EXPECT_EQ(t->store->wait(t->store->load_all<vault>("north%")).made, 1u);
    EXPECT_EQ(t->stage.size(), 3u);
}

TEST_P(engine_databases, rows_that_cannot_be_entities_are_told_and_never_written_over) {
    put("future", R"({"gold":5})", 2);
    put("negative", R"({"gold":-5})");
    put("good", R"({"gold":5,"keeper":"ann"})");
    const auto t = begin();
    const auto done = t->store->wait(t->store->load_all<vault>());
    EXPECT_EQ(done.made, 1u);
    EXPECT_EQ(
        t->refused,
        (std::vector<std::string>{
            "future: it was stored by a later version of the program (revision 2, this one knows 1); run that version",
            "negative: what was loaded breaks the rules of the schema: gold: the value is below its minimum"}));
    const auto again = t->stage.create<vault>({.id = "future", .persistent = true}, {.gold = 1});
    ASSERT_TRUE(t->store->wait_for_loads(1min));
    EXPECT_FALSE(t->stage.lives(again));
    ASSERT_TRUE(t->pay(t->stage.find<vault>("good"), 1));
    ASSERT_TRUE(t->flush());
    EXPECT_EQ(row("vault", "future").version, 1u);
    EXPECT_EQ(row("vault", "future").generation, 1u);
    EXPECT_GT(row("vault", "good").generation, 1u);
}

TEST_P(engine_databases, a_row_that_can_never_be_written_fails_with_its_partners_and_the_rest_goes_on) {
    bool bad = false;
    auto t = std::make_unique<village>(
        std::make_unique<front_database>(place->connect(),
                                         [&bad](const lido::store::row_write& w) -> lido::store::db_answer {
                                             if (bad && w.key == "b")
                                                 return {lido::store::db_fault::row, "this row is too odd"};
                                             return {};
                                         }),
        lido::store::store_options{.wait = 1h});
    const auto a = t->open_vault("a", 100);
    const auto b = t->open_vault("b", 100);
    const auto c = t->open_vault("c", 100);
    ASSERT_TRUE(t->flush());
    const found_row before = row("vault", "a");
    bad = true;
    ASSERT_TRUE(t->move(a, b, 10));
    ASSERT_TRUE(t->pay(c, 1));
    ASSERT_TRUE(t->flush());
    EXPECT_EQ(row("vault", "a").version, before.version) << "its half was taken back";
    EXPECT_EQ(row("vault", "c").version, t->stage.info(c).version);
    ASSERT_EQ(t->failed.size(), 2u);
    EXPECT_EQ(
        t->failed[0].why + t->failed[1].why,
        "it is tied by a commit to \"b\" (vault), which could not be written: this row is too oddthis row is too odd");
    bad = false;
    ASSERT_TRUE(t->move(b, a, 1));
    ASSERT_TRUE(t->flush());
    EXPECT_EQ(row("vault", "a").version, t->stage.info(a).version);
    EXPECT_EQ(row("vault", "b").version, t->stage.info(b).version);
}

TEST_P(engine_databases, another_program_that_opens_it_for_writing_ends_the_store_for_good_and_in_words) {
    const auto t = begin();
    const auto v = t->open_vault("v", 1);
    ASSERT_TRUE(t->flush());
    const found_row before = row("vault", "v");
    place->overtake();
    ASSERT_TRUE(t->pay(v, 1));
    const auto done = t->store->flush(1min);
    EXPECT_FALSE(done);
    EXPECT_FALSE(*t->store);
    EXPECT_NE(std::string(t->store->why()).find("another program has opened it for writing"), std::string::npos)
        << t->store->why();
    ASSERT_EQ(t->failed.size(), 1u);
    EXPECT_FALSE(t->stage.create<vault>({.id = "w", .persistent = true}));
    EXPECT_EQ(row("vault", "v").version, before.version);
}

TEST_P(engine_databases, while_it_is_away_the_game_goes_on_and_what_waited_is_there_when_it_is_back) {
    auto t = begin();
    const auto a = t->open_vault("a", 100);
    const auto b = t->open_vault("b", 100);
    ASSERT_TRUE(t->flush());
    GetParam().away(*place);
    const std::uint64_t retries = t->store->stats().retries;
    for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(t->move(a, b, 1));
        t->tick();
    }
    const auto c = t->stage.create<vault>({.id = "c", .persistent = true}, {.gold = 3});
    ASSERT_TRUE(c) << c.why();
    t->tick_until("it was asked again", [&] { return t->store->stats().retries > retries + 2; });
    EXPECT_FALSE(t->stage.lives(c.reference())) << "nobody knows what its row has";
    EXPECT_LE(t->store->stats().pending, 2u);
    EXPECT_FALSE(t->store->flush(10ms));
    EXPECT_TRUE(t->failed.empty());
    GetParam().back(*place);
    ASSERT_TRUE(t->store->wait_for_loads(1min));
    ASSERT_TRUE(t->stage.lives(c.reference()));
    ASSERT_TRUE(t->flush());
    EXPECT_TRUE(t->failed.empty());
    t.reset();
    const auto again = begin();
    EXPECT_EQ(again->stage.get(again->open_vault("a"))->gold, 50);
    EXPECT_EQ(again->stage.get(again->open_vault("b"))->gold, 150);
    EXPECT_EQ(again->stage.get(again->open_vault("c"))->gold, 3);
}

TEST_P(engine_databases, a_load_of_many_that_meets_a_database_that_is_away_goes_on_when_it_is_back) {
    {
        const auto t = begin();
        ASSERT_TRUE(t->store->wait(t->store->load_all<vault>()));
        for (int i = 0; i < 1500; ++i) {
            ASSERT_TRUE(t->stage.create<vault>({.id = "v" + std::to_string(i), .persistent = true}, {.gold = i}));
            if (i % 100 == 0) t->tick();
        }
        ASSERT_TRUE(t->flush());
    }
    const auto t = begin();
    GetParam().away(*place);
    const auto all = t->store->load_all<vault>();
    for (int i = 0; i < 5; ++i) t->tick();
    GetParam().back(*place);
    const auto done = t->store->wait(all, 1min);
    ASSERT_TRUE(done) << done.why;
    EXPECT_EQ(done.made, 1500u);
}

TEST_P(engine_databases, a_store_that_ends_while_it_is_away_says_what_was_not_saved) {
    auto t = begin({.wait = 0ms, .flush_at_end = 20ms});
    const auto v = t->open_vault("v", 1);
    ASSERT_TRUE(t->flush());
    GetParam().away(*place);
    ASSERT_TRUE(t->pay(v, 1));
    const auto said = t->said;
    t.reset();
    GetParam().back(*place);
    ASSERT_FALSE(said->empty());
    EXPECT_NE(said->back().find("not saved at the end: \"v\": 1 entity is not saved"), std::string::npos)
        << said->back();
}

// --- the kinds -----------------------------------------------------------------------------------------------------------------

/// Somebody with a shell has begun to write, and does not end it.
class other_writer {
public:
    static void begin(database_place& at) {
        ASSERT_EQ(sqlite3_open(static_cast<sqlite_place&>(at).file().c_str(), &one()), SQLITE_OK);
        sqlite3_busy_timeout(one(), 60000);
        // Exclusive for readers, too, as far as a log lets it: the scans of loads do not wait for writers.
        ASSERT_EQ(sqlite3_exec(one(), "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
    }
    static void end(database_place&) {
        sqlite3_exec(one(), "ROLLBACK", nullptr, nullptr, nullptr);
        sqlite3_close(one());
        one() = nullptr;
    }

private:
    static sqlite3*& one() {
        static sqlite3* db = nullptr;
        return db;
    }
};

[[nodiscard]] std::string name_of(const ::testing::TestParamInfo<engine_kind>& of) { return of.param.name; }

INSTANTIATE_TEST_SUITE_P(sqlite, engine_databases,
                         ::testing::Values(engine_kind{"sqlite", &make_sqlite_place, &other_writer::begin,
                                                       &other_writer::end}),
                         name_of);

#if defined(LIDO_STORE_POSTGRES)

void stop_server(database_place& at) { static_cast<postgres_place&>(at).server().stop_immediately(); }
void start_server(database_place& at) { static_cast<postgres_place&>(at).server().start(); }
void freeze_server(database_place& at) { static_cast<postgres_place&>(at).server().freeze(); }
void thaw_server(database_place& at) { static_cast<postgres_place&>(at).server().thaw(); }

/// Of one whose server hangs, and says nothing for longer than is waited for.
std::unique_ptr<database_place> make_impatient_place() {
    auto place = make_postgres_place();
    if (place != nullptr) {
        auto& options = static_cast<postgres_place&>(*place).options();
        options.call_timeout = options.connect_timeout = 300;
        options.interrupt_timeout = 100;
    }
    return place;
}

INSTANTIATE_TEST_SUITE_P(postgres, engine_databases,
                         ::testing::Values(engine_kind{"stopped", &make_postgres_place, &stop_server, &start_server,
                                                       postgres_server::why_not()}),
                         name_of);

TEST(store_engine_postgres, the_door_opens_a_store_on_a_server) {
    postgres_server* const server = postgres_server::get();
    if (server == nullptr) GTEST_SKIP() << postgres_server::why_not();
    lido::world world;
    lido::stage stage{world};
    stage.add<vault>("vault");
    const postgres_place place(*server);
    const auto open = [&] {
        return std::make_unique<lido::store::postgres>(stage, server->url(),
                                                       lido::store::store_options{.say = [](std::string_view) {}},
                                                       lido::store::postgres_options{.schema = place.schema()});
    };
    auto store = open();
    ASSERT_TRUE(*store) << store->why();
    EXPECT_EQ(store->describe().find(postgres_server::password), std::string::npos);
    const auto v = stage.create<vault>({.id = "v", .persistent = true}, {.gold = 5});
    ASSERT_TRUE(store->wait_for_loads(1min));
    ASSERT_TRUE(store->flush(1min));
    EXPECT_EQ(server->sql("SELECT data->>'gold' FROM \"" + place.schema() + "\".entities"), "5");
    ASSERT_TRUE(stage.destroy(v));
    store.reset();
    store = open();
    const auto again = stage.create<vault>({.id = "v", .persistent = true});
    ASSERT_TRUE(store->wait_for_loads(1min));
    EXPECT_EQ(stage.get(again)->gold, 5);
}

TEST(store_engine_postgres, a_server_that_crashes_again_and_again_loses_nothing_that_was_told_as_saved) {
    postgres_server* const server = postgres_server::get();
    if (server == nullptr) GTEST_SKIP() << postgres_server::why_not();
    postgres_place place(*server);
    constexpr int count = 6;
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> durable;
    std::uint64_t saves = 0;
    for (int round = 0; round < 2; ++round) {
        village t(place.connect(), {.wait = 0ms});
        ASSERT_TRUE(t.store->wait(t.store->load_all<vault>()));
        t.durable = durable;
        std::vector<lido::entity_ref<vault>> all;
        for (int i = 0; i < count; ++i) {
            const std::string id = "v" + std::to_string(i);
            lido::entity_ref<vault> v = t.stage.find<vault>(id);
            if (!v) v = t.stage.create<vault>({.id = id, .persistent = true}, {.gold = 100});
            ASSERT_TRUE(t.stage.lives(v));
            all.push_back(v);
        }
        ASSERT_TRUE(t.flush());
        int n = 0;
        const auto trade = [&] {
            const auto from = all[static_cast<std::size_t>(n % count)];
            const auto into = all[static_cast<std::size_t>((n * 7 + 1) % count)];
            if (from != into && t.stage.get(from)->gold > 0) ASSERT_TRUE(t.move(from, into, 1));
            ++n;
        };
        for (int crash = 0; crash < 3; ++crash) {
            const std::uint64_t before = t.store->stats().saves;
            t.tick_until("some were saved", [&] {
                trade();
                return t.store->stats().saves >= before + 20 + static_cast<std::uint64_t>(crash);
            });
            // In the middle of whatever the writer is doing.
            trade();
            t.tick();
            if (crash == 1) {
                server->kill_a_child();
            } else {
                server->stop_immediately();
                for (int i = 0; i < 20; ++i) {
                    trade();
                    t.tick();
                }
                server->start();
            }
            auto db = place.connect();
            lido::store::opened_database found;
            const auto opened = db->open(lido::store::open_mode::read, found);
            ASSERT_TRUE(opened) << opened.why();
            // Told or on the way to be told: what is there is no older than what was told.
            const auto told = t.durable;
            std::int64_t gold = 0;
            lido::store::row_function each([&](const lido::store::stored_row& r) {
                const std::string data(r.data);
                gold += std::stoll(data.substr(data.find(':') + 1));
                EXPECT_GE(std::pair(r.generation, r.version), told.at(std::string(r.key))) << r.key;
                return true;
            });
            ASSERT_TRUE(db->scan({.of_class = "vault"}, each));
            EXPECT_EQ(gold, 100 * count) << "a trade was torn";
        }
        ASSERT_TRUE(t.flush());
        EXPECT_TRUE(t.failed.empty());
        EXPECT_GT(t.store->stats().retries, 0u) << "no crash was noticed";
        EXPECT_TRUE(t.store->validate()) << t.store->validate().broken;
        saves += t.store->stats().saves;
        durable = t.durable;
    }
    EXPECT_GT(saves, 100u);
}

TEST(store_engine_postgres, a_server_that_crashes_at_a_commit_has_not_acknowledged_it) {
    postgres_server* const server = postgres_server::get();
    if (server == nullptr) GTEST_SKIP() << postgres_server::why_not();
    postgres_place place(*server);
    std::atomic<bool> crash{false};
    std::atomic<bool> crashed{false};
    auto front = std::make_unique<front_database>(
        place.connect(), [](const lido::store::row_write&) { return lido::store::db_answer(); });
    front->before_commit = [&] {
        if (!crash.exchange(false)) return;
        server->stop_immediately();
        crashed = true;
    };
    village t(std::move(front), {.wait = 0ms});
    const auto v = t.open_vault("v", 1);
    const auto w = t.open_vault("w", 1);
    ASSERT_TRUE(t.flush());
    const auto before = t.durable;
    crash = true;
    ASSERT_TRUE(t.move(v, w, 1));
    t.tick_until("the server has crashed", [&] { return crashed.load(); });
    const std::uint64_t retries = t.store->stats().retries;
    t.tick_until("it was asked again", [&] { return t.store->stats().retries > retries + 2; });
    EXPECT_EQ(t.durable, before);
    EXPECT_FALSE(t.store->is_saved(v));
    server->start();
    ASSERT_TRUE(t.flush());
    EXPECT_TRUE(t.store->is_saved(v));
    EXPECT_EQ(place.run("SELECT string_agg(data->>'gold', ' ' ORDER BY key) FROM entities"), "0 2");
    EXPECT_TRUE(t.failed.empty());
}

TEST(store_engine_postgres, a_server_that_hangs_holds_up_neither_the_game_nor_the_end_of_the_store) {
    const auto place = make_impatient_place();
    if (place == nullptr) GTEST_SKIP() << postgres_server::why_not();
    std::shared_ptr<std::vector<std::string>> said;
    {
        village t(place->connect(), {.wait = 0ms, .flush_at_end = 50ms});
        const auto v = t.open_vault("v", 1);
        ASSERT_TRUE(t.flush());
        said = t.said;
        freeze_server(*place);
        for (int i = 0; i < 100; ++i) {
            EXPECT_TRUE(t.pay(v, 1));
            t.tick();
        }
        EXPECT_LE(t.store->stats().pending, 1u);
        t.tick_until("the server was given up", [&] { return t.store->stats().retries > 0; });
        thaw_server(*place);
        EXPECT_TRUE(t.flush());
        freeze_server(*place);
        EXPECT_TRUE(t.pay(v, 1));
        t.tick();
    }
    thaw_server(*place);
    ASSERT_FALSE(said->empty());
    EXPECT_NE(said->back().find("not saved at the end: \"v\""), std::string::npos) << said->back();
    village t(place->connect());
    EXPECT_GE(t.stage.get(t.open_vault("v"))->gold, 101);
}

#endif

}  // namespace store_engine_databases
