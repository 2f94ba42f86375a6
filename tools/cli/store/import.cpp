// Reads an export back. The file is read twice: once to see that all of it is good, once to write it, in one transaction.
//
// LI1. A file with a line that is wrong, or a row that may not be written, changes nothing. Only --batch gives that up.
// LI2. What is written over a row of the store is later than it: the same generation with the next version, or what the file says where
//      that is later by itself.
// LI3. The store's count of births is never below a generation that it has a row of: a new life is never taken for an imported one.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "../base/json_text.hpp"
#include "../base/progress.hpp"
#include "../base/text.hpp"
#include "commands.hpp"
#include "export_form.hpp"
#include "line_file.hpp"

namespace lido::cli {
namespace {

constexpr operand operands[] = {{"STORE"}, {"FILE"}};
constexpr option options[] = {
    {"replace", "", "where the store has a row as late, or later, and another: the file wins, by a version above"},
    {"keep", "", "where the store has a row as late, or later, and another: the store's stays"},
    {"create", "", "makes the store where there is none"},
    {"part", "", "the file is a piece of an export: it needs no first and no last line"},
    {"dry-run", "", "reads everything and says what would be done"},
    {"batch", "N", "commits every N rows: for exports that are larger than the disk's room for one transaction"},
    {"json", "", "one JSON object"},
};
constexpr command_form form{
    "lido store import", "reads an export back, all of it or nothing", operands, options,
    "FILE may be -, standard input. End the game first. Rows that are not in the file stay as they are. Of each line\n"
    "that is wrong it is said why, with its number.\n"};

/// Sentences about lines: the first ones are said, the others counted.
class complaints {
public:
    explicit complaints(const speaker& speak) : speak_(speak) {}
    void about(const line_file& file, std::string_view what) {
        if (++count_ <= 20) speak_.say(file.place() + std::string(what));
    }
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    void end() const {
        if (count_ > 20) speak_.say("and " + grouped(count_ - 20) + " more like these");
    }

private:
    const speaker& speak_;
    std::uint64_t count_ = 0;
};

/// What the first reading found out.
struct contents {
    std::optional<export_head> head;
    std::vector<kept_note> notes;
    std::uint64_t rows = 0;
    std::uint64_t births = 0;
};

void read_contents(line_file& file, bool part, contents& to, complaints& wrong) {
    std::unordered_map<std::string, std::uint64_t> lines_of;
    std::string_view text;
    bool ended = false;
    bool first = true;
    while (!interrupted() && file.next(text)) {
        if (text.find_first_not_of(" \t") == std::string_view::npos) continue;
        const export_line line = read_line(text);
        if (line.kind == line_kind::wrong) {
            wrong.about(file, line.wrong);
            first = false;
            continue;
        }
        if (ended) wrong.about(file, "it stands behind the last line of the export: one file is one export");
        if (first && line.kind != line_kind::head && !part)
            wrong.about(
                file,
                "the export's first line, {\"lido\":\"store export\",…}, is missing; --part takes a piece of one");
        if (!first && line.kind == line_kind::head)
            wrong.about(file, "a second export begins here; import them one by one");
        first = false;
        switch (line.kind) {
            case line_kind::head:
                to.head = line.head;
                to.births = std::max(to.births, line.head.position.births);
                break;
            case line_kind::note: to.notes.push_back(line.note); break;
            case line_kind::end: ended = true; break;
            case line_kind::row: {
                ++to.rows;
                to.births = std::max(to.births, line.row.generation);
                // No name has a NUL.
                std::string name = line.row.of_class + '\0' + line.row.key;
                const auto [known, fresh] = lines_of.try_emplace(std::move(name), file.number());
                if (!fresh) {
                    wrong.about(file, shown(line.row.of_class) + " " + shown(line.row.key) +
                                          " is there already, in line " + std::to_string(known->second) +
                                          "; leave one out");
                }
                break;
            }
            case line_kind::wrong: break;
        }
    }
    if (interrupted()) return;
    if (!file.wrong().empty())
        wrong.about(file, std::string_view(file.wrong()).substr(std::min(file.place().size(), file.wrong().size())));
    else if (!ended && !part && !first)
        wrong.about(file,
                    "the export's last line, {\"end\":\"store export\"}, is missing: the file was cut off; --part "
                    "takes what there is");
    else if (first && !part)
        wrong.about(file, "there is nothing in it");
}

enum class fate : std::uint8_t { fresh, later, replaced, kept, same, conflict };

/// What is told of an entity by both rows alike.
bool same_content(const kept_row& a, const kept_row& b) {
    if (a.state != b.state) return false;
    return a.state != store::row_state::stored ||
           (a.revision == b.revision && a.owner == b.owner && same_json(a.data, b.data));
}

struct policy {
    bool replace = false;
    bool keep = false;
};

/// Decides about a row, and gives it the stamp that it is written under.
fate decide(kept_row& file, const std::optional<kept_row>& there, policy how) {
    if (!there) return fate::fresh;
    if (file.state == store::row_state::claimed) return fate::same;  // it says less than any row
    if (there->state == store::row_state::claimed) return fate::fresh;
    const auto stamp = [](const kept_row& r) { return std::pair(r.generation, r.version); };
    if (stamp(file) > stamp(*there)) return fate::later;
    if (same_content(file, *there)) return fate::same;
    if (how.keep) return fate::kept;
    if (!how.replace) return fate::conflict;
    file.generation = there->generation;
    file.version = there->version + 1;
    file.changed =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    return fate::replaced;
}

struct counts {
    std::uint64_t of[6] = {};
    std::uint64_t& operator[](fate f) { return of[static_cast<std::size_t>(f)]; }
    std::uint64_t operator[](fate f) const { return of[static_cast<std::size_t>(f)]; }
};

/// The second reading. It writes where there is a database and it is not only tried.
class writing {
public:
    writing(const call& with, line_file& file, const contents& what, store::database* db,
            const store::opened_database& found)
        : with_(with), file_(file), what_(what), db_(db), found_(found), wrong_(with.speak) {
        dry_ = with.line.has("dry-run");
        how_ = {with.line.has("replace"), with.line.has("keep")};
        batch_ = whole_number(with.line.value("batch")).value_or(0);
    }

