// expect: were given for a whole struct
#include <lido/entity.hpp>

struct point {
    float x = 0, y = 0;
};
struct door {
    point at;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::at, &point::x>{.max = 4}};
#else
    return lido::schema{1, lido::field<&door::at>{.max = 4}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
