// Opening a database on a server, and connecting again: whose it is, in what form, and who else has it.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "postgres_database.hpp"

namespace lido::store_detail {

using store::db_answer;
using store::db_fault;
using store::open_mode;

namespace {

constexpr std::int64_t form = 1;

// COLLATE "C": keys are in the order of their bytes, whatever the database's own order is. The row of `game` has room beside it, because each
// transaction writes it anew.
constexpr const char* tables = R"(
CREATE TABLE entities (
  class      text COLLATE "C" NOT NULL,
  key        text COLLATE "C" NOT NULL,
  epoch      bigint NOT NULL,
  generation bigint NOT NULL,
  version    bigint NOT NULL,
  birth      bigint NOT NULL,
  revision   bigint NOT NULL,
  owner      bigint NOT NULL,
  data       jsonb CONSTRAINT data_is_an_object CHECK (jsonb_typeof(data) = 'object'),
  exact      text CONSTRAINT exact_is_json CHECK (exact IS NULL OR exact::jsonb IS NOT NULL),
  created    bigint NOT NULL,
  changed    bigint NOT NULL,
  erased     bigint CONSTRAINT a_tombstone_has_no_data CHECK (erased IS NULL OR data IS NULL),
  PRIMARY KEY (class, key)
);
CREATE TABLE classes (
  name     text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  fields   text   NOT NULL,
  seen     bigint NOT NULL,
  PRIMARY KEY (name, revision)
);
CREATE TABLE game (
  one      integer PRIMARY KEY CHECK (one = 1),
  form     bigint NOT NULL,
  epoch    bigint NOT NULL,
  run      bigint NOT NULL,
  tick     bigint NOT NULL,
  commit   bigint NOT NULL,
  births   bigint NOT NULL
) WITH (fillfactor = 20);
INSERT INTO game VALUES (1, 1, 0, 0, 0, 0, 0);
COMMIT;
)";

/// In double quotes, as SQL names are.
std::string quoted(std::string_view name) {
    std::string q = "\"";
    for (const char c : name) {
        if (c == '"') q += '"';
        q += c;
    }
    return q + '"';
}

/// The number of the advisory lock of a schema's store: FNV-1a of "lido store " and its name.
std::int64_t lock_number(std::string_view schema) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const std::string_view part : {std::string_view("lido store "), schema}) {
        for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
    return static_cast<std::int64_t>(hash);
}

}  // namespace

postgres_database::postgres_database(const std::string& address, store::postgres_options options)
    : options_(std::move(options)),
      link_(
          [&] {
              postgres_address read;
              address_answer_ = read_address(address, read);
              return read;
          }(),
          options_) {}

db_answer postgres_database::open(open_mode how, store::opened_database& found) {
    close();
    found = {};
    if (!address_answer_) return address_answer_;
    // 63 bytes is what PostgreSQL keeps of a name: of two longer ones it would make one.
    if (options_.schema.empty() || options_.schema.size() > 63 || options_.schema.substr(0, 3) == "pg_" ||
        options_.schema.find('\0') != std::string::npos)
        return link_.refuse(db_fault::unusable, "opening it",
                            "the name of a schema has 1 to 63 bytes, and does not begin with pg_");
    wanted_ = how == open_mode::write ? wanted::write : wanted::read;
    db_answer answer = open_server(found);
    if (!answer) close();
    return answer;
}

db_answer postgres_database::open_server(store::opened_database& found) {
    if (db_answer connected = connect(); !connected) return connected;
    if (wanted_ == wanted::write) {
        if (db_answer taken = take_lock(); !taken) return taken;
    }
    bool empty = false;
    if (db_answer known = look_at_form(empty); !known) return known;
    if (empty && wanted_ == wanted::read)
        return link_.refuse(db_fault::unusable, "opening it to read",
                            "there is no store in its schema " + options_.schema + " yet");
    if (empty) {
        if (db_answer made = make_tables(); !made) return made;
        found.made = true;
    }
    if (db_answer looked = look_at_settings(); !looked) return looked;
    found.warnings = warnings_;
    if (wanted_ == wanted::write) return raise_epoch(found);
    postgres_result r;
    if (db_answer asked = link_.run("SELECT epoch FROM game", "reading its epoch", &r); !asked) return asked;
    if (PQntuples(r.get()) == 1) found.epoch = postgres_row(r).bits(0);
    return read_position(found.position);
}

