// A timing_wheel in an image: the pool of its timers, its time, and those of its lists that are not empty.
//
//   | the pool | now | number of lists | number, first, last, count | number, first, last, count | ...
//
// A stranger's image is read into a wheel of its own, where every link can be followed and checked before anything is replaced.
#pragma once

#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/world/ticks.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace lido::world_detail {

/// Ticks; a clock that shows more was made up. Far from where the sum with a timer's ticks comes round.
inline constexpr std::uint64_t most_ticks = std::uint64_t{1} << 62;

template <class Wheel>
struct wheel_image {
    using pool = typename Wheel::node_pool;
    using timer = typename Wheel::timer;
    static_assert(image_codec<typename pool::value_type>,
                  "lido: a timer in an image is written by its codec: it may hold code");

    static void write(const Wheel& wheel, image_writer& w) {
        rewind_of<pool>::write(wheel.timers(), w);
        const auto& state = wheel.state();
        w.put(state.now);
        std::uint32_t count = 0;
        for (const auto& list : state.lists) count += list.first ? 1 : 0;
        w.put(count);
        for (std::size_t i = 0; i < std::size(state.lists); ++i) {
            const auto& list = state.lists[i];
            if (!list.first) continue;
            w.put(static_cast<std::uint32_t>(i));
            w.put(list.first.to_bits());
            w.put(list.last.to_bits());
            w.put(list.count);
        }
    }

    /// Pre: `fresh` has never had a timer. When refused, it is good for nothing.
    [[nodiscard]] static restore_result read(Wheel& fresh, image_reader& r) {
        staged_of<pool> timers;
        if (const restore_result bad = rewind_of<pool>::read(fresh.timers(), r, timers); !bad) return bad;
        rewind_of<pool>::commit(fresh.timers(), timers);
        auto& state = fresh.state();
        state.now = r.take<std::uint64_t>();
        const auto count = r.take<std::uint32_t>();
        if (!r.ok()) return {restore_error::truncated};
        if (state.now > most_ticks)
            return {restore_error::inconsistent, "its clock shows more ticks than there can be"};
        constexpr std::size_t lists = std::size(typename Wheel::state_type().lists) - 1;  // the last is of an expiry
        std::size_t next = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto number = r.take<std::uint32_t>();
            if (!r.ok()) return {restore_error::truncated};
            if (number < next || number >= lists)
                return {restore_error::inconsistent, "its lists of timers are not in order"};
            next = number + 1;
            auto& list = state.lists[number];
            list.first = timer::from_bits(r.take<std::uint64_t>());
            list.last = timer::from_bits(r.take<std::uint64_t>());
            list.count = r.take<std::uint64_t>();
        }
        if (!r.ok()) return {restore_error::truncated};
        if (const verdict sound = fresh.validate(); !sound)
            return {restore_error::inconsistent, "its timers and their lists contradict each other"};
        bool too_late = false;
        fresh.for_each([&](ticks due, const auto&) { too_late = too_late || due.count - state.now > Wheel::longest; });
        if (too_late) return {restore_error::inconsistent, "a timer is due later than a timer can be"};
        return {};
    }
};

}  // namespace lido::world_detail
