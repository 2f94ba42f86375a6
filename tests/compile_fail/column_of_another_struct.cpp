// expect: lido: this member is not one of the pool's struct: write &struct_of_the_pool::field
#include <lido/core.hpp>

struct element {
    int x;
};
struct other {
    int x;
};

#ifdef LIDO_COMPILE_FAIL_CONTROL
auto first(lido::column_pool<element>& pool) { return pool.column<&element::x>(); }
#else
auto first(lido::column_pool<element>& pool) { return pool.column<&other::x>(); }
#endif
