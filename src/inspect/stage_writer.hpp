// Stages as the JSON of docs/protocol/inspector.md. What jobs looked at is written by the jobs themselves, in stage_writer.cpp.
#pragma once

#include "figures.hpp"
#include "nlohmann.hpp"

#include <string>

namespace lido::inspect {

[[nodiscard]] std::string write_stages(const moment& now);
/// Of one stage, a line of the stream's sample.
[[nodiscard]] ordered_json sample_of(const stage_figures& s);
/// As text. Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string text_of(const ordered_json& j);

}  // namespace lido::inspect
