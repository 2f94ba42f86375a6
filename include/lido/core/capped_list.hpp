// capped_list: a short packed list without handles.
#pragma once

#include <lido/core/shapes/capped/capped_list.hpp>
