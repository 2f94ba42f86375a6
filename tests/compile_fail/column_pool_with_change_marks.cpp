// expect: lido: column_pool keeps no change marks, because a pass over a bare column cannot tell which rows it wrote: use rewind<N>
#include <lido/core.hpp>

struct element {
    int x;
};

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::column_pool<element> pool(4);
#else
lido::column_pool<element, lido::options{.mark_changes = true}> pool(4);
#endif
