// The arena. Every 64 ticks it does what a game with rollback does all the time: goes back seven ticks, plays them again, and
// must arrive at the very same state.
#include "command_line.hpp"
#include "report.hpp"
#include "simulation.hpp"

#include <lido/world/settings_file.hpp>

#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <filesystem>
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

int run(const arena::command_line& asked, std::string_view program) {
    const lido::settings_result pools = lido::read_settings(pools_file(asked, program));
    if (!pools) {
        std::fprintf(stderr, "arena: %s\n", pools.error.c_str());
        return 2;
    }
    arena::simulation game(asked.seed, pools.table);
    if (!game.problem().empty()) {
        std::fprintf(stderr, "arena: %s\n", game.problem().c_str());
        return 2;
    }
    arena::progress progress(asked.ticks, asked.quiet);
    std::uint64_t rollbacks = 0;
    std::uint64_t inexact = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < asked.ticks; ++i) {
        game.step();
        game.save();
        if (game.world().tick % rollback_every == 0) {
            ++rollbacks;
            inexact += roll_back(game) ? 0 : 1;
        }
        progress.show(game);
    }
    progress.end();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;

    arena::print_pools(game);
    std::printf("score %" PRIu64 ", hits taken %" PRIu64 ", missiles whose target died first %" PRIu64 "\n",
                game.world().score, game.world().hits_taken, game.world().targets_lost);
    std::printf("rollbacks of %" PRIu64 " ticks: %" PRIu64 ", inexact: %" PRIu64 "\n", rollback_depth, rollbacks,
                inexact);
    std::printf("state hash %016" PRIx64 " (seed %" PRIu64 ", %" PRIu64 " ticks)\n", game.hash(), asked.seed,
                asked.ticks);
    if (!asked.quiet) {
        std::fprintf(stderr, "%.1f s, %.0f ticks a second\n", took.count(),
                     static_cast<double>(asked.ticks) / took.count());
    }
    if (const lido::verdict v = game.validate(); !v) {
        std::fprintf(stderr, "arena: a pool is broken: %s\n", v.broken);
        return 1;
    }
    return inexact == 0 ? 0 : 1;
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
