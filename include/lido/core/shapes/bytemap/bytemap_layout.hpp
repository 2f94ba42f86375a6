// Where the arrays of a bytemap_pool lie.
#pragma once

#include <algorithm>
#include <cstddef>

namespace lido::detail {

enum : std::size_t { bytemap_slots, bytemap_states, bytemap_arrays };

template <class Base, std::size_t SlotBytes>
struct bytemap_layout {
    static constexpr std::size_t arrays = bytemap_arrays;
    static constexpr std::size_t slot_bytes = SlotBytes == 0 ? sizeof(Base) : SlotBytes;

    [[nodiscard]] static constexpr std::size_t bytes(std::size_t k, std::size_t slots) noexcept {
        return k == bytemap_slots ? slots * slot_bytes : slots;
    }

    /// Slots start at the largest power of two that divides their size, up to a cache line: derived classes may need it.
    [[nodiscard]] static constexpr std::size_t alignment(std::size_t k) noexcept {
        if (k != bytemap_slots) return 1;
        constexpr std::size_t even = slot_bytes & (~slot_bytes + 1);
        return (std::max)(alignof(Base), std::min<std::size_t>(even, 64));
    }

    [[nodiscard]] static constexpr bool trims(std::size_t k) noexcept { return k == bytemap_slots; }
};

}  // namespace lido::detail
