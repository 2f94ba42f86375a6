// expect: a plain struct: public members, at most 32 of them
#include <lido/entity.hpp>

struct base {
    int hp = 0;
};
#ifdef LIDO_COMPILE_FAIL_CONTROL
struct door {
    base of_all;
};
#else
struct door : base {};
#endif

const lido::class_schema& schema() { return lido::schema_of<door>(); }
