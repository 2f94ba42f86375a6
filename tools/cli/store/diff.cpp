// What two stores, or a store and an export, do not have alike: row by row, field by field.
#include <unistd.h>
#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>

#include "../base/json_text.hpp"
#include "../base/progress.hpp"
#include "../base/text.hpp"
#include "commands.hpp"
#include "export_form.hpp"
#include "line_file.hpp"

namespace lido::cli {
namespace {

constexpr operand operands[] = {{"BEFORE"}, {"AFTER"}};
constexpr option options[] = {
    {"class", "CLASS", "only rows of this class"},
    {"prefix", "TEXT", "only keys that begin so"},
    {"stamps", "",
     "also who wrote it when: epoch, generation, version, first life, times; and tombstones as rows of their own"},
    {"json", "", "one JSON object"},
};
constexpr command_form form{"lido store diff", "compares two stores, or a store and an export", operands, options,
                            "Returns 1 where they differ. Either may be an export, which is kept in memory; compare "
                            "backups where a game writes.\n"};

/// Rows one by one, in order of class and key.
class row_source {
public:
    virtual ~row_source() = default;
    /// Null behind the last one.
    virtual const kept_row* at() = 0;
    virtual void next() = 0;
    store::db_answer failed;
};

class database_rows final : public row_source {
public:
    database_rows(open_database db, store::row_range range) : db_(std::move(db)), range_(range) { range_.limit = 1000; }
    const kept_row* at() override {
        if (page_.empty() && more_) read();
        return page_.empty() ? nullptr : &page_.front();
    }
    void next() override { page_.pop_front(); }

private:
    void read() {
        range_.after_class = after_class_;
        range_.after_key = after_key_;
        std::size_t bytes = 0;
        more_ = false;
        store::row_function each([&](const store::stored_row& r) {
            page_.emplace_back(r);
            bytes += r.data.size();
            // Large rows make short pages.
            more_ = page_.size() == range_.limit || bytes > std::size_t{64} << 20;
            return !more_;
        });
        failed = db_->scan(range_, each);
        if (!failed) more_ = false;
        if (page_.empty()) return;
        after_class_ = page_.back().of_class;
        after_key_ = page_.back().key;
    }
    open_database db_;
    store::row_range range_;
    std::deque<kept_row> page_;
    std::string after_class_;
    std::string after_key_;
    bool more_ = true;
};

class export_rows final : public row_source {
public:
    /// In order already.
    explicit export_rows(std::vector<kept_row> rows) : rows_(std::move(rows)) {}
    const kept_row* at() override { return i_ < rows_.size() ? &rows_[i_] : nullptr; }
    void next() override { ++i_; }

private:
    std::vector<kept_row> rows_;
    std::size_t i_ = 0;
};

/// An export begins with a brace, and no SQLite file does.
bool is_export(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char first[4] = {};
    const ssize_t got = file >= 0 ? ::read(file, first, sizeof(first)) : 0;
    if (file >= 0) ::close(file);
    const std::string_view begin(first, got > 0 ? static_cast<std::size_t>(got) : 0);
    return begin.starts_with("{") || begin.starts_with("\xef\xbb\xbf{");
}

struct opened_source {
    std::unique_ptr<row_source> rows;
};

opened_source open_source(const call& with, const std::string& text) {
    opened_source to;
    store::row_range range{.of_class = with.line.value("class"), .prefix = with.line.value("prefix")};
    range.erased_too = true;
    const location where = location::of(text, with.speak);
    if (!where.wrong.empty()) {
        with.speak.say(where.wrong);
        return to;
    }
    if (!where.is_address && is_export(text)) {
        line_file file;
        if (const std::string wrong = file.open(text); !wrong.empty()) {
            with.speak.say(wrong);
            return to;
        }
        std::vector<kept_row> rows;
        std::string_view line;
        while (!interrupted() && file.next(line)) {
            if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
            export_line read = read_line(line);
            if (read.kind == line_kind::wrong) {
                with.speak.say(file.place() + read.wrong);
                return to;
            }
            kept_row& r = read.row;
            const bool meant = read.kind == line_kind::row &&
                               (range.of_class.empty() || r.of_class == range.of_class) &&
                               r.key.starts_with(range.prefix) && r.state != store::row_state::claimed;
            if (meant) rows.push_back(std::move(r));
        }
        if (!file.wrong().empty()) {
            with.speak.say(file.wrong());
            return to;
        }
        std::sort(rows.begin(), rows.end(), [](const kept_row& a, const kept_row& b) { return a.name() < b.name(); });
        const auto twice = std::adjacent_find(
            rows.begin(), rows.end(), [](const kept_row& a, const kept_row& b) { return a.name() == b.name(); });
        if (twice != rows.end()) {
            with.speak.say(file.name() + ": " + shown(twice->of_class) + " " + shown(twice->key) +
                           " is there twice; leave one out");
            return to;
        }
        to.rows = std::make_unique<export_rows>(std::move(rows));
        return to;
    }
    store::opened_database found;
    open_database db = open_to_read(where, found, with.speak);
    if (db == nullptr) return to;
    to.rows = std::make_unique<database_rows>(std::move(db), range);
    return to;
}

struct change {
    std::string field;
    std::string from;  ///< JSON; empty: it is not there
    std::string to;
};

std::vector<change> changes_between(const kept_row& a, const kept_row& b, bool stamps) {
    std::vector<change> all;
    const auto number = [&](const char* name, auto from, auto to) {
        if (from != to) all.push_back({name, std::to_string(from), std::to_string(to)});
    };
    if (a.state != b.state)
        all.push_back({"(state)", json_string(store::to_string(a.state)), json_string(store::to_string(b.state))});
    number("(revision)", a.revision, b.revision);
    number("(owner)", a.owner, b.owner);
    if (stamps) {
        number("(epoch)", a.epoch, b.epoch);
        number("(generation)", a.generation, b.generation);
        number("(version)", a.version, b.version);
        number("(first life)", a.birth, b.birth);
        number("(created)", a.created, b.created);
        number("(changed)", a.changed, b.changed);
    }
    if (a.data == b.data) return all;
    const bool good =
        check_json(a.data).good && check_json(b.data).good && is_json_object(a.data) && is_json_object(b.data);
    if (!good) {
        // One of them is damaged, or there is none: as a whole.
        const auto whole = [](const kept_row& r) {
            return r.state == store::row_state::stored ? json_string(r.data) : std::string();
        };
        all.push_back({"(data)", whole(a), whole(b)});
        return all;
    }
    const std::vector<json_member> before = json_members(a.data);
    const std::vector<json_member> after = json_members(b.data);
    const auto find = [](const std::vector<json_member>& in, const std::string& name) {
        return std::find_if(in.begin(), in.end(), [&](const json_member& m) { return m.name == name; });
    };
    for (const json_member& m : before) {
        const auto other = find(after, m.name);
        if (other == after.end())
            all.push_back({m.name, compact_json(m.value), {}});
        else if (!same_json(m.value, other->value))
            all.push_back({m.name, compact_json(m.value), compact_json(other->value)});
    }
    for (const json_member& m : after) {
        if (find(before, m.name) == before.end()) all.push_back({m.name, {}, compact_json(m.value)});
    }
    return all;
}

class comparison {
public:
    comparison(const call& with, opened_source& a, opened_source& b)
        : with_(with), a_(a), b_(b), stamps_(with.line.has("stamps")) {}

