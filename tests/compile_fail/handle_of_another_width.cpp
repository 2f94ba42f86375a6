// expect: no matching (member )?function|no known conversion|no viable conversion|(cannot|could not) convert
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
using handle = lido::handle<int>;
#else
using handle = lido::handle32<int>;
#endif

bool look(const lido::flag_pool<int, 4>& pool, handle h) { return pool.contains(h); }
