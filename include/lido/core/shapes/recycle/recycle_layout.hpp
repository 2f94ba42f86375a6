// Where the arrays of a recycle_pool lie: those of a slot pool (slots/slot_layout.hpp), and three more.
//
//   held      | 64 bits | ...     the slot is active or idle: what the search for vacant slots goes by      1 bit a slot
//   built     | 64 bits | ...     an object exists in the slot                                              1 bit a slot
//   idle      | slot | slot | ... the idle slots, released longest ago first: a stack                       4 bytes a slot
//   ends, owed                    with confirmed_ends only (slots/limbo.hpp)                                24 bytes a slot
#pragma once

#include <lido/core/parts/slots/finders.hpp>
#include <lido/core/parts/slots/limbo.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>

#include <cstddef>
#include <cstdint>

namespace lido::detail {

enum : std::size_t { at_held = slot_arrays, at_built, at_idle, recycle_arrays };

template <class T, options Options, class Tag>
struct recycle_layout {
    using slots = slot_layout<T, Options, Tag, lowest_first>;
    using handle_type = typename slots::handle_type;
    using generation = typename slots::generation;

    static constexpr bool has_generations = slots::has_generations;
    static constexpr std::size_t arrays = recycle_arrays + (Options.confirmed_ends ? 2 : 0);
    static constexpr std::size_t at_ends = recycle_arrays;
    static constexpr std::size_t at_owed = recycle_arrays + 1;
    static constexpr std::size_t at_taken = at_held;
    static constexpr bool scans = false;
    static constexpr bool has_stack = false;
    static constexpr std::size_t cache_bytes = 0;

    [[nodiscard]] static constexpr std::size_t bytes(std::size_t k, std::size_t n) noexcept {
        if constexpr (Options.confirmed_ends) {
            if (k == at_ends) return n * sizeof(waiting_end);
            if (k == at_owed) return n * sizeof(std::uint64_t);
        }
        switch (k) {
            case at_held:
            case at_built: return words_for(n) * sizeof(map_word);
            case at_idle: return n * sizeof(std::uint32_t);
            default: return slots::bytes(k, n);
        }
    }
    [[nodiscard]] static constexpr std::size_t alignment(std::size_t k) noexcept {
        if (k == at_idle) return alignof(std::uint32_t);
        if constexpr (Options.confirmed_ends) {
            if (k == at_ends || k == at_owed) return alignof(waiting_end);
        }
        return k >= slot_arrays ? alignof(map_word) : slots::alignment(k);
    }
    [[nodiscard]] static constexpr bool trims(std::size_t k) noexcept { return slots::trims(k); }

    /// As in slots/slot_layout.hpp. Which objects exist is the pool's own affair.
    template <class State>
    [[nodiscard]] static constexpr std::size_t saved_bytes(std::size_t k, const State& st) noexcept {
        if (k == at_built) return 0;
        if (k == at_idle) return bytes(k, st.idle);
        if constexpr (Options.confirmed_ends) {
            if (k == at_ends) return bytes(k, st.limbo.count);
            if (k == at_owed) return bytes(k, st.finder.used(0));
        }
        return k == at_held ? bytes(k, st.finder.used(0)) : slots::saved_bytes(k, st);
    }
    [[nodiscard]] static constexpr bool starts_at_zero(std::size_t k) noexcept {
        return k == at_held || slots::starts_at_zero(k);
    }

    /// Bytes of bookkeeping beside the elements, a slot, in a pool of `n`.
    [[nodiscard]] static constexpr double bookkeeping(std::size_t n) noexcept {
        std::size_t sum = 0;
        for (std::size_t k = at_generations; k < arrays; ++k) sum += bytes(k, n);
        return n == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(n);
    }
};

}  // namespace lido::detail
