// expect: lido: this class has a member `on_aquire`, which the world never calls: the hook is `on_acquire`
#include <lido/world/world.hpp>

struct effect {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    void on_acquire() {}
#else
    void on_aquire() {}
#endif
};

void add(lido::world& world) { world.add<effect>("effect"); }
