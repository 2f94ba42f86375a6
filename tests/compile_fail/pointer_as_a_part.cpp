// expect: lido: only pools and trivially copyable objects .no pointers. can be saved and restored
#include <lido/core.hpp>

bool keep(lido::snapshot& to, const lido::slot_pool<int>& pool, int* score) {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    return lido::save(to, pool, *score);
#else
    return lido::save(to, pool, score);
#endif
}
