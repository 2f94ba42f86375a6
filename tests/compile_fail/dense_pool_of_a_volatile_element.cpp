// expect: lido: a pool holds objects of a non-const, non-volatile, non-array type
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::dense_pool<int> pool(4);
#else
lido::dense_pool<volatile int> pool(4);
#endif
