// The time of one class: it follows the world's ticks, slower, faster, or not at all.
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/rewind/image.hpp>

#include <algorithm>
#include <cstdint>

namespace lido {

/// How many ticks of a class go by in how many of the world. Two whole numbers and no fraction: the same on every machine.
struct time_scale {
    std::uint16_t steps = 1;
    std::uint16_t per = 1;

    friend constexpr bool operator==(time_scale, time_scale) noexcept = default;
};

namespace world_detail {

/// Trivially copyable: part of a rewind.
class class_clock {
public:
    /// A tick of the world: how many of the class that is.
    [[nodiscard]] std::uint32_t advance() noexcept {
        if (paused_) return 0;
        rest_ += scale_.steps;
        const std::uint32_t steps = rest_ / scale_.per;
        rest_ %= scale_.per;
        return steps;
    }

    void pause(bool on) noexcept { paused_ = on; }
    [[nodiscard]] bool paused() const noexcept { return paused_; }

    /// Pre: scale.per is not 0.
    void set_scale(time_scale scale) noexcept {
        LIDO_ASSERT(scale.per != 0, "time_scale: steps per 0 ticks");
        scale_ = {scale.steps, std::max<std::uint16_t>(scale.per, 1)};
        rest_ %= scale_.per;
    }
    [[nodiscard]] time_scale scale() const noexcept { return scale_; }
    [[nodiscard]] std::uint32_t rest() const noexcept { return rest_; }

    void write(image_writer& w) const {
        w.put(scale_.steps);
        w.put(scale_.per);
        w.put(rest_);
        w.put(paused_);
    }
    /// False for a clock that none can be.
    [[nodiscard]] bool read(image_reader& r) noexcept {
        scale_.steps = r.take<std::uint16_t>();
        scale_.per = r.take<std::uint16_t>();
        rest_ = r.take<std::uint32_t>();
        const auto paused = r.take<std::uint8_t>();
        paused_ = paused != 0;
        return r.ok() && rest_ < scale_.per && paused <= 1;
    }

private:
    time_scale scale_;
    std::uint32_t rest_ = 0;
    bool paused_ = false;
};

}  // namespace world_detail
}  // namespace lido
