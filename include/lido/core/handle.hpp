// Handles: an index and the life that it means.
#pragma once

#include <lido/core/base/handle.hpp>
