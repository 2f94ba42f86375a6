// Bulk operations that every shape does the same way.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>

namespace lido::detail {

/// A shape that ends another object to make room whatever its settings say.
template <class Pool>
inline constexpr bool replaces_always = false;

/// True when an acquire from the full pool may end another object.
template <class Pool>
[[nodiscard]] bool replaces(const Pool& pool) noexcept {
    if constexpr (replaces_always<Pool>) {
        return true;
    } else if constexpr (requires { pool.settings().on_full.at_the_end(); }) {
        const auto e = pool.settings().on_full.at_the_end();
        return e != on_full::ending::reject && e != on_full::ending::merge;
    } else {
        return true;
    }
}

/// Acquires until `out` is full or the pool refuses; returns how many. When a constructor throws, the lives begun here end again,
/// newest first, and all of `out` is null.
template <class Pool, class... Args>
[[nodiscard]] std::uint32_t acquire_until_refused(Pool& pool, std::span<typename Pool::handle_type> out,
                                                  const Args&... args) {
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
    return done;
}

/// The same from a pool that replaces: the arguments may be parts of an object that is ended for the first newcomer, so the rest are made
/// from copies; and a newcomer may be ended for a later one: its handle is then not among those that are given.
template <class Pool, class... Args>
[[nodiscard]] std::uint32_t acquire_and_replace(Pool& pool, std::span<typename Pool::handle_type> out,
                                                const Args&... args) {
    using T = typename Pool::value_type;
    std::uint32_t done = 0;
    if constexpr ((std::is_copy_constructible_v<std::decay_t<const Args&>> && ...) &&
                  constructible<T, const std::decay_t<const Args&>&...>) {
        const std::tuple<std::decay_t<const Args&>...> copies(args...);
        done = std::apply([&](const auto&... each) { return acquire_until_refused(pool, out, each...); }, copies);
    } else {
        done = acquire_until_refused(pool, out, args...);
    }
    const auto taken = out.first(done);
    const auto dead = std::remove_if(taken.begin(), taken.end(), [&](auto handle) { return !pool.contains(handle); });
    return static_cast<std::uint32_t>(dead - taken.begin());
}

/// Acquires as many as fit and are wanted; the rest of `out` becomes null. Returns how many of them live.
template <class Pool, class... Args>
std::uint32_t acquire_each(Pool& pool, std::span<typename Pool::handle_type> out, const Args&... args) {
    const std::uint32_t done =
        replaces(pool) ? acquire_and_replace(pool, out, args...) : acquire_until_refused(pool, out, args...);
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
