// A database in one file. docs/protocol/store.md has its tables.
//
// KQ1. Statements that a save needs are prepared once, and reset after each use, however that ends.
// KQ2. The lock on the file beside it is taken before SQLite opens anything for writing, and let go after SQLite has closed.
#pragma once

#include <lido/store/database.hpp>
#include <lido/store/sqlite_database.hpp>

#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "../file_lock.hpp"
#include "sqlite_handle.hpp"

namespace lido::store_detail {

class sqlite_database final : public store::database {
public:
    sqlite_database(std::string path, store::sqlite_options options)
        : path_(std::move(path)), options_(std::move(options)) {}
    ~sqlite_database() override { sqlite_database::close(); }

    store::db_answer open(store::open_mode how, store::opened_database& found) override;
    void close() noexcept override;

    store::db_answer begin() override;
    store::db_answer commit() override;
    void rollback() noexcept override;

    store::db_answer claim(std::string_view of_class, std::string_view key, std::uint64_t epoch, store::wall_time now,
                           store::row_sink& to) override;
    store::db_answer write(const store::row_write& what, store::write_outcome& outcome) override;
    store::db_answer put_position(const store::stored_position& where) override;
    store::db_answer put_class(const store::class_note& what) override;
    store::db_answer prune(store::wall_time before, std::uint64_t limit, std::uint64_t& removed) override;

    store::db_answer position(store::stored_position& where) override;
    store::db_answer find(std::string_view of_class, std::string_view key, store::row_sink& to) override;
    store::db_answer scan(const store::row_range& which, store::row_sink& to) override;
    store::db_answer count(const store::row_range& which, std::uint64_t& rows) override;
    store::db_answer classes(store::class_sink& to) override;
    store::db_answer backup(std::string_view to,
                            const std::function<bool(std::uint64_t, std::uint64_t)>& progress) override;
    store::db_answer check(const std::function<void(std::string_view)>& to) override;

    void interrupt() noexcept override;
    [[nodiscard]] std::string describe() const override;

private:
    [[nodiscard]] store::db_answer fail(int code, std::string_view doing) const;
    [[nodiscard]] store::db_answer not_ours(std::string_view why) const;
    store::db_answer run(const char* sql, std::string_view doing);
    /// Of a statement with one row and one column.
    store::db_answer ask(const char* sql, std::int64_t& number);
    store::db_answer ready(sqlite_statement& which, std::string_view sql, std::string_view doing);
    store::db_answer open_file(store::open_mode how, store::opened_database& found);
    store::db_answer look_at_form(bool& empty);
    store::db_answer make_tables();
    store::db_answer raise_epoch(store::opened_database& found);
    store::db_answer visit(const store::row_range& which, std::string_view what, std::string_view order,
                           const std::function<bool(sqlite_statement&)>& each);
    static store::stored_row row_at(const sqlite_statement& at) noexcept;

    std::string path_;
    store::sqlite_options options_;
    file_lock lock_;
    sqlite3* db_ = nullptr;
    std::uint64_t epoch_ = 0;
    sqlite_statement begin_;
    sqlite_statement commit_;
    sqlite_statement epoch_of_;
    sqlite_statement claim_;
    sqlite_statement find_;
    sqlite_statement write_;
    sqlite_statement position_;
    sqlite_statement note_;
};

}  // namespace lido::store_detail
