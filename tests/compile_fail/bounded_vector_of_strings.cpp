// expect: lido: the elements of a bounded_vector are copied as bytes
#include <lido/entity.hpp>

#include <string>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::bounded_vector<lido::text<8>, 4> names;
#else
lido::bounded_vector<std::string, 4> names;
#endif
