// expect: lido: only flag_pool works without generations; recycle_pool needs them
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::recycle_pool<int> pool(4);
#else
lido::recycle_pool<int, lido::options{.generations = lido::generation_rule::none}> pool(4);
#endif
