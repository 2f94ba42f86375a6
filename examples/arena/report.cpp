#include "report.hpp"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace arena {
namespace {

[[nodiscard]] bool stderr_is_a_terminal() noexcept {
#if defined(__unix__) || defined(__APPLE__)
    return isatty(STDERR_FILENO) != 0;
#else
    return false;
#endif
}

/// `by_passes`: what merge passes have folded, which the pool counts as released.
template <class Pool>
[[nodiscard]] pool_row row_of(const Pool& pool, std::uint64_t by_passes = 0) {
    const lido::pool_stats s = pool.stats();
    return {pool.name(),
            s.shape,
            s.capacity,
            s.peak,
            s.acquired,
            s.refused,
            s.replaced,
            s.merged + by_passes,
            static_cast<double>(sizeof(typename Pool::value_type)) + s.bookkeeping_per_slot};
}

void print_scene(const simulation& game) {
    std::puts("\nclass of the world   live   peak   wait  capacity  grown   spawned   expired  replaced  refused");
    for (const lido::class_stats& s : class_rows(game)) {
        std::printf("%-18.*s %6u %6u %6u %9u %6" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %8" PRIu64 "\n",
                    static_cast<int>(s.name.size()), s.name.data(), s.pool.size, s.pool.peak, s.pool.idle,
                    s.pool.capacity, s.pool.grown, s.counters.spawned, s.counters.expired, s.counters.replaced,
                    s.counters.refused);
    }
}

void print_stage(const simulation& game) {
    std::puts("\nclass of the stage   live   peak   wait    lives   commits     ends    locks  history");
    for (const entity_row& r : entity_rows(game)) {
        std::printf("%-18s %6u %6u %6u %8" PRIu64 " %9" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8u\n", r.name.c_str(),
                    r.live, r.peak, r.wait, r.lives, r.commits, r.ends, r.locks, r.history);
    }
    std::puts("\nrefused by the stage            times");
    for (const refusal_row& r : refusal_rows(game)) std::printf("%-28s %8" PRIu64 "\n", r.reason, r.times);
    std::puts("");
    for (const std::string& said : stage_lines(game)) std::puts(said.c_str());
}

void join(std::string& to, const char* text) { to += text; }
template <class N>
void join(std::string& to, N number) {
    to += std::to_string(number);
}
template <class... Parts>
[[nodiscard]] std::string joined(const Parts&... parts) {
    std::string text;
    (join(text, parts), ...);
    return text;
}

}  // namespace

progress::progress(std::uint64_t total, bool quiet) noexcept
    : total_(total), step_(0), terminal_(stderr_is_a_terminal()), quiet_(quiet) {
    const std::uint64_t parts = terminal_ ? 100 : 5;
    step_ = total / parts != 0 ? total / parts : 1;
    next_ = step_;
}

void progress::show(const simulation& game) {
    const std::uint64_t tick = game.world().tick;
    if (quiet_ || tick < next_) return;
    next_ = tick + step_;
    std::fprintf(stderr, "%s%3u %%  tick %" PRIu64 "  %u bullets, %u enemies, %u particles, %u orbs%s",
                 terminal_ ? "\r" : "", static_cast<unsigned>(tick * 100 / total_), tick, game.bullets().size(),
                 game.enemies().size(), game.particles().size(), game.orbs().size(), terminal_ ? "      " : "\n");
    std::fflush(stderr);
}

void progress::end() {
    if (!quiet_ && terminal_) std::fputc('\n', stderr);
}

std::vector<pool_row> pool_rows(const simulation& game) {
    const world_state& w = game.world();
    return {row_of(game.bullets()),
            row_of(game.enemies()),
            row_of(game.glitter()),
            row_of(game.shots()),
            row_of(game.orbs(), w.merged_on_screen + w.merged_off_screen),
            row_of(game.particles()),
            row_of(game.debris()),
            row_of(game.numbers())};
}

std::vector<lido::class_stats> class_rows(const simulation& game) {
    const scene_world& scene = game.scene();
    std::vector<lido::class_stats> rows;
    for (lido::class_number n = 0; n < scene.class_count(); ++n) {
        if (!game.stage().class_info_of(n)) rows.push_back(scene.stats(n));
    }
    return rows;
}

std::vector<entity_row> entity_rows(const simulation& game) {
    const scene_stage& stage = game.stage();
    std::vector<entity_row> rows;
    for (lido::class_number n = 0; n < stage.class_limit(); ++n) {
        const lido::entity_class_info c = stage.class_info_of(n);
        if (!c) continue;
        const lido::class_stats s = game.scene().stats(n);
        const books::counts& b = game.kept_books().of_class(n);
        rows.push_back({std::string(c.name), s.pool.size, s.pool.peak, s.pool.idle, s.counters.spawned, b.commits,
                        b.ended, b.locks, c.history});
    }
    return rows;
}

