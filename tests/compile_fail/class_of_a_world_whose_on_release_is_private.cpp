// expect: lido: the world cannot call this class's `on_release`: make it public
#include <lido/world/world.hpp>

class effect {
#ifdef LIDO_COMPILE_FAIL_CONTROL
public:
#endif
    void on_release() noexcept {}
};

void add(lido::world& world) { world.add<effect>("effect"); }
