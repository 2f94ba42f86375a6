// expect: inline_storage<N>: N is the number of slots and must be at least 1
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::flag_pool<int, 1> pool;
#else
lido::flag_pool<int, 0> pool;
#endif
