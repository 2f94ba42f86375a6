// dense_pool against the model: packed and plain maps, short handles, delay, tracking, growth.
#include "core/property/model_property.hpp"

namespace lido::test {

using dense_configs = ::testing::Types<dense_packed, dense_plain, dense_short, dense_retiring, dense_wrapping,
                                       dense_oldest, dense_priority, dense_owner>;
INSTANTIATE_TYPED_TEST_SUITE_P(dense_pool, against_the_model, dense_configs, config_name);

}  // namespace lido::test
