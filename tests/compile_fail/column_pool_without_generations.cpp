// expect: lido: only flag_pool works without generations; column_pool needs them to tell stale handles
#include <lido/core.hpp>

struct element {
    int x;
};

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::column_pool<element> pool(4);
#else
lido::column_pool<element, lido::options{.generations = lido::generation_rule::none}> pool(4);
#endif
