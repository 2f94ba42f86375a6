// expect: lido: dense_pool .*: options::confirmed_ends needs slot_pool or recycle_pool
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::dense_pool<int> pool{4};
#else
lido::dense_pool<int, lido::options{.confirmed_ends = true}> pool{4};
#endif
