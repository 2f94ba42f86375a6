// expect: lido: the element's destructor must not throw, or a release could leave a slot half ended
#include <lido/core.hpp>

struct element {
#ifdef LIDO_COMPILE_FAIL_CONTROL
    ~element() {}
#else
    ~element() noexcept(false) {}
#endif
};

lido::slot_pool<element> pool(4);