    /// How the command ends.
    int all() {
        if (!dry_ && !done(db_->begin())) return ended();
        progress shows(dry_ ? "reading" : "importing", what_.rows, "rows");
        std::uint64_t at = 0;
        std::string_view text;
        while (!interrupted() && file_.next(text)) {
            export_line line = read_line(text);
            if (line.kind == line_kind::wrong && text.find_first_not_of(" \t") != std::string_view::npos) {
                wrong_.about(file_, "it has changed since it was read first");
                break;
            }
            if (line.kind != line_kind::row) continue;
            shows.at(++at);
            if (!one(line.row)) {
                shows.wipe();
                return ended();
            }
            if (batch_ != 0 && at % batch_ == 0 && !dry_ && wrong_.count() == 0 &&
                !(done(finish_part()) && done(db_->begin())))
                return ended();
        }
        shows.wipe();
        if (!file_.wrong().empty()) with_.speak.say(file_.wrong());
        if (interrupted() || wrong_.count() != 0 || !file_.wrong().empty()) return ended();
        if (!dry_ && !(done(put_notes()) && done(finish_part()))) return ended();
        return exit_ok;
    }
    [[nodiscard]] const counts& counted_rows() const noexcept { return count_; }

private:
    /// Keeps why not.
    bool done(store::db_answer answer) {
        const bool good = static_cast<bool>(answer);
        if (!good) why_ = std::move(answer);
        return good;
    }
    int ended() {
        if (!dry_ && db_ != nullptr) db_->rollback();
        wrong_.end();
        const std::string left = committed_ == 0
                                     ? "nothing was changed"
                                     : counted(committed_, "row", "rows") + " were committed before, and stay";
        if (interrupted()) return with_.speak.say(exit_interrupted, "interrupted; " + left);
        if (const std::uint64_t conflicts = count_[fate::conflict]; conflicts != 0) {
            return with_.speak.say(
                exit_cannot,
                counted(conflicts, "row", "rows") +
                    " of the store would be written over; --replace lets the file win, --keep the store; " + left);
        }
        if (!why_) with_.speak.say(why_.why());
        return with_.speak.say(exit_cannot, left);
    }

