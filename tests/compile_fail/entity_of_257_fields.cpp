// expect: lido: a class has at most 256 fields
#include <lido/entity.hpp>

struct sixteen {
    int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};
struct door {
    sixteen a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
#ifndef LIDO_COMPILE_FAIL_CONTROL
    int one_too_many;
#endif
};

const lido::class_schema& schema() { return lido::schema_of<door>(); }
