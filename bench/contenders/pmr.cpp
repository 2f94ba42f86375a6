// std::pmr::unsynchronized_pool_resource, told the largest block that it will be asked for. It cannot reserve.
#include <bench/contenders/pointers.hpp>

#include <memory_resource>

namespace {

struct heap {
    std::pmr::unsynchronized_pool_resource pool;

    heap(std::size_t, std::size_t size) : pool({.max_blocks_per_chunk = 0, .largest_required_pool_block = size}) {}
    void* take(std::size_t size) { return pool.allocate(size, alignof(void*)); }
    void give(void* p, std::size_t size) { pool.deallocate(p, size, alignof(void*)); }
    void drop_all() { pool.release(); }
};

template <class T>
struct pmr_pool : bench::pointers<T, heap> {
    using bench::pointers<T, heap>::pointers;
    static constexpr bool in(std::string_view workload) { return !bench::is_lookup(workload); }
};

const bool added = bench::add<pmr_pool>("std::pmr pool", bench::kind::peer);

}  // namespace
