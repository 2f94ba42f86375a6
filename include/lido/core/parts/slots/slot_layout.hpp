// Where the arrays of a slot pool lie and how an element's address follows from its slot.
//
//   values      | slot 0 | slot 1 | ... | slot 63 | pad | slot 64 | ...      64 slots, then a pad where strides need one
//   generations | g0 | g1 | ...                                              4 bytes a slot (2 with short handles, 0 without)
//   occupied    | cache | 64 bits | 64 bits | ...                            1 bit a slot; the cache of recent_first, 256 bytes (*)
//   spare       two levels, see spare_words.hpp                              1/63 bit a slot (slot_pool only)
//   resting     | 64 bits | ...    ring | slot | ...                         with reuse_delay only
//   changed     | 64 bits | ...                                              with mark_changes only
//   links, birth, priority                                                   with track::age or ::priority only
//   taken       | 64 bits | ...                                              with confirmed_ends only: occupied, or waiting; so are
//   ends, owed                                                               the next two, drawn in limbo.hpp: 24 bytes a slot
//
// Bookkeeping lies apart from the elements: a stale handle is refused without touching the element's line, a pass over the
// elements reads nothing else, and dead elements need no room for links.
//
// (*) Where the storage takes as much memory as the slots need: it has no bytes in the pool, and lies where every acquire and release has
// an address at hand. In a buffer or an object of a given size it would cost slots; there it is in the state.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/handle.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/memory/heap_storage.hpp>
#include <lido/core/memory/reserved_storage.hpp>
#include <lido/core/parts/age_order.hpp>
#include <lido/core/parts/slots/limbo.hpp>
#include <lido/core/parts/slots/spare_words.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lido::detail {

/// The handle type that options ask for.
template <class T, options Options, class Tag>
struct handle_for {
    static_assert(Options.handle_bits == 64 || Options.handle_bits == 32, "lido: options::handle_bits is 64 or 32");
    static constexpr unsigned index_bits = Options.index_bits != 0     ? Options.index_bits
                                           : Options.handle_bits == 64 ? 32
                                                                       : 20;
    using bits = std::conditional_t<Options.handle_bits == 64, std::uint64_t, std::uint32_t>;
    using type = basic_handle<T, Tag, bits, index_bits>;
};

/// Arrays of slot pools, by number.
enum : std::size_t {
    at_values,
    at_generations,
    at_occupied,
    at_spare_first,
    at_spare_second,
    at_resting,
    at_ring,
    at_links,
    at_birth,
    at_priority,
    at_changed,
    slot_arrays
};

/// Bytes left free after every 64 elements. Elements whose size is a multiple of 256 all start in a quarter (or less) of the
/// cache's sets; one line of shift per block spreads them over all of them. For other sizes the pad would only cost.
template <class T>
inline constexpr std::size_t block_pad = sizeof(T) % 256 == 0 ? (alignof(T) > 64 ? alignof(T) : 64) : 0;

template <class T>
inline constexpr std::size_t block_bytes = 64 * sizeof(T) + block_pad<T>;

template <class T>
[[nodiscard]] LIDO_INLINE T* slot_address(std::byte* values, std::size_t slot) noexcept {
    std::size_t offset = slot * sizeof(T);
    if constexpr (block_pad<T> != 0) offset += (slot >> 6) * block_pad<T>;
    return reinterpret_cast<T*>(values + offset);
}

/// The slot whose element starts at `object`, or no_slot. Any address may be asked about.
template <class T>
[[nodiscard]] inline std::uint32_t slot_at_address(const std::byte* values, const void* object,
                                                   std::size_t slots) noexcept {
    const auto base = reinterpret_cast<std::uintptr_t>(values);
    const auto at = reinterpret_cast<std::uintptr_t>(object);
    if (values == nullptr || at < base) return no_slot;
    const std::size_t offset = at - base;
    const std::size_t in_block = offset % block_bytes<T>;
    const std::size_t slot = offset / block_bytes<T> * 64 + in_block / sizeof(T);
    if (in_block % sizeof(T) != 0 || in_block >= 64 * sizeof(T) || slot >= slots) return no_slot;
    return static_cast<std::uint32_t>(slot);
}
template <class T>
[[nodiscard]] inline std::uint32_t slot_of_address(const std::byte* values, const T* object,
                                                   std::size_t slots) noexcept {
    return slot_at_address<T>(values, object, slots);
}

/// Elements start where they straddle the fewest cache lines: at the largest power of two that divides their size, up to a line.
template <class T>
inline constexpr std::size_t element_alignment = [] {
    const std::size_t even = sizeof(T) & (~sizeof(T) + 1);
    const std::size_t natural = even > 64 ? 64 : even;
    return alignof(T) > natural ? alignof(T) : natural;
}();

/// Storages that take as much memory as the slots need.
template <class Storage>
inline constexpr bool takes_what_it_needs = false;
template <class Source>
inline constexpr bool takes_what_it_needs<basic_heap_storage<Source>> = true;
template <class Pages>
inline constexpr bool takes_what_it_needs<basic_reserved_storage<Pages>> = true;

