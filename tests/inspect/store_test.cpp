// X14: what readers are told of a store is what it says of itself. Which store that is does not matter: here it is a few numbers.
#include "client.hpp"
#include "metrics_writer.hpp"
#include "store_writer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <sstream>
#include <string>

namespace lido::test {
namespace inspect_store_test {

struct position {
    std::uint64_t tick = 0;
    std::uint64_t commit = 0;
};

/// All that watch() asks for: no two figures are the same.
struct numbers_of_a_store {
    std::size_t entities = 12;
    std::size_t pending = 3;
    std::size_t loading = 2;
    std::size_t bytes_held = 4096;
    position durable{118, 50};
    position confirmed{121, 55};
    std::uint64_t saves = 40;
    std::uint64_t coalesced = 7;
    std::uint64_t superseded = 1;
    std::uint64_t failed = 5;
    std::uint64_t loads = 9;
    std::uint64_t loads_refused = 4;
    std::uint64_t transactions = 31;
    std::uint64_t retries = 6;
    std::uint64_t bytes_written = 2222;
    std::uint64_t snapshots = 8;
    std::uint64_t creations_refused = 10;
};

class saves {
public:
    numbers_of_a_store said;
    bool ready = true;
    std::string wrong;
    std::string database = "a fake";

    [[nodiscard]] numbers_of_a_store stats() const noexcept { return said; }
    [[nodiscard]] const std::string& describe() const noexcept { return database; }
    [[nodiscard]] std::string trouble() const { return wrong; }
    [[nodiscard]] std::uint64_t run() const noexcept { return 11; }
    [[nodiscard]] explicit operator bool() const noexcept { return ready; }
};

struct shown_store {
    saves store;
    shown_program program;
    watched shown = program.look.watch_scoped("saves", store);

    [[nodiscard]] json get() {
        program.collect();
        return program.get("/api/v1/stores").parsed()["stores"];
    }
    [[nodiscard]] bool streams(const std::string& part) {
        client c = program.open("/api/v1/stream");
        return play(program.look, program.tick, [&] {
            c.receive();
            return c.text.find(part) != std::string::npos;
        });
    }
};

TEST(inspect_store, is_told_as_it_says_itself) {
    shown_store s;
    const json all = s.get();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].dump(),
              json::parse(R"({"id":0,"name":"saves","database":"a fake","state":"ready","why":null,"run":11,
                "entities":12,"pending":3,"loading":2,"bytes_held":4096,"durable":{"tick":118,"commit":50},
                "confirmed":{"tick":121,"commit":55},"saves":40,"coalesced":7,"superseded":1,"failed":5,"loads":9,
                "loads_refused":4,"transactions":31,"retries":6,"bytes_written":2222,"snapshots":8,
                "creations_refused":10})")
                  .dump());
}

TEST(inspect_store, follows_what_it_says_later) {
    shown_store s;
    s.store.said.pending = 77;
    s.store.said.durable.tick = 500;
    const json all = s.get();
    EXPECT_EQ(all[0]["pending"], 77);
    EXPECT_EQ(all[0]["durable"]["tick"], 500);
}

TEST(inspect_store, says_in_words_what_is_wrong_as_long_as_it_is) {
    shown_store s;
    s.store.wrong = "the disk is \"full\"\xff";
    json all = s.get();
    EXPECT_EQ(all[0]["state"], "retrying");
    EXPECT_EQ(all[0]["why"], "the disk is \"full\"\xef\xbf\xbd");
    s.store.ready = false;
    EXPECT_EQ(s.get()[0]["state"], "stopped");
    s.store.ready = true;
    s.store.wrong.clear();
    all = s.get();
    EXPECT_EQ(all[0]["state"], "ready");
    EXPECT_TRUE(all[0]["why"].is_null());
}

TEST(inspect_store, goes_with_the_stream_of_samples) {
    shown_store s;
    EXPECT_TRUE(s.streams(R"("stores":[[0,"ready",3,118,121,12,2,4096,40,5,9,4,6,31,2222,10]])"));
}

