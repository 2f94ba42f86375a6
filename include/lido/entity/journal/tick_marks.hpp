// Where the open ticks of a journal end, so that a confirmation need not look for it.
//
// Fixed in size. What no longer fits is not noted, and is found by walking over the entries: slower, and as right.
//
// EM1. Marks are in the order of their ticks and of their places.
#pragma once

#include <lido/core/base/stats.hpp>

#include <cstddef>
#include <cstdint>

namespace lido::entity_detail {

/// A place between two commits, and what had been appended by then.
struct journal_place {
    std::uint64_t at = 0;
    std::uint64_t entries = 0;
    std::uint64_t commits = 0;
};

struct tick_mark {
    std::uint64_t tick = 0;
    journal_place end;
};

class tick_marks {
public:
    /// Pre: memory for `room` marks.
    void open(tick_mark* memory, std::size_t room) noexcept {
        marks_ = memory;
        room_ = room;
    }

    void push(const tick_mark& mark) noexcept {
        if (size_ < room_) marks_[(first_ + size_++) % room_] = mark;
    }

    /// Forgets the marks up to `tick` and sets `place` to the last of them; leaves it as it is where there is none.
    void take_until(std::uint64_t tick, journal_place& place) noexcept {
        for (; size_ != 0 && marks_[first_].tick <= tick; --size_) {
            place = marks_[first_].end;
            first_ = (first_ + 1) % room_;
        }
    }

    /// Forgets the marks of `tick`, of later ones, and of what begins behind `at`.
    void drop_from(std::uint64_t tick, std::uint64_t at) noexcept {
        while (size_ != 0 && (last().tick >= tick || last().end.at > at)) --size_;
    }

    void clear() noexcept { size_ = 0; }

    [[nodiscard]] verdict validate() const noexcept {
        for (std::size_t i = 1; i < size_; ++i) {
            const tick_mark& a = marks_[(first_ + i - 1) % room_];
            const tick_mark& b = marks_[(first_ + i) % room_];
            if (a.tick >= b.tick || a.end.at > b.end.at || a.end.entries > b.end.entries)
                return {"EM1: the marks of ticks are out of order"};
        }
        return {};
    }

private:
    [[nodiscard]] const tick_mark& last() const noexcept { return marks_[(first_ + size_ - 1) % room_]; }

    tick_mark* marks_ = nullptr;
    std::size_t room_ = 0;
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

}  // namespace lido::entity_detail
