// expect: lido: the .step of a real number needs .min and .max
#include <lido/entity.hpp>

struct door {
    float angle = 0;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::angle>{.min = 0, .max = 2, .step = 0.5}};
#else
    return lido::schema{1, lido::field<&door::angle>{.max = 2, .step = 0.5}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
