// expect: lido: .min and .max of an enum are values of that enum
#include <lido/entity.hpp>

enum class mood { calm, angry };
enum class weather { sun, rain };
struct door {
    mood temper{};
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::temper>{.max = mood::angry}};
#else
    return lido::schema{1, lido::field<&door::temper>{.max = weather::rain}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
