// A database of a store on a PostgreSQL server. Compiled into lido::store_postgres, so that users' files never include libpq, and programs that
// only use SQLite never link it.
#pragma once

#include <lido/store/database.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace lido::store {

struct postgres_options {
    /// Where the tables are, and whose they are: a store has its schema for itself. Several stores of one database have several.
    std::string schema = "lido";
    /// For each host of the address until it has let this program in, in milliseconds. Names are looked up before, by the system's own rules.
    std::uint32_t connect_timeout = 5000;
    /// How long the server may take for a statement, in milliseconds. A server that says nothing for twice as long is given up, and asked
    /// again over a new connection. 0: as long as it likes.
    std::uint32_t call_timeout = 30000;
    /// How long a call waits for a lock of another program (a tool, a shell) before it says `again`, in milliseconds.
    std::uint32_t wait_for_locks = 250;
    /// How long the server may take to hear an interrupt(), in milliseconds; then the connection is given up.
    std::uint32_t interrupt_timeout = 1000;
};

/// Nothing is connected yet. `address`: postgresql://user@host:5432/game, or "host=… dbname=…"; what it leaves out comes from where libpq finds
/// it (PGPASSWORD, ~/.pgpass, a service file). A password in it is told to nobody but the server.
[[nodiscard]] std::unique_ptr<database> make_postgres_database(const std::string& address,
                                                               const postgres_options& options = {});

}  // namespace lido::store
