// expect: lido: capped_list .*: options::confirmed_ends needs slot_pool or recycle_pool
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::capped_list<int, 4> pool;
#else
lido::capped_list<int, 4, lido::options{.confirmed_ends = true}> pool;
#endif
