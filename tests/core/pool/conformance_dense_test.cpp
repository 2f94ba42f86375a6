// The dense pools of the conformance suite, with packed rows and, past 2^20 of them or with short handles, plain ones; see
// conformance_flag_test.cpp for how they were chosen.
#include "conformance.hpp"

namespace pool_conformance_dense_test {

using namespace lido;
using namespace lido::test;

template <class T, options Options = options{}, class Storage = reserved_storage>
pool_case rows(const char* name) {
    return a_case<dense_pool<T, Options, Storage>>(name);
}

using in_place = inline_storage<case_slots>;

constexpr options priority_delay{.tracks = track::priority, .reuse_delay = 70};
constexpr options wide{.max_rows = (std::uint32_t{1} << 20) + 1};
constexpr options wide_age_delay{
    .tracks = track::age, .reuse_delay = 5, .mark_changes = true, .max_rows = std::uint32_t{1} << 21};
constexpr options wrapping{.handle_bits = 32, .index_bits = 24, .generations = generation_rule::wrap};

const std::vector<pool_case> dense_pools{
    rows<trivial16>("reserved_trivial16"),
    rows<string_owner, options{.tracks = track::age}>("reserved_string_age"),
    rows<trivial64, options{}, in_place>("inline_trivial64"),
    rows<move_only, priority_delay, in_place>("inline_move_only_priority_delay"),
    rows<trivial256, options{.reuse_delay = 5}, heap_storage>("heap_trivial256_delay"),
    rows<counting, options{.mark_changes = true}, heap_storage>("heap_counting_marks"),
    rows<over_aligned64, options{.generations = generation_rule::abort}, lent_storage>("lent_aligned_abort"),
    rows<delicate, options{.headroom = true}, lent_storage>("lent_fragile_headroom"),
};
LIDO_TEST_POOLS(dense_pool, dense_pools);

const std::vector<pool_case> dense_pool_plain_rowss{
    rows<trivial16, wide>("reserved_trivial16_wide"),
    rows<string_owner, options{.handle_bits = 32}>("reserved_string_short"),
    rows<counting, wide_age_delay, heap_storage>("heap_counting_wide_age_delay_marks"),
    rows<counting, wrapping, lent_storage>("lent_counting_short_wrap"),
};
LIDO_TEST_POOLS(dense_pool_plain_rows, dense_pool_plain_rowss);

}  // namespace pool_conformance_dense_test
