// slot_pool: the default. Objects never move, handles never alias.
#pragma once

#include <lido/core/shapes/slot/slot_pool.hpp>