    /// False ends it.
    bool one(kept_row& row) {
        std::optional<kept_row> there;
        if (db_ != nullptr) {
            store::row_function each([&](const store::stored_row& r) {
                there.emplace(r);
                return true;
            });
            if (!done(db_->find(row.of_class, row.key, each))) return false;
        }
        const fate f = decide(row, there, how_);
        ++count_[f];
        if (f == fate::conflict) {
            const bool later = std::pair(there->generation, there->version) > std::pair(row.generation, row.version);
            wrong_.about(file_, shown(row.of_class) + " " + shown(row.key) + ": the store has another of " +
                                    (later ? "a later stamp" : "this stamp") + " (generation " +
                                    std::to_string(there->generation) + ", version " + std::to_string(there->version) +
                                    ")");
        }
        // Past the first that is refused nothing is written any more; the others are looked at, to be told together.
        if (dry_ || wrong_.count() != 0 || f == fate::same || f == fate::kept) return true;
        // Who claims a row makes it, at the time that he says; what is written later keeps that time.
        if (!there && !claim(row, row.created)) return false;
        return row.state == store::row_state::claimed || write(row);
    }

    bool claim(const kept_row& row, store::wall_time at) {
        store::row_function none([](const store::stored_row&) { return true; });
        return done(db_->claim(row.of_class, row.key, found_.epoch, at, none));
    }

    bool write(const kept_row& row) {
        store::row_write w;
        w.of_class = row.of_class;
        w.key = row.key;
        w.epoch = found_.epoch;
        w.by = store::fence::database;
        w.generation = row.generation;
        w.version = row.version;
        w.birth = row.birth;
        w.revision = row.revision;
        w.owner = row.owner;
        w.data = row.data;
        w.erased = row.state == store::row_state::erased;
        w.now = row.changed;
        store::write_outcome outcome = store::write_outcome::taken;
        if (store::db_answer wrote = db_->write(w, outcome); !wrote)
            return done(
                {wrote.fault(), file_.place() + shown(row.of_class) + " " + shown(row.key) + ": " + wrote.why()});
        if (outcome == store::write_outcome::written) {
            ++uncommitted_;
            return true;
        }
        return done({store::db_fault::row, file_.place() + shown(row.of_class) + " " + shown(row.key) + ": " +
                                               store::to_string(outcome) +
                                               "; end the program that has it, and try again"});
    }

    /// What a class was in a revision is said by whoever saved it; the file only adds what the store does not know.
    store::db_answer put_notes() {
        std::vector<kept_note> known;
        if (store::db_answer read = read_notes(*db_, known); !read) return read;
        for (const kept_note& n : what_.notes) {
            const bool there = std::any_of(known.begin(), known.end(), [&](const kept_note& k) {
                return k.name == n.name && k.revision == n.revision;
            });
            if (there) continue;
            if (store::db_answer put = db_->put_class({n.name, n.revision, n.fields, n.seen}); !put) return put;
        }
        return {};
    }

    store::db_answer finish_part() {
        store::stored_position where;
        if (store::db_answer read = db_->position(where); !read) return read;
        // A store that was made of a whole export is where the other one was.
        if (found_.made && what_.head)
            where = {found_.epoch, what_.head->position.tick, what_.head->position.commit, 0};
        where.births = std::max(where.births, what_.births);
        if (store::db_answer put = db_->put_position(where); !put) return put;
        if (store::db_answer committed = db_->commit(); !committed) return committed;
        committed_ += std::exchange(uncommitted_, 0);
        return {};
    }