db_answer postgres_database::connect() {
    const bool writes = wanted_ == wanted::write;
    if (db_answer connected = link_.connect(writes); !connected) return connected;
    if (std::string_view(PQparameterStatus(link_.raw(), "server_encoding")) != "UTF8")
        return link_.refuse(db_fault::unusable, "connecting",
                            "the database is not in UTF-8; make one with CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE "
                            "template0");
    const auto set = [](const char* name, std::string_view value) {
        return "SET " + std::string(name) + " = " + std::string(value) + "; ";
    };
    std::string sql = set("search_path", quoted(options_.schema));
    sql += set("statement_timeout", std::to_string(options_.call_timeout));
    sql += set("lock_timeout", std::to_string(options_.wait_for_locks));
    sql += set("client_min_messages", "warning");
    // A program that stops in the middle of a transaction does not keep others from going on without it. A tool that reads may stop.
    if (writes) sql += set("idle_in_transaction_session_timeout", std::to_string(options_.call_timeout * 4));
    if (!writes) sql += set("default_transaction_read_only", "on");
    // Of anyone who writes, also where the user may not see the sessions of others.
    sql += "SELECT pg_backend_pid(), (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())";
    postgres_result r;
    if (db_answer done = link_.run(sql.c_str(), "setting up the connection", &r); !done) return done;
    if (!writes) return {};
    const postgres_row row(r);
    session_ = static_cast<int>(row.whole(0));
    session_began_ = row.text(1);
    return {};
}

db_answer postgres_database::take_lock() {
    constexpr const char* doing = "opening it for writing";
    postgres_result r;
    postgres_values key;
    key.whole(lock_number(options_.schema));
    db_answer taken = link_.ask("SELECT pg_advisory_lock($1)", key, doing, r);
    if (taken || !link_.up() || taken.fault() != db_fault::again) return taken;
    // Who has it. The names of other users' sessions are only for those who may see them.
    const db_answer looked = link_.ask(
        "SELECT l.pid, a.application_name, a.client_addr FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid "
        "WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.database = (SELECT oid FROM pg_database "
        "WHERE datname = current_database()) AND l.classid::bigint = ($1 >> 32) & 4294967295 AND l.objid::bigint = $1 "
        "& 4294967295",
        key, doing, r);
    if (!looked || PQntuples(r.get()) == 0) return taken;
    const postgres_row row(r);
    std::string who;
    if (!row.text(1).empty()) who = " (" + std::string(row.text(1));
    if (!row.text(2).empty()) who += (who.empty() ? " (at " : ", at ") + std::string(row.text(2));
    if (!who.empty()) who += ")";
    return link_.refuse(db_fault::again, doing,
                        "another program has the store in schema " + options_.schema + " open for writing" + who +
                            ", process " + std::string(row.text(0)) +
                            " of the server; end that one first. Tools that only read may run beside it");
}

db_answer postgres_database::look_at_form(bool& empty) {
    constexpr const char* doing = "looking what it is";
    postgres_result r;
    postgres_values schema;
    schema.text(options_.schema);
    if (db_answer asked = link_.ask("SELECT count(c.oid), count(a.attname) FROM pg_namespace n LEFT JOIN pg_class c ON "
                                    "c.relnamespace = n.oid LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND "
                                    "c.relname = 'game' AND a.attname = 'form' WHERE n.nspname = $1",
                                    schema, doing, r);
        !asked)
        return asked;
    empty = postgres_row(r).whole(0) == 0;
    if (empty) return {};
    if (postgres_row(r).whole(1) == 0)
        return link_.refuse(
            db_fault::unusable, doing,
            "its schema " + options_.schema + " has tables of another program; give a store a schema for itself");
    if (db_answer asked = link_.run("SELECT form FROM game", doing, &r); !asked) return asked;
    const std::int64_t found = PQntuples(r.get()) == 1 ? postgres_row(r).whole(0) : 0;
    if (found > form)
        return link_.refuse(db_fault::unusable, doing,
                            "it was written by a later version of lido (form " + std::to_string(found) +
                                ", this one knows " + std::to_string(form) + "); run that version");
    if (found < 1)
        return link_.refuse(db_fault::unusable, doing, "its table game has lost its row; take the last backup");
    return {};
}

db_answer postgres_database::make_tables() {
    // A schema that is there may have been made by somebody with more rights, for this user.
    postgres_result r;
    postgres_values schema;
    schema.text(options_.schema);
    if (db_answer asked = link_.ask("SELECT 1 FROM pg_namespace WHERE nspname = $1", schema, "making its tables", r);
        !asked)
        return asked;
    std::string sql = "BEGIN;";
    if (PQntuples(r.get()) == 0) sql += "CREATE SCHEMA " + quoted(options_.schema) + ";";
    sql += tables;
    db_answer made = link_.run(sql.c_str(), "making its tables");
    if (!made && link_.up()) static_cast<void>(link_.run("ROLLBACK", "making its tables"));
    return made;
}

db_answer postgres_database::raise_epoch(store::opened_database& found) {
    postgres_result r;
    if (db_answer raised = link_.run("UPDATE game SET epoch = epoch + 1 RETURNING epoch, run, tick, commit, births",
                                     "opening it for writing", &r);
        !raised)
        return raised;
    if (PQntuples(r.get()) != 1)
        return link_.refuse(db_fault::unusable, "opening it", "its table game has lost its row; take the last backup");
    const postgres_row row(r);
    found.epoch = epoch_ = row.bits(0);
    found.position = acknowledged_ = {row.bits(1), row.bits(2), row.bits(3), row.bits(4)};
    unknown_.clear();
    return {};
}

