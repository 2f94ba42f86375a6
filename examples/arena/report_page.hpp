// The report of a run as one page: inline style and plots, nothing that is loaded, no script.
#pragma once

#include "recorder.hpp"
#include "report.hpp"
#include "simulation.hpp"

#include <string>
#include <string_view>

namespace arena {

/// Well-formed as XML, too, but for its first line.
[[nodiscard]] std::string report_page(const simulation& game, const outcome& run, const recorder& records);

/// Why the report could not be written there, in one line; empty when it could, or when `file` is empty. Changes nothing.
[[nodiscard]] std::string report_problem(const std::string& file);
[[nodiscard]] bool write_report(const std::string& file, std::string_view page);

/// `text` as it may stand in an element or an attribute.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace arena
