// lido: how a pool describes its memory to a storage, and the arithmetic that all storages share.
//
// A pool keeps parallel arrays indexed by slot: values, generations, bitmaps, links. It names them in a layout, all
// static and constexpr, and a storage returns one pointer per array:
//
//   struct layout {
//       static constexpr std::size_t arrays = 2;
//       static constexpr std::size_t bytes(std::size_t k, std::size_t n) { return n * (k == 0 ? sizeof(T) : 4); }
//       static constexpr std::size_t alignment(std::size_t k) { return k == 0 ? alignof(T) : 4; }
//       static constexpr bool trims(std::size_t k) { return k == 0; }   // values end with their last active slot
//   };
#pragma once

#include "lido/core/base/config.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace lido {

/// The arrays of a pool. `bytes(k, n)` never falls as n rises, and two halves need at least what the whole needs:
/// bytes(k, a + b) <= bytes(k, a) + bytes(k, b). It may be 0: such an array costs nothing and its pointer is null.
/// `trims(k)`: nothing past the last active slot is needed; its content is unspecified when it becomes ready.
/// Otherwise the array reads as zero when it becomes ready for the first time, and is kept until the storage closes.
template <class L>
concept storage_layout = requires(std::size_t k, std::size_t slots) {
    { L::arrays } -> std::convertible_to<std::size_t>;
    { L::bytes(k, slots) } -> std::same_as<std::size_t>;
    { L::alignment(k) } -> std::same_as<std::size_t>;
    { L::trims(k) } -> std::same_as<bool>;
    requires(L::arrays >= 1);
};

