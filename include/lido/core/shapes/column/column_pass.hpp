// Passes over chosen columns: in blocks that compilers turn into vector code, and in chunks for the jobs of other threads.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/shapes/column/column_fields.hpp>
#include <lido/core/shapes/column/column_layout.hpp>
#include <lido/core/shapes/column/column_row.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#if defined(_MSC_VER)
#define LIDO_RESTRICT __restrict
#else
#define LIDO_RESTRICT __restrict__
#endif

namespace lido {

namespace detail {

/// Rows in one block: a cache line of the narrowest column, so that every column fills whole vectors.
template <class... F>
inline constexpr std::size_t block_rows = std::clamp<std::size_t>(column_line / (std::min)({sizeof(F)...}), 16, 64);

/// Calls `f(a[i], b[i], ...)` for i in [0, rows). GCC vectorises at -O2 only what has a constant number of turns and needs no check
/// for overlap: hence the blocks, and the promise that columns do not overlap. A function of its own, because GCC forgets that promise
/// where it inlines: a pass over four columns took 0.74 ns a row inlined and 0.38 so. Pre: the columns do not overlap.
template <class Function, class... F>
LIDO_NOINLINE void pass_in_blocks(std::size_t rows, Function& f, F* LIDO_RESTRICT... column) {
    constexpr std::size_t block = block_rows<F...>;
    std::size_t i = 0;
    for (; i + block <= rows; i += block) {
        for (std::size_t k = 0; k < block; ++k) f(column[i + k]...);
    }
    for (; i < rows; ++i) f(column[i]...);
}

/// True when a column is named twice.
template <std::size_t... I>
[[nodiscard]] consteval bool repeats() {
    const std::size_t all[] = {I...};
    for (std::size_t a = 0; a < sizeof...(I); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (all[a] == all[b]) return true;
        }
    }
    return false;
}

}  // namespace detail

/// A run of neighbouring rows that one job works on. Chunks of one pass share no cache line, whatever column they write.
/// For use right away: it goes wrong as a span over the columns does, when the pool changes.
template <class Pool, class T>
class column_chunk {
    template <std::size_t I>
    using field = std::conditional_t<std::is_const_v<Pool>, const field_type<T, I>, field_type<T, I>>;

public:
    std::uint32_t first;  ///< its first row
    std::uint32_t size;   ///< how many rows

    column_chunk(Pool* pool, std::uint32_t from, std::uint32_t rows) noexcept : first(from), size(rows), pool_(pool) {}

    /// The part of a column that is this chunk's: it starts at a cache line.
    template <std::size_t I>
    [[nodiscard]] std::span<field<I>> column() const noexcept {
        return {detail::column_of<I>(detail::row_door::table(*pool_)) + first, size};
    }
    template <auto Member>
        requires std::is_member_object_pointer_v<decltype(Member)>
    [[nodiscard]] auto column() const noexcept {
        return column<detail::column_index<T, Member>()>();
    }

    /// As the pool's, over this chunk.
    template <auto Member, auto... Members, class F>
        requires std::is_member_object_pointer_v<decltype(Member)>
    void for_each(F&& f) const {
        static_assert(
            !detail::repeats<detail::column_index<T, Member>(), detail::column_index<T, Members>()...>(),
            "lido: for_each over columns: a column is named twice, and its references would be to the same field");
        detail::pass_in_blocks(size, f, column<Member>().data(), column<Members>().data()...);
    }

    /// A row of the chunk, counted from its first.
    [[nodiscard]] column_row<Pool, T> row(std::uint32_t i) const noexcept {
        LIDO_ASSERT(i < size, "column_chunk: there is no such row");
        return {pool_, first + i};
    }

private:
    Pool* pool_;
};

}  // namespace lido
