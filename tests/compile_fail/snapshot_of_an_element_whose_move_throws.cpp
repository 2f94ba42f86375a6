// expect: lido: a restore copies the elements first and then moves them in, so that a copy that throws loses nothing: make the element's move constructor noexcept
#include <lido/core.hpp>

struct element {
    element() = default;
    element(const element&) {}
#ifdef LIDO_COMPILE_FAIL_CONTROL
    element(element&&) noexcept {}
#endif
};

bool keep(const lido::slot_pool<element>& pool, lido::snapshot& to) { return pool.save(to); }
