// expect: lido: recycle_pool always takes the idle object released last; reuse_delay needs
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::recycle_pool<int> pool(4);
#else
lido::recycle_pool<int, lido::options{.reuse_delay = 4}> pool(4);
#endif
