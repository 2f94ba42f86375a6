// expect: lido: a std::vector cannot be a field of an entity
#include <lido/entity.hpp>

#include <vector>

struct door {
    bool open = false;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    lido::bounded_vector<int, 4> held;
#else
    std::vector<int> held;
#endif
};

const lido::class_schema& schema() { return lido::schema_of<door>(); }
