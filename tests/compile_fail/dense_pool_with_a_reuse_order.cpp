// expect: lido: rows are always packed, so dense_pool has no reuse order to choose
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::dense_pool<int, lido::options{.order = lido::reuse::recent}> pool(4);
#else
lido::dense_pool<int, lido::options{.order = lido::reuse::lowest}> pool(4);
#endif
