// expect: lido: flag_column_pool .*: options::confirmed_ends needs slot_pool or recycle_pool
#include <lido/core.hpp>

struct orb {
    float x, y;
};

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::inline_flag_column_pool<orb, 8> pool;
#else
lido::inline_flag_column_pool<orb, 8, lido::options{.confirmed_ends = true}> pool;
#endif
