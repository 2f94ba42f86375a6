// Figures as the JSON of docs/protocol/inspector.md. Bytes that are not UTF-8 in names become U+FFFD.
#pragma once

#include "board.hpp"
#include "figures.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lido::inspect {

[[nodiscard]] std::string write_error(std::string_view sentence);
[[nodiscard]] std::string write_hello(const hello_figures& hello);
[[nodiscard]] std::string write_pools(const moment& now);
[[nodiscard]] std::string write_pool(const pool_detail& pool);
[[nodiscard]] std::string write_map(const map_figures& map);
[[nodiscard]] std::string write_events(const event_list& events);
/// One line, for the stream.
[[nodiscard]] std::string write_sample(const moment& now);
[[nodiscard]] std::string write_said(std::string_view said);
[[nodiscard]] std::string write_bye();

[[nodiscard]] std::string base64(const std::vector<std::uint8_t>& bytes);

}  // namespace lido::inspect
