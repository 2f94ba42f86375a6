// expect: a plain struct: public members, at most 32 of them
#include <lido/entity.hpp>

struct four {
    int a, b, c, d;
};
struct door {
    four a, b, c, d, e, f, g, h;
    int i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17, i18, i19, i20, i21, i22, i23, i24;
#ifndef LIDO_COMPILE_FAIL_CONTROL
    int one_too_many;
#endif
};

const lido::class_schema& schema() { return lido::schema_of<door>(); }
