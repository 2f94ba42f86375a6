// How a timing_wheel is saved beside the pool of its timers: its time, and those of its lists that are not empty.
//
//   | now, number of lists | number, first, last, count | number, first, last, count | ...
//
// A wheel has 450 lists, most of them empty: so one without timers costs a few bytes a tick.
#pragma once

#include <lido/core/rewind/section.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lido::world_detail {

template <class Wheel>
struct wheel_rewind {
    using state_type = typename Wheel::state_type;
    using ends = typename Wheel::ends;

    struct header {
        std::uint64_t now;
        std::uint64_t lists;
    };
    struct kept_list {
        std::uint64_t number;
        ends of;
    };
    static_assert(std::is_trivially_copyable_v<header> && std::is_trivially_copyable_v<kept_list>);

    [[nodiscard]] static std::size_t bytes(const Wheel& wheel) noexcept {
        std::size_t lists = 0;
        each_list(wheel, [&lists](std::size_t, const ends&) { ++lists; });
        return sizeof(header) + lists * sizeof(kept_list);
    }

    /// Pre: room for bytes(wheel).
    static void put(std::byte* to, const Wheel& wheel) noexcept {
        header h{wheel.now().count, 0};
        std::byte* next = to + sizeof(h);
        each_list(wheel, [&](std::size_t number, const ends& of) {
            const kept_list l{number, of};
            copy_bytes(next, &l, sizeof(l));
            next += sizeof(l);
            ++h.lists;
        });
        copy_bytes(to, &h, sizeof(h));
    }

    [[nodiscard]] static state_type take(const std::byte* from) noexcept {
        header h;
        copy_bytes(&h, from, sizeof(h));
        from += sizeof(h);
        state_type wheel{};
        wheel.now = h.now;
        for (std::uint64_t i = 0; i < h.lists; ++i, from += sizeof(kept_list)) {
            kept_list l;
            copy_bytes(&l, from, sizeof(l));
            wheel.lists[l.number] = l.of;
        }
        return wheel;
    }

private:
    /// Calls f(number, ends) for each list that has timers. It is over with the last timer (WT1, WT4): most wheels have few, on the lowest
    /// levels, and 450 lists looked at in each save of each class took longer than the rest of a small class.
    template <class F>
    static void each_list(const Wheel& wheel, F&& f) noexcept {
        std::uint64_t left = wheel.size();
        for (std::size_t i = 0; left != 0; ++i) {
            const ends& of = wheel.state().lists[i];
            if (of.count == 0) continue;
            f(i, of);
            left -= of.count;
        }
    }
};

}  // namespace lido::world_detail
