// What the pools did over a run, for the plots of its report. All memory is taken before the first tick.
#pragma once

#include "simulation.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace arena {

/// The pools of the game and the classes of its world, in the order in which the report has them.
inline constexpr std::size_t pool_count = 8;
inline constexpr std::size_t class_count = 5;
inline constexpr std::size_t series_count = pool_count + class_count;

/// One pool at one time. The counters count from the start of the game.
struct figures {
    std::uint32_t live = 0;  // the most since the sample before
    std::uint32_t capacity = 0;
    std::uint32_t peak = 0;
    std::uint64_t acquired = 0;
    std::uint64_t dropped = 0;
    std::uint64_t replaced = 0;
    std::uint64_t merged = 0;
};

/// The stage at one time, and its journal. The counters count from the start of the game.
struct stage_figures {
    std::uint64_t entities = 0;
    std::uint64_t commits = 0;
    std::uint64_t refused = 0;
    std::uint64_t open_bytes = 0;
};

struct sample {
    std::uint64_t tick = 0;
    std::uint32_t rollbacks = 0;  // since the sample before
    std::uint32_t inexact = 0;    // of these
    std::array<figures, series_count> of{};
    stage_figures stage;
};

class recorder {
public:
    /// More than a plot has pixels on most screens, and 400 KB; each costs about 1 µs.
    static constexpr std::size_t most_samples = 600;

    /// `ticks`: how long the run will be. A recorder of no ticks records nothing.
    explicit recorder(std::uint64_t ticks);

    /// Once a tick, after it has been played. Allocates nothing.
    void watch(const simulation& game) noexcept;
    void rolled_back(bool exact) noexcept;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] const sample& operator[](std::size_t i) const noexcept { return (*samples_)[i]; }
    [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_; }

private:
    std::unique_ptr<std::array<sample, most_samples>> samples_;
    std::size_t size_ = 0;
    std::uint64_t ticks_;
    std::uint64_t step_;
    std::uint64_t next_;
    std::uint32_t rollbacks_ = 0;
    std::uint32_t inexact_ = 0;
    std::array<std::uint32_t, series_count> most_{};
};

}  // namespace arena
