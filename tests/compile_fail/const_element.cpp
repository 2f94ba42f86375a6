// expect: lido: a pool holds objects of a non-const, non-volatile, non-array type
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::slot_pool<int> pool(4);
#else
lido::slot_pool<const int> pool(4);
#endif
