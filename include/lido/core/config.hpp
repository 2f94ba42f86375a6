// What a build chooses: checks, forensics, poison, and what a broken precondition does.
#pragma once

#include <lido/core/base/config.hpp>