template <class T, options Options, class Tag, class Finder, bool HasCache = false>
struct slot_layout {
    using handle_type = typename handle_for<T, Options, Tag>::type;
    using generation = std::conditional_t<(handle_type::generation_bits <= 16), std::uint16_t, std::uint32_t>;

    static constexpr bool has_generations = Options.generations != generation_rule::none;
    /// Those that the options ask for, and any with a lower number: a pool has a pointer for each.
    static constexpr std::size_t arrays = Options.confirmed_ends              ? slot_arrays + 3
                                          : Options.mark_changes              ? slot_arrays
                                          : Options.tracks == track::priority ? at_priority + 1
                                          : Options.tracks == track::age      ? at_links + 1
                                          : Options.reuse_delay != 0 || Options.order == reuse::last
                                              ? at_ring + 1
                                              : at_spare_second + 1;
    static constexpr bool has_stack = Options.order == reuse::last;  ///< behind the ring
    /// What the search for free slots goes by.
    static constexpr std::size_t at_taken = Options.confirmed_ends ? slot_arrays : at_occupied;
    static constexpr std::size_t at_ends = slot_arrays + 1;
    static constexpr std::size_t at_owed = slot_arrays + 2;
    static constexpr bool scans = !Finder::uses_spare_words;
    static constexpr std::size_t cache_bytes =
        HasCache ? Finder::cache_size * sizeof(std::uint32_t) : 0;  ///< before the words of `occupied`

    [[nodiscard]] static constexpr std::size_t bytes(std::size_t k, std::size_t slots) noexcept {
        constexpr bool aged = Options.tracks != track::nothing;
        constexpr bool ranked = Options.tracks == track::priority;
        if constexpr (Options.confirmed_ends) {
            if (k == at_taken) return words_for(slots) * sizeof(map_word);
            if (k == at_ends) return slots * sizeof(waiting_end);
            if (k == at_owed) return slots * sizeof(std::uint64_t);
        }
        switch (k) {
            case at_values: return slots * sizeof(T) + words_for(slots) * block_pad<T>;
            case at_generations: return has_generations ? slots * sizeof(generation) : 0;
            case at_occupied: return slots != 0 ? cache_bytes + words_for(slots) * sizeof(map_word) : 0;
            case at_spare_first:
                return Finder::uses_spare_words ? spare_words::first_words(slots) * sizeof(map_word) : 0;
            case at_spare_second:
                return Finder::uses_spare_words ? spare_words::second_words(slots) * sizeof(map_word) : 0;
            case at_resting: return Options.reuse_delay != 0 ? words_for(slots) * sizeof(map_word) : 0;
            case at_ring:
                return slots != 0 ? (Options.reuse_delay + (has_stack ? slots : 0)) * sizeof(std::uint32_t) : 0;
            case at_links: return aged ? slots * sizeof(age_links) : 0;
            case at_birth: return ranked ? slots * sizeof(std::uint64_t) : 0;
            case at_priority: return ranked ? slots : 0;
            case at_changed: return Options.mark_changes ? words_for(slots) * sizeof(map_word) : 0;
            default: return 0;
        }
    }

    [[nodiscard]] static constexpr std::size_t alignment(std::size_t k) noexcept {
        switch (k) {
            case at_values: return element_alignment<T>;
            case at_generations: return alignof(generation);
            case at_ring:
            case at_links: return alignof(std::uint32_t);
            case at_priority: return 1;
            default: return alignof(map_word);
        }
    }

    /// Generations and ages of free slots are kept for good: a stale handle must stay stale after a trim.
    [[nodiscard]] static constexpr bool trims(std::size_t k) noexcept { return k == at_values; }

    /// Bytes of array `k` that a save holds: generations outlive the use of a slot, the other maps do not, and marks are a history's.
    template <class State>
    [[nodiscard]] static constexpr std::size_t saved_bytes(std::size_t k, const State& st) noexcept {
        if (k == at_values || k == at_changed) return 0;
        if constexpr (Options.confirmed_ends) {
            if (k == at_ends) return bytes(k, st.limbo.count);
        }
        return bytes(k, k == at_generations ? st.known : st.finder.used(st.capacity));
    }
    /// Whether the array is zero where a slot was never used.
    [[nodiscard]] static constexpr bool starts_at_zero(std::size_t k) noexcept {
        return (k >= at_generations && k <= at_resting) || (Options.confirmed_ends && k == at_taken);
    }

    /// Bytes of bookkeeping beside the elements, a slot, in a pool of `slots`.
    [[nodiscard]] static constexpr double bookkeeping(std::size_t slots) noexcept {
        std::size_t sum = 0;
        for (std::size_t k = at_generations; k < arrays; ++k) sum += bytes(k, slots);
        if (slots != 0) sum -= cache_bytes;  // the same for any number of slots
        return slots == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(slots);
    }
};

}  // namespace lido::detail
