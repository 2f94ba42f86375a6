// expect: lido: only pools and trivially copyable objects .no pointers. can be saved and restored
#include <lido/core.hpp>

#include <string>

#ifdef LIDO_COMPILE_FAIL_CONTROL
using score = int;
#else
using score = std::string;
#endif

bool keep(lido::snapshot& to, const lido::slot_pool<int>& pool, const score& s) { return lido::save(to, pool, s); }
