// S5.9: a page of a scan costs what is in it, wherever it is: else a load of a million rows takes hours, and one of a thousand shows nothing.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <lido/store/database.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/sqlite_place.hpp"

namespace store_sqlite_scan {

using namespace lido::store;

/// Counts what the statements of all databases that are opened meanwhile do, in instructions of SQLite's own machine.
class step_counter {
public:
    step_counter() { sqlite3_auto_extension(entry()); }
    ~step_counter() { sqlite3_cancel_auto_extension(entry()); }
    step_counter(const step_counter&) = delete;
    step_counter& operator=(const step_counter&) = delete;
    [[nodiscard]] static std::uint64_t take() { return std::exchange(steps(), 0); }

private:
    static std::uint64_t& steps() {
        static std::uint64_t count = 0;
        return count;
    }
    static int ended(unsigned, void*, void* statement, void*) {
        steps() += static_cast<std::uint64_t>(
            sqlite3_stmt_status(static_cast<sqlite3_stmt*>(statement), SQLITE_STMTSTATUS_VM_STEP, 1));
        return 0;
    }
    static int opened(sqlite3* db, const char**, const void*) {
        return sqlite3_trace_v2(db, SQLITE_TRACE_PROFILE, &ended, nullptr);
    }
    static void (*entry())() { return reinterpret_cast<void (*)()>(&opened); }
};

class sqlite_scan : public ::testing::Test {
protected:
    static constexpr int count = 3000;
    void SetUp() override {
        opened_database found;
        ASSERT_TRUE(db->open(open_mode::write, found));
        ASSERT_TRUE(db->begin());
        for (const char* const of_class : {"door", "vault"}) {
            for (int i = 0; i < count; ++i) {
                const std::string key = "k" + std::to_string(10000 + i);
                row_write w;
                w.of_class = of_class;
                w.key = key;
                w.epoch = found.epoch;
                w.by = fence::database;
                w.generation = w.version = 1;
                w.revision = 1;
                w.data = "{}";
                write_outcome outcome{};
                ASSERT_TRUE(db->write(w, outcome));
            }
        }
        ASSERT_TRUE(db->commit());
    }
    /// What each page costs.
    std::vector<std::uint64_t> pages(row_range range) {
        std::vector<std::uint64_t> costs;
        std::string last_class, last_key;
        for (;;) {
            int rows = 0;
            row_function each([&](const stored_row& r) {
                last_class = r.of_class;
                last_key = r.key;
                ++rows;
                return true;
            });
            static_cast<void>(step_counter::take());
            EXPECT_TRUE(db->scan(range, each));
            if (rows == 0) return costs;
            costs.push_back(step_counter::take());
            range.after_class = last_class;
            range.after_key = last_key;
        }
    }
    static void expect_alike(const std::vector<std::uint64_t>& costs) {
        ASSERT_GT(costs.size(), 10u);
        EXPECT_GT(costs.front(), 100u) << "nothing was counted";
        for (const std::uint64_t cost : costs) EXPECT_LT(cost, 2 * costs.front());
    }

    step_counter counter;
    store_tests::sqlite_place place;
    std::unique_ptr<database> db = place.connect();
};

TEST_F(sqlite_scan, the_last_page_of_a_class_costs_what_the_first_one_does) {
    expect_alike(pages({.of_class = "door", .limit = 100}));
}
TEST_F(sqlite_scan, the_last_page_of_a_prefix_costs_what_the_first_one_does) {
    expect_alike(pages({.of_class = "door", .prefix = "k1", .limit = 100}));
}
TEST_F(sqlite_scan, the_last_page_of_all_classes_costs_what_the_first_one_does) { expect_alike(pages({.limit = 100})); }
TEST_F(sqlite_scan, a_page_that_begins_before_its_prefix_begins_with_it) {
    std::vector<std::string> keys;
    row_function each([&](const stored_row& r) {
        keys.push_back(std::string(r.key));
        return true;
    });
    ASSERT_TRUE(
        db->scan({.of_class = "door", .prefix = "k1299", .after_class = "door", .after_key = "a", .limit = 2}, each));
    EXPECT_EQ(keys, (std::vector<std::string>{"k12990", "k12991"}));
    keys.clear();
    ASSERT_TRUE(db->scan(
        {.of_class = "door", .prefix = "k1299", .after_class = "door", .after_key = "k12998", .limit = 2}, each));
    EXPECT_EQ(keys, (std::vector<std::string>{"k12999"}));
    std::uint64_t rows = 0;
    ASSERT_TRUE(db->count({.prefix = "k1299"}, rows));
    EXPECT_EQ(rows, 20u);
}

}  // namespace store_sqlite_scan
