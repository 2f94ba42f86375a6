// A command line, read by a table that also writes the help: neither can say what the other does not.
//
// Not getopt_long: it keeps its state in globals, prints sentences of its own, takes abbreviations that break when an option is added, and
// knows nothing of the help, or of which option was meant. This is less code than what would be needed around it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido::cli {

struct option {
    std::string_view name;   ///< without the dashes
    std::string_view value;  ///< what it takes, for the help; empty: it is a switch
    std::string_view help;
};

struct operand {
    std::string_view name;
    bool needed = true;
};

/// What a command takes.
struct command_form {
    std::string_view command;  ///< "lido store ls"
    std::string_view summary;  ///< one sentence
    std::span<const operand> operands;
    std::span<const option> options;
    std::string_view more;  ///< what else its help says
};

/// A command line that was read.
class arguments {
public:
    [[nodiscard]] const std::string& operator[](std::size_t i) const { return operands_[i]; }
    [[nodiscard]] std::size_t size() const noexcept { return operands_.size(); }
    [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
    [[nodiscard]] std::string_view value(std::string_view name) const {
        const std::string* const found = find(name);
        return found != nullptr ? std::string_view(*found) : std::string_view();
    }

private:
    friend struct reading;
    [[nodiscard]] const std::string* find(std::string_view name) const {
        for (const auto& [option, value] : options_) {
            if (option == name) return &value;
        }
        return nullptr;
    }
    std::vector<std::string> operands_;
    std::vector<std::pair<std::string, std::string>> options_;
};

struct reading {
    arguments read;
    std::string wrong;  ///< a sentence; empty when the line is good
    bool help = false;

    [[nodiscard]] static reading of(const command_form& form, std::span<char* const> words);
};

[[nodiscard]] std::string help_of(const command_form& form);

/// The whole text is a number without sign.
[[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view text) noexcept;
/// "30d", "12h", "5m", "10s" in milliseconds.
[[nodiscard]] std::optional<std::int64_t> duration(std::string_view text) noexcept;

}  // namespace lido::cli
