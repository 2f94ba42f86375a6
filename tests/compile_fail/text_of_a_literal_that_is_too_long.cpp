// expect: lido: the literal is longer than this text can hold
#include <lido/entity.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
inline constexpr lido::text<4> name = "hall";
#else
inline constexpr lido::text<4> name = "halls";
#endif
