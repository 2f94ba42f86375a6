// expect: names a member that is not its own
#include <lido/entity.hpp>

struct point {
    float x = 0, y = 0;
};
struct door {
    std::array<point, 2> at;
    point one;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::one, &point::x>{.min = 1}};
#else
    return lido::schema{1, lido::field<&door::at, &point::x>{.min = 1}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
