// expect: lido: SlotBytes of a bytemap_pool is at least the size of its base class
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::bytemap_pool<int, 8> pool;
#else
lido::bytemap_pool<int, 2> pool;
#endif
