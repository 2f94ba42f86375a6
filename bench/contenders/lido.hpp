// lido's pools as contenders: one adapter for every shape.
#pragma once

#include <bench/workloads/all.hpp>

#include <lido/core.hpp>

#include <cstdio>
#include <cstdlib>

namespace bench {

/// Not timed wrongly by accident: a refused acquire is cheap, and a benchmark of refusals would look splendid.
inline void check(bool done) {
    if (!done) [[unlikely]] {
        std::fprintf(stderr, "lido_bench: a lido pool refused an acquire, a save or a restore\n");
        std::abort();
    }
}

template <class Pool>
struct lido_pool {
    using element = typename Pool::value_type;
    using ref = typename Pool::handle_type;
    static constexpr bool owns = true;
    static constexpr bool checks = true;

    Pool pool;
    lido::snapshot saved;

    explicit lido_pool(std::size_t n)
        requires std::is_constructible_v<Pool, std::uint32_t>
        : pool(static_cast<std::uint32_t>(n)) {}
    explicit lido_pool(std::size_t)
        requires(!std::is_constructible_v<Pool, std::uint32_t>)
        : pool() {}
    explicit lido_pool(growing)
        requires std::is_constructible_v<Pool, std::uint32_t>
        : pool(64, {.on_full = lido::on_full::grow_to(std::uint32_t{1} << 24)}) {}

    LIDO_INLINE ref spawn(std::uint32_t tag) {
        const auto one = pool.acquire(tag);
        check(static_cast<bool>(one));
        return one.handle();
    }
    LIDO_INLINE void end(ref r) { pool.release(r); }
    LIDO_INLINE element* get(ref r) { return pool.get(r); }
    [[nodiscard]] std::uint64_t to_bits(ref r) const { return r.to_bits(); }
    LIDO_INLINE element* get_bits(std::uint64_t bits) {
        return pool.get(ref::from_bits(static_cast<typename ref::bits_type>(bits)));
    }
    template <class F>
    LIDO_INLINE void for_each(F&& f) {
        pool.for_each(f);
    }
    [[nodiscard]] std::size_t size() const { return pool.size(); }
    void bulk(std::span<ref> out, std::uint32_t tag) { pool.acquire_n(out, tag); }
    void clear() { pool.clear(); }

    void save() { check(pool.save(saved)); }
    void restore() { check(static_cast<bool>(pool.restore(saved))); }

    // Saving only what changed: contenders/lido_marked.cpp. Here save_1pct times a full save.
};

}  // namespace bench
