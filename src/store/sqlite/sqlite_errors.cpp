#include <sqlite3.h>

#include <string>
#include <string_view>

#include "sqlite_handle.hpp"

namespace lido::store_detail {

using store::db_answer;
using store::db_fault;

namespace {

struct meaning {
    db_fault fault;
    const char* what;
};

meaning meaning_of(int code) noexcept {
    switch (code & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return {db_fault::again, "another program has the database locked; let it finish, or end it"};
        case SQLITE_FULL: return {db_fault::again, "the disk is full; make room, and it goes on"};
        case SQLITE_NOMEM: return {db_fault::again, "there is no memory"};
        case SQLITE_INTERRUPT: return {db_fault::again, "it was interrupted"};
        case SQLITE_IOERR: return {db_fault::again, "the disk could not be read or written; look at the system's log"};
        case SQLITE_CANTOPEN:
            return {db_fault::again, "the file cannot be opened; look whether its folder is there and may be written"};
        case SQLITE_READONLY:
            return {db_fault::again,
                    "the file may not be written; give this program the right to write it and its folder"};
        case SQLITE_PERM:
        case SQLITE_AUTH: return {db_fault::again, "this program may not use the file"};
        case SQLITE_TOOBIG: return {db_fault::row, "the row is larger than SQLite takes; keep less in one entity"};
        case SQLITE_CONSTRAINT:
        case SQLITE_MISMATCH:
        case SQLITE_RANGE:
            return {db_fault::row, "the table refuses the row; somebody has added a rule, or a trigger, to it"};
        case SQLITE_CORRUPT:
            return {db_fault::unusable,
                    "the file is damaged; take the last backup, or save what can be read with "
                    "sqlite3's .recover"};
        case SQLITE_NOTADB: return {db_fault::unusable, "the file is no SQLite database; give the path of another"};
        case SQLITE_SCHEMA:
        case SQLITE_ERROR:
            return {db_fault::unusable, "the tables are not those of a store; somebody has changed them"};
        default: return {db_fault::unusable, "SQLite refuses"};
    }
}

}  // namespace

db_answer explain(int code, std::string_view path, std::string_view doing, const char* detail) {
    const meaning m = meaning_of(code);
    std::string why(path);
    why += ": ";
    why += doing;
    why += ": ";
    why += m.what;
    why += " (SQLite: ";
    why += detail != nullptr ? detail : sqlite3_errstr(code);
    why += ")";
    return {m.fault, std::move(why)};
}

}  // namespace lido::store_detail
