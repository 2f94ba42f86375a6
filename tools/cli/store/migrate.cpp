// What the classes of today would mean for rows of yesterday, as far as the notes tell. Structs and `migrate` functions are the program's.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "../base/json_text.hpp"
#include "../base/progress.hpp"
#include "../base/text.hpp"
#include "commands.hpp"
#include "kept_row.hpp"

namespace lido::cli {
namespace {

constexpr operand operands[] = {{"STORE"}};
constexpr option options[] = {
    {"dry-run", "", "needed: only the program can migrate, and does when it loads"},
    {"class", "CLASS", "only rows of this class"},
    {"rows", "", "also a line for each row"},
    {"json", "", "one JSON object"},
};
constexpr command_form form{
    "lido store migrate", "says what today's classes mean for rows that were stored earlier", operands, options,
    "It compares the fields of each row with the newest note of its class. What a migrate function of the program\n"
    "makes of a field, nobody can see from here. Returns 1 where a row is not of the newest form.\n"};

struct class_notes {
    struct revision {
        std::int64_t number = 0;
        note_fields fields;
        bool readable = false;
    };
    std::vector<revision> all;  ///< ascending
};

enum class what : std::uint8_t { renamed, added, shadowed, unknown };

/// What happens to one field.
struct finding {
    what kind = what::unknown;
    std::string field;
    std::string to;  ///< its name now; of an unknown one what some later revision called it
    auto order() const { return std::tie(kind, field, to); }
    friend bool operator<(const finding& a, const finding& b) { return a.order() < b.order(); }
};

/// The name that a revision after `from` gave to the field, which the newest one does not know as a former name any more.
std::string forgotten_name(const class_notes& notes, std::int64_t from, const std::string& field) {
    std::string now = field;
    for (const class_notes::revision& r : notes.all) {
        if (r.number <= from) continue;
        for (const auto& [name, former] : r.fields) {
            if (std::find(former.begin(), former.end(), now) != former.end()) {
                now = name;
                break;
            }
        }
    }
    return now != field && notes.all.back().fields.contains(now) ? now : std::string();
}

std::vector<finding> findings_of(const class_notes& notes, const store::stored_row& row) {
    std::vector<finding> all;
    const note_fields& newest = notes.all.back().fields;
    const std::vector<json_member> members = json_members(row.data);
    const auto stored = [&](std::string_view name) {
        return std::any_of(members.begin(), members.end(), [&](const json_member& m) { return m.name == name; });
    };
    std::vector<std::string_view> used;
    for (const auto& [name, former] : newest) {
        if (stored(name)) {
            used.push_back(name);
            continue;
        }
        const auto old = std::find_if(former.begin(), former.end(), stored);
        if (old != former.end()) {
            used.push_back(*old);
            all.push_back({what::renamed, *old, name});
        } else {
            all.push_back({what::added, name, {}});
        }
    }
    for (const json_member& m : members) {
        if (std::find(used.begin(), used.end(), m.name) != used.end()) continue;
        const auto now = std::find_if(newest.begin(), newest.end(), [&](const auto& field) {
            return std::find(field.second.begin(), field.second.end(), m.name) != field.second.end();
        });
        // A row may have a field by its name and by a former one; the name counts.
        if (now != newest.end())
            all.push_back({what::shadowed, m.name, now->first});
        else
            all.push_back({what::unknown, m.name, forgotten_name(notes, row.revision, m.name)});
    }
    return all;
}

/// Rows of one class and revision, together.
struct group {
    std::uint64_t rows = 0;
    std::uint64_t as_they_are = 0;
    std::uint64_t unreadable = 0;
    std::string example;  ///< a key, of one that is not as it is
    std::map<finding, std::uint64_t> findings;
};
using group_key = std::pair<std::string, std::int64_t>;

std::string finding_text(const finding& f) {
    switch (f.kind) {
        case what::renamed: return shown(f.field) + " -> " + shown(f.to) + ": renamed";
        case what::added: return "+ " + shown(f.field) + ": added, its default";
        case what::shadowed:
            return "- " + shown(f.field) + ": passed over; " + shown(f.to) +
                   " is there, too, or another of its former names";
        case what::unknown: break;
    }
    return "- " + shown(f.field) + ": nobody knows it any more" +
           (f.to.empty() ? std::string()
                         : "; it was renamed to " + shown(f.to) + " once, whose .was does not say so now");
}

class survey {
public:
    survey(const call& with, const std::vector<kept_note>& notes) : with_(with) {
        for (const kept_note& n : notes) {
            class_notes::revision r{n.revision, {}, false};
            r.readable = read_note(n.fields, r.fields);
            notes_[n.name].all.push_back(std::move(r));
        }
    }

    void look_at(const store::stored_row& r) {
        ++rows_;
        group& g = groups_[{std::string(r.of_class), r.revision}];
        ++g.rows;
        const class_notes* const notes = notes_of(r.of_class);
        const bool future = notes != nullptr && r.revision > notes->all.back().number;
        if (notes == nullptr || future) {
            ++different_;
            if (g.example.empty()) g.example = r.key;
            if (with_.line.has("rows"))
                tell_row(r, notes == nullptr ? "no program has noted its class" : "of a later revision");
            return;
        }
        if (!check_json(r.data).good || !is_json_object(r.data)) {
            ++different_;
            ++g.unreadable;
            if (g.example.empty()) g.example = r.key;
            if (with_.line.has("rows")) tell_row(r, "its data is no JSON object: lido store check");
            return;
        }
        const std::vector<finding> all = findings_of(*notes, r);
        if (all.empty() && r.revision == notes->all.back().number) {
            ++g.as_they_are;
            return;
        }
        ++different_;
        if (g.example.empty()) g.example = r.key;
        std::string text;
        for (const finding& f : all) {
            ++g.findings[f];
            text += (text.empty() ? "" : "; ") + finding_text(f);
        }
        if (with_.line.has("rows")) tell_row(r, text.empty() ? "the same fields" : text);
    }

