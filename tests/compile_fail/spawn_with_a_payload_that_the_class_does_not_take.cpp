// expect: lido: this class does not take that payload
#include <lido/world/world.hpp>

struct blast {
    int team = 0;
};
struct noise {
    int volume = 0;
};
struct explosion {
    using payload_type = blast;
    void on_acquire(const blast&) {}
};

void spawn(lido::world& world) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    static_cast<void>(world.spawn<explosion>({}, blast{}));
#else
    static_cast<void>(world.spawn<explosion>({}, noise{}));
#endif
}
