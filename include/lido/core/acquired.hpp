// What acquire() returns: the handle and the object at once.
#pragma once

#include <lido/core/base/acquired.hpp>
