// Promise (S1.5): a lent buffer of any size at any address gives as many slots as fit, and is never written outside.
#include "test_layouts.hpp"

#include "support/dose.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace memory_lent_buffer_test {

using namespace lido::test;

template <class L>
class lent_buffer : public ::testing::Test {};
// Without the layouts of which no slot fits into a few KiB.
using small_layouts =
    ::testing::Types<one_byte, odd_sizes, slot_like, bits_first, over_64, over_128, with_empty, columns>;
TYPED_TEST_SUITE(lent_buffer, small_layouts);

// Slots that fit at that address, found the slow way: one by one from a number that does.
template <class L>
std::size_t slots_that_fit(std::uintptr_t at, std::size_t bytes, std::size_t slots) {
    for (;; ++slots) {
        std::uintptr_t end = at;
        for (std::size_t k = 0; k < L::arrays; ++k) {
            const std::size_t need = L::bytes(k, slots + 1);
            if (need != 0) {
                end = (end + L::alignment(k) - 1) / L::alignment(k) * L::alignment(k) + need;
            }
        }
        if (end > at + bytes) {
            return slots;
        }
    }
}

TYPED_TEST(lent_buffer, S1_5_of_every_size_at_every_misalignment_gives_exactly_what_fits) {
    using L = TypeParam;
    constexpr std::size_t most = 2200;
    alignas(128) static std::byte outer[most + 256];
    static std::byte untouched[sizeof outer];
    std::memset(untouched, 0xA5, sizeof untouched);
    std::size_t opened = 0;
    // With a small dose every ninth: 0, 9, ..., 63, among them each misalignment within eight bytes.
    for (std::size_t misalignment = 0; misalignment < 64; misalignment += dose(64) == 64 ? 1 : 9) {
        std::byte* const at = outer + 64 + misalignment;
        std::size_t fit = 0;
        for (std::size_t bytes = 0; bytes <= most; ++bytes) {
            std::memset(outer, 0xA5, sizeof outer);
            fit = slots_that_fit<L>(reinterpret_cast<std::uintptr_t>(at), bytes, fit);
            lido::lent_storage::memory<L> memory;
            ASSERT_EQ(memory.open({at, bytes}, SIZE_MAX), fit != 0) << bytes << " bytes at " << misalignment;
            ASSERT_EQ(memory.max_slots(), fit) << bytes << " bytes at " << misalignment;
            ASSERT_EQ(memory.ready(), fit);
            if (fit != 0) {
                ++opened;
                ASSERT_EQ(memory.reserved_bytes(), bytes);
                ASSERT_TRUE(well_placed<L>(memory));
                fill<L>(memory, fit);
                ASSERT_TRUE(holds_fill<L>(memory, fit));
            }
            const auto before = static_cast<std::size_t>(at - outer);
            ASSERT_EQ(std::memcmp(outer, untouched, before), 0);
            ASSERT_EQ(std::memcmp(at + memory.bytes(), untouched, sizeof outer - before - memory.bytes()), 0);
        }
    }
    EXPECT_GT(opened, 0u);
}

TYPED_TEST(lent_buffer, of_the_size_asked_for_is_always_enough_and_gives_no_more_than_allowed) {
    using memory_type = lido::lent_storage::memory<TypeParam>;
    for (std::size_t slots = 1; slots < 200; slots += 3) {
        std::vector<std::byte> outer(memory_type::bytes_for(slots) + 64);
        for (std::size_t misalignment = 0; misalignment < 64; ++misalignment) {
            memory_type memory;
            ASSERT_TRUE(memory.open({outer.data() + misalignment, memory_type::bytes_for(slots)}, slots));
            ASSERT_EQ(memory.max_slots(), slots);
        }
    }
}

TEST(lent_buffer, that_is_empty_or_may_give_nothing_is_refused) {
    lido::lent_storage::memory<slot_like> memory;
    EXPECT_FALSE(memory.open({}, 10));
    std::byte bytes[1024];
    EXPECT_FALSE(memory.open(bytes, 0));
    EXPECT_EQ(memory.max_slots(), 0u);
    EXPECT_TRUE(memory.open(bytes, 1)) << "and a refused open can be tried again";
    EXPECT_EQ(memory.max_slots(), 1u);
}

TEST(lent_buffer, with_room_for_large_alignment_is_enough) {
    using memory_type = lido::lent_storage::memory<over_4096>;
    std::vector<std::byte> outer(memory_type::bytes_for(16) + 5000);
    for (std::size_t misalignment = 0; misalignment < 5000; misalignment += 7) {
        memory_type memory;
        ASSERT_TRUE(memory.open({outer.data() + misalignment, memory_type::bytes_for(16)}, 16));
        ASSERT_EQ(memory.max_slots(), 16u);
        ASSERT_TRUE(well_placed<over_4096>(memory));
    }
}

}  // namespace memory_lent_buffer_test
