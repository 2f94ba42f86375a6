// slot_pool against the model, in every reuse order, generation rule, tracking and way to be full.
#include "core/property/model_property.hpp"

namespace lido::test {

using slot_configs =
    ::testing::Types<slot_recent, slot_lowest, slot_last, slot_last_retiring, slot_delay, slot_lowest_delay,
                     slot_retiring, slot_lowest_retiring, slot_wrapping, slot_oldest, slot_oldest_retiring,
                     slot_lowest_priority, slot_grow_oldest, slot_replace_if, slot_growing, slot_owner>;
INSTANTIATE_TYPED_TEST_SUITE_P(slot_pool, against_the_model, slot_configs, config_name);

}  // namespace lido::test
