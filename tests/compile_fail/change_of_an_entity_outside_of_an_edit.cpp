// expect: read-only|is not assignable|const
#include <lido/entity.hpp>

struct door {
    bool open = false;
};

void change(lido::stage& stage, lido::entity_ref<door> gate) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    auto edit = stage.edit(gate);
    edit->open = true;
    edit.commit();
#else
    stage.get(gate)->open = true;
#endif
}
