// expect: lido: a handle is 32 or 64 bits wide
#include <lido/core.hpp>

#include <cstdint>

#ifdef LIDO_COMPILE_FAIL_CONTROL
lido::basic_handle<int, void, std::uint32_t, 8> handle;
#else
lido::basic_handle<int, void, std::uint16_t, 8> handle;
#endif
