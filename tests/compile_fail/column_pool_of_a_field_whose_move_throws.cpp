// expect: lido: a pool in columns moves fields on acquire and release, which must not fail: every field needs a noexcept move constructor
#include <lido/core.hpp>

struct part {
    part() = default;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    part(part&&) noexcept {}
#else
    part(part&&) {}
#endif
};
struct element {
    int x;
    part p;
};

lido::column_pool<element> pool(4);
