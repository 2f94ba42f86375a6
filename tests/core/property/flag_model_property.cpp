// flag_pool against the model, with and without generations.
#include "core/property/model_property.hpp"

namespace lido::test {

using flag_configs = ::testing::Types<flag_plain, flag_none, flag_priority, flag_none_age>;
INSTANTIATE_TYPED_TEST_SUITE_P(flag_pool, against_the_model, flag_configs, config_name);

}  // namespace lido::test
