// expect: lido: adopt moves the object into the pool, which must not fail
#include <lido/core.hpp>

#include <utility>

struct element {
    element() = default;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    element(element&&) noexcept {}
#else
    element(element&&) {}
#endif
};

void use(lido::recycle_pool<element>& pool, element& one) { pool.adopt(std::move(one)); }
