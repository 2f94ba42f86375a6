// Promise: in every storage, every byte of every ready slot may be written, arrays are aligned as asked and never
// overlap.
#include "test_layouts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace memory_array_bounds_test {

using namespace lido::test;

constexpr std::size_t counts[] = {1, 2, 3, 7, 63, 64, 65, 100, 1000, 1365, 4096, 4097, 20000, 70001};
constexpr std::size_t most = std::size_t{24} * 1024 * 1024;  // bytes to write a run

template <class L>
class array_bounds : public ::testing::Test {};
TYPED_TEST_SUITE(array_bounds, all_layouts);

TYPED_TEST(array_bounds, hold_in_the_heap) {
    using L = TypeParam;
    static_assert(lido::slot_memory<lido::heap_storage::memory<L>>);
    for (const std::size_t slots : counts) {
        lido::heap_storage::memory<L> memory;
        ASSERT_TRUE(memory.open(slots, slots));
        ASSERT_EQ(memory.max_slots(), slots);
        ASSERT_EQ(memory.ready(), slots);
        ASSERT_EQ(memory.bytes(), memory.bytes_for(slots));
        ASSERT_TRUE(well_placed<L>(memory));
        fill<L>(memory, slots);
        ASSERT_TRUE(holds_fill<L>(memory, slots));
    }
}

TYPED_TEST(array_bounds, hold_in_a_lent_buffer_and_nothing_around_it_is_touched) {
    using L = TypeParam;
    static_assert(lido::slot_memory<lido::lent_storage::memory<L>>);
    for (const std::size_t slots : counts) {
        const std::size_t bytes = lido::lent_storage::memory<L>::bytes_for(slots);
        std::vector<std::byte> outer(bytes + 128, std::byte{0xA5});
        lido::lent_storage::memory<L> memory;
        ASSERT_TRUE(memory.open(std::span(outer).subspan(64 + slots % 3, bytes), slots));
        ASSERT_EQ(memory.max_slots(), slots);
        ASSERT_LE(memory.bytes(), bytes);
        ASSERT_TRUE(well_placed<L>(memory));
        fill<L>(memory, slots);
        ASSERT_TRUE(holds_fill<L>(memory, slots));
        const auto untouched = [](std::byte b) { return b == std::byte{0xA5}; };
        ASSERT_TRUE(
            std::all_of(outer.begin(), outer.end() - static_cast<std::ptrdiff_t>(bytes + 64 - slots % 3), untouched));
        ASSERT_TRUE(std::all_of(outer.end() - static_cast<std::ptrdiff_t>(64 - slots % 3), outer.end(), untouched));
    }
}

template <class L, class Storage>
void reserved_holds() {
    using memory_type = typename Storage::template memory<L>;
    static_assert(lido::slot_memory<memory_type>);
    for (const std::size_t max_slots : counts) {
        for (const std::size_t first : {std::size_t{0}, std::size_t{1}, max_slots / 3, max_slots}) {
            if (lido::heap_storage::memory<L>::bytes_for(max_slots) > most) {
                continue;
            }
            memory_type memory;
            ASSERT_TRUE(memory.open(first, max_slots));
            ASSERT_EQ(memory.max_slots(), max_slots);
            ASSERT_GE(memory.ready(), first);
            ASSERT_LE(memory.ready(), max_slots);
            ASSERT_LE(memory.bytes(), memory.reserved_bytes());
            ASSERT_TRUE(well_placed<L>(memory));
            fill<L>(memory, memory.ready());
            ASSERT_TRUE(holds_fill<L>(memory, memory.ready()));
            ASSERT_EQ(memory.make_ready(max_slots), max_slots);
            fill<L>(memory, max_slots, 5);
            ASSERT_TRUE(holds_fill<L>(memory, max_slots, 5));
        }
    }
}

TYPED_TEST(array_bounds, hold_in_reserved_pages) { reserved_holds<TypeParam, lido::reserved_storage>(); }

TYPED_TEST(array_bounds, hold_in_portable_pages) {
    reserved_holds<TypeParam, lido::basic_reserved_storage<lido::portable_pages>>();
}

template <class L, std::size_t N>
void inline_holds() {
    using memory_type = typename lido::inline_storage<N>::template memory<L>;
    static_assert(lido::slot_memory<memory_type>);
    static_assert(memory_type::fixed_slots == N && memory_type::max_slots() == N && memory_type::ready() == N);
    memory_type memory[2];  // neighbours, so that one that overflows is seen in the other
    for (auto& one : memory) {
        ASSERT_TRUE(well_placed<L>(one));
    }
    fill<L>(memory[0], N, 1);
    fill<L>(memory[1], N, 2);
    ASSERT_TRUE(holds_fill<L>(memory[0], N, 1));
    ASSERT_TRUE(holds_fill<L>(memory[1], N, 2));
}

TYPED_TEST(array_bounds, hold_inside_the_object) {
    inline_holds<TypeParam, 1>();
    inline_holds<TypeParam, 3>();
    inline_holds<TypeParam, 64>();
    inline_holds<TypeParam, 65>();
    inline_holds<TypeParam, 500>();
}

TEST(array_bounds, inside_the_object_waste_nothing) {
    static_assert(sizeof(lido::inline_storage<64>::memory<one_byte>) == 64);
    static_assert(sizeof(lido::inline_storage<64>::memory<slot_like>) == 64 * 56 + 16,
                  "the bitmap and its tail padding");
    static_assert(alignof(lido::inline_storage<64>::memory<with_empty>) == 8,
                  "an empty array aligned to 4096 costs nothing");
    static_assert(sizeof(lido::inline_storage<64>::memory<with_empty>) == 64 * 12 + 8);
    static_assert(lido::inline_storage<64>::memory<with_empty>::bytes_for(64) == 64 * 12 + 8);
    SUCCEED() << "checked by the compiler";
}

TEST(array_bounds, reserved_arrays_do_not_all_start_at_the_same_place_in_their_page) {
    lido::reserved_storage::memory<columns> memory;
    ASSERT_TRUE(memory.open(1, std::size_t{1} << 20));
    const auto arrays = arrays_of<columns>(memory);
    const std::size_t page = lido::os_pages::page_size();
    for (std::size_t k = 1; k < columns::arrays; ++k) {
        for (std::size_t j = 0; j < k; ++j) {
            const auto start = [&](std::size_t i) { return reinterpret_cast<std::uintptr_t>(arrays[i]) % page / 64; };
            EXPECT_NE(start(k), start(j)) << "columns " << j << " and " << k << " share an L1 set";
        }
    }
}

}  // namespace memory_array_bounds_test
