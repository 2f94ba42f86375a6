// expect: lido: a ring_pool is its own order of ages: it takes no options::tracks
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::inline_ring_pool<int, 4> pool;
#else
lido::inline_ring_pool<int, 4, lido::options{.tracks = lido::track::age}> pool;
#endif
