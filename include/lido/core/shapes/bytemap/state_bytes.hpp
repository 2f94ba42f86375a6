// The byte map of a bytemap_pool: one state byte a slot, looked through eight at a time.
//
//    7      6         0
//   +------+-----------+
//   | free |   seed    |        the seed is that of the life that is, or of the last that was
//   +------+-----------+
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>

#include <cstdint>
#include <cstring>

namespace lido::detail {

using state_byte = std::uint8_t;

inline constexpr state_byte free_flag = 0x80;
inline constexpr state_byte seed_mask = 0x7f;
static_assert((free_flag ^ seed_mask) == 0xff);

[[nodiscard]] constexpr bool is_free(state_byte s) noexcept { return (s & free_flag) != 0; }

/// The state of the next life: busy, and the seed one further, modulo 128.
[[nodiscard]] constexpr state_byte next_life(state_byte s) noexcept {
    return static_cast<state_byte>((s + 1) & seed_mask);
}

/// The first slot of [from, end) that is free (or, with `Free` false, busy), or no_slot. Eight flags a step: next-fit on a nearly
/// full pool is a long walk, and a traversal of a nearly empty one too.
template <bool Free>
[[nodiscard]] inline std::uint32_t first_state(const state_byte* map, std::uint32_t from, std::uint32_t end) noexcept {
    constexpr std::uint64_t flags = 0x8080808080808080u;
    while (from < end) {
        if (end - from >= 8) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, map + from, 8);
            if (((Free ? eight : ~eight) & flags) == 0) {
                from += 8;
                continue;
            }
        }
        if (is_free(map[from]) == Free) return from;
        ++from;
    }
    return no_slot;
}

}  // namespace lido::detail
