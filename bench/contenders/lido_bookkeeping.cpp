// What the pools say of their own bookkeeping, for the bars. (The workload `memory` measures the same from outside, in pages.)
#include <bench/elements.hpp>
#include <bench/harness/bars.hpp>

#include <lido/core.hpp>

#include <memory>

namespace bench {

double slot_pool_bytes() { return lido::slot_pool<medium_element>(100'000).stats().bookkeeping_per_slot; }

double dense_pool_bytes() { return lido::dense_pool<medium_element>(100'000).stats().bookkeeping_per_slot; }

double flag_pool_bits() {
    using bare_pool = lido::flag_pool<medium_element, 1024, lido::options{.generations = lido::generation_rule::none}>;
    return std::make_unique<bare_pool>()->stats().bookkeeping_per_slot * 8;
}

}  // namespace bench
