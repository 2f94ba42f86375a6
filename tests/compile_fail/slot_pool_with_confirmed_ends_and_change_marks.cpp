// expect: lido: lido::history copies what changed .* use lido::rewind
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::slot_pool<int, lido::options{.mark_changes = true}> pool{4};
#else
lido::slot_pool<int, lido::options{.mark_changes = true, .confirmed_ends = true}> pool{4};
#endif
