// SQLite's connection and statements with C++ lifetimes, and its errors in words.
#pragma once

#include <lido/store/db_answer.hpp>

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace lido::store_detail {

/// Whether the same may work later, and what to do.
[[nodiscard]] store::db_answer explain(int code, std::string_view path, std::string_view doing, const char* detail);

class sqlite_statement {
public:
    sqlite_statement() noexcept = default;
    sqlite_statement(sqlite_statement&& other) noexcept : it_(std::exchange(other.it_, nullptr)) {}
    sqlite_statement& operator=(sqlite_statement&& other) noexcept {
        std::swap(it_, other.it_);
        return *this;
    }
    ~sqlite_statement() { sqlite3_finalize(it_); }

    [[nodiscard]] int prepare(sqlite3* db, std::string_view sql) noexcept {
        finalize();
        return sqlite3_prepare_v3(db, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &it_,
                                  nullptr);
    }
    void finalize() noexcept {
        sqlite3_finalize(it_);
        it_ = nullptr;
    }
    [[nodiscard]] explicit operator bool() const noexcept { return it_ != nullptr; }

    /// The texts are not copied: they hold until reset().
    void bind(int at, std::string_view text) noexcept {
        // A null pointer would be NULL, and no text.
        const char* const from = text.data() != nullptr ? text.data() : "";
        sqlite3_bind_text64(it_, at, from, text.size(), SQLITE_STATIC, SQLITE_UTF8);
    }
    void bind(int at, std::int64_t number) noexcept { sqlite3_bind_int64(it_, at, number); }
    /// As the signed number of the same bits.
    void bind_bits(int at, std::uint64_t number) noexcept { bind(at, static_cast<std::int64_t>(number)); }
    void bind_null(int at) noexcept { sqlite3_bind_null(it_, at); }

    [[nodiscard]] int step() noexcept { return sqlite3_step(it_); }
    void reset() noexcept {
        sqlite3_reset(it_);
        sqlite3_clear_bindings(it_);
    }

    [[nodiscard]] std::string_view text(int column) const noexcept {
        const auto* const at = reinterpret_cast<const char*>(sqlite3_column_text(it_, column));
        return {at != nullptr ? at : "", static_cast<std::size_t>(sqlite3_column_bytes(it_, column))};
    }
    [[nodiscard]] std::int64_t whole(int column) const noexcept { return sqlite3_column_int64(it_, column); }
    [[nodiscard]] std::uint64_t bits(int column) const noexcept { return static_cast<std::uint64_t>(whole(column)); }
    [[nodiscard]] bool is_null(int column) const noexcept { return sqlite3_column_type(it_, column) == SQLITE_NULL; }

private:
    sqlite3_stmt* it_ = nullptr;
};

/// Resets a statement however a function is left.
class sqlite_use {
public:
    explicit sqlite_use(sqlite_statement& it) noexcept : it_(it) {}
    sqlite_use(const sqlite_use&) = delete;
    sqlite_use& operator=(const sqlite_use&) = delete;
    ~sqlite_use() { it_.reset(); }

private:
    sqlite_statement& it_;
};

}  // namespace lido::store_detail
