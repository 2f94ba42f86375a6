// Where the arrays of a ring pool lie, drawn in ring_pool.hpp, and searches in its map of live slots.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lido::detail {

enum : std::size_t { ring_values, ring_generations, ring_occupied, ring_arrays };

template <class T, options Options, class Tag>
struct ring_layout {
    using handle_type = typename handle_for<T, Options, Tag>::type;
    using generation = std::conditional_t<(handle_type::generation_bits <= 16), std::uint16_t, std::uint32_t>;

    static constexpr std::size_t arrays = ring_arrays;
    static constexpr std::uint32_t max_slots = handle_type::max_slots - 1;  ///< capacity: there is one slot more

    /// Of a capacity; one slot more than that is there, unless there is none at all.
    [[nodiscard]] static constexpr std::size_t bytes(std::size_t k, std::size_t capacity) noexcept {
        const std::size_t slots = capacity != 0 ? capacity + 1 : 0;
        switch (k) {
            case ring_values: return slots * sizeof(T);
            case ring_generations: return slots * sizeof(generation);
            case ring_occupied: return words_for(slots) * sizeof(map_word);
            default: return 0;
        }
    }

    [[nodiscard]] static constexpr std::size_t alignment(std::size_t k) noexcept {
        switch (k) {
            case ring_values: return element_alignment<T>;
            case ring_generations: return alignof(generation);
            default: return alignof(map_word);
        }
    }

    [[nodiscard]] static constexpr bool trims(std::size_t k) noexcept { return k == ring_values; }

    /// Bytes beside the elements, a slot of the capacity; the spare slot counts as one of them.
    [[nodiscard]] static constexpr double bookkeeping(std::size_t capacity) noexcept {
        if (capacity == 0) return 0.0;
        const std::size_t sum = sizeof(T) + bytes(ring_generations, capacity) + bytes(ring_occupied, capacity);
        return static_cast<double>(sum) / static_cast<double>(capacity);
    }
};

/// The first set bit of [from, end), or no_slot.
[[nodiscard]] inline std::uint32_t first_set(const map_word* words, std::uint32_t from, std::uint32_t end) noexcept {
    if (from >= end) return no_slot;
    std::size_t w = from >> 6;
    map_word bits = words[w] & (full_word << (from & 63));
    const std::size_t last = (end - 1) >> 6;
    while (bits == 0 && w < last) bits = words[++w];
    if (bits == 0) return no_slot;
    const auto found = static_cast<std::uint32_t>(w * 64 + lowest(bits));
    return found < end ? found : no_slot;
}

/// The last set bit of [from, end), or no_slot.
[[nodiscard]] inline std::uint32_t last_set(const map_word* words, std::uint32_t from, std::uint32_t end) noexcept {
    if (from >= end) return no_slot;
    std::size_t w = (end - 1) >> 6;
    map_word bits = words[w] & below(w, end);
    const std::size_t first = from >> 6;
    while (bits == 0 && w > first) bits = words[--w];
    if (bits == 0) return no_slot;
    const auto found = static_cast<std::uint32_t>(w * 64 + highest(bits));
    return found >= from ? found : no_slot;
}

/// How many bits of [from, end) are set.
[[nodiscard]] inline std::uint32_t count_set(const map_word* words, std::uint32_t from, std::uint32_t end) noexcept {
    std::uint32_t sum = 0;
    for (std::size_t w = from >> 6; w * 64 < end; ++w) {
        map_word bits = words[w] & below(w, end);
        if (w == from >> 6) bits &= full_word << (from & 63);
        sum += static_cast<std::uint32_t>(std::popcount(bits));
    }
    return sum;
}

/// The nth set bit from `from` on. Pre: there is one.
[[nodiscard]] inline std::uint32_t nth_set(const map_word* words, std::uint32_t from, std::uint32_t nth) noexcept {
    std::size_t w = from >> 6;
    map_word bits = words[w] & (full_word << (from & 63));
    for (auto here = static_cast<std::uint32_t>(std::popcount(bits)); nth >= here;
         here = static_cast<std::uint32_t>(std::popcount(bits))) {
        nth -= here;
        bits = words[++w];
    }
    while (nth-- != 0) bits &= bits - 1;
    return static_cast<std::uint32_t>(w * 64 + lowest(bits));
}

}  // namespace lido::detail
