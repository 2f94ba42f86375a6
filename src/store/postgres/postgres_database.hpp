// A database on a server. docs/protocol/store_postgres.md has its tables.
//
// KL1. Who writes holds an advisory lock of its session, from before it looks at the tables until it closes.
// KL2. A transaction that writes holds the row of `game`: no epoch is raised between the comparison and the commit.
// KL3. After a new connection nothing is written before it is known that the server has what it had acknowledged.
#pragma once

#include <lido/store/database.hpp>
#include <lido/store/postgres_database.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "postgres_link.hpp"

namespace lido::store_detail {

class postgres_database final : public store::database {
public:
    postgres_database(const std::string& address, store::postgres_options options);
    ~postgres_database() override { postgres_database::close(); }

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

    void interrupt() noexcept override { link_.interrupt(); }
    [[nodiscard]] std::string describe() const override;

private:
    enum class wanted : std::uint8_t { nothing, read, write };

    // postgres_open.cpp
    store::db_answer open_server(store::opened_database& found);
    store::db_answer connect();
    store::db_answer reconnect();
    store::db_answer take_lock();
    store::db_answer look_at_form(bool& empty);
    store::db_answer make_tables();
    store::db_answer raise_epoch(store::opened_database& found);
    store::db_answer look_at_settings();
    store::db_answer compare_position();
    [[nodiscard]] store::db_answer lost(std::uint64_t now) const;

    /// Connected, or again so; in a transaction that has lost its connection it is not.
    store::db_answer ready(std::string_view doing);
    /// The same for calls that are only for transactions.
    store::db_answer inside(std::string_view doing);
    store::db_answer begin_once();
    store::db_answer read_position(store::stored_position& where);
    store::db_answer visit(const std::string& select, const postgres_values& values, std::string_view doing,
                           const std::function<bool(const postgres_row&)>& each);
    static store::stored_row row_at(const postgres_row& at) noexcept;

    store::db_answer address_answer_;  // of read_address(), told by open()
    store::postgres_options options_;
    postgres_link link_;
    wanted wanted_ = wanted::nothing;
    bool in_transaction_ = false;
    std::uint64_t epoch_ = 0;
    int session_ = 0;  // of the server, for the time when it does not know that the connection is gone
    std::string session_began_;
    std::vector<std::string> warnings_;
    store::stored_position pending_;  // of the transaction that is open
    bool has_pending_ = false;
    store::stored_position acknowledged_;  // what the server must have, or one of those that it may have
    std::vector<store::stored_position> unknown_;
};

}  // namespace lido::store_detail
