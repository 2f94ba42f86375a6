// expect: lido: a char or wchar_t cannot be sent or saved
#include <lido/entity.hpp>

struct door {
    bool open = false;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    char32_t held = 0;
#else
    char held = 0;
#endif
};

const lido::class_schema& schema() { return lido::schema_of<door>(); }
