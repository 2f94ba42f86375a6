// The arena. Every 64 ticks it does what a game with rollback does all the time: goes back seven ticks, plays them again, and
// must arrive at the very same state.
#include "command_line.hpp"
#include "recorder.hpp"
#include "report.hpp"
#include "report_page.hpp"
#include "serve.hpp"
#include "session.hpp"
#include "simulation.hpp"
#include "vault_store.hpp"

#include <lido/world/settings_file.hpp>

#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace {

constexpr std::uint64_t rollback_every = 64;
constexpr std::uint64_t rollback_depth = 7;
static_assert(rollback_depth < arena::simulation::kept_ticks);

/// False when the replay did not arrive where the first run did.
[[nodiscard]] bool roll_back(arena::simulation& game) {
    const std::uint64_t now = game.world().tick;
    const std::uint64_t expected = game.hash();
    if (!game.rewind_to(now - rollback_depth)) return false;
    while (game.world().tick < now) {
        game.step();
        game.save();
    }
    return game.hash() == expected;
}

/// The settings of the world: the file that was asked for, else pools.toml beside the program, else the one of the source tree, which
/// the build names.
[[nodiscard]] std::filesystem::path pools_file(const arena::command_line& asked, std::string_view program) {
    if (!asked.pools.empty()) return asked.pools;
    std::error_code error;
    std::filesystem::path beside = std::filesystem::path(program).replace_filename("pools.toml");
    if (beside.has_parent_path() && std::filesystem::exists(beside, error)) return beside;
    return ARENA_POOLS;
}

/// What the loop leaves for the report.
void play(arena::simulation& game, arena::recorder& records, arena::outcome& run, bool quiet) {
    arena::progress progress(run.ticks, quiet);
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < run.ticks; ++i) {
        game.step();
        game.save();
        if (game.world().tick % rollback_every == 0) {
            const bool exact = roll_back(game);
            ++run.rollbacks;
            run.inexact += exact ? 0 : 1;
            records.rolled_back(exact);
        }
        records.watch(game);
        progress.show(game);
    }
    progress.end();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    run.seconds = took.count();
    run.hash = game.hash();
}

int run(const arena::command_line& asked, std::string_view program) {
    const std::filesystem::path settings = pools_file(asked, program);
    const lido::settings_result pools = lido::read_settings(settings);
    if (!pools) {
        std::fprintf(stderr, "arena: %s\n", pools.error.c_str());
        return 2;
    }
    if (asked.serve) {
        const auto session = std::make_unique<arena::session>(asked.seed, pools.table, asked.play);
        if (session->problem().empty()) return arena::serve(*session, asked.serving);
        std::fprintf(stderr, "arena: %s\n", session->problem().c_str());
        return 2;
    }
    // Before the game and not after it: nobody should wait for a report that has nowhere to go.
    if (const std::string problem = arena::report_problem(asked.report); !problem.empty()) {
        std::fprintf(stderr, "arena: %s\n", problem.c_str());
        return 2;
    }
    const auto store = asked.store.empty() ? nullptr : arena::make_vault_store(asked.store);
    if (!asked.store.empty() && store == nullptr) {
        std::fprintf(stderr, "arena: this build has no store; configure with -DLIDO_BUILD_STORE=ON\n");
        return 2;
    }
    arena::simulation game(asked.seed, pools.table, asked.play, arena::simulation::kept_ticks, store.get());
    if (!game.problem().empty()) {
        std::fprintf(stderr, "arena: %s\n", game.problem().c_str());
        return 2;
    }
    arena::recorder records(asked.report.empty() ? 0 : asked.ticks);
    arena::outcome result{.seed = asked.seed,
                          .ticks = asked.ticks,
                          .rollback_depth = rollback_depth,
                          .settings = settings.filename().string()};
    play(game, records, result, asked.quiet);
    game.confirm_all();
    arena::print_pools(game);
    arena::print_outcome(game, result);
    if (!asked.quiet) {
        std::fprintf(stderr, "%.1f s, %.0f ticks a second\n", result.seconds,
                     static_cast<double>(asked.ticks) / result.seconds);
    }
    if (!asked.report.empty()) {
        if (!arena::write_report(asked.report, arena::report_page(game, result, records))) {
            std::fprintf(stderr, "arena: could not write the report to %s; the result above is whole\n",
                         asked.report.c_str());
            return 2;
        }
        if (!asked.quiet) std::fprintf(stderr, "report: %s\n", asked.report.c_str());
    }
    if (const lido::verdict v = game.validate(); !v) {
        std::fprintf(stderr, "arena: it is broken: %s\n", v.broken);
        return 1;
    }
    if (const char* const wrong = game.kept_books().compare()) {
        std::fprintf(stderr, "arena: the books of the vaults are wrong: %s\n", wrong);
        return 1;
    }
    // Whatever was played again: a sound that has begun plays, or was stopped once, or never was.
    const arena::audience& heard = game.heard();
    const lido::class_stats voices = game.scene().stats<arena::sound>();
    if (heard.sounds_started != heard.sounds_stopped + heard.sounds_taken_back + voices.pool.size) {
        std::fprintf(stderr, "arena: a sound was stopped twice, or never\n");
        return 1;
    }
    const lido::stage_stats on_stage = game.stage().stats();
    if (heard.themes_started != heard.themes_ended + on_stage.managed + on_stage.managed_waiting) {
        std::fprintf(stderr, "arena: the theme of a boss was ended twice, or never\n");
        return 1;
    }
    return result.inexact == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    const arena::command_line asked = arena::parse(count, arguments);
    if (!asked.error.empty()) {
        std::fprintf(stderr, "arena: %s; --help lists what there is\n", asked.error.c_str());
        return 2;
    }
    if (asked.help) {
        std::fputs(arena::help_text, stdout);
        return 0;
    }
    return run(asked, count > 0 ? arguments[0] : "");
}
