// expect: lido: .was is the name that a field had
#include <lido/entity.hpp>

struct door {
    int hp = 0;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::hp>{.was = "life_2"}};
#else
    return lido::schema{1, lido::field<&door::hp>{.was = "life 2"}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
