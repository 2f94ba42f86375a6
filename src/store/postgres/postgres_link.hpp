// A connection to a server: connected, asked and given up within times that are known, whatever the server does.
//
// KP1. No call waits for the server without a limit, and no call waits in libpq: each waits here, where interrupt() is heard.
// KP2. A cancel request that may still be on its way is never followed by another statement over the same connection.
// KP3. What a person reads has no password of the address.
#pragma once

#include <lido/store/db_answer.hpp>
#include <lido/store/postgres_database.hpp>

#include <libpq-fe.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "postgres_address.hpp"

namespace lido::store_detail {

struct clear_result {
    void operator()(PGresult* r) const noexcept { PQclear(r); }
};
using postgres_result = std::unique_ptr<PGresult, clear_result>;

/// Of a result, row by row.
class postgres_row {
public:
    explicit postgres_row(const postgres_result& of, int row = 0) noexcept : of_(of.get()), row_(row) {}
    [[nodiscard]] std::string_view text(int column) const noexcept {
        return {PQgetvalue(of_, row_, column), static_cast<std::size_t>(PQgetlength(of_, row_, column))};
    }
    [[nodiscard]] std::int64_t whole(int column) const noexcept;
    [[nodiscard]] std::uint64_t bits(int column) const noexcept { return static_cast<std::uint64_t>(whole(column)); }
    [[nodiscard]] bool is_null(int column) const noexcept { return PQgetisnull(of_, row_, column) != 0; }

private:
    const PGresult* of_;
    int row_;
};

/// What stands for $1, $2, … of a statement. Texts are not copied: they hold until the statement was sent.
class postgres_values {
public:
    static constexpr std::size_t most = 14;
    postgres_values& text(std::string_view t) noexcept {
        // As bytes with a length: a NUL in it reaches the server, which refuses it, instead of ending the text.
        return put(t.data() != nullptr ? t.data() : "", static_cast<int>(t.size()), 1, text_type);
    }
    postgres_values& whole(std::int64_t n) noexcept;
    postgres_values& bits(std::uint64_t n) noexcept { return whole(static_cast<std::int64_t>(n)); }
    postgres_values& flag(bool f) noexcept { return put(f ? "t" : "f", 1, 0, flag_type); }
    postgres_values& no_text() noexcept { return put(nullptr, 0, 0, text_type); }
    postgres_values& no_whole() noexcept { return put(nullptr, 0, 0, whole_type); }

private:
    friend class postgres_link;
    static constexpr Oid text_type = 25;
    static constexpr Oid whole_type = 20;
    static constexpr Oid flag_type = 16;
    postgres_values& put(const char* at, int size, int binary, Oid type) noexcept;

    std::array<const char*, most> at_{};
    std::array<int, most> size_{};
    std::array<int, most> binary_{};
    std::array<Oid, most> type_{};
    std::array<std::array<char, 24>, most> digits_{};
    int count_ = 0;
};

class postgres_link {
public:
    postgres_link(postgres_address address, const store::postgres_options& options);
    postgres_link(const postgres_link&) = delete;
    postgres_link& operator=(const postgres_link&) = delete;
    ~postgres_link();

    /// To the first host that lets it in; of one who writes, the first that is no standby.
    store::db_answer connect(bool writes);
    void drop() noexcept;
    [[nodiscard]] bool up() const noexcept { return connection_ != nullptr; }
    [[nodiscard]] PGconn* raw() const noexcept { return connection_; }

    /// Statements without values, one after another. `last` is the last result.
    store::db_answer run(const char* sql, std::string_view doing, postgres_result* last = nullptr);
    /// One statement.
    store::db_answer ask(const char* sql, const postgres_values& values, std::string_view doing,
                         postgres_result& result);
    /// The same, kept by the server under the name until the connection ends.
    store::db_answer ask_prepared(unsigned number, const char* sql, const postgres_values& values,
                                  std::string_view doing, postgres_result& result);
    /// One statement, whose rows are given to `each` as they come, until it returns false.
    template <class Each>
    store::db_answer ask_rows(const char* sql, std::string_view doing, Each&& each);

    /// What the server warned of since the last forget_warning(); empty: of nothing.
    [[nodiscard]] const std::string& warning() const noexcept { return warning_; }
    void forget_warning() noexcept { warning_.clear(); }

    /// From any thread, at any time while this is there; returns at once.
    void interrupt() noexcept;

    /// For a statement whose length is nobody's fault. 0: no limit.
    void set_patience(std::uint32_t milliseconds) noexcept { patience_ = milliseconds; }

    [[nodiscard]] const postgres_address& address() const noexcept { return address_; }
    [[nodiscard]] store::db_answer refuse(store::db_fault fault, std::string_view doing, std::string_view why) const;

private:
    using clock = std::chrono::steady_clock;
    enum class waited : std::uint8_t { ready, interrupted, late };

    store::db_answer connect_to(const postgres_settings& settings, bool writes);
    waited wait(bool to_write, clock::time_point until) noexcept;
    [[nodiscard]] clock::time_point limit() const noexcept;
    void hear_nothing_old() noexcept;
    /// Until all was sent, and then until there is a result.
    store::db_answer exchange(std::string_view doing);
    store::db_answer next(std::string_view doing, postgres_result& result);
    /// All results but the last are dropped; the first failure counts.
    store::db_answer collect(std::string_view doing, postgres_result* last);
    store::db_answer give_up(std::string_view doing, std::string_view why);
    store::db_answer explain(const PGresult* failed, std::string_view doing);
    store::db_answer sent(int ok, std::string_view doing);
    void begin_cancel();
    /// False where nobody knows whether the request is still on its way.
    bool end_cancel();

    struct cancel_request;

    postgres_address address_;
    store::postgres_options options_;
    PGconn* connection_ = nullptr;
    std::uint64_t prepared_ = 0;  // a bit for each statement that the server knows
    std::uint32_t patience_ = 0;
    std::string warning_;
    std::shared_ptr<cancel_request> cancel_;
    int wake_[2] = {-1, -1};
};

template <class Each>
store::db_answer postgres_link::ask_rows(const char* sql, std::string_view doing, Each&& each) {
    hear_nothing_old();
    if (store::db_answer s = sent(PQsendQuery(connection_, sql), doing); !s) return s;
    // One row at a time: the memory is that of one row, however many there are, and however large.
    PQsetSingleRowMode(connection_);
    bool wants_more = true;
    store::db_answer all;
    for (;;) {
        postgres_result r;
        if (store::db_answer got = next(doing, r); !got) return got;
        if (r == nullptr) return all;
        const ExecStatusType status = PQresultStatus(r.get());
        if (status == PGRES_SINGLE_TUPLE) {
            wants_more = wants_more && each(postgres_row(r));
        } else if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK && all) {
            all = explain(r.get(), doing);
            if (!up()) return all;
        }
    }
}

}  // namespace lido::store_detail
