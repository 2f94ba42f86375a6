// expect: lido: flag_pool .*: options::confirmed_ends needs slot_pool or recycle_pool
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::flag_pool<int, 4> pool;
#else
lido::flag_pool<int, 4, lido::options{.confirmed_ends = true}> pool;
#endif