db_answer postgres_database::look_at_settings() {
    postgres_result r;
    postgres_values schema;
    schema.text(options_.schema);
    if (db_answer asked = link_.ask(
            "SELECT current_setting('fsync'), current_setting('full_page_writes'), "
            "current_setting('synchronous_commit'), current_setting('synchronous_standby_names'), (SELECT "
            "string_agg(c.relname, ', ') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname "
            "= $1 AND c.relkind = 'r' AND c.relpersistence = 'u')",
            schema, "reading the server's settings", r);
        !asked)
        return asked;
    const postgres_row row(r);
    warnings_.clear();
    if (row.text(0) == "off")
        warnings_.emplace_back("fsync is off: when the server's machine crashes the database may be damaged");
    if (row.text(1) == "off")
        warnings_.emplace_back(
            "full_page_writes is off: when the server's machine crashes pages may be torn, unless its file system "
            "cannot tear them");
    if (row.text(2) == "off")
        warnings_.emplace_back(
            "synchronous_commit is off: when the server crashes, saves of the last moments that were acknowledged are "
            "missing");
    if (row.text(2) == "local" && !row.text(3).empty())
        warnings_.emplace_back(
            "synchronous_commit is local: when a standby takes over, saves that were acknowledged may be missing");
    if (!row.is_null(4))
        warnings_.push_back("tables are UNLOGGED (" + std::string(row.text(4)) +
                            "): after a crash of the server they are empty; ALTER TABLE ... SET LOGGED");
    return {};
}

db_answer postgres_database::lost(std::uint64_t now) const {
    return link_.refuse(db_fault::lost, "beginning a transaction",
                        "another program has opened it for writing since (its epoch is " + std::to_string(now) +
                            ", this one has " + std::to_string(epoch_) + "); end one of the two");
}

db_answer postgres_database::reconnect() {
    const int before = session_;
    const std::string began = session_began_;
    if (db_answer connected = connect(); !connected) {
        link_.drop();
        return connected;
    }
    if (wanted_ != wanted::write) return {};
    db_answer answer = [&]() -> db_answer {
        // First: who was overtaken is to be told so, and not that somebody has the lock.
        postgres_result r;
        if (db_answer asked = link_.run("SELECT epoch FROM game", "connecting again", &r); !asked) return asked;
        if (const std::uint64_t now = PQntuples(r.get()) == 1 ? postgres_row(r).bits(0) : 0; now != epoch_)
            return lost(now);
        // The server may not have noticed that the former connection is gone: a lock held by nobody.
        postgres_values former;
        former.whole(before).text(began);
        if (db_answer ended = link_.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND "
                                        "backend_start = $2::timestamptz AND pid <> pg_backend_pid()",
                                        former, "connecting again", r);
            !ended)
            return ended;
        if (db_answer taken = take_lock(); !taken) return taken;
        if (db_answer same = compare_position(); !same) return same;
        return look_at_settings();
    }();
    if (!answer) {
        // Without the lock it is no connection to write over. The session that is to be ended next time stays the former one.
        link_.drop();
        session_ = before;
        session_began_ = began;
    }
    return answer;
}

db_answer postgres_database::compare_position() {
    store::stored_position there;
    if (db_answer read = read_position(there); !read) return read;
    const auto is = [&](const store::stored_position& p) {
        return p.run == there.run && p.tick == there.tick && p.commit == there.commit;
    };
    if (is(acknowledged_) || std::any_of(unknown_.begin(), unknown_.end(), is)) {
        acknowledged_ = there;
        unknown_.clear();
        return {};
    }
    return link_.refuse(db_fault::unusable, "connecting again",
                        "the server does not have what it has acknowledged (it is at commit " +
                            std::to_string(there.commit) + " of run " + std::to_string(there.run) + ", and " +
                            std::to_string(acknowledged_.commit) + " of run " + std::to_string(acknowledged_.run) +
                            " was acknowledged): a standby that was behind took over, or a backup was restored. Start "
                            "the program again, and it goes on from there");
}

void postgres_database::close() noexcept {
    if (link_.up() && wanted_ == wanted::write) {
        // The server takes its time over connections that just end, and the next program would be refused meanwhile.
        link_.set_patience(1000);
        static_cast<void>(link_.run("ROLLBACK; SELECT pg_advisory_unlock_all()", "closing it"));
        link_.set_patience(options_.call_timeout * 2);
    }
    link_.drop();
    wanted_ = wanted::nothing;
    in_transaction_ = false;
    has_pending_ = false;
    session_ = 0;
    warnings_.clear();
}

}  // namespace lido::store_detail
