// Many objects at once in a slot pool: whole words of free slots at a time.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lido::detail {

struct slot_bulk {
    /// acquire_n where no constructor throws, in the order in which acquire() would have given the slots; one by one where a word
    /// holds more of them than is wanted.
    template <class Pool, class... Args>
    LIDO_NOINLINE static std::uint32_t acquire(Pool& pool, std::span<typename Pool::handle_type> out,
                                               const Args&... args) noexcept {
        auto& finder = pool.state_.finder;
        std::size_t done = 0;
        while (done != out.size()) {
            const std::uint32_t capacity = pool.capacity();
            if (!finder.quick() && out.size() - done >= 64 && pool.make_ready(finder.fresh_need(capacity))) {
                std::size_t w = 0;
                if (const map_word batch = finder.take_word(pool.maps(), capacity, 64, w)) {
                    pool.state_.known = (std::max)(pool.state_.known, pool.used());
                    begin_lives(pool, w, batch, out.data() + done, args...);
                    done += static_cast<std::size_t>(std::popcount(batch));
                    continue;
                }
            }
            const auto one = pool.acquire(args...);
            if (!one) break;
            out[done++] = one;
        }
        std::fill(out.begin() + static_cast<std::ptrdiff_t>(done), out.end(), typename Pool::handle_type{});
        return static_cast<std::uint32_t>(done);
    }

private:
    /// In the slots `batch` of word `w`, which are taken; their handles go to `to`.
    template <class Pool, class... Args>
    LIDO_INLINE static void begin_lives(Pool& pool, std::size_t w, map_word batch, typename Pool::handle_type* to,
                                        const Args&... args) noexcept {
        using T = typename Pool::value_type;
        using handle_type = typename Pool::handle_type;
        using generation = typename Pool::generation;
        const inner_call<T> building(pool.inside_);
        pool.occupied()[w] |= batch;
        if constexpr (Pool::marks) pool.changed()[w] |= batch;
        generation* const lives = pool.generations() + w * 64;
        const auto base = static_cast<std::uint32_t>(w * 64);
        if (batch == full_word) {
            T* const first = pool.at(w * 64);
            open_up(first, 64 * sizeof(T));
            for (std::uint32_t i = 0; i < 64; ++i) construct<T>(first + i, args...);
            for (std::uint32_t i = 0; i < 64; ++i) {
                lives[i] = static_cast<generation>(lives[i] + 1u);
                to[i] = handle_type::of(base + i, lives[i]);
                pool.diary_.begin(base + i, lives[i]);
            }
        } else {
            for (map_word left = batch; left != 0; left &= left - 1) {
                const std::uint32_t i = lowest(left);
                open_up(pool.at(base + i), sizeof(T));
                construct<T>(pool.at(base + i), args...);
                lives[i] = static_cast<generation>(lives[i] + 1u);
                *to++ = handle_type::of(base + i, lives[i]);
                pool.diary_.begin(base + i, lives[i]);
            }
        }
        pool.state_.more(static_cast<std::uint32_t>(std::popcount(batch)));
    }
};

}  // namespace lido::detail
