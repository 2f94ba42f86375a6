// `lido store …`: a form and a function per command, in a file of its name.
#pragma once

#include <lido/store/database.hpp>

#include <string_view>

#include "../base/arguments.hpp"
#include "../base/exit_code.hpp"
#include "../base/interrupt.hpp"
#include "../base/output.hpp"
#include "location.hpp"

namespace lido::cli {

/// What a command works with.
struct call {
    const arguments& line;
    speaker& speak;
    output& out;
    bool json;

    /// A command that got no further: somebody pressed Ctrl-C, or the database said why.
    [[nodiscard]] int failed(const store::db_answer& why, std::string_view left) const {
        if (interrupted()) return speak.say(exit_interrupted, "interrupted; " + std::string(left));
        return speak.say(exit_cannot, why.why());
    }
    /// For a sink: whether it makes sense to go on.
    [[nodiscard]] bool goes_on() const noexcept { return out.good() && !interrupted(); }
};

struct store_command {
    std::string_view name;
    const command_form& form;
    int (*run)(const call& with);
};

extern const store_command store_ls;
extern const store_command store_show;
extern const store_command store_diff;
extern const store_command store_export;
extern const store_command store_import;
extern const store_command store_migrate;
extern const store_command store_check;
extern const store_command store_backup;
extern const store_command store_prune;

/// LO1: tells `speak` of every password that stands in a command line.
void hide_passwords(std::span<char* const> words, speaker& speak);
/// `lido store …`, without the first two words.
int run_store(std::span<char* const> words);

}  // namespace lido::cli
