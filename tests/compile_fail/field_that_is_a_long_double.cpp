// expect: lido: a long double cannot be sent or saved
#include <lido/entity.hpp>

struct door {
    bool open = false;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    double held = 0;
#else
    long double held = 0;
#endif
};

const lido::class_schema& schema() { return lido::schema_of<door>(); }
