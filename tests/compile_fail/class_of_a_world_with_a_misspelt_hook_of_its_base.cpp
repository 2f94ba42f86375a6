// expect: lido: this class has a member `setInUse`, which the world never calls: the hook is `set_in_use`
#include <lido/world/world.hpp>

struct base {
    void setInUse(bool) {}
    void setInUse(int) {}
};
struct effect : base {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    static constexpr bool hooks_as_meant = true;
#endif
    int value = 0;
};

void add(lido::world& world) { world.add<effect>("effect"); }
