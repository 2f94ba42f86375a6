// Saves that survive a loss of power: the store beside SQLite as it is written by hand, on the same disk, in turns.
#include <charconv>
#include <memory>

#include "store_bench.hpp"

namespace store_bench {

namespace {

/// How many columns a program by hand has: the fewest (which entity, which version, its JSON), or all that a store has, with their conditions.
enum class columns { few, all };

constexpr const char* few_columns =
    "CREATE TABLE chests (id TEXT PRIMARY KEY, version INTEGER NOT NULL, data TEXT NOT NULL) WITHOUT ROWID";
constexpr const char* few_put =
    "INSERT INTO chests VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE SET version = excluded.version, "
    "data = excluded.data WHERE version < excluded.version";
constexpr const char* all_columns =
    "CREATE TABLE chests (class TEXT NOT NULL, id TEXT NOT NULL, epoch INTEGER NOT NULL, generation INTEGER NOT NULL, "
    "version INTEGER NOT NULL, birth INTEGER NOT NULL, revision INTEGER NOT NULL, owner INTEGER NOT NULL, data TEXT, "
    "created INTEGER NOT NULL, changed INTEGER NOT NULL, erased INTEGER, PRIMARY KEY (class, id)) STRICT, WITHOUT "
    "ROWID";
constexpr const char* all_put =
    "INSERT INTO chests VALUES ('chest', ?1, 1, 1, ?2, 1, 1, 0, ?3, 1000000000000, 1000000000000, NULL) "
    "ON CONFLICT (class, id) DO UPDATE SET epoch = excluded.epoch, generation = excluded.generation, "
    "version = excluded.version, revision = excluded.revision, owner = excluded.owner, data = excluded.data, "
    "changed = excluded.changed, erased = excluded.erased "
    "WHERE epoch = excluded.epoch AND (generation, version) <= (excluded.generation, excluded.version)";

/// The same pragmas as a store, a prepared upsert.
struct by_hand {
    sqlite_by_hand db;
    std::vector<chest> all;
    std::vector<std::string> ids;
    std::uint64_t version = 0;
    sqlite3_stmt *begin, *commit, *put;

    by_hand(const std::string& file, std::size_t count, columns which) : db(file), all(count) {
        db.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384");
        db.run(which == columns::few ? few_columns : all_columns);
        begin = db.prepare("BEGIN IMMEDIATE");
        commit = db.prepare("COMMIT");
        put = db.prepare(which == columns::few ? few_put : all_put);
        for (std::size_t i = 0; i < count; ++i) ids.push_back(id_of(i));
    }
    void change() {
        ++version;
        for (chest& c : all) {
            ++c.gold;
            c.x += 0.25f;
        }
    }
    void put_row(std::size_t i) {
        char text[160];
        char* to = text;
        const auto word = [&](std::string_view w) {
            w.copy(to, w.size());
            to += w.size();
        };
        const auto number = [&](auto n) { to = std::to_chars(to, text + sizeof(text), n).ptr; };
        const chest& c = all[i];
        word("{\"gold\":"), number(c.gold);
        word(",\"x\":"), number(c.x);
        word(",\"y\":"), number(c.y);
        word(",\"yaw\":"), number(c.yaw);
        word(",\"hp\":"), number(c.hp);
        word("}");
        sqlite3_bind_text(put, 1, ids[i].data(), static_cast<int>(ids[i].size()), SQLITE_STATIC);
        sqlite3_bind_int64(put, 2, static_cast<sqlite3_int64>(version));
        sqlite3_bind_text(put, 3, text, static_cast<int>(to - text), SQLITE_STATIC);
        db.step(put);
    }
    LIDO_BENCH_APART void save() {
        must(sqlite3_step(begin) == SQLITE_DONE, "no transaction");
        sqlite3_reset(begin);
        for (std::size_t i = 0; i < all.size(); ++i) put_row(i);
        db.step(commit);
    }
    LIDO_BENCH_APART void save_one_by_one(std::size_t rows) {
        for (std::size_t i = 0; i < rows; ++i) {
            must(sqlite3_step(begin) == SQLITE_DONE, "no transaction");
            sqlite3_reset(begin);
            put_row(i % all.size());
            db.step(commit);
        }
    }
};

void batch_of(std::size_t batch, const folder& where, double bar, int rounds) {
    const std::string number = std::to_string(batch);
    by_hand hand(where.file(("hand-" + number + ".db").c_str()), batch, columns::few);
    by_hand same(where.file(("same-" + number + ".db").c_str()), batch, columns::all);
    chests<lido::store::sqlite> lido(batch, std::size_t{1} << 23, where.file(("lido-" + number + ".db").c_str()));
    must(bool(lido.store.wait(lido.store.load_all<chest>())), "the store does not load");
    lido.fill(batch, [&] { must(bool(lido.store.flush(std::chrono::minutes{1})), "the store does not flush"); });
    for (by_hand* const h : {&hand, &same}) {
        h->change();
        h->save();
    }
    const std::uint64_t saved = lido.store.stats().saves;
    const std::size_t alone = tiny ? 1 : 8;
    std::vector<double> ratios, same_ratios, singles, by_hand_ns, lido_ns, by_hand_works, lido_works;
    rounds = tiny ? 1 : rounds;
    for (int i = 0; i < rounds; ++i) {
        hand.change();
        const double before = working();
        const double a = world_bench::nanoseconds([&] { hand.save(); }) / static_cast<double>(batch);
        by_hand_works.push_back((working() - before) / static_cast<double>(batch));
        lido.change();
        const double between = working();
        // Draining, formatting, the writer's thread and its disk, and the way back.
        const double b = world_bench::nanoseconds([&] {
                             must(bool(lido.store.flush(std::chrono::minutes{1})), "the store does not flush");
                         }) /
                         static_cast<double>(batch);
        lido_works.push_back((working() - between) / static_cast<double>(batch));
        hand.change();
        const double c = world_bench::nanoseconds([&] { hand.save_one_by_one(alone); }) / static_cast<double>(alone);
        same.change();
        const double d = world_bench::nanoseconds([&] { same.save(); }) / static_cast<double>(batch);
        ratios.push_back(a / b);
        same_ratios.push_back(d / b);
        singles.push_back(c / b);
        by_hand_ns.push_back(a);
        lido_ns.push_back(b);
    }
    must(lido.store.stats().saves == saved + static_cast<std::uint64_t>(rounds) * batch, "not every change was a save");
    const double ratio = median(ratios);
    std::printf("  rows a second, %6zu a commit, SQLite by hand and lido %9.0f %9.0f %6.2f", batch,
                1e9 / median(by_hand_ns), 1e9 / median(lido_ns), ratio);
    at_least(ratio, bar);
    std::printf("  the same beside all columns of a store, by hand %26.2f\n", median(same_ratios));
    std::printf("  ns of work a row, all threads: by hand and lido %18.0f %9.0f\n", median(by_hand_works),
                median(lido_works));
    const double fold = median(singles);
    std::printf("  the same beside one commit a save %38.0f", fold);
    if (batch >= 1000) {
        at_least(fold, 50);
    } else {
        std::printf("\n");
    }
}

}  // namespace

void saves() {
    const folder where;
    std::puts("saves with FULL sync, the median of rounds that take turns");
    batch_of(100, where, 0.9, full ? 61 : 21);
    batch_of(1000, where, 0.9, full ? 41 : 15);
    if (!tiny) batch_of(10'000, where, 0.9, full ? 15 : 5);
}

}  // namespace store_bench
