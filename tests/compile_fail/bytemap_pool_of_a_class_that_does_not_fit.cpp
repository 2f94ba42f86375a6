// expect: lido: this class is larger than the pool's slots: make SlotBytes the size of the largest class that shall live in it
#include <lido/core.hpp>

struct vehicle {
    virtual ~vehicle() = default;
};
struct truck : vehicle {
    double load[4] = {};
};

#ifdef LIDO_COMPILE_FAIL_CONTROL
void make(lido::bytemap_pool<vehicle, sizeof(truck)>& pool) { pool.acquire<truck>(); }
#else
void make(lido::bytemap_pool<vehicle>& pool) { pool.acquire<truck>(); }
#endif
