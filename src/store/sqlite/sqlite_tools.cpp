// What looks at many rows: scans, counts, backups, checks.
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "sqlite_database.hpp"

namespace lido::store_detail {

using store::db_answer;
using store::db_fault;
using store::row_range;

/// Calls `each` at every row, from the first that is meant on, until it returns false.
db_answer sqlite_database::visit(const row_range& which, std::string_view what, std::string_view order,
                                 const std::function<bool(sqlite_statement&)>& each) {
    // Rows are found by their place in the table's order: a class has its part, and a prefix its part of that.
    const bool one_class = !which.of_class.empty();
    const bool resumes = !which.after_key.empty() && (one_class || !which.after_class.empty());
    // One beginning: of two SQLite goes to the first that is written, and looks at all rows from there on.
    const bool behind_last = resumes && which.after_key >= which.prefix;
    std::string sql = "SELECT ";
    sql += what;
    sql += " FROM entities WHERE ";
    sql += one_class ? (behind_last ? "class = ?1 AND key > ?2" : "class = ?1 AND key >= ?2")
           : resumes ? "(class, key) > (?1, ?2)"
                     : "class >= ?1";
    if (!one_class && !which.prefix.empty()) sql += " AND key >= ?3";
    if (!which.prefix.empty()) sql += " AND key < ?4";
    if (!which.claimed_too) sql += " AND (data IS NOT NULL OR erased IS NOT NULL)";
    if (!which.erased_too) sql += " AND erased IS NULL";
    sql += order;
    sqlite_statement s;
    if (const int code = s.prepare(db_, sql); code != SQLITE_OK) return fail(code, "reading rows");
    // The first text behind all that begin with the prefix: no byte of UTF-8 is the largest one.
    std::string behind(which.prefix);
    if (!behind.empty()) behind.back() = static_cast<char>(static_cast<unsigned char>(behind.back()) + 1);
    s.bind(1, one_class ? which.of_class : resumes ? which.after_class : std::string_view());
    s.bind(2, one_class && !behind_last ? which.prefix : which.after_key);
    if (!which.prefix.empty()) {
        s.bind(3, which.prefix);
        s.bind(4, behind);
    }
    int code = SQLITE_ROW;
    while ((code = s.step()) == SQLITE_ROW) {
        if (!each(s)) return {};
    }
    return code == SQLITE_DONE ? db_answer() : fail(code, "reading rows");
}

db_answer sqlite_database::scan(const row_range& which, store::row_sink& to) {
    std::uint64_t left = which.limit;
    if (left == 0) return {};
    return visit(which,
                 "class, key, epoch, generation, version, birth, revision, owner, data, created, changed, erased",
                 " ORDER BY class, key", [&](sqlite_statement& s) { return to.row(row_at(s)) && --left != 0; });
}

db_answer sqlite_database::count(const row_range& which, std::uint64_t& rows) {
    return visit(which, "count(*)", "", [&](sqlite_statement& s) {
        rows = s.bits(0);
        return true;
    });
}

db_answer sqlite_database::classes(store::class_sink& to) {
    sqlite_statement s;
    int code = s.prepare(db_, "SELECT name, revision, fields, seen FROM classes ORDER BY name, revision");
    if (code != SQLITE_OK) return fail(code, "reading what the classes are");
    while ((code = s.step()) == SQLITE_ROW) {
        if (!to.note({s.text(0), s.whole(1), s.text(2), s.whole(3)})) return {};
    }
    return code == SQLITE_DONE ? db_answer() : fail(code, "reading what the classes are");
}

db_answer sqlite_database::backup(std::string_view to,
                                  const std::function<bool(std::uint64_t, std::uint64_t)>& progress) {
    const std::string target(to);
    const std::string part = target + ".part";
    const auto refuse = [&](const char* doing) {
        return db_answer(db_fault::again, target + ": " + doing + ": " + std::strerror(errno));
    };
    if (::access(target.c_str(), F_OK) == 0)
        return {db_fault::row, target + ": there is a file of that name; give another, or remove it first"};
    ::unlink(part.c_str());
    std::int64_t pages = 0;
    if (db_answer asked = ask("PRAGMA page_count", pages); !asked) return asked;
    // A copy of one moment, read from the log beside whoever writes: no writer waits for it, and none can make it begin anew.
    struct ticker {
        const std::function<bool(std::uint64_t, std::uint64_t)>* progress;
        std::string part;
        std::uint64_t of;
        static int tell(void* at) {
            const auto& me = *static_cast<const ticker*>(at);
            std::uint64_t done = 0;
            if (std::FILE* const f = std::fopen(me.part.c_str(), "rb")) {
                if (std::fseek(f, 0, SEEK_END) == 0) done = static_cast<std::uint64_t>(std::ftell(f));
                std::fclose(f);
            }
            return (*me.progress)(done < me.of ? done : me.of, me.of) ? 0 : 1;
        }
    };
    std::int64_t page_size = 0;
    if (db_answer asked = ask("PRAGMA page_size", page_size); !asked) return asked;
    ticker t{&progress, part, static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size)};
    sqlite_statement s;
    int code = s.prepare(db_, "VACUUM INTO ?1");
    if (code == SQLITE_OK) {
        s.bind(1, part);
        if (progress) sqlite3_progress_handler(db_, 100000, &ticker::tell, &t);
        code = s.step();
        sqlite3_progress_handler(db_, 0, nullptr, nullptr);
    }
    if (code != SQLITE_DONE) {
        db_answer failed = fail(code, "copying it");
        ::unlink(part.c_str());
        return failed;
    }
    // The copy has its name only when it is whole on the disk.
    const int file = ::open(part.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = file >= 0 && ::fsync(file) == 0;
    if (file >= 0) ::close(file);
    if (!synced || ::rename(part.c_str(), target.c_str()) != 0) {
        db_answer failed = refuse("finishing the copy");
        ::unlink(part.c_str());
        return failed;
    }
    const std::size_t slash = target.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : target.substr(0, slash);
    if (const int at = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); at >= 0) {
        ::fsync(at);
        ::close(at);
    }
    if (progress) progress(t.of, t.of);
    return {};
}

db_answer sqlite_database::check(const std::function<void(std::string_view)>& to) {
    sqlite_statement s;
    int code = s.prepare(db_, "PRAGMA integrity_check(100)");
    if (code != SQLITE_OK) return fail(code, "checking it");
    while ((code = s.step()) == SQLITE_ROW) {
        if (s.text(0) != "ok") to(s.text(0));
    }
    if (code != SQLITE_DONE) return fail(code, "checking it");
    code = s.prepare(db_,
                     "SELECT class || ' ' || key || ': ' || CASE "
                     "WHEN NOT json_valid(data) THEN 'its data is no JSON' "
                     "WHEN json_type(data) <> 'object' THEN 'its data is no JSON object' END FROM entities "
                     "WHERE data IS NOT NULL AND (NOT json_valid(data) OR json_type(data) <> 'object')");
    if (code != SQLITE_OK) return fail(code, "checking its rows");
    while ((code = s.step()) == SQLITE_ROW) to(s.text(0));
    return code == SQLITE_DONE ? db_answer() : fail(code, "checking its rows");
}

}  // namespace lido::store_detail
