// A store as text: a line per row, for people and for `import`.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "../base/progress.hpp"
#include "../base/text.hpp"
#include "commands.hpp"
#include "export_form.hpp"

namespace lido::cli {
namespace {

constexpr operand operands[] = {{"STORE"}};
constexpr option options[] = {
    {"class", "CLASS", "only rows of this class"},
    {"prefix", "TEXT", "only keys that begin so"},
    {"claims", "", "also rows that a game has asked for and never saved"},
    {"no-tombstones", "", "without rows that were erased"},
    {"to", "FILE", "into a new file, which has its name when it is whole"},
    {"json", "", "says what was done as one JSON object; needs --to"},
};
constexpr command_form form{"lido store export", "writes rows as lines of JSON, which can be edited and imported",
                            operands, options,
                            "Without --to the lines go to standard output. docs/guide/cli.md has their form.\n"};

/// A file that has its name only when it is whole; "" is standard output.
class new_file {
public:
    explicit new_file(std::string path) : path_(std::move(path)), part_(path_ + ".part") {}
    new_file(const new_file&) = delete;
    new_file& operator=(const new_file&) = delete;
    ~new_file() {
        if (file_ >= 0) {
            ::close(file_);
            ::unlink(part_.c_str());
        }
    }
    /// An empty text, or why not.
    std::string open() {
        if (::access(path_.c_str(), F_OK) == 0)
            return path_ + ": there is a file of that name; give another, or remove it first";
        file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        return file_ >= 0 ? std::string() : path_ + ": it cannot be made (" + std::strerror(errno) + ")";
    }
    [[nodiscard]] int file() const noexcept { return file_; }
    std::string finish() {
        if (::fsync(file_) != 0 || ::rename(part_.c_str(), path_.c_str()) != 0)
            return path_ + ": it cannot be finished (" + std::strerror(errno) + ")";
        ::close(file_);
        file_ = -1;
        return {};
    }

private:
    std::string path_;
    std::string part_;
    int file_ = -1;
};

struct exported {
    std::uint64_t rows = 0;
    std::uint64_t broken = 0;
};

store::db_answer write_all(const call& with, store::database& db, const store::opened_database& found, output& to,
                           exported& count) {
    const arguments& line = with.line;
    std::vector<kept_note> notes;
    if (store::db_answer read = read_notes(db, notes); !read) return read;
    store::row_range range{.of_class = line.value("class"), .prefix = line.value("prefix"), .limit = ~std::uint64_t{0}};
    range.claimed_too = line.has("claims");
    range.erased_too = !line.has("no-tombstones");
    std::uint64_t of = 0;
    if (store::db_answer counted = db.count(range, of); !counted) return counted;
    to.put(write_head({found.epoch, found.position}));
    for (const kept_note& n : notes) {
        if (range.of_class.empty() || n.name == range.of_class) to.put(write_note(n));
    }
    progress shows("exporting", of, "rows");
    // One scan, and not page by page: the rows are of one moment, whatever a game does meanwhile.
    store::row_function each([&](const store::stored_row& r) {
        bool broken = false;
        to.put(write_row(r, broken));
        if (broken) {
            ++count.broken;
            shows.wipe();
            with.speak.say(shown(r.of_class) + " " + shown(r.key) +
                           ": its data is no JSON object; it is in the export as \"broken\", to be repaired");
        }
        shows.at(++count.rows);
        return with.goes_on() && to.good();
    });
    if (store::db_answer scanned = db.scan(range, each); !scanned) return scanned;
    if (!interrupted()) to.put(write_end());
    to.flush();
    return {};
}

int run(const call& with) {
    const std::string path(with.line.value("to"));
    const bool to_file = with.line.has("to");
    if (to_file && path.empty()) return with.speak.say(exit_usage, "--to needs the name of a file");
    if (with.json && !to_file) return with.speak.say(exit_usage, "--json needs --to FILE: the export itself is JSON");
    if (with.line.has("class") && with.line.value("class").empty())
        return with.speak.say(exit_usage, "--class needs the name of a class");
    const location where = location::of(with.line[0], with.speak);
    if (!where.wrong.empty()) return with.speak.say(exit_cannot, where.wrong);
    store::opened_database found;
    const open_database db = open_to_read(where, found, with.speak);
    if (db == nullptr) return exit_cannot;
    const interruptible guard(*db);
    new_file file(path);
    if (to_file) {
        if (const std::string wrong = file.open(); !wrong.empty()) return with.speak.say(exit_cannot, wrong);
    }
    exported count;
    {
        output own(file.file());
        output& to = to_file ? own : with.out;
        const store::db_answer written = write_all(with, *db, found, to, count);
        if (!written || interrupted())
            return with.failed(written,
                               to_file ? "there is no export" : "the export is not whole: it has no last line");
        if (to_file && !own.good())
            return with.speak.say(exit_cannot, path + ": it cannot be written (" + std::strerror(own.error()) + ")");
    }
    if (to_file) {
        if (const std::string wrong = file.finish(); !wrong.empty()) return with.speak.say(exit_cannot, wrong);
        if (with.json)
            with.out.line("{\"export\":" + json_string(path) + ",\"rows\":" + std::to_string(count.rows) +
                          ",\"broken\":" + std::to_string(count.broken) + "}");
        else
            with.out.line(printable(path) + ": " + counted(count.rows, "row", "rows") + " of " + where.shown);
    }
    return count.broken == 0 ? exit_ok : exit_found;
}

}  // namespace

const store_command store_export{"export", form, &run};

}  // namespace lido::cli
