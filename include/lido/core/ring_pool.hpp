// ring_pool: slots in age order; the newest replaces the oldest.
#pragma once

#include <lido/core/shapes/ring/ring_pool.hpp>
