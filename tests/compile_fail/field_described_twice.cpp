// expect: lido: a field is described twice
#include <lido/entity.hpp>

struct door {
    int hp = 0;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::hp>{.min = 1}};
#else
    return lido::schema{1, lido::field<&door::hp>{.min = 1}, lido::field<&door::hp>{.max = 2}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
