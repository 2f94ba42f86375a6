// expect: lido: rewind<N> keeps at least one tick
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::rewind<1> ticks;
#else
lido::rewind<0> ticks;
#endif
