// expect: lido: this element cannot be saved: it is neither trivially copyable nor copyable
#include <lido/core.hpp>

#include <memory>

#ifdef LIDO_COMPILE_FAIL_CONTROL
using element = std::shared_ptr<int>;
#else
using element = std::unique_ptr<int>;
#endif

bool keep(const lido::slot_pool<element>& pool, lido::snapshot& to) { return pool.save(to); }
