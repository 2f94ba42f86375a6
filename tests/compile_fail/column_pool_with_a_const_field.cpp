// expect: lido: column_pool cannot keep a const field: a release moves the last row into the hole, which writes it
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
