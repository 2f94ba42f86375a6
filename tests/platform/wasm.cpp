// WebAssembly code cannot ask where it returns to; debug builds must do without.
#include "standard_headers.hpp"

#define __wasm__ 1
#include <lido/core.hpp>
#include <lido/entity.hpp>
#include <lido/world.hpp>

static_assert(lido::forensics, "this is about builds that look for their caller");
static_assert(std::is_null_pointer_v<decltype(LIDO_CALLER)>);