std::vector<refusal_row> refusal_rows(const simulation& game) {
    using enum lido::stage_refusal;
    const auto& refused = game.world().deals.refused;
    std::vector<refusal_row> rows;
    std::uint64_t others = 0;
    for (const std::uint64_t times : refused) others += times;
    for (const auto& [reason, text] : {std::pair{invalid, "against a rule of a field"},
                                       {conflict, "changed meanwhile"},
                                       {locked, "locked by somebody else"},
                                       {lock_lost, "its lock was over"},
                                       {id_taken, "there is one of that id"},
                                       {journal, "no room in the journal"}}) {
        const std::uint64_t times = refused[static_cast<std::size_t>(reason)];
        others -= times;
        rows.push_back({text, times});
    }
    rows.push_back({"for another reason", others});
    return rows;
}

std::vector<std::string> stage_lines(const simulation& game) {
    const dealings& d = game.world().deals;
    const audience& heard = game.heard();
    const lido::stage_stats stage = game.stage().stats();
    const lido::journal_stats j = game.stage().changes().stats();
    const auto sum = game.count_riches();
    return {
        joined("vaults opened: ", d.opened, ", keys bought: ", d.bought, ", done after a conflict: ", d.tried_again,
               ", all vaults made equal: ", d.levelled),
        joined("bosses: ", d.bosses, ", slain: ", d.slain, ", curses: ", d.curses, ", raids: ", d.raids,
               "; audits: ", d.audits, ", curses undone from the history: ", d.undone, ", lifted by hand: ", d.lifted),
        joined("themes of bosses: ", heard.themes_ended, " ended, each once, ", stage.managed + stage.managed_waiting,
               " play or wait; ", heard.themes_started, " were begun"),
        joined("journal: ", j.entries, " entries in ", j.commits, " commits, ", j.dropped, " dropped; open at most ",
               j.peak_open, " of ", j.capacity, " bytes; ", j.cuts, " cuts by rollbacks"),
        joined("gold: ", sum.gold, ", keys: ", sum.keys, "; the books have ", game.kept_books().commits(), " commits")};
}

void print_pools(const simulation& game) {
    const world_state& w = game.world();
    std::puts("pool           shape        capacity   peak  acquired  dropped  replaced  merged  bytes a slot");
    for (const pool_row& r : pool_rows(game)) {
        std::printf("%-14s %-12s %8u %6u %9" PRIu64 " %8" PRIu64 " %9" PRIu64 " %7" PRIu64 " %13.2f\n", r.name.c_str(),
                    r.shape.c_str(), r.capacity, r.peak, r.acquired, r.dropped, r.replaced, r.merged, r.bytes_a_slot);
    }
    print_scene(game);
    print_stage(game);

    // Nothing is dropped or merged in silence: for which reason.
    const lido::pool_stats shots = game.shots().stats();
    const lido::pool_stats particles = game.particles().stats();
    std::printf("\norbs merged: %" PRIu64 " on screen, %" PRIu64 " off screen, %" PRIu64 " on a full pool; %" PRIu64
                " xp\n",
                w.merged_on_screen, w.merged_off_screen, game.orbs().stats().merged, w.xp);
    std::printf("player bullets dropped at the cap of their kind: %" PRIu64 " of %" PRIu64 "; new objects %" PRIu64
                ", lives of old ones %" PRIu64 "\n",
                shots.refused_kind_cap, shots.refused, shots.created, shots.reused);
    std::printf("particles dropped to keep room for others: %" PRIu64 " of %" PRIu64 "; new objects %" PRIu64
                ", lives of old ones %" PRIu64 "\n",
                particles.refused_headroom, particles.refused, particles.created, particles.reused);
}

void print_outcome(const simulation& game, const outcome& run) {
    std::uint64_t dropped = 0;
    for (const pool_row& r : pool_rows(game)) dropped += r.dropped + r.replaced;
    for (const lido::class_stats& s : class_rows(game)) dropped += s.counters.refused + s.counters.replaced;
    std::printf("%s play: %" PRIu64 " dropped or replaced in all pools\n", game.play().name, dropped);
    std::printf("score %" PRIu64 ", hits taken %" PRIu64 ", missiles whose target died first %" PRIu64 "\n",
                game.world().score, game.world().hits_taken, game.world().targets_lost);
    const audience& heard = game.heard();
    std::printf("sounds: %" PRIu64 " stopped, each once, %" PRIu64 " play; %" PRIu64 " were taken back by rollbacks\n",
                heard.sounds_stopped, heard.sounds_started - heard.sounds_stopped - heard.sounds_taken_back,
                heard.sounds_taken_back);
    std::printf("rollbacks of %" PRIu64 " ticks: %" PRIu64 ", inexact: %" PRIu64 "\n", run.rollback_depth,
                run.rollbacks, run.inexact);
    std::printf("state hash %016" PRIx64 " (seed %" PRIu64 ", %" PRIu64 " ticks)\n", run.hash, run.seed, run.ticks);
}

}  // namespace arena
