// Bulk operations that every shape does the same way.
#pragma once

#include <lido/core/base/config.hpp>

#include <algorithm>
#include <cstdint>
#include <span>

namespace lido::detail {

/// Acquires until `out` is full or the pool refuses; the rest of `out` becomes null. When a constructor throws, the lives begun
/// here end again, newest first, and all of `out` is null.
template <class Pool, class... Args>
std::uint32_t acquire_each(Pool& pool, std::span<typename Pool::handle_type> out, const Args&... args) {
    std::uint32_t done = 0;
    const auto fill = [&] {
        for (; done < out.size(); ++done) {
            const auto one = pool.acquire(args...);
            if (!one) break;
            out[done] = one;
        }
    };
    if constexpr (noexcept(pool.acquire(args...))) {
        fill();
    } else {
        LIDO_TRY { fill(); }
        LIDO_CATCH_ALL {
            while (done-- != 0) {
                if (pool.contains(out[done])) pool.release(out[done]);  // a full pool may have replaced it since
            }
            std::fill(out.begin(), out.end(), typename Pool::handle_type{});
            LIDO_RETHROW;
        }
    }
    std::fill(out.begin() + done, out.end(), typename Pool::handle_type{});
    return done;
}

/// Releases each; returns how many lived.
template <class Pool>
std::uint32_t release_each(Pool& pool, std::span<const typename Pool::handle_type> handles) noexcept {
    std::uint32_t done = 0;
    for (const auto handle : handles) done += pool.release(handle) ? 1u : 0u;
    return done;
}

}  // namespace lido::detail
