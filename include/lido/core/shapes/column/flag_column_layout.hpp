// Where the arrays of a flag column pool lie, drawn in flag_column_pool.hpp: its numbers first, then one column a field.
//
// No line of padding as in column_layout.hpp: sixteen bullets of four bytes take 64 bytes here, and 512 with it. Passes over whole
// vectors end at the last row.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/parts/age_order.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>
#include <lido/core/shapes/column/column_layout.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lido::detail {

enum : std::size_t { flag_generations, flag_occupied, flag_links, flag_birth, flag_priority, flag_arrays };

inline constexpr std::size_t flag_column_start = 16;  // bytes: a vector register that every processor with vectors has

template <class T, options Options, class Tag>
struct flag_column_layout {
    using facts = column_facts<field_types<T>>;
    using handle_type = typename handle_for<T, Options, Tag>::type;
    using generation = std::conditional_t<(handle_type::generation_bits <= 16), std::uint16_t, std::uint32_t>;

    static constexpr bool has_generations = Options.generations != generation_rule::none;
    static constexpr std::size_t columns = facts::count;
    static constexpr std::size_t first_column = flag_arrays;
    static constexpr std::size_t arrays = first_column + columns;
    static constexpr std::uint32_t max_rows = handle_type::max_slots;

    [[nodiscard]] static constexpr std::size_t bytes(std::size_t k, std::size_t rows) noexcept {
        constexpr bool aged = Options.tracks != track::nothing;
        constexpr bool ranked = Options.tracks == track::priority;
        switch (k) {
            case flag_generations: return has_generations ? rows * sizeof(generation) : 0;
            case flag_occupied: return words_for(rows) * sizeof(map_word);
            case flag_links: return aged ? rows * sizeof(age_links) : 0;
            case flag_birth: return ranked ? rows * sizeof(std::uint64_t) : 0;
            case flag_priority: return ranked ? rows : 0;
            default: return rows * facts::sizes[k - flag_arrays];
        }
    }

    [[nodiscard]] static constexpr std::size_t alignment(std::size_t k) noexcept {
        switch (k) {
            case flag_generations: return alignof(generation);
            case flag_links: return alignof(age_links);
            case flag_occupied:
            case flag_birth: return alignof(map_word);
            case flag_priority: return 1;
            default: return (std::max)(facts::plain_alignments[k - flag_arrays], flag_column_start);
        }
    }

    /// Every row can be read from the start: a pass over a column visits rows that never held an object, too.
    [[nodiscard]] static constexpr bool trims(std::size_t) noexcept { return false; }

    /// Bytes beside the fields, a row, in a pool of `rows`.
    [[nodiscard]] static constexpr double bookkeeping(std::size_t rows) noexcept {
        std::size_t sum = 0;
        for (std::size_t k = 0; k < flag_arrays; ++k) sum += bytes(k, rows);
        return rows == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(rows);
    }
};

}  // namespace lido::detail
