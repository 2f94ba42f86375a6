// expect: deleted (function|copy constructor)
#include <lido/world/world.hpp>

struct rock {
    int weight = 0;
};

int main() {
    lido::world world;
    world.add<rock>("rock");
#ifdef LIDO_COMPILE_FAIL_CONTROL
    auto& finished = world.finished<rock>();
#else
    auto finished = world.finished<rock>();
#endif
    finished.connect([](rock& it) { it.weight = 0; });
    return 0;
}
