// Promise: a layout is placed without overlap or waste, and no count of slots makes its sizes wrap.
#include "test_layouts.hpp"

#include <gtest/gtest.h>

namespace memory_layout_test {

using namespace lido::test;
namespace detail = lido::detail;

static_assert(lido::storage_layout<slot_like> && lido::storage_layout<all_empty>);

struct no_arrays {
    static constexpr std::size_t arrays = 0;
    static constexpr std::size_t bytes(std::size_t, std::size_t) { return 0; }
    static constexpr std::size_t alignment(std::size_t) { return 1; }
    static constexpr bool trims(std::size_t) { return true; }
};
static_assert(!lido::storage_layout<no_arrays>, "a pool without arrays is a mistake");
static_assert(!lido::storage_layout<int>);

TEST(layout, is_placed_in_order_with_only_the_padding_that_alignment_needs) {
    constexpr auto p = detail::place<slot_like>(10);
    static_assert(p.offset[0] == 0 && p.offset[1] == 480 && p.offset[2] == 520 && p.offset[3] == 560 && p.end == 568);
    static_assert(p.alignment == 16);
    constexpr auto odd = detail::place<odd_sizes>(3);
    static_assert(odd.offset[1] == 9 && odd.offset[2] == 32 && odd.end == 32 + 72);
    EXPECT_EQ(p.size[3], 8u);
}

TEST(layout, gives_empty_arrays_no_bytes_and_no_say_in_the_alignment) {
    constexpr auto p = detail::place<with_empty>(5);
    static_assert(p.alignment == 8 && p.offset[1] == 0 && p.offset[3] == 64 && p.end == 72);
    static_assert(detail::place<all_empty>(1000).end == 0);
    EXPECT_EQ(p.size[0], 0u);
}

TEST(layout, answers_exact_bytes_for_every_count_that_can_be_had) {
    for (std::size_t slots = 0; slots < 5000; ++slots) {
        ASSERT_EQ(detail::checked_bytes<slot_like>(0, slots), slots * 48);
        ASSERT_EQ(detail::checked_bytes<slot_like>(3, slots), (slots + 63) / 64 * 8);
    }
    EXPECT_EQ(detail::checked_bytes<slot_like>(0, detail::most_bytes / 48), detail::most_bytes / 48 * 48);
}

TEST(layout, refuses_every_count_whose_bytes_would_wrap) {
    // 48 * n wraps to a small number for these: a naive product would be believed.
    for (const std::size_t slots : {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1, SIZE_MAX / 48 + 1, SIZE_MAX / 48 + 2,
                                    SIZE_MAX / 16 + 1, SIZE_MAX / 3 * 2, detail::most_bytes / 48 + 1}) {
        EXPECT_EQ(detail::checked_bytes<slot_like>(0, slots), detail::too_big) << slots;
        EXPECT_EQ(detail::place<slot_like>(slots).end, detail::too_big) << slots;
    }
    EXPECT_EQ(detail::checked_bytes<bits_first>(0, SIZE_MAX), detail::too_big) << "slots + 63 wraps";
}

TEST(layout, refuses_counts_whose_bytes_wrap_to_a_small_number) {
    using wide = test_layout<array_spec{4096, 1, 64, true}>;
    for (const std::size_t beyond : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
        const std::size_t slots = SIZE_MAX / 4096 + 1 + beyond;
        ASSERT_EQ(wide::bytes(0, slots), beyond * 4096) << "the layout itself does not notice";
        EXPECT_EQ(detail::checked_bytes<wide>(0, slots), detail::too_big);
        EXPECT_EQ(lido::heap_storage::memory<wide>::bytes_for(slots), SIZE_MAX);
        lido::reserved_storage::memory<wide> memory;
        EXPECT_FALSE(memory.open(0, slots));
    }
}

TEST(layout, refuses_a_sum_that_is_too_large_though_each_array_is_not) {
    using four = test_layout<array_spec{1, 1, 1, true}, array_spec{1, 1, 1, true}, array_spec{1, 1, 1, true},
                             array_spec{1, 1, 1, true}>;
    using wide = test_layout<array_spec{16, 1, 1, true}, array_spec{16, 1, 1, true}>;
    EXPECT_NE(detail::place<four>(detail::most_slots).end, detail::too_big);
    const std::size_t slots = detail::most_bytes / 24;
    EXPECT_NE(detail::checked_bytes<wide>(0, slots), detail::too_big);
    EXPECT_EQ(detail::place<wide>(slots).end, detail::too_big);
}

TEST(layout, finds_the_most_slots_within_given_bytes) {
    for (std::size_t bytes = 0; bytes < 3000; bytes += 7) {
        const std::size_t slots = detail::slots_within<slot_like>(0, bytes, 0, 1000);
        ASSERT_EQ(slots, bytes / 48);
        const std::size_t bits = detail::slots_within<slot_like>(3, bytes, 0, 1000);
        ASSERT_EQ(bits, detail::smaller(bytes / 8 * 64, 1000));
    }
}

}  // namespace memory_layout_test
