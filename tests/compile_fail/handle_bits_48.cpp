// expect: lido: options::handle_bits is 64 or 32
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
constexpr unsigned bits = 32;
#else
constexpr unsigned bits = 48;
#endif

lido::slot_pool<int, lido::options{.handle_bits = bits}> pool(4);
