// expect: lido: an idle object cannot begin a life from these arguments: give the element `void on_acquire
#include <lido/core.hpp>

#include <vector>

struct element {
    std::vector<int> owned;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    void on_acquire(int) {}
#endif
};

void use(lido::recycle_pool<element>& pool) { pool.acquire(1); }
