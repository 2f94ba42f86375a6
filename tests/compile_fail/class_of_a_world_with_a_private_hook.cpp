// expect: lido: the world cannot call this class's `set_in_use`: make it public
#include <lido/world/world.hpp>

class effect {
#ifdef LIDO_COMPILE_FAIL_CONTROL
public:
#endif
    void set_in_use(bool) {}
};

void add(lido::world& world) { world.add<effect>("effect"); }
