// expect: lido: an image holds whole numbers: put an enum as its number \(static_cast\), a float as its bits
#include <lido/core.hpp>

#ifdef LIDO_COMPILE_FAIL_CONTROL
enum class phase : unsigned char { seed, grown };

phase load(lido::image_reader& r) { return static_cast<phase>(r.take<unsigned char>()); }
#else
enum class phase : unsigned char { seed, grown };

phase load(lido::image_reader& r) { return static_cast<phase>(r.take<phase>()); }
#endif
