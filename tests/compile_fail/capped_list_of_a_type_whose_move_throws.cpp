// expect: lido: capped_list moves the last element into the hole that a removal leaves, which must not fail
#include <lido/core.hpp>

struct element {
    element() = default;
#ifdef LIDO_COMPILE_FAIL_CONTROL
    element(element&&) noexcept {}
#else
    element(element&&) {}
#endif
};

lido::capped_list<element, 4> list;
