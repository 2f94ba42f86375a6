// expect: lido: rows are always packed, so column_pool has no reuse order to choose
#include <lido/core.hpp>

struct element {
    int x;
};

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::column_pool<element> pool(4);
#else
lido::column_pool<element, lido::options{.order = lido::reuse::lowest}> pool(4);
#endif
