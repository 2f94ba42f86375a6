// expect: lido: the handle's index bits cannot name that many slots
#include <lido/core.hpp>

constexpr lido::options short_handles{.handle_bits = 32, .index_bits = 4};

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::inline_slot_pool<int, 15, short_handles> pool;
#else
lido::inline_slot_pool<int, 16, short_handles> pool;
#endif
