// expect: lido: .min is above .max
#include <lido/entity.hpp>

struct door {
    float angle = 0;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::angle>{.min = 1, .max = 2}};
#else
    return lido::schema{1, lido::field<&door::angle>{.min = 2, .max = 1}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
