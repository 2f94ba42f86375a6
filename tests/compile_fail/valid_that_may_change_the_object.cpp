// expect: lido: `valid` is asked about objects that it may not change
#include <lido/entity.hpp>

struct door {
    int hp = 0;
};
#ifdef LIDO_COMPILE_FAIL_CONTROL
inline bool valid(const door& d) { return d.hp > 0; }
#else
inline bool valid(door& d) { return d.hp > 0; }
#endif

const lido::class_schema& schema() { return lido::schema_of<door>(); }
