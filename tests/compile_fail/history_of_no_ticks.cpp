// expect: lido: history<N> keeps at least one tick
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::history<1, int> ticks;
#else
lido::history<0, int> ticks;
#endif
