// expect: lido: where the type is not known, what is called takes
#include <lido/world/world.hpp>

struct rock {
    int weight = 0;
};

int main() {
    lido::world world;
    world.add<rock>("rock");
    const lido::any_ref one = world.spawn<rock>();
#ifdef LIDO_COMPILE_FAIL_CONTROL
    world.on_finished(one, [](lido::any_object it) { it.as<rock>()->weight = 1; });
#else
    world.on_finished(one, [](rock& it) { it.weight = 1; });
#endif
    return 0;
}
