// flag_pool: a few slots, one bit each.
#pragma once

#include <lido/core/shapes/slot/flag_pool.hpp>
