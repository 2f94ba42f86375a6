// expect: lido: only flag_pool works without generations; slot_pool needs them to tell stale handles
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::flag_pool<int, 4, lido::options{.generations = lido::generation_rule::none}> pool;
#else
lido::inline_slot_pool<int, 4, lido::options{.generations = lido::generation_rule::none}> pool;
#endif
