// expect: lido: a handle needs at least 2 generation bits: take fewer index bits
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
constexpr unsigned bits = 30;
#else
constexpr unsigned bits = 31;
#endif

lido::slot_pool<int, lido::options{.handle_bits = 32, .index_bits = bits}> pool(4);
