// lido: where a pool keeps its slots. All four storages; a pool takes one as a template parameter.
//
//   storage             slots                      allocates            moves   for
//   inline_storage<N>   exactly N                  never                no      statics, the stack, members
//   heap_storage        fixed when constructed     once                 yes     where pages of their own are too much
//   lent_storage        what fits into a buffer    never                yes     arenas, memory of an engine
//   reserved_storage    grow up to a maximum       pages, as it grows   yes     the default; trim gives pages back
#pragma once

#include "lido/core/memory/heap_storage.hpp"      // IWYU pragma: export
#include "lido/core/memory/inline_storage.hpp"    // IWYU pragma: export
#include "lido/core/memory/layout.hpp"            // IWYU pragma: export
#include "lido/core/memory/lent_storage.hpp"      // IWYU pragma: export
#include "lido/core/memory/pages.hpp"             // IWYU pragma: export
#include "lido/core/memory/reserved_storage.hpp"  // IWYU pragma: export
