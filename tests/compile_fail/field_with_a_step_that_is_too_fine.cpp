// expect: lido: .step is finer than the numbers of this type
#include <lido/entity.hpp>

struct door {
    float x = 0;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::x>{.min = -1000000, .max = 1000000, .step = 0.5}};
#else
    return lido::schema{1, lido::field<&door::x>{.min = -1000000, .max = 1000000, .step = 0.01}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
