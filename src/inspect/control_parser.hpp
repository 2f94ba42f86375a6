// The body of a command, from bytes that may be anything. Pure; fuzzed.
#pragma once

#include <lido/inspect/command.hpp>

#include <string>
#include <string_view>

namespace lido::inspect {

struct parsed_command {
    std::string name;
    command_value value;
    std::string error;  ///< one plain sentence; empty when it could be read
    [[nodiscard]] explicit operator bool() const noexcept { return error.empty(); }
};

/// {"command": "pause", "value": true | 3 | "text" | null}
[[nodiscard]] parsed_command parse_command(std::string_view body);

/// 1 to 64 bytes, none of them a control character.
[[nodiscard]] bool is_command_name(std::string_view name);

/// Empty when the value fits the description; else one plain sentence.
[[nodiscard]] std::string check_value(const command_value& value, const command_description& what);

}  // namespace lido::inspect
