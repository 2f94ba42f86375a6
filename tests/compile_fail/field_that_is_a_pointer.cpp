// expect: lido: a pointer cannot be sent or saved
#include <lido/entity.hpp>

struct door {
    bool open = false;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    int held = 0;
#else
    int* held = nullptr;
#endif
};

const lido::class_schema& schema() { return lido::schema_of<door>(); }
