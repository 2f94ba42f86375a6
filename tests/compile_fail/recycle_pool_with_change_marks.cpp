// expect: lido: lido::history copies elements as bytes, and recycle_pool is for elements that own memory
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::recycle_pool<int> pool(4);
#else
lido::recycle_pool<int, lido::options{.mark_changes = true}> pool(4);
#endif
