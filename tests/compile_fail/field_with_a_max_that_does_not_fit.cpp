// expect: lido: .min or .max is not a number that the type of this field can have
#include <lido/entity.hpp>

struct door {
    std::uint8_t hp = 0;
};
constexpr auto describe(lido::type<door>) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::schema{1, lido::field<&door::hp>{.max = 255}};
#else
    return lido::schema{1, lido::field<&door::hp>{.max = 256}};
#endif
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
