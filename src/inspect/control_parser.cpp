#include "control_parser.hpp"

#include "nlohmann.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <variant>

namespace lido::inspect {

namespace {

[[nodiscard]] parsed_command wrong(std::string_view why) {
    parsed_command p;
    p.error = why;
    return p;
}

[[nodiscard]] bool is_printable(std::string_view s) {
    return std::all_of(s.begin(), s.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
}

}  // namespace

bool is_command_name(std::string_view name) { return !name.empty() && name.size() <= 64 && is_printable(name); }

parsed_command parse_command(std::string_view body) {
    const json from = json::parse(body, nullptr, false);
    if (from.is_discarded()) return wrong("the body is not JSON");
    if (!from.is_object()) return wrong("the body must be an object");
    for (const auto& [key, value] : from.items()) {
        if (key != "command" && key != "value") return wrong("the body has something else than command and value");
    }
    const auto name = from.find("command");
    if (name == from.end() || !name->is_string()) return wrong("command must be there, and be a text");
    parsed_command p;
    p.name = name->get<std::string>();
    if (!is_command_name(p.name)) return wrong("command must be a name of 1 to 64 bytes");
    const auto value = from.find("value");
    if (value == from.end() || value->is_null()) return p;
    if (value->is_boolean()) {
        p.value = command_value(value->get<bool>());
    } else if (value->is_number_integer()) {
        // An unsigned one above the largest std::int64_t would come out negative.
        if (value->is_number_unsigned() &&
            value->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return wrong("value is too large");
        p.value = command_value(value->get<std::int64_t>());
    } else if (value->is_string()) {
        std::string text = value->get<std::string>();
        if (!is_printable(text)) return wrong("value has control characters");
        p.value = command_value(std::move(text));
    } else {
        return wrong("value must be true, false, a whole number, a text or null");
    }
    return p;
}

std::string check_value(const command_value& value, const command_description& what) {
    const command_value::any& v = value.value();
    switch (what.kind) {
        case command_kind::button:
            if (!std::holds_alternative<std::monostate>(v)) return what.name + " takes no value";
            return {};
        case command_kind::toggle:
            if (!std::holds_alternative<bool>(v)) return what.name + " takes true or false";
            return {};
        case command_kind::number:
            if (!std::holds_alternative<std::int64_t>(v) || value.number() < what.min || value.number() > what.max)
                return what.name + " takes a whole number from " + std::to_string(what.min) + " to " +
                       std::to_string(what.max);
            return {};
        case command_kind::choice:
            if (!std::holds_alternative<std::string>(v) ||
                std::find(what.choices.begin(), what.choices.end(), value.text()) == what.choices.end())
                return what.name + " takes one of its choices";
            return {};
    }
    return what.name + " is of no known kind";
}

}  // namespace lido::inspect
