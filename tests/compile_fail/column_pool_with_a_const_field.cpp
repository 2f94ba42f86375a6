// expect: lido: a pool in columns cannot keep a const field: acquire and release write it
#include <lido/core.hpp>

struct element {
    float x;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    int id;
#else
    const int id;
#endif
};

lido::column_pool<element> pool(4);
