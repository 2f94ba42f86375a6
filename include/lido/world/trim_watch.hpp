// When a class has more idle objects than it will need soon: more than its recent peak and a margin.
//
//   ticks    |---- after ----|---- after ----|---- so far
//   peaks         forgotten        before          now           what is kept: max(before, now) + margin
//
// Two windows, so that a peak is remembered for at least `after` ticks and at most twice that. A class that swings between few and
// many within one window never trims: that is the hysteresis.
#pragma once

#include <lido/core/rewind/image.hpp>
#include <lido/world/class_settings.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace lido::world_detail {

/// Trivially copyable: part of a rewind.
class trim_watch {
public:
    /// Called where the number of active objects rises.
    void see(std::uint32_t active) noexcept {
        if (active > now_) now_ = active;
    }

    /// A tick has passed. Returns how many objects are worth keeping, active and idle; no_limit while that is not known.
    [[nodiscard]] std::uint64_t tick(std::uint32_t active, const trim_rule& rule) noexcept {
        if (rule.after.count == 0) return no_limit;
        if (++age_ >= rule.after.count) {
            age_ = 0;
            before_ = now_;
            known_ = true;
            now_ = active;
        }
        return known_ ? std::uint64_t{(std::max)(before_, now_)} + rule.margin : no_limit;
    }

    void write(image_writer& w) const {
        w.put(age_);
        w.put(before_);
        w.put(now_);
        w.put(known_);
    }
    [[nodiscard]] bool read(image_reader& r) noexcept {
        age_ = r.take<std::uint64_t>();
        before_ = r.take<std::uint32_t>();
        now_ = r.take<std::uint32_t>();
        const auto known = r.take<std::uint8_t>();
        known_ = known != 0;
        return r.ok() && known <= 1;
    }

    static constexpr std::uint64_t no_limit = (std::numeric_limits<std::uint64_t>::max)();

private:
    std::uint64_t age_ = 0;
    std::uint32_t before_ = 0;
    std::uint32_t now_ = 0;
    bool known_ = false;
};

}  // namespace lido::world_detail
