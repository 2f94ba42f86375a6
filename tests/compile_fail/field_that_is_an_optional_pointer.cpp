// expect: lido: a pointer cannot be sent or saved
#include <lido/entity.hpp>

#include <optional>

struct door {
    bool open = false;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    std::optional<int> held;
#else
    std::optional<int*> held;
#endif
};

const lido::class_schema& schema() { return lido::schema_of<door>(); }
