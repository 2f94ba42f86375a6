// expect: no matching (member )?function|no known conversion|no viable conversion|(cannot|could not) convert
#include <lido/core.hpp>

struct ours {};
struct theirs {};
using pool_type = lido::slot_pool<int, lido::options{}, lido::heap_storage, ours>;

#ifdef LIDO_COMPILE_FAIL_CONTROL
using tag = ours;
#else
using tag = theirs;
#endif

int* look(pool_type& pool, lido::handle<int, tag> handle) { return pool.get(handle); }
