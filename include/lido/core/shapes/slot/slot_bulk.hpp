// Many objects at once in a slot_pool: whole words of free slots at a time.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>
#include <lido/core/shapes/slot/slot_lives.hpp>
#include <lido/core/shapes/slot/slot_taking.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lido::detail {

struct slot_bulk {
    /// acquire_n where no constructor throws, in the order in which acquire() would have given the slots; one by one where a word
    /// holds more of them than is wanted.
    template <class Table, class... Args>
    LIDO_NOINLINE static std::uint32_t acquire(Table& table, std::span<typename Table::handle_type> out,
                                               const Args&... args) noexcept {
        auto& finder = table.now().finder;
        std::size_t done = 0;
        while (done != out.size()) {
            const std::uint32_t capacity = table.capacity();
            if (!finder.quick() && out.size() - done >= 64 && table.make_ready(finder.fresh_need(capacity))) {
                std::size_t w = 0;
                if (const map_word batch = finder.take_word(table.maps(), capacity, 64, w)) {
                    table.now().known = (std::max)(table.now().known, table.used());
                    begin_lives(table, w, batch, out.data() + done, args...);
                    done += static_cast<std::size_t>(std::popcount(batch));
                    continue;
                }
            }
            const auto one = finder.quick() ? slot_lives::begin(table, table.take_quick(), request{}, args...)
                                            : slot_taking::acquire(table, request{}, args...);
            if (!one) break;
            out[done++] = one;
        }
        std::fill(out.begin() + static_cast<std::ptrdiff_t>(done), out.end(), typename Table::handle_type{});
        return static_cast<std::uint32_t>(done);
    }

private:
    /// In the slots `batch` of word `w`, which are taken; their handles go to `to`.
    template <class Table, class... Args>
    LIDO_INLINE static void begin_lives(Table& table, std::size_t w, map_word batch, typename Table::handle_type* to,
                                        const Args&... args) noexcept {
        using T = typename Table::value_type;
        using handle_type = typename Table::handle_type;
        using generation = typename Table::generation;
        const inner_call<T> building(table.inside());
        table.occupied()[w] |= batch;
        if constexpr (Table::marks) table.changed()[w] |= batch;
        generation* const lives = table.generations() + w * 64;
        const auto base = static_cast<std::uint32_t>(w * 64);
        if (batch == full_word) {
            T* const first = table.at(w * 64);
            open_up(first, 64 * sizeof(T));
            for (std::uint32_t i = 0; i < 64; ++i) construct<T>(first + i, args...);
            for (std::uint32_t i = 0; i < 64; ++i) {
                lives[i] = static_cast<generation>(lives[i] + 1u);
                to[i] = handle_type::of(base + i, lives[i]);
                table.book().begin(base + i, lives[i]);
            }
        } else {
            for (map_word left = batch; left != 0; left &= left - 1) {
                const std::uint32_t i = lowest(left);
                open_up(table.at(base + i), sizeof(T));
                construct<T>(table.at(base + i), args...);
                lives[i] = static_cast<generation>(lives[i] + 1u);
                *to++ = handle_type::of(base + i, lives[i]);
                table.book().begin(base + i, lives[i]);
            }
        }
        table.now().more(static_cast<std::uint32_t>(std::popcount(batch)));
    }
};

}  // namespace lido::detail
