// What lido has promised itself: ratios between rows of one run. Printed after every run that holds the rows.
#pragma once

#include <bench/harness/suite.hpp>

namespace bench {

/// Prints each bar as met, or missed and by how much; those whose rows were not measured are named. Answers how many were missed.
int print_bars(const rows& all);

/// Bits of bookkeeping a slot in a flag_pool without generations (contenders/lido_flag_pool.cpp).
[[nodiscard]] double flag_pool_bits();

}  // namespace bench
