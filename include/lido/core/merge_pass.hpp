// merge_pass: folds neighbours into one another, over any pool.
#pragma once

#include <lido/core/extras/merge_pass.hpp>
