// Which command of `lido store` is meant.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <vector>

#include "../base/text.hpp"
#include "commands.hpp"

namespace lido::cli {
namespace {

const std::array<const store_command*, 9>& all_commands() {
    static const std::array<const store_command*, 9> all{&store_ls,     &store_show,   &store_diff,
                                                         &store_export, &store_import, &store_migrate,
                                                         &store_check,  &store_backup, &store_prune};
    return all;
}

std::string help() {
    std::string text =
        "usage: lido store COMMAND STORE …\n\n"
        "STORE is the file of a store, or postgres://user@host/database.\n\ncommands:\n";
    text_table table("ll");
    for (const store_command* const c : all_commands())
        table.line({std::string(c->name), std::string(c->form.summary)});
    text += table.text("  ");
    text +=
        "\nlido store COMMAND --help says the rest of each.\n\n"
        "returns 0: done; 1: it found differences, damage, or rows of an older form; 2: the command line makes no\n"
        "sense; 3: it cannot be done; 130: interrupted. What went wrong is on stderr.\n";
    return text;
}

/// What is left to say of the output, and the end.
int finish(output& out, const speaker& speak, int result) {
    out.flush();
    if (out.good()) return result;
    if (out.error() == EPIPE) {
        // As for any other program before `head`: the shell does not speak of it.
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
    }
    return speak.say(exit_cannot, std::string("the output cannot be written: ") + std::strerror(out.error()));
}

}  // namespace

void hide_passwords(std::span<char* const> words, speaker& speak) {
    // Wherever an address stands, and whether it makes sense there or not.
    for (const char* const word : words) (void)location::of(word, speak);
}

int run_store(std::span<char* const> words) {
    speaker speak("lido store");
    hide_passwords(words, speak);
    output out(STDOUT_FILENO);
    if (words.empty()) {
        return speak.say(exit_usage,
                         "which command? ls, show, diff, export, import, migrate, check, backup or prune; "
                         "lido store --help says what they do");
    }
    const std::string_view first = words[0];
    if (first == "--help" || first == "-h" || first == "help") {
        out.put(help());
        return finish(out, speak, exit_ok);
    }
    const auto& all = all_commands();
    const auto found = std::find_if(all.begin(), all.end(), [&](const store_command* c) { return c->name == first; });
    if (found == all.end()) {
        std::vector<std::string_view> names;
        for (const store_command* const c : all) names.push_back(c->name);
        const std::string_view meant = nearest(first, names);
        return speak.say(exit_usage, "there is no command " + shown(first) +
                                         (meant.empty() ? "; lido store --help lists them"
                                                        : "; " + std::string(meant) + " is meant?"));
    }
    speak.speak_for("lido store " + std::string(first));
    const command_form& form = (*found)->form;
    const reading read = reading::of(form, words.subspan(1));
    if (read.wrong.empty() && read.help) {
        out.put(help_of(form));
        return finish(out, speak, exit_ok);
    }
    if (!read.wrong.empty()) return speak.say(exit_usage, read.wrong);
    const call with{read.read, speak, out, read.read.has("json")};
    return finish(out, speak, (*found)->run(with));
}

}  // namespace lido::cli
