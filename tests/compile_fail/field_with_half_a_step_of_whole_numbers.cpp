// expect: lido: the .step of whole numbers is a whole number
#include <lido/entity.hpp>

struct door {
    int x = 0;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::x>{.min = 0, .max = 10, .step = 2}};
#else
    return lido::schema{1, lido::field<&door::x>{.min = 0, .max = 10, .step = 0.5}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
