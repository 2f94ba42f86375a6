// Where a test keeps a database: a fresh one, which can be opened again and again, as after a restart of the program.
//
// Whoever brings another kind of database adds a place, and names it in database_conformance_test.cpp.
#pragma once

#include <lido/store/database.hpp>

#include <memory>
#include <string>

namespace store_tests {

class database_place {
public:
    virtual ~database_place() = default;
    /// One that is not opened yet; all of a place are of the same database.
    [[nodiscard]] virtual std::unique_ptr<lido::store::database> connect() = 0;
    /// As if another program opened the database for writing, although one has it: the lock was lost with its file system, or its server.
    virtual void overtake() = 0;
    /// A file of this name can be made, and is removed with the place.
    [[nodiscard]] virtual std::string spare_file() = 0;
    /// What backup() made; null where it makes nothing that can be opened.
    [[nodiscard]] virtual std::unique_ptr<lido::store::database> connect_to(const std::string& copy) = 0;
};

/// Null where this machine has no such database.
using make_place = std::unique_ptr<database_place> (*)();

/// For the names of tests.
struct database_kind {
    const char* name;
    make_place make;
    const char* missing = "";  ///< what is said of a place that is null
};

}  // namespace store_tests
