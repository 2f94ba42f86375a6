// The memory under the slots of a slot_pool or recycle_pool: closed (checks/poison.hpp) while no object is in it, opened before it
// goes back to where it came from.
//
// SG1. A slot below ready() is open while an object is being built, lives or is being ended in it, and closed otherwise. An idle
//     object of a recycle_pool is closed too, where its settings say so.
// Restores write to slots that are dead before or after them: they open all and close the dead again.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace lido::detail {

/// Slots of T, of which `values` is the first.
template <class T>
struct slot_guard {
    /// Closes slots from..to-1, which hold no object.
    static void close(std::byte* values, std::size_t from, std::size_t to) noexcept {
        if (!guarded() || from >= to) return;
        const auto bytes = bytes_of(values, from, to);
        close_off(bytes.data(), bytes.size());
    }

    /// Opens slots from..to-1 for new content.
    static void open(std::byte* values, std::size_t from, std::size_t to) noexcept {
        if (!guarded() || from >= to) return;
        const auto bytes = bytes_of(values, from, to);
        open_up(bytes.data(), bytes.size());
    }

    /// Opens slots from..to-1 as they are: idle objects among them keep their content.
    static void open_as_is(std::byte* values, std::size_t from, std::size_t to) noexcept {
        if (!guarded() || from >= to) return;
        const auto bytes = bytes_of(values, from, to);
        open_again(bytes.data(), bytes.size());
    }

    /// Closes the slots below `ready` in which nothing lives, after a restore for which all were opened.
    static void close_dead(std::byte* values, const map_word* occupied, std::size_t ready) noexcept {
        if (!guarded()) return;
        for (std::size_t slot = 0; slot < ready; ++slot) {
            if (!test(occupied, slot)) close(values, slot, slot + 1);
        }
    }

    /// Gets the memory for the first `slots` slots; `ready` is how many have it. False when it cannot be had.
    template <class Memory>
    [[nodiscard]] static bool make_ready(Memory& memory, std::uint32_t& ready, std::uint32_t slots) noexcept {
        if (slots <= ready) return true;
        const std::uint32_t before = ready;
        ready = static_cast<std::uint32_t>(memory.make_ready(slots));
        close(memory.template array<at_values>(), before, ready);
        return slots <= ready;
    }

    /// Gives the whole pages from slot `limit` on back to the system, where nothing is. Returns the bytes.
    template <class Memory>
    static std::size_t give_back(Memory& memory, std::uint32_t& ready, std::uint32_t limit) noexcept {
        open(memory.template array<at_values>(), limit, ready);
        const std::size_t bytes = memory.give_back(limit);
        ready = static_cast<std::uint32_t>(memory.ready());
        close(memory.template array<at_values>(), limit, ready);
        return bytes;
    }

private:
    /// Those of slots from..to-1, with the pads between them. Pre: from < to.
    [[nodiscard]] static std::span<const std::byte> bytes_of(std::byte* values, std::size_t from,
                                                             std::size_t to) noexcept {
        const auto* const first = reinterpret_cast<const std::byte*>(slot_address<T>(values, from));
        return {first, reinterpret_cast<const std::byte*>(slot_address<T>(values, to - 1) + 1)};
    }
};

}  // namespace lido::detail
