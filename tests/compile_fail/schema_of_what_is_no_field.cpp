// expect: lido: a schema takes its revision and then fields
#include <lido/entity.hpp>

struct door {
    int hp = 0;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::hp>{}};
#else
    return lido::schema{1, &door::hp};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
