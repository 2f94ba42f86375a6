// expect: lido: the world cannot call this class's `on_acquire`: make it public
#include <lido/world/world.hpp>

struct effect {
    using payload_type = int;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    void on_acquire(const int& with) { value = with; }
#else
    void on_acquire(int& with) { value = with; }
#endif
    int value = 0;
};

void add(lido::world& world) { world.add<effect>("effect"); }
