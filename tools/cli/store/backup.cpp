// A copy of a store, whole, while a game has it.
#include <string>

#include "../base/progress.hpp"
#include "../base/text.hpp"
#include "commands.hpp"

namespace lido::cli {
namespace {

constexpr operand operands[] = {{"STORE"}, {"FILE"}};
constexpr option options[] = {{"json", "", "one JSON object"}};
constexpr command_form form{
    "lido store backup", "copies a store to a new file, while a game has it", operands, options,
    "The copy is of one moment. It has its name only when it is whole: one that was interrupted is removed.\n"};

int run(const call& with) {
    const location where = location::of(with.line[0], with.speak);
    if (!where.wrong.empty()) return with.speak.say(exit_cannot, where.wrong);
    if (with.line[1].empty()) return with.speak.say(exit_usage, "the name of the copy is empty");
    store::opened_database found;
    const open_database db = open_to_read(where, found, with.speak);
    if (db == nullptr) return exit_cannot;
    const interruptible guard(*db);
    progress shows("copying", 0, "bytes");
    std::uint64_t bytes = 0;
    const store::db_answer copied = db->backup(with.line[1], [&](std::uint64_t done, std::uint64_t of) {
        bytes = of;
        if (!interrupted()) shows.at(done, of);
        return !interrupted();
    });
    shows.wipe();
    if (!copied) return with.failed(copied, "there is no copy");
    if (with.json)
        with.out.line("{\"copy\":" + json_string(with.line[1]) + ",\"epoch\":" + std::to_string(found.epoch) +
                      ",\"bytes\":" + std::to_string(bytes) + "}");
    else
        with.out.line(printable(with.line[1]) + ": a copy of " + where.shown);
    return exit_ok;
}

}  // namespace

const store_command store_backup{"backup", form, &run};

}  // namespace lido::cli
