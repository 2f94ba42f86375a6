// ring_pool, capped_list and bytemap_pool, in the workloads and at the sizes that they are for.
#include <bench/contenders/lido.hpp>

#include <memory>

namespace {

constexpr std::size_t few = 1000;

/// Only where objects end in the order of age, or all at once: a hole in the middle costs a ring capacity until it comes round.
template <class T>
struct ring_pool : bench::lido_pool<lido::ring_pool<T>> {
    using base = bench::lido_pool<lido::ring_pool<T>>;
    using base::base;
    static constexpr bool in(std::string_view w) {
        return w == "lifo" || w == "fifo" || w == "bulk_acquire" || w == "clear" || w == "acquire" || w == "release";
    }
};

/// A list is walked and closed up; nobody keeps references to what is in it. It lies inside its object, too large for a stack.
template <class T>
struct capped_list {
    using element = T;
    using ref = std::uint32_t;
    static constexpr bool owns = true;
    static constexpr bool checks = false;
    static constexpr bool in(std::string_view w) {
        return w == "lifo" || w == "random" || w == "churn" || w.starts_with("iterate") || w.starts_with("frame") ||
               w == "clear";
    }
    static constexpr std::size_t most(std::string_view) { return few; }

    std::unique_ptr<lido::capped_list<T, few>> list = std::make_unique<lido::capped_list<T, few>>();

    explicit capped_list(std::size_t) {}
    LIDO_INLINE ref spawn(std::uint32_t tag) {
        bench::check(list->push(tag) != nullptr);
        return list->size() - 1;
    }
    LIDO_INLINE void end_at(std::size_t i) { list->swap_remove(static_cast<std::uint32_t>(i)); }
    LIDO_INLINE T& at(std::size_t i) { return (*list)[static_cast<std::uint32_t>(i)]; }
    T* get(ref i) { return &(*list)[i]; }
    template <class F>
    LIDO_INLINE void for_each(F&& f) {
        list->for_each(f);
    }
    [[nodiscard]] std::size_t size() const { return list->size(); }
    void clear() { list->clear(); }
};

/// Its next-fit search reads a full pool to the end, and its seven bits of seed cannot tell every stale handle.
template <class T>
struct bytemap_pool {
    using pool_type = lido::bytemap_pool<T>;
    using element = T;
    using ref = typename pool_type::handle_type;
    static constexpr bool owns = true;
    static constexpr bool checks = true;
    static constexpr bool in(std::string_view w) {
        return w != "get_stale" && w != "get_chain" && w != "grow" && w != "memory" && w != "respawn";
    }
    static constexpr std::size_t most(std::string_view) { return few; }

    pool_type pool;

    explicit bytemap_pool(std::size_t n) : pool(static_cast<std::uint32_t>(n)) {}
    LIDO_INLINE ref spawn(std::uint32_t tag) {
        const auto one = pool.acquire(tag);
        bench::check(static_cast<bool>(one));
        return one.handle();
    }
    LIDO_INLINE void end(ref r) { pool.release(r); }
    LIDO_INLINE T* get(ref r) { return pool.get(r); }
    template <class F>
    LIDO_INLINE void for_each(F&& f) {
        pool.for_each(f);
    }
    [[nodiscard]] std::size_t size() const { return pool.size(); }
    void clear() { pool.clear(); }
};

const bool added = bench::add<ring_pool>("ring_pool", bench::kind::lido) &&
                   bench::add<capped_list>("capped_list", bench::kind::lido) &&
                   bench::add<bytemap_pool>("bytemap_pool", bench::kind::lido);

}  // namespace
