// Commands: what a program lets its inspector ask for. They run on the program's thread, inside sample().
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lido {

enum class command_kind : std::uint8_t {
    button,  ///< no value
    toggle,  ///< true or false
    number,  ///< a whole number from min to max
    choice,  ///< one of the texts in choices
};

[[nodiscard]] constexpr const char* to_string(command_kind kind) noexcept {
    switch (kind) {
        case command_kind::button: return "button";
        case command_kind::toggle: return "switch";
        case command_kind::number: return "number";
        case command_kind::choice: return "choice";
    }
    return "button";
}

struct command_description {
    std::string name = {};  ///< what a request names it by
    command_kind kind = command_kind::button;
    std::string label = {};  ///< what the page shows; empty: the name
    std::int64_t min = 0;
    std::int64_t max = 0;
    std::vector<std::string> choices = {};
};

/// What came with a command. It has been checked against the description: a switch always has a boolean.
class command_value {
public:
    using any = std::variant<std::monostate, bool, std::int64_t, std::string>;

    command_value() = default;
    explicit command_value(any value) : value_(std::move(value)) {}

    /// The value of a switch; false for anything else.
    [[nodiscard]] bool on() const noexcept {
        const bool* const v = std::get_if<bool>(&value_);
        return v != nullptr && *v;
    }
    /// The value of a number; 0 for anything else.
    [[nodiscard]] std::int64_t number() const noexcept {
        const std::int64_t* const v = std::get_if<std::int64_t>(&value_);
        return v != nullptr ? *v : 0;
    }
    /// The value of a choice; empty for anything else.
    [[nodiscard]] const std::string& text() const noexcept {
        static const std::string none;
        const std::string* const v = std::get_if<std::string>(&value_);
        return v != nullptr ? *v : none;
    }
    [[nodiscard]] const any& value() const noexcept { return value_; }

private:
    any value_;
};

}  // namespace lido
