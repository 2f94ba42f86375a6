// dense_pool: packed values behind handles.
#pragma once

#include <lido/core/shapes/dense/dense_pool.hpp>
