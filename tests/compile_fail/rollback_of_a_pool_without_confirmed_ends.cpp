// expect: lido: settings.rollback needs options::confirmed_ends
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::recycle_pool<int, lido::options{.confirmed_ends = true}> pool{4, {.rollback = 12}};
#else
lido::recycle_pool<int> pool{4, {.rollback = 12}};
#endif
