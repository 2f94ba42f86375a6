// A door: what is called of an object as its lives begin and end.
#pragma once

#include <lido/core/meta/object_hooks.hpp>
