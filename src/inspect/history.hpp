// The last minute of a pool, in periods of 250 ms.
#pragma once

#include "figures.hpp"

#include <lido/core/stats.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace lido::inspect {

class history {
public:
    /// Four a second: what an eye follows in a curve, and rare enough that collecting does not show in a frame.
    static constexpr std::uint32_t period_ms = 250;
    static constexpr std::size_t periods = 240;  ///< a minute

    /// What has passed since the last call: `count` periods, of which all but the last saw nothing new. Where a rewind has lowered a
    /// counter, what it undid is taken out of the latest periods, so that their sum never exceeds what the counter says.
    void add(const pool_stats& now, std::uint64_t count) noexcept {
        if (count == 0) return;
        if (count > periods) count = periods;
        for (std::uint64_t i = 1; i < count && size_ != 0; ++i) put({last_.live, 0, 0, 0});
        const entry next{now.size, gain(&entry::acquired, acquired_, now.acquired),
                         gain(&entry::refused, refused_, now.refused), gain(&entry::replaced, replaced_, now.replaced)};
        acquired_ = now.acquired;
        refused_ = now.refused;
        replaced_ = now.replaced;
        put(next);
    }

    [[nodiscard]] history_figures figures() const {
        history_figures f;
        f.period_ms = period_ms;
        f.live.reserve(size_);
        f.acquired.reserve(size_);
        f.refused.reserve(size_);
        f.replaced.reserve(size_);
        for (std::size_t i = 0; i < size_; ++i) {
            const entry& e = ring_[(next_ + periods - size_ + i) % periods];
            f.live.push_back(e.live);
            f.acquired.push_back(e.acquired);
            f.refused.push_back(e.refused);
            f.replaced.push_back(e.replaced);
        }
        return f;
    }

private:
    struct entry {
        std::uint32_t live = 0;
        std::uint32_t acquired = 0;
        std::uint32_t refused = 0;
        std::uint32_t replaced = 0;
    };

    [[nodiscard]] std::uint32_t gain(std::uint32_t entry::*of, std::uint64_t before, std::uint64_t now) noexcept {
        if (size_ == 0) return 0;
        if (now < before) {
            take_out(of, before - now);
            return 0;
        }
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(now - before, 0xffff'ffff));
    }

    void take_out(std::uint32_t entry::*of, std::uint64_t undone) noexcept {
        for (std::size_t i = 1; i <= size_ && undone != 0; ++i) {
            std::uint32_t& here = ring_[(next_ + periods - i) % periods].*of;
            const auto part = static_cast<std::uint32_t>(std::min<std::uint64_t>(undone, here));
            here -= part;
            undone -= part;
        }
    }

    void put(const entry& e) noexcept {
        ring_[next_] = e;
        last_ = e;
        next_ = (next_ + 1) % periods;
        if (size_ < periods) ++size_;
    }

    std::array<entry, periods> ring_{};
    std::size_t next_ = 0;
    std::size_t size_ = 0;
    entry last_;
    std::uint64_t acquired_ = 0;
    std::uint64_t refused_ = 0;
    std::uint64_t replaced_ = 0;
};

}  // namespace lido::inspect
