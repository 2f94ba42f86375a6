// Stages, on the program's thread: their figures for the board, and looks at their entities for whoever asked.
#pragma once

#include "board.hpp"

#include <lido/inspect/source.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lido::inspect {

class stage_collector {
public:
    explicit stage_collector(board& shared) : board_(shared) {}

    // Pre of these four: the lock of the board is held.
    void add(std::uint32_t watch, std::string name, const stage_source& source);
    /// False when that watch is not of a stage.
    bool remove(std::uint32_t watch) noexcept;
    void collect();
    void take_jobs();

    /// Somebody waits for a look.
    [[nodiscard]] bool busy() const noexcept { return !jobs_.empty(); }
    /// One slice for the job that has waited longest. Returns whether a job is done. Pre: busy().
    [[nodiscard]] bool look(std::uint64_t now_ms);

private:
    using clock = std::chrono::steady_clock;

    /// Places of a slice: some 20 microseconds. After a slice comes a pause a hundred times as long, so that looking takes a hundredth
    /// of the time at most, however fast the ticks and however many look.
    static constexpr std::uint32_t places = 1024;
    static constexpr int look_share = 100;
    static constexpr std::chrono::milliseconds longest_pause{100};

    struct stage_watch {
        std::uint32_t watch = 0;
        std::uint32_t id = 0;
        stage_source source;
    };

    [[nodiscard]] const stage_watch* find(std::uint32_t id) const noexcept;

    board& board_;
    std::uint32_t next_stage_ = 0;
    std::vector<stage_watch> stages_;
    std::vector<std::shared_ptr<stage_job>> jobs_;  ///< the first is the next
    clock::time_point next_look_ = {};
};

}  // namespace lido::inspect
