// The program `lido`: a group of commands per folder. docs/guide/cli.md is its manual.
#include <lido/core/base/config.hpp>

#include <unistd.h>

#include <cstring>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "base/exit_code.hpp"
#include "base/interrupt.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "store/commands.hpp"

namespace {

using namespace lido::cli;

constexpr std::string_view help =
    "usage: lido GROUP COMMAND …\n\n"
    "groups:\n"
    "  store  looks into the store of a game, copies it, compares it, repairs it\n\n"
    "lido GROUP --help lists its commands, lido --version says which lido this is.\n";

std::string version() {
    return "lido " + std::to_string(LIDO_VERSION_MAJOR) + "." + std::to_string(LIDO_VERSION_MINOR) + "." +
           std::to_string(LIDO_VERSION_PATCH) +
#if defined(LIDO_CLI_POSTGRES)
           ", with SQLite and PostgreSQL\n";
#else
           ", with SQLite\n";
#endif
}

int say_text(std::string_view text) {
    output out(STDOUT_FILENO);
    out.put(text);
    out.flush();
    return out.good() ? exit_ok : exit_cannot;
}

}  // namespace

int main(int count, char** words) {
    // Without exceptions, too: where there is no memory nothing sensible can be done, and nothing was committed.
    std::set_new_handler([] {
        constexpr char text[] = "lido: there is no memory for this; what was not committed is void\n";
        (void)!::write(STDERR_FILENO, text, sizeof(text) - 1);
        ::_exit(exit_cannot);
    });
    watch_signals();
    speaker speak("lido");
    const std::span<char* const> all(words, static_cast<std::size_t>(count));
    if (all.size() < 2) return speak.say(exit_usage, "what shall be done? lido --help says what there is");
    hide_passwords(all.subspan(1), speak);
    const std::string_view first = all[1];
    if (first == "store") return run_store(all.subspan(2));
    if (first == "--help" || first == "-h" || first == "help") return say_text(help);
    if (first == "--version") return say_text(version());
    const std::string_view meant = nearest(first, {"store", "--help", "--version"});
    return speak.say(exit_usage, "there is no " + shown(first) +
                                     (meant.empty() ? "; lido --help says what there is"
                                                    : "; " + std::string(meant) + " is meant?"));
}
