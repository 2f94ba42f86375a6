// One row, whole.
#include <optional>
#include <string>
#include <vector>

#include "../base/json_text.hpp"
#include "../base/text.hpp"
#include "commands.hpp"
#include "kept_row.hpp"

namespace lido::cli {
namespace {

constexpr operand operands[] = {{"STORE"}, {"CLASS"}, {"KEY"}};
constexpr option options[] = {{"json", "", "one JSON object"}};
constexpr command_form form{"lido store show", "shows one row, with its data and what its class is", operands, options,
                            "A key that begins with a dash stands behind --.\n"};

void put_row(const call& with, const kept_row& r) {
    with.out.line(shown(r.of_class) + " " + shown(r.key));
    text_table table("ll");
    table.line({"state", store::to_string(r.state)});
    table.line({"epoch", std::to_string(r.epoch)});
    table.line({"generation", std::to_string(r.generation) + ", first life " + std::to_string(r.birth)});
    table.line({"version", std::to_string(r.version)});
    table.line({"revision", std::to_string(r.revision)});
    table.line({"owner", r.owner == 0 ? "nobody" : std::to_string(r.owner)});
    table.line({"created", time_text(r.created) + " UTC"});
    table.line({"changed", time_text(r.changed) + " UTC"});
    with.out.put(table.text("  "));
    if (r.state != store::row_state::stored) return;
    if (const json_fault fault = check_json(r.data); fault.good)
        with.out.line(pretty_json(r.data));
    else
        with.out.line("its data is no JSON (" + fault.what + "):\n" + printable(r.data));
}

void put_note(const call& with, const kept_row& r, const std::vector<kept_note>& notes) {
    const kept_note* its = nullptr;
    const kept_note* newest = nullptr;
    for (const kept_note& n : notes) {
        if (n.name != r.of_class) continue;
        if (n.revision == r.revision) its = &n;
        newest = &n;
    }
    const auto put = [&](const kept_note& n) {
        note_fields fields;
        with.out.line("class " + shown(n.name) + ", revision " + std::to_string(n.revision) + ", first seen " +
                      time_text(n.seen) + " UTC");
        with.out.line("  " + (read_note(n.fields, fields) ? note_text(fields)
                                                          : "its note cannot be read: " + printable(n.fields)));
    };
    if (its != nullptr) put(*its);
    if (newest != nullptr && newest != its) put(*newest);
    if (newest == nullptr) with.out.line("no program has noted what " + shown(r.of_class) + " is");
}

void put_json(const call& with, const kept_row& r, const std::vector<kept_note>& notes) {
    const bool good = check_json(r.data).good;
    std::string text = "{\"class\":" + json_string(r.of_class) + ",\"key\":" + json_string(r.key) + ",\"state\":\"" +
                       store::to_string(r.state) + "\",\"epoch\":" + std::to_string(r.epoch) +
                       ",\"generation\":" + std::to_string(r.generation) + ",\"version\":" + std::to_string(r.version) +
                       ",\"birth\":" + std::to_string(r.birth) + ",\"revision\":" + std::to_string(r.revision) +
                       ",\"owner\":" + std::to_string(r.owner) + ",\"created\":" + std::to_string(r.created) +
                       ",\"changed\":" + std::to_string(r.changed);
    if (r.state == store::row_state::stored)
        text += good ? ",\"data\":" + compact_json(r.data) : ",\"broken\":" + json_string(r.data);
    text += ",\"notes\":[";
    bool first = true;
    for (const kept_note& n : notes) {
        if (n.name != r.of_class) continue;
        text += (first ? "{\"revision\":" : ",{\"revision\":") + std::to_string(n.revision) +
                ",\"seen\":" + std::to_string(n.seen) +
                ",\"fields\":" + (check_json(n.fields).good ? compact_json(n.fields) : "null") + "}";
        first = false;
    }
    with.out.line(text + "]}");
}

int run(const call& with) {
    const location where = location::of(with.line[0], with.speak);
    if (!where.wrong.empty()) return with.speak.say(exit_cannot, where.wrong);
    store::opened_database found;
    const open_database db = open_to_read(where, found, with.speak);
    if (db == nullptr) return exit_cannot;
    const interruptible guard(*db);
    std::optional<kept_row> row;
    store::row_function each([&](const store::stored_row& r) {
        row.emplace(r);
        return true;
    });
    std::vector<kept_note> notes;
    store::db_answer read = db->find(with.line[1], with.line[2], each);
    if (read && row) read = read_notes(*db, notes);
    if (!read) return with.failed(read, "nothing was shown");
    if (!row) {
        return with.speak.say(exit_cannot, where.shown + " has no row " + shown(with.line[1]) + " " +
                                               shown(with.line[2]) + "; lido store ls lists those that it has");
    }
    if (with.json) {
        put_json(with, *row, notes);
    } else {
        put_row(with, *row);
        put_note(with, *row, notes);
    }
    return exit_ok;
}

}  // namespace

const store_command store_show{"show", form, &run};

}  // namespace lido::cli
