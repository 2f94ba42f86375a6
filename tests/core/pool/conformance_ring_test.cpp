// The ring pools of the conformance suite (S3.3, X3); see conformance_flag_test.cpp for how they were chosen. A ring refuses nobody
// and reserves nothing: the tests of that run over the other shapes only, those of replacing over this one.
#include "conformance.hpp"

namespace pool_conformance_ring_test {

using namespace lido;
using namespace lido::test;

template <class T, options Options = options{}, class Storage = heap_storage>
pool_case ring(const char* name) {
    return a_case<ring_pool<T, Options, Storage>>(name);
}

using in_place = inline_storage<case_slots>;

constexpr options wrapping{.handle_bits = 32, .index_bits = 24, .generations = generation_rule::wrap};

const std::vector<pool_case> ring_pools{
    ring<trivial16, options{}, reserved_storage>("reserved_trivial16"),
    ring<throwing, options{.generations = generation_rule::abort}, reserved_storage>("reserved_throwing_abort"),
    ring<trivial64, options{.handle_bits = 32}, in_place>("inline_trivial64_short"),
    ring<move_only, options{}, in_place>("inline_move_only"),
    ring<string_owner>("heap_string"),
    ring<counting, wrapping>("heap_counting_wrap"),
    ring<trivial256>("heap_trivial256"),
    ring<over_aligned64, options{}, lent_storage>("lent_aligned"),
    ring<immovable, options{}, lent_storage>("lent_immovable"),
    ring<delicate, options{.handle_bits = 32}, lent_storage>("lent_delicate_short"),
};
LIDO_TEST_POOLS(ring_pool, ring_pools);

}  // namespace pool_conformance_ring_test
