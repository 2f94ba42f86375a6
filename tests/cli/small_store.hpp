// A store with a little of everything, the same each time.
#pragma once

#include <gtest/gtest.h>
#include <lido/store/sqlite_database.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "cli/program.hpp"
#include "store/sqlite_place.hpp"

namespace cli_tests {

inline constexpr std::int64_t noon = 1700049600000;  // 2023-11-15 12:00:00

class small_store {
public:
    small_store() {
        open();
        begin();
        note("door", 2, R"({"health":[],"open":[],"angle":[]})", noon);
        note("door", 3, R"({"hp":["health"],"keeper":[],"open":[]})", noon + 1000);
        note("vault", 1, R"({"gold":[]})", noon);
        save("door", "gate-1", 7, 12, 3, R"({"hp":100,"keeper":"Ann","open":false})", 5);
        save("door", "gate-2", 8, 1, 2, R"({"health":0.1,"open":true,"angle":9})", 8);
        save("vault", "north", 3, 2, 1, R"({"gold":18446744073709551615})", 3);
        erase("vault", "gone", 9, 3);
        claim("vault", "asked");
        position(1, 100, 7, 12);
        commit();
    }
    void open() {
        db_ = lido::store::make_sqlite_database(file(), {.sync = lido::store::sync_level::off});
        const lido::store::db_answer opened = db_->open(lido::store::open_mode::write, found_);
        EXPECT_TRUE(opened) << opened.why();
    }
    /// As a game that has ended.
    std::string closed() {
        db_->close();
        return file();
    }
    /// As a game that runs.
    [[nodiscard]] std::string file() const { return where_.file("world.db"); }
    [[nodiscard]] std::string file(const std::string& name) const { return where_.file(name); }
    [[nodiscard]] const std::string& path() const { return where_.path(); }
    lido::store::database& db() { return *db_; }

    void begin() { EXPECT_TRUE(db_->begin()); }
    void commit() { EXPECT_TRUE(db_->commit()); }
    void note(std::string_view name, std::int64_t revision, std::string_view fields, std::int64_t seen) {
        EXPECT_TRUE(db_->put_class({name, revision, fields, seen}));
    }
    void save(std::string_view of_class, std::string_view key, std::uint64_t generation, std::uint64_t version,
              std::int64_t revision, std::string_view data, std::uint64_t birth, std::int64_t when = noon) {
        lido::store::row_write w;
        w.of_class = of_class;
        w.key = key;
        w.epoch = found_.epoch;
        w.by = lido::store::fence::database;
        w.generation = generation;
        w.version = version;
        w.birth = birth;
        w.revision = revision;
        w.data = data;
        w.erased = data.empty();
        w.now = when;
        lido::store::write_outcome outcome = lido::store::write_outcome::taken;
        const lido::store::db_answer wrote = db_->write(w, outcome);
        EXPECT_TRUE(wrote) << wrote.why();
        EXPECT_EQ(outcome, lido::store::write_outcome::written);
    }
    void erase(std::string_view of_class, std::string_view key, std::uint64_t generation, std::uint64_t version,
               std::int64_t when = noon) {
        save(of_class, key, generation, version, 1, "", generation, when);
    }
    void claim(std::string_view of_class, std::string_view key, std::int64_t when = noon) {
        lido::store::row_function none([](const lido::store::stored_row&) { return true; });
        EXPECT_TRUE(db_->claim(of_class, key, found_.epoch, when, none));
    }
    void position(std::uint64_t run, std::uint64_t tick, std::uint64_t commit, std::uint64_t births) {
        EXPECT_TRUE(db_->put_position({run, tick, commit, births}));
    }
    /// What a person with a shell does to it.
    void sql(const std::string& text) { store_tests::run_sql(file(), text); }
    /// So many doors more, k000001 and so on.
    void fill(int rows) {
        sql("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < " + std::to_string(rows) +
            ") INSERT INTO entities SELECT 'door', printf('k%06d', x), 1, 1, x, 1, 3, 0, '{\"hp\":' || x || "
            "',\"keeper\":\"\",\"open\":true}', 1000, "
            "1000, NULL FROM n");
    }

private:
    folder where_;
    std::unique_ptr<lido::store::database> db_;
    lido::store::opened_database found_;
};

/// The text with every `from` as `to`: for paths, which differ each time.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

}  // namespace cli_tests
