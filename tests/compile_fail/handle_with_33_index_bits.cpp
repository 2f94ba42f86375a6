// expect: lido: a handle's index takes 1 to 32 bits
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
constexpr unsigned bits = 32;
#else
constexpr unsigned bits = 33;
#endif

lido::slot_pool<int, lido::options{.index_bits = bits}> pool(4);
