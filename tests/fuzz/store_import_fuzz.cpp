// Fuzzes the reader of an export's lines: text from strangers gives a row that a store may have, or one printable sentence; and what is
// written of a row is read back as it was.
//
// Input: an export. tests/fuzz/corpus/store_import is written by hand, one idea a file.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "store/export_form.hpp"

namespace lido::test {
namespace {

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "store_import_fuzz: %s\n", what);
    std::abort();
}

store::stored_row view_of(const cli::kept_row& r) {
    return {r.of_class, r.key,      r.state, r.epoch, r.generation, r.version,
            r.birth,    r.revision, r.owner, r.data,  r.created,    r.changed};
}

void check_row(const cli::kept_row& r) {
    expect(cli::wrong_name(r.of_class) == nullptr && cli::wrong_name(r.key) == nullptr, "a name that no row has");
    for (const std::uint64_t n : {r.epoch, r.generation, r.version, r.birth})
        expect(n >> 63 == 0, "a number that no table has");
    if (r.state == store::row_state::stored) {
        expect(r.generation != 0 && r.birth <= r.generation, "a life that never was");
        expect(cli::check_json(r.data).good && cli::is_json_object(r.data), "data that is no object");
        expect(cli::name_twice(cli::json_members(r.data)).empty(), "a field twice");
        expect(cli::same_json(r.data, cli::pretty_json(r.data)), "a printed text that says something else");
    } else {
        expect(r.data.empty(), "data of what has none");
    }
    bool broken = true;
    const std::string line = cli::write_row(view_of(r), broken);
    expect(!broken && line.find('\n') == line.size() - 1, "a row that is not one line");
    const cli::export_line again = cli::read_line(std::string_view(line).substr(0, line.size() - 1));
    expect(again.kind == cli::line_kind::row && again.row == r, "a row that is read back as another");
}

void check_line(std::string_view text) {
    const cli::export_line line = cli::read_line(text);
    switch (line.kind) {
        case cli::line_kind::wrong:
            expect(!line.wrong.empty() && line.wrong.size() < 2000, "a sentence that nobody reads");
            expect(cli::is_utf8(line.wrong) && cli::printable(line.wrong) == line.wrong,
                   "a sentence that a terminal would obey");
            break;
        case cli::line_kind::head:
            expect(cli::read_line(cli::write_head(line.head)).head == line.head,
                   "a first line that is read back as another");
            break;
        case cli::line_kind::note: {
            cli::note_fields fields;
            expect(cli::read_note(line.note.fields, fields), "a note that cannot be read");
            expect(cli::read_line(cli::write_note(line.note)).note == line.note, "a note that is read back as another");
            break;
        }
        case cli::line_kind::row: check_row(line.row); break;
        case cli::line_kind::end: break;
    }
}

/// Whatever a row has in it, its line is one, and either a row again or told as broken.
void check_damaged(std::string_view data) {
    const store::stored_row r{
        .of_class = "door", .key = "k", .state = store::row_state::stored, .generation = 1, .data = data};
    bool broken = false;
    const std::string line = cli::write_row(r, broken);
    expect(line.find('\n') == line.size() - 1 && cli::check_json(line).good, "a line that is no JSON");
    const cli::export_line again = cli::read_line(line);
    if (broken) expect(again.kind == cli::line_kind::wrong, "broken data that is taken back");
    (void)cli::printable(data);
    (void)cli::shown(data);
}

}  // namespace
}  // namespace lido::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    lido::test::check_damaged(text);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lido::test::check_line(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return 0;
}
