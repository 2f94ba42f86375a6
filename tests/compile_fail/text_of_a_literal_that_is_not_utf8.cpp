// expect: the_literal_is_not_valid_utf8
#include <lido/entity.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
inline constexpr lido::text<4> name = "\xc3\xab";
#else
inline constexpr lido::text<4> name = "\xc3";
#endif
