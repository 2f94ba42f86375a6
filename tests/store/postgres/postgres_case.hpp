// What the tests of PostgreSQL have in common: a place on the server, and short ways to write and read there.
#pragma once

#include <gtest/gtest.h>
#include <lido/store/database.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "store/postgres/postgres_place.hpp"

namespace store_tests {

class postgres_case : public ::testing::Test {
protected:
    void SetUp() override {
        postgres_server* const there = postgres_server::get();
        if (there == nullptr) GTEST_SKIP() << postgres_server::why_not();
        place = std::make_unique<postgres_place>(*there);
    }

    std::unique_ptr<lido::store::database> writer(lido::store::opened_database& found) {
        auto db = place->connect();
        const lido::store::db_answer opened = db->open(lido::store::open_mode::write, found);
        EXPECT_TRUE(opened) << opened.why();
        return db;
    }
    std::unique_ptr<lido::store::database> writer() {
        lido::store::opened_database found;
        auto db = writer(found);
        epoch = found.epoch;
        return db;
    }
    /// With limits so short that a busy machine may keep it from its first steps: until they were done.
    std::unique_ptr<lido::store::database> hurried_writer() {
        auto db = place->connect();
        lido::store::opened_database found;
        until("it is open", [&] { return bool(db->open(lido::store::open_mode::write, found)); });
        epoch = found.epoch;
        return db;
    }
    static void until_in_transaction(lido::store::database& db, const lido::store::row_write& w) {
        lido::store::write_outcome outcome = lido::store::write_outcome::taken;
        until("a transaction has begun", [&] { return db.begin() && db.write(w, outcome); });
    }
    [[nodiscard]] lido::store::row_write save(std::string_view key, std::uint64_t version,
                                              std::string_view data = R"({"hp":1})") const {
        lido::store::row_write w;
        w.of_class = "door";
        w.key = key;
        w.epoch = epoch;
        w.by = lido::store::fence::database;
        w.generation = 1;
        w.version = version;
        w.revision = 1;
        w.data = data;
        w.now = 1000;
        return w;
    }
    /// In a transaction of its own; the first answer that is none is returned.
    static lido::store::db_answer put(lido::store::database& db, const lido::store::row_write& w) {
        lido::store::write_outcome outcome = lido::store::write_outcome::taken;
        if (auto begun = db.begin(); !begun) return begun;
        if (auto wrote = db.write(w, outcome); !wrote) {
            db.rollback();
            return wrote;
        }
        EXPECT_EQ(outcome, lido::store::write_outcome::written);
        return db.commit();
    }
    static std::string data_of(lido::store::database& db, std::string_view key) {
        std::string data = "no row";
        lido::store::row_function to([&](const lido::store::stored_row& r) {
            data = r.data;
            return true;
        });
        const lido::store::db_answer found = db.find("door", key, to);
        EXPECT_TRUE(found) << found.why();
        return data;
    }
    static std::uint64_t version_of(lido::store::database& db, std::string_view key) {
        std::uint64_t version = 0;
        lido::store::row_function to([&](const lido::store::stored_row& r) {
            version = r.version;
            return true;
        });
        const lido::store::db_answer found = db.find("door", key, to);
        EXPECT_TRUE(found) << found.why();
        return version;
    }
    /// Ends the sessions that have its name, as a person with psql does, and returns when they are gone.
    void end_sessions() {
        place->server().sql(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name LIKE 'lido%'");
    }
    /// Until something is so; fails when it never is.
    static void until(std::string_view what, const std::function<bool()>& is_so) {
        const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!is_so()) {
            ASSERT_LT(std::chrono::steady_clock::now(), late) << "waited 60 s until " << what;
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }
    static bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

    std::unique_ptr<postgres_place> place;
    std::uint64_t epoch = 0;
};

}  // namespace store_tests
