// The flag pools of the conformance suite. Not the full product: with the other two lists, every pair of (shape, storage),
// (shape, element), (shape, policy), (storage, element) and (storage, policy) that compiles is there.
#include "conformance.hpp"

namespace pool_conformance_flag_test {

using namespace lido;
using namespace lido::test;

template <class T, options Options = options{}, class Storage = inline_storage<case_slots>>
pool_case flags(const char* name) {
    return a_case<basic_flag_pool<T, Options, Storage>>(name);
}

constexpr options bare{.generations = generation_rule::none};
constexpr options wrapping{.handle_bits = 32, .index_bits = 24, .generations = generation_rule::wrap};

const std::vector<pool_case> flag_pools{
    flags<trivial16>("inline_trivial16"),
    flags<over_aligned64, bare>("inline_aligned_bare"),
    flags<immovable, options{.handle_bits = 32}>("inline_immovable_short"),
    flags<string_owner, options{.mark_changes = true}, heap_storage>("heap_string_marks"),
    flags<trivial256, options{.tracks = track::priority}, heap_storage>("heap_trivial256_priority"),
    flags<counting, bare, heap_storage>("heap_counting_bare"),
    flags<trivial64, options{.generations = generation_rule::abort}, lent_storage>("lent_trivial64_abort"),
    flags<counting, options{.tracks = track::age}, lent_storage>("lent_counting_age"),
    flags<move_only, wrapping, reserved_storage>("reserved_move_only_wrap"),
    flags<throwing, options{.headroom = true}, reserved_storage>("reserved_throwing_headroom"),
};
LIDO_TEST_POOLS(flag_pool, flag_pools);

}  // namespace pool_conformance_flag_test
