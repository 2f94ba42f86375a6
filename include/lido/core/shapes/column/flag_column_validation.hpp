// The invariants of a flag column pool, FC1 to FC4, as flag_column_pool.hpp states them.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/shapes/column/flag_column_layout.hpp>

#include <cstddef>
#include <cstdint>

namespace lido::detail {

struct flag_column_validation {
    /// Which invariant does not hold; null when all do.
    template <class Pool>
    [[nodiscard]] static const char* broken(const Pool& pool) noexcept {
        std::uint32_t live = 0;
        std::uint32_t retired = 0;
        for (std::uint32_t row = 0; row < pool.capacity(); ++row) {
            const bool taken = pool.has_row(row);
            live += taken ? 1u : 0u;
            if constexpr (Pool::has_generations) {
                if (((pool.generations()[row] & 1) != 0) != taken) return "FC1: a generation and the map disagree";
                constexpr bool retires = Pool::pool_options.generations == generation_rule::retire;
                retired += retires && pool.maps().retired(row) ? 1u : 0u;
            }
        }
        if (live != pool.size()) return "FC2: size and live rows differ";
        for (std::size_t w = 0; w < words_for(pool.capacity()); ++w) {
            if ((pool.occupied()[w] & ~below(w, pool.capacity())) != 0) return "FC2: a row past the capacity is taken";
        }
        if (retired != pool.state_.retired) return "FC3: the count of retired rows is wrong";
        if (const char* const wrong = columns(pool)) return wrong;
        if constexpr (Pool::tracks) {
            return pool.state_.ages.validate(pool.aged(), pool.size(),
                                             [&pool](std::uint32_t row) { return pool.has_row(row); });
        }
        return nullptr;
    }

private:
    template <class Pool>
    [[nodiscard]] static const char* columns(const Pool& pool) noexcept {
        using layout = typename Pool::layout;
        std::uintptr_t starts[Pool::columns];
        Pool::for_columns(
            [&]<std::size_t I>() { starts[I] = reinterpret_cast<std::uintptr_t>(pool.template base<I>()); });
        for (std::size_t i = 0; i < Pool::columns; ++i) {
            if (starts[i] % layout::alignment(flag_arrays + i) != 0) return "FC4: a column is not aligned";
            for (std::size_t k = 0; k < Pool::columns; ++k) {
                if (k != i && starts[k] >= starts[i] &&
                    starts[k] - starts[i] < layout::bytes(flag_arrays + i, pool.capacity())) {
                    return "FC4: two columns share memory";
                }
            }
        }
        return nullptr;
    }
};

}  // namespace lido::detail
