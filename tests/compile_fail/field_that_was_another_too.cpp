// expect: lido: two fields say that they had one name
#include <lido/entity.hpp>

struct door {
    int hp = 0;
    int power = 0;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::hp>{.was = "life"}, lido::field<&door::power>{.was = "force"}};
#else
    return lido::schema{1, lido::field<&door::hp>{.was = "life"}, lido::field<&door::power>{.was = "life"}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