    void report() const {
        if (with_.json) return report_json();
        if (groups_.empty()) with_.out.line("no rows");
        std::string last;
        bool first = true;
        for (const auto& [of, g] : groups_) {
            const class_notes* const notes = notes_of(of.first);
            if (first || of.first != last)
                with_.out.line(shown(of.first) + ": " +
                               (notes == nullptr
                                    ? "no program has noted what it is"
                                    : "the newest revision is " + std::to_string(notes->all.back().number)));
            first = false;
            last = of.first;
            put_group(of, g, notes);
        }
        if (different_ != 0)
            with_.out.line(
                "what a migrate function of the program does with these rows is not to be seen from here; it runs when "
                "they are loaded");
    }
    [[nodiscard]] std::uint64_t different() const noexcept { return different_; }

private:
    const class_notes* notes_of(std::string_view name) const {
        const auto found = notes_.find(name);
        return found != notes_.end() && found->second.all.back().readable ? &found->second : nullptr;
    }
    void tell_row(const store::stored_row& r, const std::string& text) const {
        if (!with_.json)
            with_.out.line(shown(r.of_class) + " " + shown(r.key) + ", revision " + std::to_string(r.revision) + ": " +
                           text);
    }
    void put_group(const group_key& of, const group& g, const class_notes* notes) const {
        std::string line = "  revision " + std::to_string(of.second) + ": " + counted(g.rows, "row", "rows");
        if (notes != nullptr && of.second > notes->all.back().number)
            line += ", of a later revision: refused until the program that wrote them runs";
        else if (notes != nullptr && g.as_they_are == g.rows)
            line += ", as they are";
        else if (notes != nullptr && g.findings.empty() && g.unreadable == 0)
            line += ", with the same fields";
        if (!g.example.empty()) line += ", for example " + shown(g.example);
        with_.out.line(line);
        for (const auto& [f, rows] : g.findings)
            with_.out.line("    " + finding_text(f) +
                           (rows == g.rows ? std::string() : " (" + counted(rows, "row", "rows") + ")"));
        if (g.unreadable != 0)
            with_.out.line("    " + counted(g.unreadable, "row", "rows") + " without readable data: lido store check");
    }
    void report_json() const {
        with_.out.put("{\"groups\":[");
        bool first = true;
        for (const auto& [of, g] : groups_) {
            const class_notes* const notes = notes_of(of.first);
            std::string text = (first ? "\n{\"class\":" : ",\n{\"class\":") + json_string(of.first) +
                               ",\"revision\":" + std::to_string(of.second) +
                               ",\"newest\":" + (notes != nullptr ? std::to_string(notes->all.back().number) : "null") +
                               ",\"rows\":" + std::to_string(g.rows) +
                               ",\"as_they_are\":" + std::to_string(g.as_they_are) +
                               ",\"unreadable\":" + std::to_string(g.unreadable) + ",\"fields\":[";
            first = false;
            bool first_field = true;
            for (const auto& [f, rows] : g.findings) {
                const char* const kind = f.kind == what::renamed    ? "renamed"
                                         : f.kind == what::added    ? "added"
                                         : f.kind == what::shadowed ? "shadowed"
                                                                    : "unknown";
                text += (first_field ? "{\"what\":\"" : ",{\"what\":\"") + std::string(kind) +
                        "\",\"field\":" + json_string(f.field) +
                        (f.to.empty() ? std::string() : ",\"to\":" + json_string(f.to)) +
                        ",\"rows\":" + std::to_string(rows) + "}";
                first_field = false;
            }
            with_.out.put(text + "]}");
        }
        with_.out.line("],\"rows\":" + std::to_string(rows_) + ",\"different\":" + std::to_string(different_) + "}");
    }

    const call& with_;
    std::map<std::string, class_notes, std::less<>> notes_;
    std::map<group_key, group> groups_;
    std::uint64_t rows_ = 0;
    std::uint64_t different_ = 0;
};

int run(const call& with) {
    if (!with.line.has("dry-run")) {
        return with.speak.say(
            exit_usage,
            "only the program can migrate its rows, and does when it loads them; --dry-run says what would come of it");
    }
    if (with.line.has("class") && with.line.value("class").empty())
        return with.speak.say(exit_usage, "--class needs the name of a class");
    const location where = location::of(with.line[0], with.speak);
    if (!where.wrong.empty()) return with.speak.say(exit_cannot, where.wrong);
    store::opened_database found;
    const open_database db = open_to_read(where, found, with.speak);
    if (db == nullptr) return exit_cannot;
    const interruptible guard(*db);
    const store::row_range range{.of_class = with.line.value("class"), .limit = ~std::uint64_t{0}};
    std::uint64_t rows = 0;
    std::vector<kept_note> notes;
    store::db_answer read = read_notes(*db, notes);
    if (read) read = db->count(range, rows);
    survey of(with, notes);
    if (read) {
        progress shows("reading", rows, "rows");
        std::uint64_t done = 0;
        store::row_function each([&](const store::stored_row& r) {
            shows.at(++done);
            of.look_at(r);
            return with.goes_on();
        });
        read = db->scan(range, each);
    }
    if (!read || interrupted()) return with.failed(read, "not all rows were looked at");
    of.report();
    return of.different() == 0 ? exit_ok : exit_found;
}

}  // namespace

const store_command store_migrate{"migrate", form, &run};

}  // namespace lido::cli
