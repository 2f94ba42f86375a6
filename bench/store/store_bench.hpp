// What the benchmarks of a store share: an entity, a folder for files, a database that keeps nothing, and SQLite by hand.
#pragma once

#include <sqlite3.h>
#include <unistd.h>
#include <lido/entity.hpp>
#include <lido/store/store.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../world/bench.hpp"

namespace store_bench {

using world_bench::median;
using world_bench::own_nanoseconds;
using world_bench::tiny;

/// A million rows instead of 100 000, and more rounds.
inline bool full = true;

/// As many bytes as JSON as a small thing of a game has: about 60.
struct chest {
    std::int64_t gold = 0;
    float x = 0, y = 0, yaw = 0;
    std::uint32_t hp = 100;
};
constexpr auto describe(lido::type<chest>) { return lido::schema{1, lido::field<&chest::gold>{.min = 0}}; }

/// Time that the program's threads have worked, in ns: what other programs of the machine do not lengthen.
[[nodiscard]] inline double working() { return static_cast<double>(std::clock()) * (1e9 / CLOCKS_PER_SEC); }

inline std::string id_of(std::size_t i) { return "chest-" + std::to_string(1'000'000 + i); }

[[noreturn]] inline void die(const std::string& why) {
    std::fprintf(stderr, "the benchmark of the store: %s\n", why.c_str());
    std::exit(1);
}
inline void must(bool done, const std::string& what) {
    if (!done) die(what);
}

/// Where the program was started, and not in memory: the disk is what is measured.
class folder {
public:
    folder() {
        std::string name = (std::filesystem::current_path() / "lido_bench_store_XXXXXX").string();
        must(::mkdtemp(name.data()) != nullptr, "no folder can be made where it was started");
        path_ = name;
    }
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;
    ~folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::string file(const char* name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

/// Says yes to all at once, or no to all.
class no_database final : public lido::store::database {
    using answer = lido::store::db_answer;

public:
    explicit no_database(const bool& stalled) : stalled_(stalled) {}
    answer open(lido::store::open_mode, lido::store::opened_database& found) override {
        found.epoch = 1;
        return {};
    }
    void close() noexcept override {}
    answer begin() override { return stalled_ ? answer(lido::store::db_fault::again, "it stands still") : answer(); }
    answer commit() override { return {}; }
    void rollback() noexcept override {}
    answer claim(std::string_view, std::string_view, std::uint64_t, lido::store::wall_time,
                 lido::store::row_sink&) override {
        return {};
    }
    answer write(const lido::store::row_write& what, lido::store::write_outcome& outcome) override {
        bytes += what.data.size();
        outcome = lido::store::write_outcome::written;
        return {};
    }
    answer put_position(const lido::store::stored_position&) override { return {}; }
    answer put_class(const lido::store::class_note&) override { return {}; }
    answer prune(lido::store::wall_time, std::uint64_t, std::uint64_t&) override { return {}; }
    answer position(lido::store::stored_position&) override { return {}; }
    answer find(std::string_view, std::string_view, lido::store::row_sink&) override { return {}; }
    answer scan(const lido::store::row_range&, lido::store::row_sink&) override { return {}; }
    answer count(const lido::store::row_range&, std::uint64_t& rows) override {
        rows = 0;
        return {};
    }
    answer classes(lido::store::class_sink&) override { return {}; }
    answer backup(std::string_view, const std::function<bool(std::uint64_t, std::uint64_t)>&) override { return {}; }
    answer check(const std::function<void(std::string_view)>&) override { return {}; }
    [[nodiscard]] std::string describe() const override { return "none"; }

    std::uint64_t bytes = 0;

private:
    const bool& stalled_;
};

/// A stage of so many persistent chests, all of them saved; `change` commits one of each.
template <class Store>
struct chests {
    lido::world world;
    lido::stage stage;
    Store store;

    template <class... Args>
    explicit chests(std::size_t count, std::size_t journal_bytes, Args&&... args)
        : stage(world, {.journal_bytes = journal_bytes, .ids = static_cast<std::uint32_t>(count)}),
          store((stage.template add<chest>("chest", {.capacity = static_cast<std::uint32_t>(count)}), stage),
                std::forward<Args>(args)...) {
        must(static_cast<bool>(store), store.why());
    }
    void fill(std::size_t count, const std::function<void()>& now_and_then) {
        for (std::size_t i = 0; i < count; ++i) {
            must(static_cast<bool>(stage.template create<chest>({.id = id_of(i), .persistent = true})), "no chest");
            if (i % 500 == 499) now_and_then();
        }
        now_and_then();
    }
    void change() {
        stage.template edit_each<chest>([](chest& c) {
            ++c.gold;
            c.x += 0.25f;
        });
        stage.tick();
    }
};

class sqlite_by_hand {
public:
    explicit sqlite_by_hand(const std::string& file) {
        must(sqlite3_open_v2(file.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                             nullptr) == SQLITE_OK,
             "SQLite cannot open its file");
    }
    sqlite_by_hand(const sqlite_by_hand&) = delete;
    sqlite_by_hand& operator=(const sqlite_by_hand&) = delete;
    ~sqlite_by_hand() {
        for (sqlite3_stmt* const s : all_) sqlite3_finalize(s);
        sqlite3_close(db_);
    }
    void run(const char* sql) {
        must(sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) == SQLITE_OK, sqlite3_errmsg(db_));
    }
    sqlite3_stmt* prepare(const char* sql) {
        sqlite3_stmt* s = nullptr;
        must(sqlite3_prepare_v3(db_, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, nullptr) == SQLITE_OK,
             sqlite3_errmsg(db_));
        all_.push_back(s);
        return s;
    }
    void step(sqlite3_stmt* s) {
        must(sqlite3_step(s) == SQLITE_DONE, sqlite3_errmsg(db_));
        sqlite3_reset(s);
    }

private:
    sqlite3* db_ = nullptr;
    std::vector<sqlite3_stmt*> all_;
};

inline void say(const char* name, double figure, const char* unit) {
    std::printf("  %-58s %12.1f %s\n", name, figure, unit);
}
/// Bars of this kind are reached from below.
inline void at_least(double is, double bar) { std::printf("   >= %.1f %s\n", bar, is >= bar ? "met" : "MISSED"); }

// One function a file beside this one.
void saves();
void game_thread();
void memory();
void loads();

}  // namespace store_bench
