// expect: lido: a pool in columns needs a struct with at least one field: an empty one has no columns
#include <lido/core.hpp>

struct element {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    int x;
#endif
};

lido::column_pool<element> pool(4);
