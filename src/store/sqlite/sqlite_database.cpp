#include "sqlite_database.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "../row_check.hpp"

namespace lido::store_detail {

using store::db_answer;
using store::db_fault;
using store::row_range;
using store::stored_row;
using store::write_outcome;

namespace {

#define LIDO_STORE_COLUMNS \
    "class, key, epoch, generation, version, birth, revision, owner, data, created, changed, erased"

// ?12: the writer has the whole database. KD4.
constexpr const char* write_sql =
    "INSERT INTO entities (" LIDO_STORE_COLUMNS
    ") VALUES (?1,?2,?3,?4,?5,iif(?6 = 0, ?4, ?6),?7,?8,?9,?10,?10,?11) "
    "ON CONFLICT (class, key) DO UPDATE SET epoch = excluded.epoch, generation = excluded.generation, "
    "version = excluded.version, birth = iif(?6 = 0 AND data IS NOT NULL, birth, excluded.birth), "
    "revision = excluded.revision, owner = excluded.owner, data = excluded.data, "
    "changed = excluded.changed, erased = excluded.erased "
    "WHERE (epoch = excluded.epoch OR (?12 AND epoch < excluded.epoch)) "
    "AND (generation, version) <= (excluded.generation, excluded.version)";

constexpr const char* claim_sql =
    "INSERT INTO entities (" LIDO_STORE_COLUMNS
    ") VALUES (?1,?2,?3,0,0,0,0,0,NULL,?4,?4,NULL) "
    "ON CONFLICT (class, key) DO UPDATE SET epoch = excluded.epoch WHERE epoch <= excluded.epoch "
    "RETURNING " LIDO_STORE_COLUMNS;

constexpr const char* find_sql = "SELECT " LIDO_STORE_COLUMNS " FROM entities WHERE class = ?1 AND key = ?2";

}  // namespace

stored_row sqlite_database::row_at(const sqlite_statement& at) noexcept {
    stored_row r;
    r.of_class = at.text(0);
    r.key = at.text(1);
    r.epoch = at.bits(2);
    r.generation = at.bits(3);
    r.version = at.bits(4);
    r.birth = at.bits(5);
    r.revision = at.whole(6);
    r.owner = at.bits(7);
    r.state = !at.is_null(8)   ? store::row_state::stored
              : at.is_null(11) ? store::row_state::claimed
                               : store::row_state::erased;
    if (r.state == store::row_state::stored) r.data = at.text(8);
    r.created = at.whole(9);
    r.changed = at.whole(10);
    return r;
}

db_answer sqlite_database::ready(sqlite_statement& which, std::string_view sql, std::string_view doing) {
    if (which) return {};
    const int code = which.prepare(db_, sql);
    return code == SQLITE_OK ? db_answer() : fail(code, doing);
}

db_answer sqlite_database::begin() {
    int moved = 0;
    if (options_.vfs.empty() && sqlite3_file_control(db_, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
        moved != 0) {
        return not_ours("the file was moved or deleted while this program had it open; put it back and start again");
    }
    if (db_answer prepared = ready(begin_, "BEGIN IMMEDIATE", "beginning a transaction"); !prepared) return prepared;
    if (db_answer prepared = ready(epoch_of_, "SELECT epoch FROM game", "reading its epoch"); !prepared)
        return prepared;
    {
        const sqlite_use use(begin_);
        if (const int code = begin_.step(); code != SQLITE_DONE) return fail(code, "beginning a transaction");
    }
    const sqlite_use use(epoch_of_);
    if (const int code = epoch_of_.step(); code != SQLITE_ROW) return fail(code, "reading its epoch");
    if (const std::uint64_t now = epoch_of_.bits(0); now != epoch_) {
        return {db_fault::lost, path_ + ": another program has opened it for writing since (its epoch is " +
                                    std::to_string(now) + ", this one has " + std::to_string(epoch_) +
                                    "); end one of the two"};
    }
    return {};
}

db_answer sqlite_database::commit() {
    if (db_answer prepared = ready(commit_, "COMMIT", "committing"); !prepared) return prepared;
    const sqlite_use use(commit_);
    const int code = commit_.step();
    return code == SQLITE_DONE ? db_answer() : fail(code, "committing");
}

void sqlite_database::rollback() noexcept {
    // SQLite may have ended the transaction by itself.
    if (db_ != nullptr && sqlite3_get_autocommit(db_) == 0) sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
}

db_answer sqlite_database::claim(std::string_view of_class, std::string_view key, std::uint64_t epoch,
                                 store::wall_time now, store::row_sink& to) {
    if (db_answer bad = check_name(of_class, key); !bad) return bad;
    if (!is_countable(epoch)) return {db_fault::row, "an epoch of 2^63 or more cannot be stored"};
    if (db_answer prepared = ready(claim_, claim_sql, "reading a row"); !prepared) return prepared;
    {
        const sqlite_use use(claim_);
        claim_.bind(1, of_class);
        claim_.bind(2, key);
        claim_.bind_bits(3, epoch);
        claim_.bind(4, now);
        int code = claim_.step();
        if (code == SQLITE_ROW) {
            to.row(row_at(claim_));
            // The statement is done, and the row raised, only when it says so.
            code = claim_.step();
            return code == SQLITE_DONE ? db_answer() : fail(code, "reading a row");
        }
        if (code != SQLITE_DONE) return fail(code, "reading a row");
    }
    return find(of_class, key, to);
}

db_answer sqlite_database::find(std::string_view of_class, std::string_view key, store::row_sink& to) {
    if (db_answer prepared = ready(find_, find_sql, "reading a row"); !prepared) return prepared;
    const sqlite_use use(find_);
    find_.bind(1, of_class);
    find_.bind(2, key);
    const int code = find_.step();
    if (code == SQLITE_ROW) to.row(row_at(find_));
    return code == SQLITE_ROW || code == SQLITE_DONE ? db_answer() : fail(code, "reading a row");
}

db_answer sqlite_database::write(const store::row_write& w, write_outcome& outcome) {
    if (db_answer bad = check_write(w); !bad) return bad;
    if (db_answer prepared = ready(write_, write_sql, "writing a row"); !prepared) return prepared;
    {
        const sqlite_use use(write_);
        write_.bind(1, w.of_class);
        write_.bind(2, w.key);
        write_.bind_bits(3, w.epoch);
        write_.bind_bits(4, w.generation);
        write_.bind_bits(5, w.version);
        write_.bind_bits(6, w.birth);
        write_.bind(7, w.revision);
        write_.bind_bits(8, w.owner);
        if (w.erased) {
            write_.bind_null(9);
            write_.bind(11, w.now);
        } else {
            write_.bind(9, w.data);
            write_.bind_null(11);
        }
        write_.bind(10, w.now);
        write_.bind(12, std::int64_t{w.by == store::fence::database});
        if (const int code = write_.step(); code != SQLITE_DONE) return fail(code, "writing a row");
    }
    outcome = write_outcome::written;
    if (sqlite3_changes64(db_) != 0) return {};
    const auto decide = [&](const stored_row& r) {
        const bool ours = r.epoch == w.epoch || (w.by == store::fence::database && r.epoch < w.epoch);
        outcome = ours ? write_outcome::superseded : write_outcome::taken;
        return true;
    };
    store::row_function to(decide);
    return find(w.of_class, w.key, to);
}

db_answer sqlite_database::put_position(const store::stored_position& where) {
    constexpr const char* sql = "UPDATE game SET run = ?1, tick = ?2, \"commit\" = ?3, births = max(births, ?4)";
    if (db_answer prepared = ready(position_, sql, "writing the position"); !prepared) return prepared;
    const sqlite_use use(position_);
    position_.bind_bits(1, where.run);
    position_.bind_bits(2, where.tick);
    position_.bind_bits(3, where.commit);
    position_.bind_bits(4, where.births);
    const int code = position_.step();
    return code == SQLITE_DONE ? db_answer() : fail(code, "writing the position");
}

db_answer sqlite_database::position(store::stored_position& where) {
    sqlite_statement s;
    int code = s.prepare(db_, "SELECT run, tick, \"commit\", births FROM game");
    if (code == SQLITE_OK) code = s.step();
    if (code != SQLITE_ROW) return fail(code, "reading the position");
    where = {s.bits(0), s.bits(1), s.bits(2), s.bits(3)};
    return {};
}

db_answer sqlite_database::put_class(const store::class_note& what) {
    if (const char* wrong = wrong_name(what.name))
        return {db_fault::row, std::string("the name of the class ") + wrong};
    constexpr const char* sql =
        "INSERT INTO classes VALUES (?1, ?2, ?3, ?4) ON CONFLICT (name, revision) DO UPDATE SET fields = "
        "excluded.fields "
        "WHERE fields <> excluded.fields";
    if (db_answer prepared = ready(note_, sql, "writing what a class is"); !prepared) return prepared;
    const sqlite_use use(note_);
    note_.bind(1, what.name);
    note_.bind(2, what.revision);
    note_.bind(3, what.fields);
    note_.bind(4, what.seen);
    const int code = note_.step();
    return code == SQLITE_DONE ? db_answer() : fail(code, "writing what a class is");
}

db_answer sqlite_database::prune(store::wall_time before, std::uint64_t limit, std::uint64_t& removed) {
    removed = 0;
    sqlite_statement s;
    int code = s.prepare(db_,
                         "DELETE FROM entities WHERE (class, key) IN (SELECT class, key FROM entities "
                         "WHERE data IS NULL AND changed < ?1 LIMIT ?2)");
    if (code == SQLITE_OK) {
        s.bind(1, before);
        s.bind(2, static_cast<std::int64_t>(is_countable(limit) ? limit : ~std::uint64_t{0} >> 1));
        code = s.step();
    }
    if (code != SQLITE_DONE) return fail(code, "removing tombstones");
    removed = static_cast<std::uint64_t>(sqlite3_changes64(db_));
    return {};
}

void sqlite_database::interrupt() noexcept {
    if (db_ != nullptr) sqlite3_interrupt(db_);
}

std::string sqlite_database::describe() const { return "SQLite " + std::string(sqlite3_libversion()) + ", " + path_; }

}  // namespace lido::store_detail

namespace lido::store {

std::unique_ptr<database> make_sqlite_database(std::string path, const sqlite_options& options) {
    return std::make_unique<store_detail::sqlite_database>(std::move(path), options);
}

}  // namespace lido::store
