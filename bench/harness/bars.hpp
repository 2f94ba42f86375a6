// What lido has promised itself: ratios between rows of one run. Printed after every run that holds the rows.
#pragma once

#include <bench/harness/suite.hpp>

namespace bench {

/// Prints each bar as met, or missed and by how much; those whose rows were not measured are named. Answers how many were missed.
int print_bars(const rows& all);

/// Bytes, or bits, of bookkeeping a slot (contenders/lido_bookkeeping.cpp). The flag_pool has no generations.
[[nodiscard]] double slot_pool_bytes();
[[nodiscard]] double dense_pool_bytes();
[[nodiscard]] double flag_pool_bits();

}  // namespace bench