TEST(inspect_store, two_of_one_name_are_two_and_one_that_is_unwatched_is_gone) {
    shown_store s;
    saves other;
    other.database = "another";
    const watch_id watch = s.program.look.watch("saves", other);
    EXPECT_EQ(s.get()[1]["name"], "saves 2");
    s.shown.end();
    other.said.pending = 99;
    const json all = s.get();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0]["id"], 1) << "ids stay";
    EXPECT_EQ(all[0]["database"], "another");
    EXPECT_EQ(all[0]["pending"], 99);
    s.program.look.unwatch(watch);
    EXPECT_EQ(s.get().size(), 0u);
    EXPECT_EQ(s.program.get("/metrics").body.find("lido_store_"), std::string::npos);
}

TEST(inspect_store, has_lines_for_prometheus) {
    shown_store s;
    s.store.wrong = "locked";
    s.program.collect();
    const std::string text = s.program.get("/metrics").body;
    const auto says = [&text](const std::string& metric, int value) {
        return text.find("\n" + metric + "{store=\"saves\"} " + std::to_string(value) + "\n") != std::string::npos;
    };
    EXPECT_TRUE(says("lido_store_ready", 1)) << text;
    EXPECT_TRUE(says("lido_store_retrying", 1));
    EXPECT_TRUE(says("lido_store_entities", 12));
    EXPECT_TRUE(says("lido_store_pending", 3));
    EXPECT_TRUE(says("lido_store_loading", 2));
    EXPECT_TRUE(says("lido_store_held_bytes", 4096));
    EXPECT_TRUE(says("lido_store_durable_tick", 118));
    EXPECT_TRUE(says("lido_store_confirmed_tick", 121));
    EXPECT_TRUE(says("lido_store_saves_total", 40));
    EXPECT_TRUE(says("lido_store_coalesced_total", 7));
    EXPECT_TRUE(says("lido_store_superseded_total", 1));
    EXPECT_TRUE(says("lido_store_failed_total", 5));
    EXPECT_TRUE(says("lido_store_loads_total", 9));
    EXPECT_TRUE(says("lido_store_loads_refused_total", 4));
    EXPECT_TRUE(says("lido_store_transactions_total", 31));
    EXPECT_TRUE(says("lido_store_retries_total", 6));
    EXPECT_TRUE(says("lido_store_written_bytes_total", 2222));
    EXPECT_TRUE(says("lido_store_snapshots_total", 8));
    EXPECT_TRUE(says("lido_store_creations_refused_total", 10));
    s.store.wrong.clear();
    s.store.ready = false;
    s.program.collect();
    const std::string later = s.program.get("/metrics").body;
    EXPECT_NE(later.find("\nlido_store_ready{store=\"saves\"} 0\n"), std::string::npos);
    EXPECT_NE(later.find("\nlido_store_retrying{store=\"saves\"} 0\n"), std::string::npos);
}

TEST(inspect_store, is_open_metrics) {
    inspect::moment now;
    for (const char* name : {"a \"b\" \\ c\nd", "other"}) {
        inspect::store_figures f;
        f.name = name;
        now.stores.push_back(f);
    }
    std::istringstream lines(inspect::write_metrics(now));
    std::set<std::string> families;
    std::set<std::string> samples;
    std::string family;
    std::string line;
    bool counter = false;
    std::size_t of_stores = 0;
    while (std::getline(lines, line)) {
        if (line.starts_with("# TYPE ")) {
            family = line.substr(7, line.rfind(' ') - 7);
            counter = line.ends_with(" counter");
            EXPECT_TRUE(families.insert(family).second) << "twice: " << family;
        } else if (!line.starts_with("#")) {
            EXPECT_TRUE(line.starts_with(family + (counter ? "_total{" : "{"))) << line;
            EXPECT_TRUE(samples.insert(line.substr(0, line.rfind(' '))).second) << "twice: " << line;
            if (line.find(R"(store="a \"b\" \\ c\nd")") != std::string::npos) ++of_stores;
        }
    }
    EXPECT_EQ(of_stores * 2, samples.size());
    EXPECT_EQ(of_stores, 19u);
}

}  // namespace inspect_store_test
}  // namespace lido::test
