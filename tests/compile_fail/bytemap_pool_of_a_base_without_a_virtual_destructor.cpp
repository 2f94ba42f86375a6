// expect: lido: objects of derived classes are ended through their base: give the base class a virtual destructor
#include <lido/core.hpp>

struct vehicle {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    virtual ~vehicle() = default;
#endif
    int wheels = 4;
};
struct truck : vehicle {};

void make(lido::bytemap_pool<vehicle>& pool) { pool.acquire<truck>(); }
