// Where the arrays of a dense pool lie; drawn in dense_pool.hpp.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/age_order.hpp>
#include <lido/core/parts/rows/row_map.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lido::detail {

enum : std::size_t {
    dense_values,
    dense_words,
    dense_backs,
    dense_resting,
    dense_ring,
    dense_links,
    dense_birth,
    dense_priority,
    dense_changed,
    dense_arrays
};

template <class T, options Options, class Tag>
struct dense_layout {
    using handle_type = typename handle_for<T, Options, Tag>::type;
    using plain_map = row_map_for<handle_type, Options.max_rows>;
    using map_type = std::conditional_t<Options.mark_changes, marked_rows<plain_map>, plain_map>;

    static constexpr std::uint32_t max_rows =
        (std::min)({Options.max_rows, handle_type::max_slots, static_cast<std::uint32_t>(map_type::max_rows)});
    static constexpr std::size_t arrays = dense_arrays;

    [[nodiscard]] static constexpr std::size_t bytes(std::size_t k, std::size_t rows) noexcept {
        constexpr bool aged = Options.tracks != track::nothing;
        constexpr bool ranked = Options.tracks == track::priority;
        constexpr bool delays = Options.reuse_delay != 0;
        switch (k) {
            case dense_values: return rows * sizeof(T);
            case dense_words: return rows * sizeof(typename map_type::word_type);
            case dense_backs: return rows * sizeof(typename map_type::back_type);
            case dense_resting: return delays ? words_for(rows) * sizeof(map_word) : 0;
            case dense_ring: return delays && rows != 0 ? Options.reuse_delay * sizeof(std::uint32_t) : 0;
            case dense_links: return aged ? rows * sizeof(age_links) : 0;
            case dense_birth: return ranked ? rows * sizeof(std::uint64_t) : 0;
            case dense_priority: return ranked ? rows : 0;
            case dense_changed: return Options.mark_changes ? words_for(rows) * sizeof(map_word) : 0;
            default: return 0;
        }
    }

    [[nodiscard]] static constexpr std::size_t alignment(std::size_t k) noexcept {
        switch (k) {
            case dense_values: return element_alignment<T>;
            case dense_words: return alignof(typename map_type::word_type);
            case dense_backs: return alignof(typename map_type::back_type);
            case dense_ring:
            case dense_links: return alignof(std::uint32_t);
            case dense_priority: return 1;
            default: return alignof(map_word);
        }
    }

    /// Generations of free slots are kept for good: a stale handle must stay stale after a trim.
    [[nodiscard]] static constexpr bool trims(std::size_t k) noexcept { return k == dense_values; }

    /// Closes or opens the memory of rows from..to-1, which hold no object (checks/poison.hpp).
    template <class Arrays>
    static void guard(const Arrays& storage, std::size_t from, std::size_t to, bool closed) noexcept {
        if (!guarded() || from >= to) return;
        const std::byte* const first = storage.template array<dense_values>() + from * sizeof(T);
        closed ? close_off(first, (to - from) * sizeof(T)) : open_again(first, (to - from) * sizeof(T));
    }

    /// Bytes of bookkeeping beside the elements, a row, in a pool of `rows`.
    [[nodiscard]] static constexpr double bookkeeping(std::size_t rows) noexcept {
        std::size_t sum = 0;
        for (std::size_t k = dense_words; k < arrays; ++k) sum += bytes(k, rows);
        return rows == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(rows);
    }
};

}  // namespace lido::detail
