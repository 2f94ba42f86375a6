// expect: lido: flag_pool always takes the lowest free slot; reuse_delay needs slot_pool or dense_pool
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::inline_slot_pool<int, 4, lido::options{.reuse_delay = 2}> pool;
#else
lido::flag_pool<int, 4, lido::options{.reuse_delay = 2}> pool;
#endif
