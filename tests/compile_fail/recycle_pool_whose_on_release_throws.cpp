// expect: lido: on_release\(\) must be noexcept
#include <lido/core.hpp>

struct element {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    void on_release() noexcept {}
#else
    void on_release() {}
#endif
};

lido::recycle_pool<element> pool(4);
