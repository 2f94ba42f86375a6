// boost::pool and boost::object_pool, both with room for N from the start.
#include <bench/contenders/pointers.hpp>

#include <boost/pool/object_pool.hpp>
#include <boost/pool/pool.hpp>

#include <optional>

namespace {

struct heap {
    boost::pool<> pool;

    heap(std::size_t n, std::size_t size) : pool(size, n) {}
    void* take(std::size_t) { return pool.malloc(); }
    void give(void* p, std::size_t) { pool.free(p); }
    /// Gives the memory back; the next object takes it anew.
    void drop_all() { pool.purge_memory(); }
};

template <class T>
struct boost_pool : bench::pointers<T, heap> {
    using bench::pointers<T, heap>::pointers;
    static constexpr bool in(std::string_view workload) { return !bench::is_lookup(workload); }
};

template <class T>
struct object_pool {
    using element = T;
    using ref = T*;
    static constexpr bool owns = true;
    static constexpr bool checks = false;
    static constexpr bool clear_keeps_memory = false;

    std::size_t capacity;
    std::optional<boost::object_pool<T>> pool;

    explicit object_pool(std::size_t n) : capacity(n), pool(std::in_place, n) {}

    ref spawn(std::uint32_t tag) { return pool->construct(tag); }
    void end(ref p) { pool->destroy(p); }
    T* get(ref p) { return p; }
    /// Its documentation: let the pool go, and it destroys what lives.
    void clear() { pool.emplace(capacity); }

    static constexpr bool in(std::string_view workload) { return !bench::is_lookup(workload); }
    /// destroy() walks the list of free objects to keep it in order: O(n), except from the newest to the oldest.
    static constexpr std::size_t most(std::string_view workload) {
        const bool needs_no_destroy = workload == "lifo" || workload == "bulk_acquire" || workload == "clear" ||
                                      workload == "grow" || workload == "memory";
        return needs_no_destroy ? std::size_t{1} << 24 : 1000;
    }
};

const bool added = bench::add<boost_pool>("boost::pool", bench::kind::peer) &&
                   bench::add<object_pool>("boost::object_pool", bench::kind::peer);

}  // namespace
