// The invariants of a flag column pool, FC1 to FC4, as flag_column_pool.hpp states them.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/shapes/column/column_fields.hpp>

#include <cstddef>
#include <cstdint>

namespace lido::detail {

struct flag_column_validation {
    /// Which invariant does not hold; null when all do.
    template <class Table>
    [[nodiscard]] static const char* broken(const Table& table) noexcept {
        std::uint32_t live = 0;
        std::uint32_t retired = 0;
        for (std::uint32_t row = 0; row < table.capacity(); ++row) {
            const bool taken = table.has_row(row);
            live += taken ? 1u : 0u;
            if constexpr (Table::has_generations) {
                if (((table.generations()[row] & 1) != 0) != taken) return "FC1: a generation and the map disagree";
                constexpr bool retires = Table::pool_options.generations == generation_rule::retire;
                retired += retires && table.maps().retired(row) ? 1u : 0u;
            }
        }
        if (live != table.size()) return "FC2: size and live rows differ";
        for (std::size_t w = 0; w < words_for(table.capacity()); ++w) {
            if ((table.occupied()[w] & ~below(w, table.capacity())) != 0)
                return "FC2: a row past the capacity is taken";
        }
        if (retired != table.now().retired) return "FC3: the count of retired rows is wrong";
        if (const char* const wrong = broken_columns(table, table.capacity(), "FC4: a column is not aligned",
                                                     "FC4: two columns share memory")) {
            return wrong;
        }
        if constexpr (Table::tracks) {
            return table.now().ages.validate(table.aged(), table.size(),
                                             [&table](std::uint32_t row) { return table.has_row(row); });
        }
        return nullptr;
    }
};

}  // namespace lido::detail