namespace detail {

/// The answer to a size that cannot be had. Larger than any real one, so `> limit` also refuses it.
inline constexpr std::size_t too_big = SIZE_MAX;

/// No array and no sum of arrays is larger (bytes): 2^62 or, with 32-bit addresses, 1 GiB. Twice this plus an alignment
/// still fits a size_t, so one comparison after each step is the whole overflow check.
inline constexpr std::size_t most_bytes = SIZE_MAX / 4;

/// No pool has more slots, so that a layout may multiply by a few bits a slot before it divides.
inline constexpr std::size_t most_slots = SIZE_MAX / 64;

/// Arrays up to this size (bytes) are small: below it, rounding up to pages and a system call of their own cost more
/// than the memory they could save. It is also the least amount that a large array grows by: 16 pages of 4 KiB, one of
/// the largest page in use (64 KiB, some arm64 systems).
inline constexpr std::size_t small_array = 64 * 1024;

/// Large arrays start this many bytes further into their page than the one before (5 cache lines; 5 and 64 share no
/// factor, so 64 arrays get 64 different starts). Without it slot i of every array falls into the same set of the L1
/// cache: a pass over 16 float columns took 5.3 ns an element, with it 4.2 (262144 elements, 12-way L1). With 8 columns
/// the difference was below a tenth.
inline constexpr std::size_t stagger = 5 * 64;

[[nodiscard]] constexpr bool is_power_of_two(std::size_t n) noexcept { return n != 0 && (n & (n - 1)) == 0; }

/// Pre: `alignment` is a power of two; n <= 2 * most_bytes.
[[nodiscard]] constexpr std::size_t align_up(std::size_t n, std::size_t alignment) noexcept {
    return (n + (alignment - 1)) & ~(alignment - 1);
}

[[nodiscard]] constexpr std::size_t larger(std::size_t a, std::size_t b) noexcept { return a < b ? b : a; }
[[nodiscard]] constexpr std::size_t smaller(std::size_t a, std::size_t b) noexcept { return a < b ? a : b; }

template <storage_layout L>
[[nodiscard]] constexpr bool alignments_are_powers_of_two() noexcept {
    for (std::size_t k = 0; k < L::arrays; ++k) {
        if (!is_power_of_two(L::alignment(k))) {
            return false;
        }
    }
    return true;
}

/// The strictest alignment of any array.
template <storage_layout L>
[[nodiscard]] constexpr std::size_t alignment_of_all() noexcept {
    static_assert(alignments_are_powers_of_two<L>(), "layout: every alignment(k) must be a power of two");
    std::size_t most = 1;
    for (std::size_t k = 0; k < L::arrays; ++k) {
        most = larger(most, L::alignment(k));
    }
    return most;
}

/// L::bytes(k, slots), or too_big. Safe for any count although the layout multiplies without looking: the count is
/// reached by doubling, and since a doubled count at most doubles the bytes, a value that wrapped is never computed,
/// let alone believed. (Rejected: asking every layout for checked arithmetic. One that forgets is a hole that no test
/// of ours would see.)
template <storage_layout L>
[[nodiscard]] constexpr std::size_t checked_bytes(std::size_t k, std::size_t slots) noexcept {
    if (slots > most_slots) {
        return too_big;
    }
    for (std::size_t m = 1; m < slots; m *= 2) {
        if (L::bytes(k, m) > most_bytes) {
            return too_big;
        }
    }
    const std::size_t bytes = L::bytes(k, slots);
    return bytes > most_bytes ? too_big : bytes;
}

/// All arrays in one block, in the order of the layout, each at its own alignment; empty arrays take no room:
///
///     start   offset[0]            offset[1]     offset[2]           end
///       |pad  |values ............ |generations  |pad |bitmap ...... |
///
/// `start` is the block's address modulo alignment_of_all, so offsets are right for a block that is itself misaligned.
template <storage_layout L>
struct placement {
    std::size_t offset[L::arrays] = {};
    std::size_t size[L::arrays] = {};
    std::size_t alignment = 1;  // that of the arrays that are not empty
    std::size_t end = 0;        // too_big: cannot be had
};

template <storage_layout L>
[[nodiscard]] constexpr placement<L> place(std::size_t slots, std::size_t start = 0, std::size_t gap = 0) noexcept {
    static_assert(alignments_are_powers_of_two<L>(), "layout: every alignment(k) must be a power of two");
    placement<L> p;
    p.end = start;
    for (std::size_t k = 0; k < L::arrays; ++k) {
        const std::size_t bytes = checked_bytes<L>(k, slots);
        if (bytes == 0) {
            continue;
        }
        if (bytes == too_big || align_up(p.end, L::alignment(k)) + bytes > most_bytes) {
            p.end = too_big;
            return p;
        }
        p.offset[k] = align_up(p.end, L::alignment(k));
        p.size[k] = bytes;
        p.alignment = larger(p.alignment, L::alignment(k));
        p.end = p.offset[k] + bytes + (bytes > small_array ? gap : 0);
    }
    return p;
}

/// The most slots in [fits, limit] of which array k needs at most `bytes`. Pre: `fits` slots do; `limit` slots do not
/// overflow.
template <storage_layout L>
[[nodiscard]] constexpr std::size_t slots_within(std::size_t k, std::size_t bytes, std::size_t fits,
                                                 std::size_t limit) noexcept {
    while (fits < limit) {
        const std::size_t middle = limit - (limit - fits) / 2;
        if (L::bytes(k, middle) <= bytes) {
            fits = middle;
        } else {
            limit = middle - 1;
        }
    }
    return fits;
}

}  // namespace detail

/// What every storage's memory offers, so that a pool is written once. How one opens differs, see each storage.
template <class M>
concept slot_memory = requires(M& memory, const M& fixed, std::size_t slots) {
    { M::grows } -> std::convertible_to<bool>;
    { M::movable } -> std::convertible_to<bool>;
    { M::fixed_slots } -> std::convertible_to<std::size_t>;
    { fixed.max_slots() } noexcept -> std::same_as<std::size_t>;
    { fixed.ready() } noexcept -> std::same_as<std::size_t>;
    { fixed.bytes() } noexcept -> std::same_as<std::size_t>;
    { fixed.reserved_bytes() } noexcept -> std::same_as<std::size_t>;
    { fixed.template array<0>() } noexcept -> std::same_as<std::byte*>;
    { memory.make_ready(slots) } noexcept -> std::same_as<std::size_t>;
    { memory.give_back(slots) } noexcept -> std::same_as<std::size_t>;
};

}  // namespace lido
