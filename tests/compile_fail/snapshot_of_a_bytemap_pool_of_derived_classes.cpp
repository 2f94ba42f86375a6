// expect: lido: this bytemap_pool can hold derived classes, which cannot be copied through their base
#include <lido/core.hpp>

struct vehicle {
#ifndef LIDO_COMPILE_FAIL_CONTROL
    virtual ~vehicle() = default;
#endif
    int wheels = 4;
};

bool keep(const lido::bytemap_pool<vehicle>& pool, lido::snapshot& to) { return pool.save(to); }
