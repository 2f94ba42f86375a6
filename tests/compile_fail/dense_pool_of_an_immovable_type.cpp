// expect: lido: dense_pool moves the last object into the hole that a release leaves, and this type cannot be moved: use slot_pool
#include <lido/core.hpp>

struct element {
    element() = default;
#ifndef LIDO_COMPILE_FAIL_CONTROL
    element(const element&) = delete;
#endif
};

lido::dense_pool<element> pool(4);
