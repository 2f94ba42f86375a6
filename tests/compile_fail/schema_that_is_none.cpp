// expect: lido: describe\(lido::type<T>\) returns a lido::schema
#include <lido/entity.hpp>

struct door {
    int hp = 0;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1};
#else
    return 1;
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
