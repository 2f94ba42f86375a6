// expect: lido: only pools and trivially copyable objects .no pointers. can be kept in a history
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::history<4, int> ticks;
#else
lido::history<4, int*> ticks;
#endif
