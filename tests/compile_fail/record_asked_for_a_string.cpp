// expect: lido: record: a value is taken as a type that a saved field can have
#include <lido/entity.hpp>

#include <string>

#ifdef LIDO_COMPILE_FAIL_CONTROL
bool take(const lido::record& old, lido::text<8>& to) { return old.take("name", to); }
#else
bool take(const lido::record& old, std::string& to) { return old.take("name", to); }
#endif
