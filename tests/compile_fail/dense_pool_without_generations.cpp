// expect: lido: only flag_pool works without generations; dense_pool needs them to tell stale handles
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::dense_pool<int, lido::options{.generations = lido::generation_rule::wrap}> pool(4);
#else
lido::dense_pool<int, lido::options{.generations = lido::generation_rule::none}> pool(4);
#endif
