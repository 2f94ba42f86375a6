// expect: lido: `valid\(const T&\)` returns bool
#include <lido/entity.hpp>

struct door {
    int hp = 0;
};
#ifdef LIDO_COMPILE_FAIL_CONTROL
inline bool valid(const door& d) { return d.hp > 0; }
#else
inline int valid(const door& d) { return d.hp; }
#endif

const lido::class_schema& schema() { return lido::schema_of<door>(); }
