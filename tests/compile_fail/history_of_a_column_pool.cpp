// expect: lido: history needs pools with options::mark_changes; rewind<N> takes any pool
#include <lido/core.hpp>

struct element {
    int x;
};

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::history<4, lido::dense_pool<element, lido::options{.mark_changes = true}>> past;
#else
lido::history<4, lido::column_pool<element>> past;
#endif
