// The memory under the slots of a slot_pool or recycle_pool: closed (checks/poison.hpp) while no object is in it, opened before it
// goes back to where it came from.
//
// SG1. A slot below ready() is open while an object is being built, lives or is being ended in it, and closed otherwise. An idle
//      object of a recycle_pool is closed too, where its settings say so.
// Restores write to slots that are dead before or after them: they open all and close the dead again.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/checks/poison.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace lido::detail {

struct slot_guard {
    /// Closes slots from..to-1, which hold no object.
    template <class Pool>
    static void close(Pool& pool, std::size_t from, std::size_t to) noexcept {
        if (!guarded() || from >= to) return;
        const auto bytes = bytes_of(pool, from, to);
        close_off(bytes.data(), bytes.size());
    }

    /// Opens slots from..to-1 for new content.
    template <class Pool>
    static void open(Pool& pool, std::size_t from, std::size_t to) noexcept {
        if (!guarded() || from >= to) return;
        const auto bytes = bytes_of(pool, from, to);
        open_up(bytes.data(), bytes.size());
    }

    /// Opens slots from..to-1 as they are: idle objects among them keep their content.
    template <class Pool>
    static void open_as_is(Pool& pool, std::size_t from, std::size_t to) noexcept {
        if (!guarded() || from >= to) return;
        const auto bytes = bytes_of(pool, from, to);
        open_again(bytes.data(), bytes.size());
    }

    /// Closes the slots in which nothing lives, after a restore for which all were opened.
    template <class Pool>
    static void close_dead(Pool& pool) noexcept {
        if (!guarded()) return;
        for (std::size_t slot = 0; slot < pool.ready(); ++slot) {
            if (!test(pool.occupied(), slot)) close(pool, slot, slot + 1);
        }
    }

    /// Gets the memory for the first `slots` slots. False when it cannot be had.
    template <class Pool>
    [[nodiscard]] static bool make_ready(Pool& pool, std::uint32_t slots) noexcept {
        if (slots <= pool.ready()) return true;
        const std::uint32_t before = pool.ready();
        pool.ready_ = static_cast<std::uint32_t>(pool.memory_.make_ready(slots));
        close(pool, before, pool.ready());
        return slots <= pool.ready();
    }

    /// Gives the whole pages from slot `limit` on back to the system, where nothing is. Returns the bytes.
    template <class Pool>
    static std::size_t give_back(Pool& pool, std::uint32_t limit) noexcept {
        open(pool, limit, pool.ready());
        const std::size_t bytes = pool.memory_.give_back(limit);
        pool.ready_ = static_cast<std::uint32_t>(pool.memory_.ready());
        close(pool, limit, pool.ready());
        return bytes;
    }

private:
    /// Those of slots from..to-1, with the pads between them. Pre: from < to.
    template <class Pool>
    [[nodiscard]] static std::span<const std::byte> bytes_of(const Pool& pool, std::size_t from,
                                                             std::size_t to) noexcept {
        const auto* const first = reinterpret_cast<const std::byte*>(pool.at(from));
        return {first, reinterpret_cast<const std::byte*>(pool.at(to - 1) + 1)};
    }
};

}  // namespace lido::detail
