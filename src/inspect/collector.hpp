// Collecting, on the program's thread: from pools and worlds to the board.
#pragma once

#include "board.hpp"
#include "misuse_tap.hpp"
#include "slot_watch.hpp"
#include "stage_collector.hpp"
#include "store_collector.hpp"

#include <lido/inspect/command.hpp>
#include <lido/inspect/source.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace lido::inspect {

class collector {
public:
    collector(board& shared, waker& server) : board_(shared), server_(server) {}

    [[nodiscard]] std::uint32_t add(const std::string& name, pool_source source);
    [[nodiscard]] std::uint32_t add(std::string name, world_source source);
    [[nodiscard]] std::uint32_t add(std::string name, const stage_source& source);
    [[nodiscard]] std::uint32_t add(std::string name, const store_source& source);
    void remove(std::uint32_t watch) noexcept;

    void sample(std::uint64_t tick) {
        tick_ = tick;
        if (--ticks_to_clock_ == 0 || looking_ || stages_.busy() || board_.attention.load(std::memory_order_relaxed))
            [[unlikely]]
            sample_some();
    }

    /// What sample() does once a period: puts up the figures. Pre: the lock of the board is held.
    void collect(std::uint64_t ms, std::uint64_t periods);

    void set_command(command_description what, std::function<std::string(const command_value&)> run);
    [[nodiscard]] bool wants(std::string_view view);
    void publish(std::string_view view, std::string_view json);

    [[nodiscard]] std::chrono::steady_clock::time_point started() const noexcept { return started_; }
    [[nodiscard]] std::uint64_t now_ms() const noexcept {
        return static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started_).count());
    }

private:
    using clock = std::chrono::steady_clock;

    /// How long after the last request for a pool alone its slots are still looked at.
    static constexpr std::uint64_t look_ms = 2000;
    /// A pool of up to so many lives is looked at each tick: a third of a microsecond. A larger one waits, after a look, a hundred
    /// times as long as that took: looking takes a hundredth of the time at most, whatever the size and however fast the ticks.
    static constexpr std::size_t lives_each_tick = 64;
    static constexpr int look_share = 100;
    /// Ticks between two looks at the clock, at most: of a program that ticks as fast as it can.
    static constexpr std::uint32_t most_ticks_to_clock = 256;
    /// Gone pools that readers can still see.
    static constexpr std::size_t most_gone = 64;

    /// A pool, or one class of a world.
    struct pool_watch {
        std::uint32_t id = 0;
        pool_source source;  ///< of a class: none
        std::int64_t world = nothing;
        std::uint32_t number = 0;  ///< of the class
        std::uint64_t look_until_ms = 0;
        clock::time_point next_look = {};
        std::unique_ptr<slot_watch> slots;
    };

    struct world_watch {
        std::uint32_t watch = 0;
        std::uint32_t id = 0;
        world_source source;
        std::vector<std::uint32_t> pools;  ///< by class number; no_pool for a number without a name
    };

    static constexpr std::uint32_t no_pool = 0xffff'ffff;

    void sample_some();
    void look_at_clock();
    void take_jobs();
    void collect_world(world_watch& w, std::uint64_t periods);
    void update(std::size_t at, const pool_stats& now, std::uint64_t periods);
    void note(std::size_t at, event_kind kind, std::uint64_t before, std::uint64_t now);
    void drain_misuse();
    void look_at_slots();
    void run_commands();
    void draw_maps();
    [[nodiscard]] bool look(pool_watch& p);
    [[nodiscard]] std::uint32_t put_up(const std::string& name, std::int64_t world);
    void take_down(std::uint32_t pool) noexcept;
    [[nodiscard]] pool_watch* find(std::uint32_t pool) noexcept;
    [[nodiscard]] world_watch* world_of(const pool_watch& p) noexcept;
    [[nodiscard]] view_board& view_named(std::string_view name);
    void tell_server() noexcept {
        if (board_.readers.load(std::memory_order_relaxed) != 0) server_.wake();
    }

    board& board_;
    waker& server_;
    const clock::time_point started_ = clock::now();

    std::uint64_t tick_ = 0;
    std::uint32_t ticks_to_clock_ = 1;
    std::uint32_t clock_every_ = 1;
    bool looking_ = false;            ///< some pool's slots are looked at each tick
    std::uint64_t clock_ms_ = 0;      ///< of the last look at the clock
    std::uint64_t collected_ms_ = 0;  ///< a multiple of the period
    bool collected_ = false;
    std::uint64_t collecting_ms_ = 0;  ///< of the moment that is being put up

    std::uint32_t next_watch_ = 1;
    std::uint32_t next_pool_ = 0;
    std::uint32_t next_world_ = 0;
    struct watch_of_pool {
        std::uint32_t watch;
        std::uint32_t pool;
    };
    std::vector<watch_of_pool> watches_;
    std::vector<pool_watch> pools_;
    std::vector<world_watch> worlds_;

    struct known_command {
        std::string name;
        std::function<std::string(const command_value&)> run;
    };
    std::vector<known_command> commands_;
    std::vector<std::shared_ptr<command_job>> command_jobs_;
    std::vector<std::shared_ptr<map_job>> map_jobs_;
    stage_collector stages_{board_};
    store_collector stores_{board_};
    std::vector<view_board*> views_;
    view_board no_view_;  ///< for names past the most: nobody reads it
    misuse_tap tap_;
    std::vector<misuse_note> misuse_;
};

}  // namespace lido::inspect
