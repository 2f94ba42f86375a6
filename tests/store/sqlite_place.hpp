// A place for SQLite: a file in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <lido/store/sqlite_database.hpp>

#include <memory>
#include <string>

#include "store/folder.hpp"
#include "store/place.hpp"

namespace store_tests {

/// What a person with a shell does.
inline void run_sql(const std::string& file, const std::string& sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 5000);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
}

class sqlite_place final : public database_place {
public:
    std::unique_ptr<lido::store::database> connect() override { return connect_to(file()); }
    std::unique_ptr<lido::store::database> connect_to(const std::string& copy) override {
        // No fsync: what a loss of power does is tested where one can be played (faulty_disk.hpp).
        return lido::store::make_sqlite_database(copy, {.sync = lido::store::sync_level::off});
    }
    void overtake() override { run_sql(file(), "UPDATE game SET epoch = epoch + 1"); }
    std::string spare_file() override { return folder_.file("copy.db"); }
    [[nodiscard]] std::string file() const { return folder_.file("world.db"); }
    [[nodiscard]] const folder& where() const { return folder_; }

private:
    folder folder_;
};

inline std::unique_ptr<database_place> make_sqlite_place() { return std::make_unique<sqlite_place>(); }

}  // namespace store_tests
