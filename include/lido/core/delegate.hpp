// A callable of two words: what settings take as callbacks.
#pragma once

#include <lido/core/base/delegate.hpp>
