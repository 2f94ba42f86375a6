// expect: lido: dense_pool moves objects on release, which must not fail: make the element's move constructor noexcept, or use slot_pool
#include <lido/core.hpp>

struct element {
    element() = default;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    element(element&&) noexcept {}
#else
    element(element&&) {}
#endif
};

lido::dense_pool<element> pool(4);
