// expect: lido: the world cannot call this class's `place`: it hands over a const transform
#include <lido/world/world.hpp>

struct effect {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    void place(const lido::transform& at) { x = at.x; }
#else
    void place(lido::transform& at) { x = at.x; }
#endif
    float x = 0;
};

void add(lido::world& world) { world.add<effect>("effect"); }
