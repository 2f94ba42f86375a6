// expect: lido: there is a `migrate` from the revision that the schema has now
#include <lido/entity.hpp>

struct door {
    int hp = 0;
};
#ifdef LIDO_COMPILE_FAIL_CONTROL
constexpr auto describe(lido::type<door>) { return lido::schema{3}; }
#else
constexpr auto describe(lido::type<door>) { return lido::schema{2}; }
#endif
inline void migrate(lido::from_revision<2>, const lido::record& old, door& now) {
    now.hp = static_cast<int>(old.whole("life"));
}

const lido::class_schema& schema() { return lido::schema_of<door>(); }
