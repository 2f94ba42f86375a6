// column_pool: one aligned array per field of a plain struct.
#pragma once

#include <lido/core/shapes/column/column_pool.hpp>
