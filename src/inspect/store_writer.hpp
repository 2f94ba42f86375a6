// Stores as the JSON of docs/protocol/inspector.md.
#pragma once

#include "figures.hpp"
#include "nlohmann.hpp"

#include <string>

namespace lido::inspect {

[[nodiscard]] std::string write_stores(const moment& now);
/// Of one store, a line of the stream's sample.
[[nodiscard]] ordered_json sample_of(const store_figures& s);

}  // namespace lido::inspect
