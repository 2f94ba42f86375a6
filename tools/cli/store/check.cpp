// Whether a store is whole: what its database says of itself, and what must hold of each row.
#include <set>
#include <string>
#include <vector>

#include "../base/json_text.hpp"
#include "../base/progress.hpp"
#include "../base/text.hpp"
#include "commands.hpp"
#include "kept_row.hpp"

namespace lido::cli {
namespace {

constexpr operand operands[] = {{"STORE"}};
constexpr option options[] = {{"json", "", "one JSON object"}};
constexpr command_form form{"lido store check", "looks for damage: in the file, and row by row", operands, options,
                            "Returns 1 where it found some. A game may have the store meanwhile.\n"};

/// So many are kept for a second look; whoever has more has seen enough.
constexpr std::size_t most_suspects = 10000;

/// What must hold of a row, and does not.
std::vector<std::string> faults_of(const store::stored_row& r) {
    std::vector<std::string> all;
    const auto number = [](std::uint64_t n) { return std::to_string(n); };
    if (const char* const wrong = wrong_name(r.of_class)) all.push_back(std::string("its class ") + wrong);
    if (const char* const wrong = wrong_name(r.key)) all.push_back(std::string("its key ") + wrong);
    for (const auto& [name, value] :
         {std::pair{"epoch", r.epoch}, {"generation", r.generation}, {"version", r.version}, {"birth", r.birth}}) {
        if (value >> 63 != 0) all.push_back(std::string("its ") + name + " is below 0");
    }
    switch (r.state) {
        case store::row_state::stored: {
            if (const json_fault fault = check_json(r.data); !fault.good)
                all.push_back("its data is no JSON: " + fault.what);
            else if (!is_json_object(r.data))
                all.push_back("its data is no JSON object");
            else if (const std::string twice = name_twice(json_members(r.data)); !twice.empty())
                all.push_back("its data has " + shown(twice) + " twice");
            if (r.generation == 0) all.push_back("it has data, and no life that was saved: its generation is 0");
            if (r.birth == 0) all.push_back("it has data, and its first life is 0");
            break;
        }
        case store::row_state::claimed:
            if (r.generation != 0 || r.version != 0)
                all.push_back("it was never saved, and has generation " + number(r.generation) + " and version " +
                              number(r.version));
            break;
        case store::row_state::erased:
            if (r.generation == 0) all.push_back("it was erased, and had no life: its generation is 0");
            break;
    }
    if (r.birth > r.generation)
        all.push_back("its first life, " + number(r.birth) + ", is later than its last, " + number(r.generation));
    return all;
}

/// What does not go together with what the whole store knows.
std::vector<std::string> faults_in(const store::stored_row& r, const store::opened_database& in, bool is_file) {
    std::vector<std::string> all;
    // In a file nobody has an epoch but by opening it. Several servers at one PostgreSQL have theirs from elsewhere.
    if (is_file && r.epoch > in.epoch)
        all.push_back("its epoch is " + std::to_string(r.epoch) + ", and the store was opened for writing " +
                      counted(in.epoch, "time", "times") + ": no game can write it");
    // Only a store that a game has written counts births.
    if (in.position.births != 0 && r.generation > in.position.births)
        all.push_back("its generation is " + std::to_string(r.generation) + ", and the store knows of " +
                      counted(in.position.births, "birth", "births") + ": a new life could be taken for this one");
    return all;
}

class report {
public:
    explicit report(const call& with) : with_(with) {
        if (with.json) with.out.put("{\"damage\":[");
    }
    /// Of a row where `of` is one.
    void tell(const store::stored_row* of, const std::string& what) {
        if (with_.json) {
            with_.out.put((found_ == 0 ? "\n{" : ",\n{") +
                          (of != nullptr
                               ? "\"class\":" + json_string(of->of_class) + ",\"key\":" + json_string(of->key) + ","
                               : std::string()) +
                          "\"what\":" + json_string(what) + "}");
        } else {
            with_.out.line((of != nullptr ? shown(of->of_class) + " " + shown(of->key) + ": " : std::string()) +
                           printable(what));
        }
        ++found_;
    }
    [[nodiscard]] std::uint64_t found() const noexcept { return found_; }

private:
    const call& with_;
    std::uint64_t found_ = 0;
};

void check_notes(const std::vector<kept_note>& notes, report& to) {
    for (const kept_note& n : notes) {
        note_fields fields;
        if (const char* const wrong = wrong_name(n.name))
            to.tell(nullptr, "a class's name " + std::string(wrong) + ": " + shown(n.name));
        if (!read_note(n.fields, fields))
            to.tell(nullptr, "the note of class " + shown(n.name) + ", revision " + std::to_string(n.revision) +
                                 ", cannot be read");
    }
}

int run(const call& with) {
    const location where = location::of(with.line[0], with.speak);
    if (!where.wrong.empty()) return with.speak.say(exit_cannot, where.wrong);
    store::opened_database found;
    const open_database db = open_to_read(where, found, with.speak);
    if (db == nullptr) return exit_cannot;
    const interruptible guard(*db);
    report to(with);
    progress shows("checking", 0, "rows");
    std::set<std::string, std::less<>> rows_without_json;
    store::db_answer done = db->check([&](std::string_view sentence) {
        // It says of a row that its data is no JSON; the row is told again below, with what is wrong.
        const auto data = sentence.find(": its data is no JSON");
        if (data != std::string_view::npos)
            rows_without_json.insert(std::string(sentence));
        else
            to.tell(nullptr, std::string(sentence));
    });
    std::uint64_t rows = 0;
    std::vector<kept_row> suspects;
    if (done) {
        store::row_function each([&](const store::stored_row& r) {
            shows.at(++rows);
            const std::vector<std::string> faults = faults_of(r);
            if (!faults.empty()) shows.wipe();
            for (const std::string& fault : faults) to.tell(&r, fault);
            if (!faults_in(r, found, !where.is_address).empty() && suspects.size() < most_suspects) {
                suspects.emplace_back(r);
                suspects.back().data.clear();
            }
            const std::string name = std::string(r.of_class) + " " + std::string(r.key) + ": ";
            for (auto it = rows_without_json.lower_bound(name); it != rows_without_json.end() && it->starts_with(name);)
                it = rows_without_json.erase(it);
            return with.goes_on();
        });
        done = db->scan({.limit = ~std::uint64_t{0}, .claimed_too = true, .erased_too = true}, each);
    }
    std::vector<kept_note> notes;
    if (done) done = read_notes(*db, notes);
    // A game may have gone on meanwhile: rows are compared with what the store knew when they had been read.
    if (done && !suspects.empty()) done = db->open(store::open_mode::read, found);
    if (done) {
        for (const kept_row& r : suspects) {
            store::stored_row of;
            of.of_class = r.of_class;
            of.key = r.key;
            of.epoch = r.epoch;
            of.generation = r.generation;
            shows.wipe();
            for (const std::string& fault : faults_in(of, found, !where.is_address)) to.tell(&of, fault);
        }
    }
    shows.wipe();
    if (interrupted()) return with.failed(done, "not all of it was checked");
    if (!done && done.fault() != store::db_fault::unusable) return with.failed(done, {});
    // A page that cannot be read ends the search: that is damage, too.
    if (!done) to.tell(nullptr, done.why());
    check_notes(notes, to);
    for (const std::string& sentence : rows_without_json) to.tell(nullptr, sentence);
    if (with.json)
        with.out.put("],\"rows\":" + std::to_string(rows) +
                     ",\"whole\":" + (to.found() == 0 && done ? "true" : "false") + "}\n");
    else if (to.found() == 0)
        with.out.line("in order: " + counted(rows, "row", "rows") + ", claims and tombstones included");
    else
        with.out.line(counted(to.found(), "fault", "faults") +
                      (done ? " in " + counted(rows, "row", "rows") : "; what is behind it was not read") +
                      ". Before anything else: lido store backup. docs/guide/cli.md says how rows are repaired");
    return to.found() == 0 ? exit_ok : exit_found;
}

}  // namespace

const store_command store_check{"check", form, &run};

}  // namespace lido::cli
