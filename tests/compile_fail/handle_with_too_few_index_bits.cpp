// expect: lido: a handle's generation takes at most 32 bits: take more index bits
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
constexpr unsigned bits = 32;
#else
constexpr unsigned bits = 20;
#endif

lido::slot_pool<int, lido::options{.index_bits = bits}> pool(4);