    const call& with_;
    line_file& file_;
    const contents& what_;
    store::database* db_;
    const store::opened_database& found_;
    complaints wrong_;
    counts count_;
    policy how_;
    store::db_answer why_;
    std::uint64_t batch_ = 0;
    std::uint64_t uncommitted_ = 0;
    std::uint64_t committed_ = 0;
    bool dry_ = false;
};

void report(const call& with, const std::string& name, std::uint64_t rows, const counts& count) {
    const bool dry = with.line.has("dry-run");
    if (with.json) {
        with.out.line("{\"rows\":" + std::to_string(rows) + ",\"new\":" + std::to_string(count[fate::fresh]) +
                      ",\"later\":" + std::to_string(count[fate::later]) + ",\"replaced\":" +
                      std::to_string(count[fate::replaced]) + ",\"kept\":" + std::to_string(count[fate::kept]) +
                      ",\"same\":" + std::to_string(count[fate::same]) + ",\"written\":" + (dry ? "false" : "true") +
                      "}");
        return;
    }
    std::string parts;
    const auto part = [&](fate f, std::string_view what) {
        if (count[f] != 0) parts += (parts.empty() ? ": " : ", ") + grouped(count[f]) + " " + std::string(what);
    };
    part(fate::fresh, "new");
    part(fate::later, "later than the store's");
    part(fate::replaced, "replaced");
    part(fate::kept, "kept as the store has them");
    part(fate::same, "the same already");
    with.out.line(name + ": " + counted(rows, "row", "rows") + parts + (dry ? "; nothing was changed: --dry-run" : ""));
}

int run(const call& with) {
    const arguments& line = with.line;
    if (line.has("replace") && line.has("keep"))
        return with.speak.say(exit_usage, "--replace and --keep are two answers to one question; give one");
    if (line.has("batch") && whole_number(line.value("batch")).value_or(0) == 0)
        return with.speak.say(exit_usage, "--batch is a number of rows, from 1 on");
    const location where = location::of(line[0], with.speak);
    if (!where.wrong.empty()) return with.speak.say(exit_cannot, where.wrong);
    if (is_nothing_yet(where) && !line.has("create"))
        return with.speak.say(exit_cannot, where.shown + ": there is no store yet; --create makes one");
    line_file file;
    if (const std::string wrong = file.open(line[1]); !wrong.empty()) {
        return interrupted() ? with.speak.say(exit_interrupted, "interrupted; nothing was changed")
                             : with.speak.say(exit_cannot, wrong);
    }
    contents what;
    complaints wrong(with.speak);
    read_contents(file, line.has("part"), what, wrong);
    if (interrupted()) return with.speak.say(exit_interrupted, "interrupted; nothing was changed");
    if (wrong.count() != 0) {
        wrong.end();
        return with.speak.say(exit_cannot,
                              counted(wrong.count(), "line is", "lines are") + " wrong; nothing was changed");
    }
    store::opened_database found;
    open_database db;
    const bool none = line.has("create") && is_nothing_yet(where);
    if (line.has("dry-run")) {
        if (!none) db = open_to_read(where, found, with.speak);
    } else {
        db = open_to_write(where, line.has("create"), found, with.speak);
    }
    if (db == nullptr && !(none && line.has("dry-run"))) return exit_cannot;
    std::optional<interruptible> guard;
    if (db != nullptr) guard.emplace(*db);
    file.rewind();
    writing second(with, file, what, db.get(), found);
    const int result = second.all();
    if (result == exit_ok) report(with, file.name(), what.rows, second.counted_rows());
    return result;
}

}  // namespace

const store_command store_import{"import", form, &run};

}  // namespace lido::cli
