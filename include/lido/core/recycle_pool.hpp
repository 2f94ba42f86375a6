// recycle_pool: objects stay built between lives.
#pragma once

#include <lido/core/shapes/recycle/recycle_pool.hpp>
