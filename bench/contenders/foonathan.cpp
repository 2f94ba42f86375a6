// foonathan/memory's memory_pool of nodes, with a first block for N of them. Debian's build has its checks and fills off.
#include <bench/contenders/pointers.hpp>

#include <foonathan/memory/memory_pool.hpp>

namespace {

struct heap {
    using pool_type = foonathan::memory::memory_pool<>;
    pool_type pool;

    heap(std::size_t n, std::size_t size) : pool(size, pool_type::min_block_size(size, n)) {}
    void* take(std::size_t) { return pool.allocate_node(); }
    void give(void* p, std::size_t) { pool.deallocate_node(p); }
};

template <class T>
struct foonathan_pool : bench::pointers<T, heap> {
    using bench::pointers<T, heap>::pointers;
    static constexpr bool in(std::string_view workload) { return !bench::is_lookup(workload); }
};

const bool added = bench::add<foonathan_pool>("foonathan memory_pool", bench::kind::peer);

}  // namespace
