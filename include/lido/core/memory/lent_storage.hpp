// lido: slots in a buffer that the caller lends and takes back after the pool has gone.
#pragma once

#include "lido/core/base/compat.hpp"
#include "lido/core/memory/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace lido {

/// As many slots as fit into the buffer, all ready from the start. The buffer may start anywhere, needs no alignment
/// and is never freed. Moving moves pointers only; two pools in one buffer are the caller's error.
struct lent_storage {
    /// Inside the buffer, padded to wherever it happens to start:
    ///
    ///     buffer.data()                                              buffer.data() + buffer.size()
    ///       |pad |values ...........|generations ...|pad |bitmap ...|unused |
    ///            arrays[0]          arrays[1]            arrays[2]
    ///       |<----------------------- bytes() --------------------->|
    template <storage_layout L>
    class memory {
    public:
        static constexpr bool grows = false;
        static constexpr bool movable = true;
        static constexpr std::size_t fixed_slots = 0;

        memory() = default;
        memory(memory&& other) noexcept : state_(std::exchange(other.state_, state{})) {}
        memory& operator=(memory&& other) noexcept {
            if (this != &other) {
                state_ = std::exchange(other.state_, state{});
            }
            return *this;
        }
        ~memory() = default;

        /// Takes as many slots as fit, but at most `at_most`. False when not one does: it stays closed, the buffer
        /// untouched. Pre: closed. Complexity: a few hundred steps, and zeroing the arrays that must read as zero.
        [[nodiscard]] LIDO_COLD bool open(std::span<std::byte> buffer, std::size_t at_most) noexcept {
            LIDO_ASSERT(state_.max_slots == 0, "lent_storage: opened twice");
            const std::size_t start = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(buffer.data()) %
                                                               detail::alignment_of_all<L>());
            const auto fits = [&](std::size_t slots) {
                const std::size_t end = detail::place<L>(slots, start).end;
                return end != detail::too_big && end - start <= buffer.size();
            };
            if (at_most == 0 || !fits(1)) {
                return false;
            }
            // Doubling first keeps the counts, and so the work of placing, near the answer even if at_most is absurd.
            std::size_t slots = 1;
            std::size_t limit = 1;
            while (limit < at_most && fits(limit)) {
                slots = limit;
                limit = limit > at_most / 2 ? at_most : limit * 2;
            }
            while (slots < limit) {
                const std::size_t middle = limit - (limit - slots) / 2;
                if (fits(middle)) {
                    slots = middle;
                } else {
                    limit = middle - 1;
                }
            }
            const detail::placement<L> p = detail::place<L>(slots, start);
            for (std::size_t k = 0; k < L::arrays; ++k) {
                if (p.size[k] == 0) {
                    continue;
                }
                state_.arrays[k] = buffer.data() + (p.offset[k] - start);
                if (!L::trims(k)) {
                    std::memset(state_.arrays[k], 0, p.size[k]);
                }
            }
            state_.max_slots = slots;
            state_.bytes = p.end - start;
            state_.lent = buffer.size();
            return true;
        }

        [[nodiscard]] std::size_t max_slots() const noexcept { return state_.max_slots; }
        [[nodiscard]] std::size_t ready() const noexcept { return state_.max_slots; }
        [[nodiscard]] std::size_t make_ready(std::size_t) noexcept { return state_.max_slots; }
        std::size_t give_back(std::size_t) noexcept { return 0; }

        template <std::size_t K>
        [[nodiscard]] LIDO_INLINE std::byte* array() const noexcept {
            static_assert(K < L::arrays, "array<K>(): the layout has fewer arrays");
            return detail::known_aligned<L::alignment(K)>(state_.arrays[K]);
        }

        [[nodiscard]] std::size_t bytes() const noexcept { return state_.bytes; }
        [[nodiscard]] std::size_t reserved_bytes() const noexcept { return state_.lent; }

        /// A buffer of this many bytes holds that many slots wherever it starts; SIZE_MAX when none can.
        [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t slots) noexcept {
            const detail::placement<L> p = detail::place<L>(slots);
            return p.end == detail::too_big ? detail::too_big : p.end + (p.alignment - 1);
        }

    private:
        struct state {
            std::byte* arrays[L::arrays] = {};
            std::size_t max_slots = 0;
            std::size_t bytes = 0;
            std::size_t lent = 0;
        };

        state state_;
    };
};

}  // namespace lido
