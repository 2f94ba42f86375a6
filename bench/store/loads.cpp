// A whole class at once: rows to entities, beside SQLite's own scan of the same file, which is the limit.
#include <fstream>

#include "store_bench.hpp"

namespace store_bench {

namespace {

void make_file(const std::string& file, std::size_t rows) {
    auto db = lido::store::make_sqlite_database(file, {.sync = lido::store::sync_level::off});
    lido::store::opened_database found;
    must(bool(db->open(lido::store::open_mode::write, found)), "the file of a million cannot be made");
    for (std::size_t i = 0; i < rows;) {
        must(bool(db->begin()), "no transaction");
        for (std::size_t n = 0; n < 50'000 && i < rows; ++n, ++i) {
            const std::string id = id_of(i);
            const std::string data =
                "{\"gold\":" + std::to_string(i) + ",\"x\":0.25,\"y\":17.5,\"yaw\":3.125,\"hp\":100}";
            lido::store::row_write w;
            w.of_class = "chest";
            w.key = id;
            w.epoch = found.epoch;
            w.by = lido::store::fence::database;
            w.generation = i + 1;
            w.version = 1;
            w.revision = 1;
            w.data = data;
            lido::store::write_outcome outcome{};
            must(bool(db->write(w, outcome)), "a row cannot be written");
        }
        must(bool(db->put_position({.run = found.epoch, .tick = 1, .commit = 1, .births = i})), "no position");
        must(bool(db->commit()), "no commit");
    }
    db->close();
}

/// Every row with its key and data, as far as the program that asked has them in its hands.
std::uint64_t scan_by_hand(const std::string& file) {
    sqlite_by_hand db(file);
    db.run("PRAGMA cache_size = -16384");
    sqlite3_stmt* const s =
        db.prepare("SELECT key, generation, version, data FROM entities WHERE class = 'chest' ORDER BY key");
    std::uint64_t sum = 0;
    while (sqlite3_step(s) == SQLITE_ROW) {
        sum += static_cast<std::uint64_t>(sqlite3_column_bytes(s, 0) + sqlite3_column_bytes(s, 3));
        sum += sqlite3_column_text(s, 3)[0] == '{';
        sum += static_cast<std::uint64_t>(sqlite3_column_int64(s, 1) & 1);
    }
    return sum;
}

/// "VmHWM" or "VmRSS" of this program, in bytes; 0 where the system does not tell.
double from_status(std::string_view name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(name)) return std::atof(line.c_str() + name.size() + 1) * 1024;
    }
    return 0;
}

}  // namespace

void loads() {
    const std::size_t rows = tiny ? 1000 : full ? 1'000'000 : 100'000;
    const folder where;
    const std::string file = where.file("many.db");
    make_file(file, rows);
    std::printf("load_all of %zu rows\n", rows);
    std::vector<double> scans, scan_works;
    std::uint64_t sum = 0;
    const double all = static_cast<double>(rows);
    for (int i = 0; i < (tiny ? 1 : 3); ++i) {
        scans.push_back(all * 1e9 / world_bench::nanoseconds([&] {
                            const double work = working();
                            sum += scan_by_hand(file);
                            scan_works.push_back((working() - work) / all);
                        }));
    }
    must(sum != 0, "the scan found nothing");
    // The peak from here on.
    if (std::ofstream clear("/proc/self/clear_refs"); clear) clear << 5;
    const double before = from_status("VmRSS:");
    chests<lido::store::sqlite> lido(rows, std::size_t{1} << 24, file);
    lido::store::load_progress got;
    const double work = working();
    const double took = world_bench::nanoseconds([&] { got = lido.store.wait(lido.store.load_all<chest>()); });
    const double load_work = (working() - work) / all;
    must(got && got.made == rows, "not all rows became entities");
    const double rate = all * 1e9 / took;
    std::printf("  rows a second: SQLite's own scan, load_all %22.0f %10.0f %6.2f\n", median(scans), rate,
                rate / median(scans));
    std::printf("  ns of work a row, all threads: the scan, load_all %20.0f %10.0f %6.2f\n", median(scan_works),
                load_work, median(scan_works) / load_work);
    say("bytes an entity in memory when it is done", (from_status("VmRSS:") - before) / all, "");
    say("bytes an entity at the peak", (from_status("VmHWM:") - before) / all, "");
}

}  // namespace store_bench
