#include "command_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

namespace arena {

const char* const help_text =
    "usage: arena [--play NAME] [--seed N] [--ticks N] [--pools FILE] [--report FILE] [--store FILE]\n"
    "             [--quiet]\n"
    "       arena --serve [--play NAME] [--seed N] [--pools FILE] [--port N] [--bind ADDRESS --allow-remote] [--for "
    "SECONDS]\n"
    "\n"
    "Runs a bullet-hell game without a screen, at a fixed tick, and prints what its pools did.\n"
    "With --serve it goes on in real time, and its pools are seen and played with in a browser.\n"
    "\n"
    "  --play NAME overload: more of everything than fits, so that every pool shows what it does then (default);\n"
    "              normal: what the pools were made for, where nothing is ever dropped\n"
    "  --seed N    another game; the same seed gives the same final hash everywhere (default 7)\n"
    "  --ticks N   how long, 1 to 10000000; 60 ticks are a second of play (default 40000)\n"
    "  --pools F   settings of the classes of its world (default: pools.toml beside the program, else that of\n"
    "              examples/arena); other settings are another game\n"
    "  --report F  also write a page with plots of every pool over the run (./dev run writes report.html)\n"
    "  --no-report no page\n"
    "  --store F   keep vaults and purses in that file: they go on where they were, whatever ended the arena before\n"
    "  --quiet     no progress, only the result\n"
    "  --serve     print the address of a page that shows the game and its pools, with pause, step, speed, bursts and\n"
    "              the last ten seconds to go back to; until control and C\n"
    "  --port N    that port, 1 to 65535 (default: the first free one from 7777 on)\n"
    "  --bind A    another address of this machine than 127.0.0.1; needs --allow-remote where others can reach it\n"
    "  --for N     end after so many seconds\n"
    "  --help      this text\n";

namespace {

constexpr std::uint64_t most_ticks = 10'000'000;
constexpr std::uint64_t most_seed = UINT64_MAX / 2 - 1;

/// True when all of `text` is a number of at most `most`.
[[nodiscard]] bool to_number(std::string_view text, std::uint64_t most, std::uint64_t& number) noexcept {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number <= most;
}

/// An argument that a number comes after.
struct number_argument {
    std::string_view name;
    std::uint64_t least;
    std::uint64_t most;
    std::uint64_t* into;
};

/// An argument that a text comes after.
struct text_argument {
    std::string_view name;
    std::string_view what;
    std::string* into;
};

template <class Arguments>
[[nodiscard]] auto find(Arguments& among, std::string_view name) {
    return std::find_if(std::begin(among), std::end(among), [name](const auto& a) { return a.name == name; });
}

[[nodiscard]] std::string wrong_number(const number_argument& a, std::string_view value) {
    std::string text = std::string(a.name) + " takes a whole number";
    if (a.most != most_seed) text += " from " + std::to_string(a.least) + " to " + std::to_string(a.most);
    return text + ", not '" + std::string(value) + "'";
}

}  // namespace

command_line parse(int count, const char* const* arguments) {
    command_line asked;
    std::uint64_t port = 0;
    std::string play = overload_play.name;
    const std::array numbers{
        number_argument{"--seed", 0, most_seed, &asked.seed}, number_argument{"--ticks", 1, most_ticks, &asked.ticks},
        number_argument{"--port", 1, 65535, &port}, number_argument{"--for", 1, 1'000'000, &asked.serving.seconds}};
    const std::array texts{
        text_argument{"--pools", "a file", &asked.pools}, text_argument{"--report", "a file", &asked.report},
        text_argument{"--store", "a file", &asked.store}, text_argument{"--play", "normal or overload", &play},
        text_argument{"--bind", "an address", &asked.serving.bind}};
    for (int i = 1; i < count && asked.error.empty(); ++i) {
        const std::string_view argument = arguments[i];
        const std::string_view value = i + 1 < count ? arguments[i + 1] : "";
        if (argument == "--help" || argument == "-h") {
            asked.help = true;
        } else if (argument == "--quiet") {
            asked.quiet = true;
        } else if (argument == "--no-report") {
            asked.report.clear();
        } else if (argument == "--serve") {
            asked.serve = true;
        } else if (argument == "--allow-remote") {
            asked.serving.allow_remote = true;
        } else if (const auto text = find(texts, argument); text != texts.end()) {
            if (value.empty()) asked.error = std::string(argument) + " needs " + std::string(text->what) + " after it";
            *text->into = value;
            ++i;
        } else if (const auto number = find(numbers, argument); number != numbers.end()) {
            if (i + 1 == count) {
                asked.error = std::string(argument) + " needs a number after it";
            } else if (!to_number(value, number->most, *number->into) || *number->into < number->least) {
                asked.error = wrong_number(*number, value);
            }
            ++i;
        } else {
            asked.error = "unknown argument '" + std::string(argument) + "'";
        }
    }
    if (play == normal_play.name) {
        asked.play = normal_play;
    } else if (asked.error.empty() && play != overload_play.name) {
        asked.error = "--play takes normal or overload, not '" + play + "'";
    }
    asked.serving.port = static_cast<std::uint16_t>(port);
    const bool of_serve =
        port != 0 || !asked.serving.bind.empty() || asked.serving.allow_remote || asked.serving.seconds != 0;
    if (asked.error.empty() && of_serve && !asked.serve) {
        asked.error = "--port, --bind, --allow-remote and --for go with --serve";
    }
    // What is kept is certain, and --serve goes back ten seconds.
    if (asked.error.empty() && asked.serve && !asked.store.empty()) asked.error = "--store does not go with --serve";
    return asked;
}

}  // namespace arena
