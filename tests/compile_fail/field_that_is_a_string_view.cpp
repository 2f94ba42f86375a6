// expect: lido: a std::string or string_view cannot be a field of an entity
#include <lido/entity.hpp>

#include <string_view>

struct door {
    bool open = false;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    lido::text<16> held;
#else
    std::string_view held;
#endif
};

const lido::class_schema& schema() { return lido::schema_of<door>(); }
