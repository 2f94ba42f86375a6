// Tells positions that are still on the journal's way from those of branches that were cut off: after a cut the same place, and the same
// number of an entry, mean another entry.
//
//   cuts so far    1        2        3            a position knows how many cuts there were when it was taken. It holds as long as no
//   cut back to    40       120      300          later cut went back to a place before it: the first cut after it that is kept
//                                                 here tells, because those that a later one went behind are forgotten.
//
// EC1. Kept cuts are in the order in which they were made, and of their places.
//
// Fixed in size: where more cuts are kept than fit, the two oldest are taken for one that refuses what either would refuse, and some more.
#pragma once

#include <lido/core/base/stats.hpp>

#include <cstddef>
#include <cstdint>

namespace lido::entity_detail {

class cut_log {
public:
    /// Cuts back to different places among the ticks that are open. A rollback each tick over 8 ticks keeps 8.
    static constexpr std::size_t most = 64;

    /// How many cuts and resets there were.
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

    void cut(std::uint64_t at) noexcept {
        while (size_ != 0 && kept_[size_ - 1].at >= at) --size_;
        if (size_ == most) {
            kept_[1].at = kept_[0].at;
            for (std::size_t i = 1; i < size_; ++i) kept_[i - 1] = kept_[i];
            --size_;
        }
        kept_[size_++] = {++count_, at};
    }

    /// No position that was taken before holds.
    void reset() noexcept {
        size_ = 0;
        oldest_ = ++count_;
    }

    /// Whether a position that was taken after so many cuts still means what it meant.
    [[nodiscard]] bool holds(std::uint64_t at, std::uint64_t cuts) const noexcept {
        if (cuts < oldest_ || cuts > count_) return false;
        for (std::size_t i = 0; i < size_; ++i) {
            if (kept_[i].number > cuts) return at <= kept_[i].at;
        }
        return true;
    }

    [[nodiscard]] verdict validate() const noexcept {
        for (std::size_t i = 0; i < size_; ++i) {
            if (kept_[i].number > count_ ||
                (i != 0 && (kept_[i - 1].number >= kept_[i].number || kept_[i - 1].at >= kept_[i].at)))
                return {"EC1: the cuts are out of order"};
        }
        return {};
    }

private:
    struct kept_cut {
        std::uint64_t number = 0;
        std::uint64_t at = 0;
    };

    kept_cut kept_[most] = {};
    std::size_t size_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t oldest_ = 0;
};

}  // namespace lido::entity_detail
