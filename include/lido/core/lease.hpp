// An acquire that releases itself at the end of its scope.
#pragma once

#include <lido/core/parts/lease.hpp>
