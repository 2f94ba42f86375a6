// The bytemap pools of the conformance suite (S3.8, X3); see conformance_flag_test.cpp for how they were chosen. Their handles hold a
// seed instead of a generation, which comes round: the tests of handles that never alias run over the other shapes only.
#include "conformance.hpp"

namespace pool_conformance_bytemap_test {

using namespace lido;
using namespace lido::test;

/// A base class as the old engines have them: ended through its virtual destructor.
class base_class : public counting {
public:
    using counting::counting;
    base_class(const base_class&) = default;
    base_class& operator=(const base_class&) = default;
    virtual ~base_class() = default;
};

template <class T, class Storage = heap_storage, std::size_t SlotBytes = 0>
pool_case bytes(const char* name) {
    return a_case<bytemap_pool<T, SlotBytes, Storage>>(name);
}

using in_place = inline_storage<case_slots>;

const std::vector<pool_case> bytemap_pools{
    bytes<trivial16, reserved_storage>("reserved_trivial16"),
    bytes<throwing, reserved_storage>("reserved_throwing"),
    bytes<trivial64, in_place>("inline_trivial64"),
    bytes<move_only, in_place, 48>("inline_move_only_wide"),
    bytes<string_owner>("heap_string"),
    bytes<base_class, heap_storage, sizeof(base_class) * 3>("heap_base_class_wide"),
    bytes<trivial256>("heap_trivial256"),
    bytes<over_aligned64, lent_storage>("lent_aligned"),
    bytes<immovable, lent_storage>("lent_immovable"),
    bytes<delicate, lent_storage>("lent_delicate"),
};
LIDO_TEST_POOLS(bytemap_pool, bytemap_pools);

}  // namespace pool_conformance_bytemap_test
