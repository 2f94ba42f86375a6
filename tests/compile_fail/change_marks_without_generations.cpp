// expect: lido: mark_changes needs generations: a change of life is told by them
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::flag_pool<int, 4, lido::options{.mark_changes = true}> pool;
#else
lido::flag_pool<int, 4, lido::options{.generations = lido::generation_rule::none, .mark_changes = true}> pool;
#endif
