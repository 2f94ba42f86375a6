// recycled_list: objects that stay constructed between lives, the active ones packed and walked backward; no handles.
#pragma once

#include <lido/core/shapes/recycle/recycled_list.hpp>
