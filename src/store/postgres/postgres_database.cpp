#include "postgres_database.hpp"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "../row_check.hpp"
#include "json_form.hpp"

namespace lido::store_detail {

using store::db_answer;
using store::db_fault;
using store::stored_row;
using store::write_outcome;

namespace {

// `exact` is the text of what jsonb cannot say, and holds while nobody has changed the data by hand.
#define LIDO_STORE_COLUMNS                                                                             \
    "class, key, epoch, generation, version, birth, revision, owner, CASE WHEN exact IS NOT NULL AND " \
    "exact::jsonb = data THEN exact ELSE data::text END, created, changed, erased"

// $13: the writer has the whole database. KD4.
constexpr const char* write_sql =
    "INSERT INTO entities AS e (class, key, epoch, generation, version, birth, revision, owner, data, exact, created, "
    "changed, erased) VALUES ($1, $2, $3, $4, $5, CASE WHEN $6 = 0 THEN $4 ELSE $6 END, $7, $8, $9::jsonb, CASE WHEN "
    "$10 THEN $9 END, $11, $11, $12) ON CONFLICT (class, key) DO UPDATE SET epoch = excluded.epoch, generation = "
    "excluded.generation, version = excluded.version, birth = CASE WHEN $6 = 0 AND e.data IS NOT NULL THEN e.birth "
    "ELSE excluded.birth END, revision = excluded.revision, owner = excluded.owner, data = excluded.data, exact = "
    "excluded.exact, changed = excluded.changed, erased = excluded.erased WHERE (e.epoch = excluded.epoch OR ($13 AND "
    "e.epoch < excluded.epoch)) AND (e.generation, e.version) <= (excluded.generation, excluded.version)";

constexpr const char* claim_sql =
    "INSERT INTO entities AS e (class, key, epoch, generation, version, birth, revision, owner, created, changed) "
    "VALUES ($1, $2, $3, 0, 0, 0, 0, 0, $4, $4) ON CONFLICT (class, key) DO UPDATE SET epoch = excluded.epoch WHERE "
    "e.epoch <= excluded.epoch RETURNING " LIDO_STORE_COLUMNS;

constexpr const char* find_sql = "SELECT " LIDO_STORE_COLUMNS " FROM entities WHERE class = $1 AND key = $2";

constexpr const char* begin_sql =
    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT epoch FROM game FOR NO KEY UPDATE";

constexpr const char* put_position_sql =
    "UPDATE game SET run = $1, tick = $2, commit = $3, births = greatest(births, $4)";

constexpr const char* put_class_sql =
    "INSERT INTO classes AS c VALUES ($1, $2, $3, $4) ON CONFLICT (name, revision) DO UPDATE SET fields = "
    "excluded.fields WHERE c.fields <> excluded.fields";

enum : unsigned { write_statement, claim_statement, find_statement, position_statement, class_statement };

}  // namespace

stored_row postgres_database::row_at(const postgres_row& at) noexcept {
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

db_answer postgres_database::ready(std::string_view doing) {
    if (link_.up()) return {};
    if (wanted_ == wanted::nothing) return link_.refuse(db_fault::unusable, doing, "it is not open");
    if (in_transaction_)
        return link_.refuse(db_fault::again, doing, "the connection broke in the middle of the transaction");
    return reconnect();
}

db_answer postgres_database::inside(std::string_view doing) {
    if (in_transaction_) return ready(doing);
    return link_.refuse(db_fault::unusable, doing, "there is no transaction: begin() comes first");
}

// --- transactions --------------------------------------------------------------------------------------------------------

db_answer postgres_database::begin() {
    if (wanted_ != wanted::write)
        return link_.refuse(db_fault::unusable, "beginning a transaction", "it is not open for writing");
    rollback();
    const bool was_up = link_.up();
    db_answer begun = begin_once();
    // A connection that went down since the last transaction is noticed only now.
    if (!begun && was_up && !link_.up()) begun = begin_once();
    return begun;
}

db_answer postgres_database::begin_once() {
    if (db_answer connected = ready("beginning a transaction"); !connected) return connected;
    postgres_result r;
    db_answer begun = link_.run(begin_sql, "beginning a transaction", &r);
    if (begun) {
        in_transaction_ = true;
        const std::uint64_t now = PQntuples(r.get()) == 1 ? postgres_row(r).bits(0) : 0;
        if (now == epoch_) return {};
        begun = lost(now);
    }
    rollback();
    return begun;
}

db_answer postgres_database::commit() {
    if (db_answer within = inside("committing"); !within) {
        in_transaction_ = false;
        return within;
    }
    link_.forget_warning();
    postgres_result r;
    db_answer done = link_.run("COMMIT", "committing", &r);
    const bool committed = done && std::string_view(PQcmdStatus(r.get())) == "COMMIT";
    in_transaction_ = false;
    const bool position = std::exchange(has_pending_, false);
    if (done && !committed)
        return link_.refuse(db_fault::again, "committing",
                            "the server has rolled it back: a statement in it had failed");
    if (committed && link_.warning().empty()) {
        if (position) acknowledged_ = pending_;
        unknown_.clear();
        return {};
    }
    // It may be there: what asks again is told `written`.
    if (position && (committed || !link_.up())) unknown_.push_back(pending_);
    // A commit that no longer waits for its standby is a success with a warning.
    if (committed) return link_.refuse(db_fault::again, "committing", "it is not safe yet: " + link_.warning());
    return done;
}

void postgres_database::rollback() noexcept {
    has_pending_ = false;
    if (link_.up() && PQtransactionStatus(link_.raw()) != PQTRANS_IDLE && !link_.run("ROLLBACK", "rolling back")) {
        link_.drop();
    }
    in_transaction_ = false;
}

// --- rows ----------------------------------------------------------------------------------------------------------------

db_answer postgres_database::claim(std::string_view of_class, std::string_view key, std::uint64_t epoch,
                                   store::wall_time now, store::row_sink& to) {
    if (db_answer bad = check_name(of_class, key); !bad) return bad;
    if (!is_countable(epoch)) return {db_fault::row, "an epoch of 2^63 or more cannot be stored"};
    if (db_answer within = inside("reading a row"); !within) return within;
    postgres_values v;
    v.text(of_class).text(key).bits(epoch).whole(now);
    postgres_result r;
    if (db_answer asked = link_.ask_prepared(claim_statement, claim_sql, v, "reading a row", r); !asked) return asked;
    if (PQntuples(r.get()) == 0) return find(of_class, key, to);
    to.row(row_at(postgres_row(r)));
    return {};
}

db_answer postgres_database::find(std::string_view of_class, std::string_view key, store::row_sink& to) {
    // The server takes no text that is none; and there is no row of such a name.
    if (wrong_name(of_class) != nullptr || wrong_name(key) != nullptr) return {};
    if (db_answer connected = ready("reading a row"); !connected) return connected;
    postgres_values v;
    v.text(of_class).text(key);
    postgres_result r;
    if (db_answer asked = link_.ask_prepared(find_statement, find_sql, v, "reading a row", r); !asked) return asked;
    if (PQntuples(r.get()) != 0) to.row(row_at(postgres_row(r)));
    return {};
}

db_answer postgres_database::write(const store::row_write& w, write_outcome& outcome) {
    if (db_answer bad = check_write(w); !bad) return bad;
    json_form form = json_form_of(w.data);
    if (!form.refused.empty()) return link_.refuse(db_fault::row, "writing a row", form.refused);
    if (db_answer within = inside("writing a row"); !within) return within;
    postgres_values v;
    v.text(w.of_class).text(w.key).bits(w.epoch).bits(w.generation).bits(w.version).bits(w.birth);
    v.whole(w.revision).bits(w.owner);
    if (w.erased)
        v.no_text();
    else
        v.text(w.data);
    v.flag(form.needs_text).whole(w.now);
    if (w.erased)
        v.whole(w.now);
    else
        v.no_whole();
    v.flag(w.by == store::fence::database);
    postgres_result r;
    if (db_answer asked = link_.ask_prepared(write_statement, write_sql, v, "writing a row", r); !asked) return asked;
    outcome = write_outcome::written;
    if (std::string_view(PQcmdTuples(r.get())) != "0") return {};
    const auto decide = [&](const stored_row& found) {
        const bool ours = found.epoch == w.epoch || (w.by == store::fence::database && found.epoch < w.epoch);
        outcome = ours ? write_outcome::superseded : write_outcome::taken;
        return true;
    };
    store::row_function to(decide);
    return find(w.of_class, w.key, to);
}

db_answer postgres_database::put_position(const store::stored_position& where) {
    constexpr const char* doing = "writing the position";
    if (db_answer within = inside(doing); !within) return within;
    postgres_values v;
    v.bits(where.run).bits(where.tick).bits(where.commit).bits(where.births);
    postgres_result r;
    db_answer done = link_.ask_prepared(position_statement, put_position_sql, v, doing, r);
    if (done) {
        pending_ = where;
        has_pending_ = true;
    }
    return done;
}

db_answer postgres_database::put_class(const store::class_note& what) {
    constexpr const char* doing = "writing what a class is";
    if (const char* wrong = wrong_name(what.name))
        return {db_fault::row, std::string("the name of the class ") + wrong};
    if (!is_text(what.fields)) return {db_fault::row, "the fields of the class are not valid UTF-8, or have a NUL"};
    if (db_answer within = inside(doing); !within) return within;
    postgres_values v;
    v.text(what.name).whole(what.revision).text(what.fields).whole(what.seen);
    postgres_result r;
    return link_.ask_prepared(class_statement, put_class_sql, v, doing, r);
}

db_answer postgres_database::prune(store::wall_time before, std::uint64_t limit, std::uint64_t& removed) {
    constexpr const char* doing = "removing tombstones";
    removed = 0;
    if (db_answer within = inside(doing); !within) return within;
    postgres_values v;
    v.whole(before).bits(is_countable(limit) ? limit : ~std::uint64_t{0} >> 1);
    postgres_result r;
    if (db_answer asked = link_.ask("DELETE FROM entities WHERE (class, key) IN (SELECT class, key FROM entities WHERE "
                                    "data IS NULL AND changed < $1 LIMIT $2)",
                                    v, doing, r);
        !asked)
        return asked;
    removed = std::strtoull(PQcmdTuples(r.get()), nullptr, 10);
    return {};
}

db_answer postgres_database::read_position(store::stored_position& where) {
    postgres_result r;
    if (db_answer asked = link_.run("SELECT run, tick, commit, births FROM game", "reading the position", &r); !asked)
        return asked;
    if (PQntuples(r.get()) != 1)
        return link_.refuse(db_fault::unusable, "reading the position",
                            "its table game has lost its row; take the last backup");
    const postgres_row row(r);
    where = {row.bits(0), row.bits(1), row.bits(2), row.bits(3)};
    return {};
}

db_answer postgres_database::position(store::stored_position& where) {
    if (db_answer connected = ready("reading the position"); !connected) return connected;
    return read_position(where);
}

std::string postgres_database::describe() const {
    const char* const version = link_.up() ? PQparameterStatus(link_.raw(), "server_version") : nullptr;
    std::string text = "PostgreSQL";
    if (version != nullptr) text += " " + std::string(version).substr(0, std::string_view(version).find(' '));
    text += ", " + link_.address().shown + ", schema " + options_.schema;
    for (const std::string& w : warnings_) text += "; " + w.substr(0, w.find(':'));
    return text;
}

}  // namespace lido::store_detail

namespace lido::store {

std::unique_ptr<database> make_postgres_database(const std::string& address, const postgres_options& options) {
    return std::make_unique<store_detail::postgres_database>(address, options);
}

}  // namespace lido::store
