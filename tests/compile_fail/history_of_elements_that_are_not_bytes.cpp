// expect: lido: history needs trivially copyable elements; rewind<N> takes any copyable one
#include <lido/core.hpp>

#include <string>

#ifdef LIDO_COMPILE_FAIL_CONTROL
using element = int;
#else
using element = std::string;
#endif

lido::history<4, lido::slot_pool<element, lido::options{.mark_changes = true}>> ticks;
