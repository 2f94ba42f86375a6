// What happened, grouped: one event per pool and cause, which grows while the cause goes on.
//
//   drops, growth, …   the latest 512; an event goes on while the next occurrence comes within ten seconds
//   misuse             the latest 512 causes, kept apart, so that a pool that drops for hours pushes out no bug report
//
// Every occurrence gives its event a new number, so that readers who ask for what is new get it again, with all that it counts so far.
// The number that it had first is its name.
//
// IE1. Numbers are given once, over both kinds.
// IE2. A full shelf loses the event whose latest occurrence is oldest.
#pragma once

#include "figures.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lido::inspect {

class event_log {
public:
    static constexpr std::size_t most = 512;  ///< of each of the two
    static constexpr std::uint64_t apart_ms = 10'000;

    /// `where` is kept by the caller per pool and kind, and finds the event that may go on without a search; 0 at first.
    void add(std::uint64_t tick, std::uint64_t ms, std::int64_t pool, event_kind kind, std::uint64_t count,
             std::uint32_t& where);
    /// `so_far`: `count` is not how many more there are, but how many there were.
    void add_misuse(std::uint64_t tick, std::int64_t pool, std::uint64_t cause, std::uint64_t count, bool so_far,
                    std::string_view text);

    /// The number that the next occurrence will have.
    [[nodiscard]] std::uint64_t next() const noexcept { return next_; }

    /// Events whose latest occurrence has number `from` or a later one.
    [[nodiscard]] event_list since(std::uint64_t from) const;

private:
    struct shelf {
        std::vector<event> events;  ///< all of them, from the start: counting one later allocates nothing
        std::size_t size = 0;

        shelf();
        [[nodiscard]] std::size_t room_for() noexcept;  ///< where the next one goes
    };

    event& begin(shelf& on, std::size_t at, std::uint64_t tick, std::int64_t pool, event_kind kind);
    void lose(std::uint64_t number) noexcept;

    shelf counted_;
    shelf misused_;
    std::array<std::uint64_t, most> causes_{};  ///< of misused_: apart, because each report looks through all of them
    std::uint64_t next_ = 0;
    /// The numbers of the latest events that were lost, in a ring: what a reader that was away for a while missed.
    std::array<std::uint64_t, most> lost_{};
    std::uint64_t lost_count_ = 0;
};

}  // namespace lido::inspect
