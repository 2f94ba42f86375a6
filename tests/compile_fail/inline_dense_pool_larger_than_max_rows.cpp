// expect: lido: raise options::max_rows or the handle's index bits
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::inline_dense_pool<int, 8, lido::options{.max_rows = 8}> pool;
#else
lido::inline_dense_pool<int, 9, lido::options{.max_rows = 8}> pool;
#endif
