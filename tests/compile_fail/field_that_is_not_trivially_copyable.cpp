// expect: lido: a field of an entity is copied as bytes
#include <lido/entity.hpp>

struct owner {
    explicit owner(int) {}
    friend bool operator==(const owner& a, const owner& b) { return a.count == b.count; }
#ifndef LIDO_COMPILE_FAIL_CONTROL
    ~owner() { count = 0; }
#endif
    int count = 0;
};

struct door {
    owner held{1};
};
constexpr auto describe(lido::type<door>) {
    return lido::schema{1, lido::field<&door::held>{.send = lido::seen::by_nobody, .save = false}};
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
