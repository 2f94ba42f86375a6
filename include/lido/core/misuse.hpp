// Reports of misuse, and the handler that gets them.
#pragma once

#include <lido/core/checks/misuse.hpp>
