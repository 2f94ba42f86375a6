#include "report.hpp"

#include <cinttypes>
#include <cstdint>
#include <cstdio>

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

template <lido::pool Pool>
void print_row(const Pool& pool) {
    const lido::pool_stats s = pool.stats();
    std::printf("%-10s %-11s %8u %7u %9" PRIu64 " %8" PRIu64 " %9" PRIu64 " %13.2f\n", pool.name(), s.shape, s.capacity,
                s.peak, s.acquired, s.refused, s.replaced,
                static_cast<double>(sizeof(typename Pool::value_type)) + s.bookkeeping_per_slot);
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
    std::fprintf(stderr, "%s%3u %%  tick %" PRIu64 "  %u bullets, %u enemies, %u particles%s", terminal_ ? "\r" : "",
                 static_cast<unsigned>(tick * 100 / total_), tick, game.bullets().size(), game.enemies().size(),
                 game.particles().size(), terminal_ ? "      " : "\n");
    std::fflush(stderr);
}

void progress::end() {
    if (!quiet_ && terminal_) std::fputc('\n', stderr);
}

void print_pools(const simulation& game) {
    std::puts("pool       shape       capacity    peak  acquired  dropped  replaced  bytes a slot");
    print_row(game.bullets());
    print_row(game.enemies());
    print_row(game.particles());
}

}  // namespace arena
