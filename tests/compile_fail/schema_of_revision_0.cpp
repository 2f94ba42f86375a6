// expect: lido: the revision of a schema is a number from 1 to 1000
#include <lido/entity.hpp>

struct door {
    int hp = 0;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1};
#else
    return lido::schema{0};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
