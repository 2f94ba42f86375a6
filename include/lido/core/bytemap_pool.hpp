// bytemap_pool: byte maps and seeded handles, for the saves and scripts of old engines.
#pragma once

#include <lido/core/shapes/bytemap/bytemap_pool.hpp>
