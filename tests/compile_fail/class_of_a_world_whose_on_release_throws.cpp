// expect: lido: on_release\(\) must be noexcept: the end of a life cannot fail
#include <lido/world/world.hpp>

struct effect {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    void on_release() noexcept {}
#else
    void on_release() {}
#endif
};

void add(lido::world& world) { world.add<effect>("effect"); }