    void all() {
        progress shows("comparing", 0, "rows");
        std::uint64_t done = 0;
        if (with_.json) with_.out.put("{\"differences\":[");
        while (with_.goes_on()) {
            const kept_row* const a = there(*a_.rows);
            const kept_row* const b = there(*b_.rows);
            if (!a_.rows->failed || !b_.rows->failed || (a == nullptr && b == nullptr)) break;
            // Terminals have one line for both.
            const std::uint64_t before = differences();
            if (b == nullptr || (a != nullptr && a->name() < b->name())) {
                only("-", "removed", *a, removed_);
                a_.rows->next();
            } else if (a == nullptr || b->name() < a->name()) {
                only("+", "added", *b, added_);
                b_.rows->next();
            } else {
                both(*a, *b);
                a_.rows->next();
                b_.rows->next();
            }
            if (differences() != before) shows.wipe();
            shows.at(++done);
        }
    }
    [[nodiscard]] std::uint64_t differences() const noexcept { return removed_ + added_ + changed_; }

    void end() {
        if (with_.json) {
            with_.out.line("],\"added\":" + std::to_string(added_) + ",\"removed\":" + std::to_string(removed_) +
                           ",\"changed\":" + std::to_string(changed_) + "}");
        } else if (differences() == 0) {
            with_.out.line("no differences");
        } else {
            with_.out.line(grouped(added_) + " added, " + grouped(removed_) + " removed, " + grouped(changed_) +
                           " changed");
        }
    }

private:
    /// The next one that counts. A tombstone is no row, unless stamps are compared.
    const kept_row* there(row_source& of) const {
        const kept_row* r = of.at();
        while (r != nullptr && !stamps_ && r->state != store::row_state::stored) {
            of.next();
            r = of.at();
        }
        return r;
    }
    void only(std::string_view sign, std::string_view what, const kept_row& r, std::uint64_t& count) {
        ++count;
        if (with_.json) {
            begin(r, what);
            with_.out.put("}");
            return;
        }
        with_.out.line(std::string(sign) + " " + shown(r.of_class) + " " + shown(r.key) +
                       (r.state == store::row_state::stored ? std::string()
                                                            : std::string(" (") + store::to_string(r.state) + ")"));
    }
    void begin(const kept_row& r, std::string_view what) {
        with_.out.put((differences() == 1 ? "\n{" : ",\n{") + ("\"class\":" + json_string(r.of_class)) +
                      ",\"key\":" + json_string(r.key) + ",\"what\":\"" + std::string(what) + "\"");
    }
    void both(const kept_row& a, const kept_row& b) {
        const std::vector<change> changes = changes_between(a, b, stamps_);
        if (changes.empty()) return;
        ++changed_;
        if (with_.json) {
            begin(a, "changed");
            with_.out.put(",\"fields\":[");
            bool first = true;
            for (const change& c : changes) {
                with_.out.put((first ? "{\"field\":" : ",{\"field\":") + json_string(c.field) +
                              (c.from.empty() ? std::string() : ",\"from\":" + c.from) +
                              (c.to.empty() ? std::string() : ",\"to\":" + c.to) + "}");
                first = false;
            }
            with_.out.put("]}");
            return;
        }
        with_.out.line("~ " + shown(a.of_class) + " " + shown(a.key));
        for (const change& c : changes) {
            // Those that are no fields stand in brackets.
            const std::string field = c.field.starts_with("(") ? c.field : shown(c.field);
            with_.out.line("    " + field + ": " + (c.from.empty() ? "nothing" : c.from) + " -> " +
                           (c.to.empty() ? "nothing" : c.to));
        }
    }

    const call& with_;
    opened_source& a_;
    opened_source& b_;
    bool stamps_;
    std::uint64_t added_ = 0;
    std::uint64_t removed_ = 0;
    std::uint64_t changed_ = 0;
};

int run(const call& with) {
    if (with.line.has("class") && with.line.value("class").empty())
        return with.speak.say(exit_usage, "--class needs the name of a class");
    opened_source a = open_source(with, with.line[0]);
    if (a.rows == nullptr) return interrupted() ? exit_interrupted : exit_cannot;
    opened_source b = open_source(with, with.line[1]);
    if (b.rows == nullptr) return interrupted() ? exit_interrupted : exit_cannot;
    comparison of(with, a, b);
    of.all();
    for (const opened_source* const s : {&a, &b}) {
        if (!s->rows->failed || interrupted()) return with.failed(s->rows->failed, "not all of it was compared");
    }
    of.end();
    return of.differences() == 0 ? exit_ok : exit_found;
}

}  // namespace

const store_command store_diff{"diff", form, &run};

}  // namespace lido::cli
