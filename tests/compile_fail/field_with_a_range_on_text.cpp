// expect: lido: .min, .max and .step are for numbers and enums
#include <lido/entity.hpp>

struct door {
    lido::text<8> name;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::name>{.save = false}};
#else
    return lido::schema{1, lido::field<&door::name>{.max = 4}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
