// expect: lido: history needs pools with options::mark_changes; rewind<N> takes any pool
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::history<4, lido::slot_pool<int, lido::options{.mark_changes = true}>> ticks;
#else
lido::history<4, lido::slot_pool<int>> ticks;
#endif
