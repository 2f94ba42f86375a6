// expect: lido: a pool holds objects of a non-const, non-volatile, non-array type
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::capped_list<int, 4> list;
#else
lido::capped_list<volatile int, 4> list;
#endif
