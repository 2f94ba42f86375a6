// expect: lido: ring_pool keeps no change marks: save it with lido::rewind
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::inline_slot_pool<int, 4, lido::options{.mark_changes = true}> pool;
#else
lido::inline_ring_pool<int, 4, lido::options{.mark_changes = true}> pool;
#endif
