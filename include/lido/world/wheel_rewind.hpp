// How a timing_wheel is saved beside the pool of its timers: its time, and those of its lists that are not empty.
//
//   | now, number of lists | number, first, last, count | number, first, last, count | ...
//
// A wheel has 450 lists, most of them empty: so one without timers costs a few bytes a tick.
#pragma once

#include <lido/core/rewind/section.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace lido::world_detail {

template <class Wheel>
struct wheel_rewind {
    using state_type = typename Wheel::state_type;

    struct header {
        std::uint64_t now;
        std::uint64_t lists;
    };
    struct kept_list {
        std::uint64_t number;
        typename Wheel::ends ends;
    };
    static_assert(std::is_trivially_copyable_v<header> && std::is_trivially_copyable_v<kept_list>);

    [[nodiscard]] static std::size_t bytes(const state_type& wheel) noexcept {
        return sizeof(header) + count(wheel) * sizeof(kept_list);
    }

    /// Pre: room for bytes(wheel).
    static void put(std::byte* to, const state_type& wheel) noexcept {
        const header h{wheel.now, count(wheel)};
        copy_bytes(to, &h, sizeof(h));
        to += sizeof(h);
        for (std::size_t i = 0; i < std::size(wheel.lists); ++i) {
            if (!wheel.lists[i].first) continue;
            const kept_list l{i, wheel.lists[i]};
            copy_bytes(to, &l, sizeof(l));
            to += sizeof(l);
        }
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
            wheel.lists[l.number] = l.ends;
        }
        return wheel;
    }

private:
    [[nodiscard]] static std::uint64_t count(const state_type& wheel) noexcept {
        std::uint64_t lists = 0;
        for (const auto& l : wheel.lists) lists += l.first ? 1 : 0;
        return lists;
    }
};

}  // namespace lido::world_detail
