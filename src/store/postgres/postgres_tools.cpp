// What looks at many rows: scans, counts, checks. And why there is no backup.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "../row_text.hpp"
#include "postgres_database.hpp"

namespace lido::store_detail {

using store::db_answer;
using store::db_fault;
using store::row_range;

namespace {

constexpr const char* columns =
    "class, key, epoch, generation, version, birth, revision, owner, CASE WHEN exact IS NOT NULL AND exact::jsonb = "
    "data THEN exact ELSE data::text END, created, changed, erased";

/// Rows a round trip: enough that the network does not count, few enough that a sink that stops soon has not asked for much.
constexpr const char* fetch = "FETCH 256 FROM lido_rows";

/// Says which rows, and leaves the values that it needs. Rows are found by their place in the table's order.
std::string where(const row_range& which, std::string& behind, postgres_values& values) {
    int last = 0;
    const auto value = [&](std::string_view text) {
        values.text(text);
        return "$" + std::to_string(++last);
    };
    const bool one_class = !which.of_class.empty();
    const bool resumes = !which.after_key.empty() && (one_class || !which.after_class.empty());
    std::string sql = " FROM entities WHERE true";
    if (one_class) {
        sql += " AND class = " + value(which.of_class);
        if (resumes) sql += " AND key > " + value(which.after_key);
    } else if (resumes) {
        const std::string of_class = value(which.after_class);
        sql += " AND (class, key) > (" + of_class + ", " + value(which.after_key) + ")";
    }
    if (!which.prefix.empty()) {
        // Behind all keys that begin with the prefix: as many of the largest character as a key can hold.
        behind = which.prefix;
        for (std::size_t i = 0; i <= longest_key / 4; ++i) behind += "\xf4\x8f\xbf\xbf";
        sql += " AND key >= " + value(which.prefix);
        sql += " AND key < " + value(behind);
    }
    if (!which.claimed_too) sql += " AND (data IS NOT NULL OR erased IS NOT NULL)";
    if (!which.erased_too) sql += " AND erased IS NULL";
    return sql;
}

/// Which the server would refuse, and with them the transaction that this may be in.
bool is_range(const row_range& which) {
    return is_text(which.of_class) && is_text(which.prefix) && is_text(which.after_class) && is_text(which.after_key);
}

/// A statement may take as long as there are rows; interrupt() ends it.
class without_limits {
public:
    without_limits(postgres_link& link, std::uint32_t usual) : link_(link), usual_(usual) {
        link_.set_patience(0);
        static_cast<void>(link_.run("SET statement_timeout = 0", "setting up the connection"));
    }
    without_limits(const without_limits&) = delete;
    without_limits& operator=(const without_limits&) = delete;
    ~without_limits() {
        link_.set_patience(usual_ * 2);
        if (!link_.up()) return;
        const std::string sql = "SET statement_timeout = " + std::to_string(usual_);
        // In a transaction that has failed it comes back with the rollback.
        if (PQtransactionStatus(link_.raw()) != PQTRANS_INERROR)
            static_cast<void>(link_.run(sql.c_str(), "setting up the connection"));
    }

private:
    postgres_link& link_;
    std::uint32_t usual_;
};

}  // namespace

/// Calls `each` at every row of one moment, until it returns false.
db_answer postgres_database::visit(const std::string& select, const postgres_values& values, std::string_view doing,
                                   const std::function<bool(const postgres_row&)>& each) {
    if (db_answer connected = ready(doing); !connected) return connected;
    const bool own = !in_transaction_;
    if (own) {
        if (db_answer begun = link_.run("BEGIN READ ONLY", doing); !begun) return begun;
    }
    postgres_result r;
    db_answer answer = link_.ask(("DECLARE lido_rows NO SCROLL CURSOR FOR " + select).c_str(), values, doing, r);
    bool wants_more = true;
    bool had_rows = true;
    while (answer && wants_more && had_rows) {
        had_rows = false;
        answer = link_.ask_rows(fetch, doing, [&](const postgres_row& row) {
            had_rows = true;
            wants_more = each(row);
            return wants_more;
        });
    }
    if (link_.up() && own) {
        db_answer ended = link_.run(answer ? "COMMIT" : "ROLLBACK", doing);
        if (answer) answer = std::move(ended);
    } else if (link_.up() && answer) {
        answer = link_.run("CLOSE lido_rows", doing);
    }
    return answer;
}

db_answer postgres_database::scan(const row_range& which, store::row_sink& to) {
    std::uint64_t left = which.limit;
    if (left == 0) return {};
    if (!is_range(which)) return link_.refuse(db_fault::row, "reading rows", "the range is not valid UTF-8");
    std::string behind;
    postgres_values values;
    std::string sql = std::string("SELECT ") + columns + where(which, behind, values) + " ORDER BY class, key";
    if (is_countable(left)) sql += " LIMIT " + std::to_string(left);
    return visit(sql, values, "reading rows",
                 [&](const postgres_row& row) { return to.row(row_at(row)) && --left != 0; });
}

db_answer postgres_database::count(const row_range& which, std::uint64_t& rows) {
    if (!is_range(which)) return link_.refuse(db_fault::row, "counting rows", "the range is not valid UTF-8");
    if (db_answer connected = ready("counting rows"); !connected) return connected;
    std::string behind;
    postgres_values values;
    const std::string sql = "SELECT count(*)" + where(which, behind, values);
    const without_limits slow(link_, options_.call_timeout);
    if (!link_.up()) return ready("counting rows");
    postgres_result r;
    db_answer asked = link_.ask(sql.c_str(), values, "counting rows", r);
    if (asked) rows = postgres_row(r).bits(0);
    return asked;
}

db_answer postgres_database::classes(store::class_sink& to) {
    return visit("SELECT name, revision, fields, seen FROM classes ORDER BY name, revision", {},
                 "reading what the classes are", [&](const postgres_row& row) {
                     return to.note({row.text(0), row.whole(1), row.text(2), row.whole(3)});
                 });
}

db_answer postgres_database::backup(std::string_view to, const std::function<bool(std::uint64_t, std::uint64_t)>&) {
    return link_.refuse(db_fault::row, "copying it",
                        "a server has its own ways to do that: pg_dump --format=custom --schema=" + options_.schema +
                            " --file=" + std::string(to) +
                            " copies one moment while others write, and pg_restore brings it back");
}

db_answer postgres_database::check(const std::function<void(std::string_view)>& to) {
    if (db_answer connected = ready("checking it"); !connected) return connected;
    const without_limits slow(link_, options_.call_timeout);
    // All data is read from its pages and taken apart; what nothing is wrong with is not told.
    return visit(
        "SELECT format('%s %s: %s', class, key, wrong) FROM (SELECT class, key, CASE "
        "WHEN jsonb_typeof(data) <> 'object' THEN 'its data is no JSON object' "
        "WHEN data IS NOT NULL AND erased IS NOT NULL THEN 'it is a tombstone with data' "
        "WHEN least(epoch, generation, version, birth) < 0 THEN 'its epoch, generation, version or birth is below 0' "
        "WHEN class = '' OR key = '' OR octet_length(class) > 255 OR octet_length(key) > 255 THEN 'its class or key is "
        "none that a store makes' "
        "WHEN octet_length(data::text) = 0 THEN 'its data is empty' END AS wrong FROM entities) looked WHERE wrong IS "
        "NOT NULL",
        {}, "checking it", [&](const postgres_row& row) {
            to(row.text(0));
            return true;
        });
}

}  // namespace lido::store_detail
