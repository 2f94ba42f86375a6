#include "recorder.hpp"

#include <algorithm>

namespace arena {

namespace {

/// The classes by their types: cheaper than by their names, and this is asked every tick.
[[nodiscard]] std::array<std::uint32_t, series_count> live_now(const simulation& game) noexcept {
    const scene_world& scene = game.scene();
    return {game.bullets().size(),   game.enemies().size(),     game.glitter().size(), game.shots().size(),
            game.orbs().size(),      game.particles().size(),   game.debris().size(),  game.numbers().size(),
            scene.active<missile>(), scene.active<explosion>(), scene.active<ember>(), scene.active<damage_text>(),
            scene.active<sound>()};
}

[[nodiscard]] figures figures_of(const lido::pool_stats& s) noexcept {
    return {s.size, s.capacity, s.peak, s.acquired, s.refused, s.replaced, s.merged};
}

[[nodiscard]] figures figures_of(const lido::class_stats& s) noexcept {
    return {s.pool.size,        s.pool.capacity,     s.pool.peak,  s.counters.spawned,
            s.counters.refused, s.counters.replaced, s.pool.merged};
}

[[nodiscard]] std::array<figures, series_count> figures_now(const simulation& game) noexcept {
    const scene_world& scene = game.scene();
    std::array<figures, series_count> now{figures_of(game.bullets().stats()), figures_of(game.enemies().stats()),
                                          figures_of(game.glitter().stats()), figures_of(game.shots().stats()),
                                          figures_of(game.orbs().stats()),    figures_of(game.particles().stats()),
                                          figures_of(game.debris().stats()),  figures_of(game.numbers().stats()),
                                          figures_of(scene.stats<missile>()), figures_of(scene.stats<explosion>()),
                                          figures_of(scene.stats<ember>()),   figures_of(scene.stats<damage_text>()),
                                          figures_of(scene.stats<sound>())};
    // What merge passes have folded, the pool counts as released.
    now[4].merged += game.world().merged_on_screen + game.world().merged_off_screen;
    return now;
}

[[nodiscard]] stage_figures stage_now(const simulation& game) noexcept {
    const lido::journal_stats j = game.stage().changes().stats();
    stage_figures now{game.stage().size(), j.commits, 0, j.open};
    for (const std::uint64_t times : game.world().deals.refused) now.refused += times;
    return now;
}

}  // namespace

recorder::recorder(std::uint64_t ticks)
    : samples_(ticks == 0 ? nullptr : std::make_unique<std::array<sample, most_samples>>()),
      ticks_(ticks),
      step_(std::max<std::uint64_t>(1, (ticks + most_samples - 1) / most_samples)),
      next_(step_) {}

void recorder::watch(const simulation& game) noexcept {
    if (samples_ == nullptr) return;
    const std::array<std::uint32_t, series_count> live = live_now(game);
    for (std::size_t i = 0; i < series_count; ++i) most_[i] = std::max(most_[i], live[i]);
    const std::uint64_t tick = game.world().tick;
    if ((tick < next_ && tick < ticks_) || size_ == most_samples) return;
    // The last one may come soon after the one before; a rate over a tick or two would say nothing, so it takes that one's place.
    const bool extends = size_ > 1 && (tick - (*samples_)[size_ - 1].tick) * 2 < step_;
    const sample before = extends ? (*samples_)[--size_] : sample{};
    next_ = tick + step_;
    sample& s = (*samples_)[size_++];
    s = {tick, rollbacks_ + before.rollbacks, inexact_ + before.inexact, figures_now(game), stage_now(game)};
    for (std::size_t i = 0; i < series_count; ++i) s.of[i].live = std::max(most_[i], before.of[i].live);
    most_ = {};
    rollbacks_ = inexact_ = 0;
}

void recorder::rolled_back(bool exact) noexcept {
    ++rollbacks_;
    if (!exact) ++inexact_;
}

}  // namespace arena
