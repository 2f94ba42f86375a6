// expect: lido: recycle_pool always takes the idle object released last, so it has no reuse order
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::recycle_pool<int> pool(4);
#else
lido::recycle_pool<int, lido::options{.order = lido::reuse::lowest}> pool(4);
#endif
