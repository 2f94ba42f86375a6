// expect: no matching (member )?function|no known conversion|no viable conversion|(cannot|could not) convert
#include <lido/core.hpp>

struct bullet {};
struct enemy {};

#ifdef LIDO_COMPILE_FAIL_CONTROL
using named = bullet;
#else
using named = enemy;
#endif

bool release(lido::dense_pool<bullet>& pool, lido::handle<named> handle) { return pool.release(handle); }
