// Removes what nothing needs any more: old tombstones, and rows that were asked for and never saved.
#include <chrono>
#include <string>

#include "../base/progress.hpp"
#include "../base/text.hpp"
#include "commands.hpp"

namespace lido::cli {
namespace {

constexpr operand operands[] = {{"STORE"}};
constexpr option options[] = {
    {"older", "TIME", "how old they must be: 30d, 12h, 5m or 10s"},
    {"dry-run", "", "only counts them"},
    {"json", "", "one JSON object"},
};
constexpr command_form form{
    "lido store prune", "removes old tombstones, and rows that were never saved", operands, options,
    "Rows with data stay, however old they are. End the game first; --dry-run may run beside it.\n"};

/// Rows of one transaction: some tenths of a second.
constexpr std::uint64_t at_once = 10000;

struct old_rows {
    std::uint64_t tombstones = 0;
    std::uint64_t claims = 0;
};

store::db_answer count_old(const call& with, store::database& db, store::wall_time before, old_rows& count) {
    store::row_range range{.limit = ~std::uint64_t{0}};
    std::uint64_t stored = 0;
    if (store::db_answer counted = db.count(range, stored); !counted) return counted;
    range.claimed_too = range.erased_too = true;
    std::uint64_t all = 0;
    if (store::db_answer counted = db.count(range, all); !counted) return counted;
    if (all == stored) return {};
    progress shows("counting", all, "rows");
    std::uint64_t done = 0;
    store::row_function each([&](const store::stored_row& r) {
        shows.at(++done);
        if (r.changed < before) {
            count.tombstones += r.state == store::row_state::erased ? 1 : 0;
            count.claims += r.state == store::row_state::claimed ? 1 : 0;
        }
        return with.goes_on();
    });
    return db.scan(range, each);
}

store::db_answer remove_old(store::database& db, store::wall_time before, std::uint64_t of, std::uint64_t& removed) {
    progress shows("removing", of, "rows");
    for (;;) {
        std::uint64_t now = 0;
        store::db_answer done = db.begin();
        if (done) done = db.prune(before, at_once, now);
        if (done) done = db.commit();
        if (!done) {
            db.rollback();
            return done;
        }
        removed += now;
        shows.at(removed);
        if (now == 0 || interrupted()) return {};
    }
}

int run(const call& with) {
    const bool dry = with.line.has("dry-run");
    const auto age = duration(with.line.value("older"));
    if (!age) return with.speak.say(exit_usage, "--older says how old they must be: 30d, 12h, 5m or 10s");
    const location where = location::of(with.line[0], with.speak);
    if (!where.wrong.empty()) return with.speak.say(exit_cannot, where.wrong);
    store::opened_database found;
    const open_database db =
        dry ? open_to_read(where, found, with.speak) : open_to_write(where, false, found, with.speak);
    if (db == nullptr) return exit_cannot;
    const interruptible guard(*db);
    const store::wall_time now =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    const store::wall_time before = now - *age;
    old_rows count;
    if (const store::db_answer counted = count_old(with, *db, before, count); !counted || interrupted())
        return with.failed(counted, "nothing was removed");
    if (!with.json) {
        with.out.line("older than " + std::string(with.line.value("older")) + ": " +
                      counted(count.tombstones, "tombstone", "tombstones") + ", " +
                      counted(count.claims, "row", "rows") + " that nobody saved");
        with.out.flush();
    }
    std::uint64_t removed = 0;
    if (!dry) {
        const store::db_answer done = remove_old(*db, before, count.tombstones + count.claims, removed);
        if (!done || interrupted()) return with.failed(done, grouped(removed) + " of them were removed, and stay so");
    }
    if (with.json) {
        with.out.line("{\"tombstones\":" + std::to_string(count.tombstones) +
                      ",\"claims\":" + std::to_string(count.claims) + ",\"removed\":" + std::to_string(removed) + "}");
    } else {
        with.out.line(dry ? "nothing was removed: --dry-run" : "removed: " + counted(removed, "row", "rows"));
    }
    return exit_ok;
}

}  // namespace

const store_command store_prune{"prune", form, &run};

}  // namespace lido::cli
