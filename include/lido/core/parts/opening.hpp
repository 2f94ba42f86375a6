// How a pool gets its memory, and what its limits hear of it: the three ways that storages offer.
//
// A table calls one of them from its open(), and then starts with limits.first_capacity().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lido::detail {

/// Memory for as many slots as `asked`, a number or a slot_count, and what it may grow to; `most` is what handles and maps can name.
/// False, with a capacity of 0 and a report, when it cannot be had.
template <class Memory, class Limits, class Count>
bool open_memory(Memory& memory, Limits& limits, Count asked, std::uint32_t most, bool grows) noexcept {
    const std::uint32_t slots = limits.plan(asked, most, grows);
    const bool had = memory.open(grows ? 0 : slots, slots);
    if (!had) limits.fail("the memory for the asked capacity could not be had; the pool has capacity 0");
    return had;
}

/// Memory that is in the pool already. Pre: handles and maps can name that many slots.
template <class Memory, class Limits>
void open_inside(Limits& limits, std::uint32_t most) noexcept {
    static_cast<void>(limits.plan(static_cast<std::uint32_t>(Memory::fixed_slots), most, false));
}

/// Memory that the caller lends; `too_small` is said where not even one slot fits.
template <class Memory, class Limits>
void open_lent(Memory& memory, Limits& limits, std::span<std::byte> buffer, std::uint32_t most,
               const char* too_small) noexcept {
    if (memory.open(buffer, most)) {
        static_cast<void>(limits.plan(static_cast<std::uint32_t>(memory.max_slots()), most, false));
    } else {
        limits.fail(too_small);
    }
}

}  // namespace lido::detail
