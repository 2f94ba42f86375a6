// Opening a file: whose it is, in what form, and who else has it.
#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "sqlite_database.hpp"

namespace lido::store_detail {

using store::db_answer;
using store::db_fault;
using store::open_mode;

namespace {

constexpr std::int64_t application = 0x6c69646f;  // "lido"
constexpr std::int64_t form = 1;

// STRICT: a column holds what it says, whoever writes it. WITHOUT ROWID: a row is found by one search and lies beside its neighbours.
constexpr const char* tables = R"(
CREATE TABLE entities (
  class      TEXT    NOT NULL,
  key        TEXT    NOT NULL,
  epoch      INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  version    INTEGER NOT NULL,
  birth      INTEGER NOT NULL,
  revision   INTEGER NOT NULL,
  owner      INTEGER NOT NULL,
  data       TEXT,
  created    INTEGER NOT NULL,
  changed    INTEGER NOT NULL,
  erased     INTEGER,
  PRIMARY KEY (class, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE classes (
  name     TEXT    NOT NULL,
  revision INTEGER NOT NULL,
  fields   TEXT    NOT NULL,
  seen     INTEGER NOT NULL,
  PRIMARY KEY (name, revision)
) STRICT, WITHOUT ROWID;
CREATE TABLE game (
  one      INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
  epoch    INTEGER NOT NULL,
  run      INTEGER NOT NULL,
  tick     INTEGER NOT NULL,
  "commit" INTEGER NOT NULL,
  births   INTEGER NOT NULL
) STRICT;
INSERT INTO game VALUES (1, 0, 0, 0, 0, 0);
PRAGMA application_id = 1818846319;
PRAGMA user_version = 1;
)";
static_assert(application == 1818846319);

}  // namespace

db_answer sqlite_database::fail(int code, std::string_view doing) const {
    const int extended = db_ != nullptr ? sqlite3_extended_errcode(db_) : code;
    return explain(code, path_, doing,
                   (extended & 0xff) == (code & 0xff) && db_ != nullptr ? sqlite3_errmsg(db_) : nullptr);
}

db_answer sqlite_database::not_ours(std::string_view why) const {
    return {db_fault::unusable, path_ + ": " + std::string(why)};
}

db_answer sqlite_database::run(const char* sql, std::string_view doing) {
    const int code = sqlite3_exec(db_, sql, nullptr, nullptr, nullptr);
    return code == SQLITE_OK ? db_answer() : fail(code, doing);
}

db_answer sqlite_database::ask(const char* sql, std::int64_t& number) {
    sqlite_statement s;
    int code = s.prepare(db_, sql);
    if (code == SQLITE_OK) code = s.step();
    if (code != SQLITE_ROW) return fail(code, "reading what the file is");
    number = s.whole(0);
    return {};
}

db_answer sqlite_database::open(open_mode how, store::opened_database& found) {
    close();
    found = {};
    if (how == open_mode::write && options_.vfs.empty()) {
        if (db_answer taken = lock_.take(path_); !taken) return taken;
    }
    db_answer answer = open_file(how, found);
    if (!answer) close();
    return answer;
}

db_answer sqlite_database::open_file(open_mode how, store::opened_database& found) {
    const int flags = (how == open_mode::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY) |
                      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    int code = sqlite3_open_v2(path_.c_str(), &db_, flags, options_.vfs.empty() ? nullptr : options_.vfs.c_str());
    if (code != SQLITE_OK) return fail(code, how == open_mode::read ? "opening it to read" : "opening it");
    sqlite3_busy_timeout(db_, static_cast<int>(options_.wait_for_locks));
    bool empty = false;
    if (db_answer known = look_at_form(empty); !known) return known;
    if (empty && how == open_mode::read) return not_ours("there is no store in it yet: the file is empty");
    const std::string cache = "PRAGMA cache_size = -" + std::to_string(options_.cache_bytes / 1024 + 1);
    if (db_answer set = run(cache.c_str(), "setting it up"); !set) return set;
    if (how == open_mode::write) {
        const char* const sync = options_.sync == store::sync_level::full     ? "PRAGMA synchronous = FULL"
                                 : options_.sync == store::sync_level::normal ? "PRAGMA synchronous = NORMAL"
                                                                              : "PRAGMA synchronous = OFF";
        if (db_answer set = run("PRAGMA journal_mode = WAL", "turning its log on"); !set) return set;
        if (db_answer set = run(sync, "setting it up"); !set) return set;
        if (empty) {
            if (db_answer made = make_tables(); !made) return made;
            found.made = true;
        }
        return raise_epoch(found);
    }
    std::int64_t epoch = 0;
    if (db_answer asked = ask("SELECT epoch FROM game", epoch); !asked) return asked;
    found.epoch = static_cast<std::uint64_t>(epoch);
    return position(found.position);
}

db_answer sqlite_database::look_at_form(bool& empty) {
    std::int64_t schema = 0;
    std::int64_t id = 0;
    std::int64_t version = 0;
    if (db_answer asked = ask("SELECT count(*) FROM sqlite_schema", schema); !asked) return asked;
    if (db_answer asked = ask("PRAGMA application_id", id); !asked) return asked;
    if (db_answer asked = ask("PRAGMA user_version", version); !asked) return asked;
    empty = schema == 0 && id == 0 && version == 0;
    if (empty) return {};
    if (id != application)
        return not_ours("it is a database of another program; give the path of a store, or one where there is no file");
    if (version > form)
        return not_ours("it was written by a later version of lido (form " + std::to_string(version) +
                        ", this one knows " + std::to_string(form) + "); run that version");
    return {};
}

db_answer sqlite_database::make_tables() {
    if (db_answer begun = run("BEGIN IMMEDIATE", "making its tables"); !begun) return begun;
    db_answer made = run(tables, "making its tables");
    if (made) made = run("COMMIT", "making its tables");
    if (!made) sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
    return made;
}

db_answer sqlite_database::raise_epoch(store::opened_database& found) {
    if (db_answer begun = run("BEGIN IMMEDIATE", "opening it for writing"); !begun) return begun;
    std::int64_t epoch = 0;
    db_answer raised = ask("UPDATE game SET epoch = epoch + 1 RETURNING epoch", epoch);
    if (raised) raised = run("COMMIT", "opening it for writing");
    if (!raised) {
        sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
        return raised;
    }
    found.epoch = epoch_ = static_cast<std::uint64_t>(epoch);
    return position(found.position);
}

void sqlite_database::close() noexcept {
    for (sqlite_statement* s : {&begin_, &commit_, &epoch_of_, &claim_, &find_, &write_, &position_, &note_})
        s->finalize();
    if (db_ != nullptr) sqlite3_close_v2(db_);
    db_ = nullptr;
    lock_.release();
}

}  // namespace lido::store_detail
