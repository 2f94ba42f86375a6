// An export: one JSON object a line. docs/guide/cli.md has the form, for people who edit one.
//
//   {"lido":"store export","form":1,"epoch":4,"run":4,"tick":100,"commit":7,"births":12}     the first line
//   {"note":"door","revision":3,"seen":1700000000000,"fields":{"hp":["health"]}}             what a class was in a revision
//   {"class":"door","key":"gate-1","state":"stored","generation":7,…,"data":{…}}             a row
//   {"end":"store export"}                                                                   the last line
#pragma once

#include <lido/store/row.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "kept_row.hpp"

namespace lido::cli {

struct export_head {
    std::uint64_t epoch = 0;
    store::stored_position position;
    friend bool operator==(const export_head&, const export_head&) = default;
};

enum class line_kind : std::uint8_t { wrong, head, note, row, end };

/// A line that was read.
struct export_line {
    line_kind kind = line_kind::wrong;
    std::string wrong;  ///< what is wrong with it, and what to write instead
    export_head head;
    kept_note note;
    kept_row row;
};

[[nodiscard]] std::string write_head(const export_head& head);
[[nodiscard]] std::string write_note(const kept_note& note);
/// Of a row whose data is no JSON object a line that no import takes: its data is a text under "broken", for whoever repairs it.
[[nodiscard]] std::string write_row(const store::stored_row& row, bool& broken);
[[nodiscard]] std::string write_end();

[[nodiscard]] export_line read_line(std::string_view line);

}  // namespace lido::cli
