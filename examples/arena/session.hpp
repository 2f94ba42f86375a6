// A game that can be paused, stepped, rewound and played on. Knows no clock and no screen: who plays it asks for ticks.
#pragma once

#include "crowd.hpp"
#include "simulation.hpp"

#include <lido/core.hpp>
#include <lido/world/settings_table.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace arena {

/// The last `reach` ticks can be brought back. A snapshot is kept of one tick in `snapshot_every`, and the ticks from there on are played
/// again with the inputs that they had: exact, because the game is. A snapshot of each tick would be ten times the memory and save the
/// time of nine ticks, about half a millisecond. Going back leaves a branch of time, and the stage takes no snapshot of one that was left:
/// those behind `at` are made again as their ticks are played again.
///
///   ticks     oldest ………………………………… at ……………… newest
///   records   inputs and hash of every one: what is played again is compared
///   snapshots o         o         o         o         o
///
/// AS1. oldest <= at <= newest <= oldest + reach.
/// AS2. The record of every tick in (oldest - snapshot_every, newest] is kept.
/// AS3. Inputs that wait are those of at + 1, and then at == newest.
class session {
public:
    static constexpr std::uint64_t reach = 10 * ticks_a_second;
    static constexpr std::uint64_t snapshot_every = 10;

    session(std::uint64_t seed, const lido::settings_table& pools, const pace& play = overload_play);

    /// What is wrong with the settings; empty when the game can begin.
    [[nodiscard]] const std::string& problem() const noexcept { return game_->problem(); }
    [[nodiscard]] simulation& game() noexcept { return *game_; }
    [[nodiscard]] const simulation& game() const noexcept { return *game_; }

    // --- time --------------------------------------------------------------------------------------------------------------------

    /// One tick, paused or not. Up to the newest it is the tick that was, and compared with it; after that it is a new one.
    void play();

    void pause(bool on) noexcept { paused_ = on; }
    [[nodiscard]] bool paused() const noexcept { return paused_; }

    /// In quarters: 1, 2, 4 (as fast as life), 8, 16 or 32. False for others, which change nothing.
    bool set_speed(unsigned quarters) noexcept;
    [[nodiscard]] unsigned speed() const noexcept { return speed_; }

    /// Ticks to play in the next sixtieth of a second; none while paused.
    [[nodiscard]] unsigned due() noexcept;

    /// The state of that tick, exactly. What came after it is still there and is played again, until a burst makes it another future.
    /// False for ticks that are not kept, which changes nothing.
    bool seek(std::uint64_t tick);

    [[nodiscard]] std::uint64_t at() const noexcept { return game_->world().tick; }
    [[nodiscard]] std::uint64_t oldest() const noexcept { return oldest_; }
    [[nodiscard]] std::uint64_t newest() const noexcept { return newest_; }
    /// Of the tick that it is at.
    [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }

    // --- what a player may do ----------------------------------------------------------------------------------------------------

    /// Another game, from its first tick. It is made anew where the old one was, so the pools stay where they are. Same as a new session
    /// with that seed, but for pause and speed.
    void restart(std::uint64_t seed);
    [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

    /// Far too many of something, in the next tick. In the past, that begins another future: the ticks after this one are dropped.
    void burst(crowd what);

    // --- what it knows of itself -----------------------------------------------------------------------------------------------------

    /// Ticks that were played again or brought back, and whether all of them had the hash that they had the first time.
    [[nodiscard]] std::uint64_t checked() const noexcept { return checked_; }
    [[nodiscard]] bool exact() const noexcept { return exact_; }

    /// What the snapshots take now.
    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    /// How many of each; in the order of the kinds, whatever the order in which they were asked for.
    using inputs = std::array<std::uint8_t, crowd_kinds>;
    struct record {
        std::uint64_t hash = 0;
        inputs given{};
    };
    struct kept {
        std::uint64_t tick = 0;
        lido::snapshot state;
    };
    static constexpr std::size_t records =
        reach + 4 * snapshot_every;  // AS2; and so long changes of entities stay open
    static constexpr std::size_t snapshots = reach / snapshot_every + 1;  // both ends

    void begin();
    void keep();
    void compare(std::uint64_t hash);
    [[nodiscard]] record& record_of(std::uint64_t tick) noexcept { return records_[tick % records]; }
    [[nodiscard]] kept& kept_of(std::uint64_t tick) noexcept { return kept_[tick / snapshot_every % snapshots]; }

    lido::settings_table pools_;
    pace pace_;
    std::optional<simulation> game_;
    std::array<record, records> records_{};
    std::array<kept, snapshots> kept_{};
    inputs waiting_{};
    std::uint64_t seed_;
    std::uint64_t oldest_ = 0;
    std::uint64_t newest_ = 0;
    std::uint64_t hash_ = 0;
    std::uint64_t checked_ = 0;
    bool exact_ = true;
    bool paused_ = false;
    unsigned speed_ = 4;
    unsigned owed_ = 0;  // quarters of a tick
};

}  // namespace arena
