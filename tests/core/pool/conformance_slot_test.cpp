// The slot pools of the conformance suite, of both reuse orders; see conformance_flag_test.cpp for how they were chosen.
#include "conformance.hpp"

namespace pool_conformance_slot_test {

using namespace lido;
using namespace lido::test;

template <class T, options Options = options{}, class Storage = reserved_storage>
pool_case slots(const char* name) {
    return a_case<slot_pool<T, Options, Storage>>(name);
}

using in_place = inline_storage<case_slots>;

constexpr options short_delay{.handle_bits = 32, .index_bits = 24, .reuse_delay = 70};
constexpr options wrapping{.handle_bits = 32, .index_bits = 24, .generations = generation_rule::wrap};
constexpr options lowest_delay{.order = reuse::lowest, .reuse_delay = 5};
constexpr options lowest_age{.tracks = track::age, .order = reuse::lowest};
constexpr options lowest_priority{
    .tracks = track::priority, .order = reuse::lowest, .reuse_delay = 70, .mark_changes = true};

const std::vector<pool_case> slot_pools{
    slots<trivial16>("reserved_trivial16"),
    slots<string_owner, options{.tracks = track::age}>("reserved_string_age"),
    slots<throwing, options{.generations = generation_rule::abort}>("reserved_throwing_abort"),
    slots<trivial64, options{.handle_bits = 32}, in_place>("inline_trivial64_short"),
    slots<counting, short_delay, in_place>("inline_counting_short_delay"),
    slots<trivial256, options{.mark_changes = true}, heap_storage>("heap_trivial256_marks"),
    slots<move_only, options{.reuse_delay = 5}, heap_storage>("heap_move_only_delay"),
    slots<counting, wrapping, heap_storage>("heap_counting_wrap"),
    slots<over_aligned64, options{}, lent_storage>("lent_aligned"),
    slots<immovable, options{.tracks = track::priority}, lent_storage>("lent_immovable_priority"),
};
LIDO_TEST_POOLS(slot_pool, slot_pools);

const std::vector<pool_case> slot_pool_lowests{
    slots<counting, options{.order = reuse::lowest}>("reserved_counting"),
    slots<string_owner, lowest_priority>("reserved_string_priority_delay_marks"),
    slots<trivial16, options{.order = reuse::lowest}, heap_storage>("heap_trivial16"),
    slots<over_aligned64, lowest_delay, in_place>("inline_aligned_delay"),
    slots<throwing, lowest_age, lent_storage>("lent_throwing_age"),
};
LIDO_TEST_POOLS(slot_pool_lowest, slot_pool_lowests);

constexpr options last_delay{.order = reuse::last, .reuse_delay = 5};
constexpr options last_busy{.tracks = track::priority, .order = reuse::last, .reuse_delay = 70, .mark_changes = true};

const std::vector<pool_case> slot_pool_lasts{
    slots<counting, options{.order = reuse::last}>("reserved_counting"),
    slots<string_owner, last_busy, heap_storage>("heap_string_priority_delay_marks"),
    slots<throwing, last_delay, in_place>("inline_throwing_delay"),
    slots<trivial16, options{.order = reuse::last}, lent_storage>("lent_trivial16"),
};
LIDO_TEST_POOLS(slot_pool_last, slot_pool_lasts);

}  // namespace pool_conformance_slot_test
