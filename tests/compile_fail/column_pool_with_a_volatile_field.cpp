// expect: lido: a pool in columns cannot keep a volatile field
#include <lido/core.hpp>

struct element {
    float x;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    int id;
#else
    volatile int id;
#endif
};

lido::column_pool<element> pool(4);
