// What a pool counts.
#pragma once

#include <lido/core/base/stats.hpp>
