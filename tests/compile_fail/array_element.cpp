// expect: lido: a pool holds objects of a non-const, non-volatile, non-array type
#include <lido/core.hpp>

#include <array>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::dense_pool<std::array<int, 4>> pool(4);
#else
lido::dense_pool<int[4]> pool(4);
#endif
