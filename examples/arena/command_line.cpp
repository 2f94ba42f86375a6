#include "command_line.hpp"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace arena {

const char* const help_text =
    "usage: arena [--seed N] [--ticks N] [--pools FILE] [--report FILE] [--quiet]\n"
    "\n"
    "Runs a bullet-hell game without a screen, at a fixed tick, and prints what its pools did.\n"
    "\n"
    "  --seed N    another game; the same seed gives the same final hash everywhere (default 7)\n"
    "  --ticks N   how long, 1 to 10000000; 60 ticks are a second of play (default 40000)\n"
    "  --pools F   settings of the classes of its world (default: pools.toml beside the program, else that of\n"
    "              examples/arena); other settings are another game\n"
    "  --report F  also write a page with plots of every pool over the run (./dev run writes report.html)\n"
    "  --no-report no page\n"
    "  --quiet     no progress, only the result\n"
    "  --help      this text\n";

namespace {

constexpr std::uint64_t most_ticks = 10'000'000;

/// True when all of `text` is a number of at most `most`.
[[nodiscard]] bool to_number(std::string_view text, std::uint64_t most, std::uint64_t& number) noexcept {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number <= most;
}

}  // namespace

command_line parse(int count, const char* const* arguments) {
    command_line asked;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--help" || argument == "-h") {
            asked.help = true;
        } else if (argument == "--quiet") {
            asked.quiet = true;
        } else if (argument == "--no-report") {
            asked.report.clear();
        } else if (argument == "--pools" || argument == "--report") {
            if (i + 1 == count || *arguments[i + 1] == '\0') {
                asked.error = std::string(argument) + " needs a file after it";
                return asked;
            }
            (argument == "--pools" ? asked.pools : asked.report) = arguments[++i];
        } else if (argument == "--seed" || argument == "--ticks") {
            const bool is_seed = argument == "--seed";
            if (i + 1 == count) {
                asked.error = std::string(argument) + " needs a number after it";
                return asked;
            }
            const std::string_view value = arguments[++i];
            const bool fine = is_seed ? to_number(value, UINT64_MAX / 2 - 1, asked.seed)
                                      : to_number(value, most_ticks, asked.ticks) && asked.ticks >= 1;
            if (!fine) {
                asked.error = std::string(argument) + " takes a whole number" + (is_seed ? "" : " from 1 to 10000000") +
                              ", not '" + std::string(value) + "'";
                return asked;
            }
        } else {
            asked.error = "unknown argument '" + std::string(argument) + "'";
            return asked;
        }
    }
    return asked;
}

}  // namespace arena
