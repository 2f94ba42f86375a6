// Options of a pool type, and settings of one pool.
#pragma once

#include <lido/core/base/options.hpp>
