// expect: lido: column_pool .*: options::confirmed_ends needs slot_pool or recycle_pool
#include <lido/core.hpp>

struct orb {
    float x, y;
};

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::column_pool<orb> pool{4};
#else
lido::column_pool<orb, lido::options{.confirmed_ends = true}> pool{4};
#endif
