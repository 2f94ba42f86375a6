// expect: no member named 'colour'|'colour' is not a member of
#include <lido/entity.hpp>

struct door {
    int hp = 0;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::hp>{}};
#else
    return lido::schema{1, lido::field<&door::colour>{}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
