// expect: lido: a bytemap_pool holds its base class and classes derived from it
#include <lido/core.hpp>

struct vehicle {
    virtual ~vehicle() = default;
};
#ifdef LIDO_COMPILE_FAIL_CONTROL
struct tree : vehicle {};
#else
struct tree {
    virtual ~tree() = default;
};
#endif

void make(lido::bytemap_pool<vehicle>& pool) { static_cast<void>(pool.acquire<tree>()); }
