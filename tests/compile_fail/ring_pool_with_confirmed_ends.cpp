// expect: lido: ring_pool .*: options::confirmed_ends needs slot_pool or recycle_pool
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::inline_ring_pool<int, 4> pool;
#else
lido::inline_ring_pool<int, 4, lido::options{.confirmed_ends = true}> pool;
#endif
