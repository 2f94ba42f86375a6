// The concept that every shape models.
#pragma once

#include <lido/core/parts/pool.hpp>
