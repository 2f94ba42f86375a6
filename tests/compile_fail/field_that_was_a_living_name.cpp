// expect: lido: .was is the name of a field that the class still has
#include <lido/entity.hpp>

struct door {
    int hp = 0;
    int health = 0;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::hp>{.was = "life"}};
#else
    return lido::schema{1, lido::field<&door::hp>{.was = "health"}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
