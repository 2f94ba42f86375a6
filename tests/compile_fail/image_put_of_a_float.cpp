// expect: lido: an image holds whole numbers: put an enum as its number \(static_cast\), a float as its bits
#include <lido/core.hpp>

#include <bit>
#include <cstdint>

#ifdef LIDO_COMPILE_FAIL_CONTROL
void save(lido::image_writer& w, float x) { w.put(std::bit_cast<std::uint32_t>(x)); }
#else
void save(lido::image_writer& w, float x) { w.put(x); }
#endif
