// expect: lido: the type cannot be split into fields because it is not a plain aggregate: it has a constructor
#include <lido/core.hpp>

struct element {
#ifndef LIDO_COMPILE_FAIL_CONTROL
    element() {}
#endif
    int x = 0;
};

lido::column_pool<element> pool(4);
