// expect: lido: this callable captures more than 32 bytes: capture one pointer to a struct instead
#include <lido/world/world.hpp>

struct large {
    long long words[5] = {};
};
struct rock {
    int weight = 0;
};

int main() {
    lido::world world;
    world.add<rock>("rock");
    const auto one = world.spawn<rock>();
    const large all;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    world.on_finished(one.reference(), [&all] { static_cast<void>(all.words[0]); });
#else
    world.on_finished(one.reference(), [all] { static_cast<void>(all.words[0]); });
#endif
    return 0;
}
