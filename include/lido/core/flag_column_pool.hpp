// flag_column_pool: parallel arrays with an active flag, one array per field of a plain struct; rows never move.
#pragma once

#include <lido/core/shapes/column/flag_column_pool.hpp>
