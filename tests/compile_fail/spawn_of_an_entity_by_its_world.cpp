// expect: the objects of this class are entities: create, end and watch them by their stage
#include <lido/entity.hpp>

struct door {
    bool open = false;
};

void begin(lido::world& world, lido::stage& stage) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    static_cast<void>(world);
    static_cast<void>(stage.create<door>());
#else
    static_cast<void>(stage);
    static_cast<void>(world.spawn<lido::entity_object<door>>());
#endif
}
