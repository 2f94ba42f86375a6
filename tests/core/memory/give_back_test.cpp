// Promise (X12): pages past the last slot in use go back to the system, and come back when they are needed.
#include "support/failing_memory.hpp"
#include "test_layouts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace memory_give_back_test {

using namespace lido::test;

constexpr std::size_t slots = 300000;

template <class L>
class give_back : public ::testing::Test {
protected:
    void SetUp() override { failing_memory::reset(); }
    void TearDown() override {
        EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
        failing_memory::reset();
    }
};
TYPED_TEST_SUITE(give_back, all_layouts);

template <class L>
std::size_t large_bytes_that_trim(std::size_t from) {
    std::size_t sum = 0;
    for (std::size_t k = 0; k < L::arrays; ++k) {
        if (L::trims(k) && L::bytes(k, slots) > lido::detail::small_array) {
            sum += L::bytes(k, slots) - L::bytes(k, from);
        }
    }
    return sum;
}

TYPED_TEST(give_back, X12_returns_whole_pages_and_keeps_the_slots_before_them) {
    using L = TypeParam;
    for (const std::size_t keep : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, slots / 2, slots - 1}) {
        typename lido::basic_reserved_storage<failing_pages<>>::template memory<L> memory;
        ASSERT_TRUE(memory.open(slots, slots));
        const auto first = arrays_of<L>(memory);
        fill<L>(memory, slots);
        const std::size_t before = memory.bytes();

        const std::size_t given = memory.give_back(keep);

        const std::size_t page = demand_pages::page_size();
        const std::size_t could = large_bytes_that_trim<L>(keep);
        EXPECT_LE(given, could + L::arrays * page);
        EXPECT_GE(given + L::arrays * page, could) << "less than a page for each array stays behind";
        EXPECT_EQ(given % page, 0u);
        EXPECT_EQ(memory.bytes(), before - given);
        EXPECT_EQ(failing_memory::held_bytes(), memory.bytes());
        ASSERT_GE(memory.ready(), keep);
        EXPECT_EQ(memory.ready() == slots, given == 0);
        EXPECT_EQ(memory.max_slots(), slots);
        EXPECT_EQ(arrays_of<L>(memory), first);
        ASSERT_TRUE(holds_fill<L>(memory, memory.ready()));
        EXPECT_EQ(memory.give_back(keep), 0u) << "there is nothing more to give";

        ASSERT_EQ(memory.make_ready(slots), slots);
        ASSERT_TRUE(holds_fill<L>(memory, keep));
        fill<L>(memory, slots, 9);
        ASSERT_TRUE(holds_fill<L>(memory, slots, 9));
    }
}

TYPED_TEST(give_back, gives_nothing_when_every_ready_slot_is_used) {
    typename lido::basic_reserved_storage<failing_pages<>>::template memory<TypeParam> memory;
    ASSERT_TRUE(memory.open(1000, slots));
    const std::size_t ready = memory.ready();
    EXPECT_EQ(memory.give_back(ready), 0u);
    EXPECT_EQ(memory.give_back(slots), 0u);
    EXPECT_EQ(memory.ready(), ready);
}

TYPED_TEST(give_back, gives_nothing_where_memory_cannot_be_returned) {
    typename lido::basic_reserved_storage<failing_pages<lido::portable_pages>>::template memory<TypeParam> portable;
    ASSERT_TRUE(portable.open(slots, slots));
    EXPECT_EQ(portable.give_back(0), 0u);
    EXPECT_EQ(portable.ready(), slots);
    EXPECT_EQ(portable.bytes(), portable.reserved_bytes()) << "it holds the maximum from the start, and says so";
    EXPECT_EQ(failing_memory::decommits(), 0u);

    lido::heap_storage::memory<TypeParam> heap;
    ASSERT_TRUE(heap.open(100, 100));
    EXPECT_EQ(heap.give_back(0), 0u);
    EXPECT_EQ(heap.ready(), 100u);

    typename lido::inline_storage<10>::template memory<TypeParam> inside;
    EXPECT_EQ(inside.give_back(0), 0u);
    EXPECT_EQ(inside.ready(), 10u);
    EXPECT_EQ(inside.make_ready(20), 10u);
}

TEST(give_back, and_growth_alternate_without_losing_pages) {
    failing_memory::reset();
    {
        lido::basic_reserved_storage<failing_pages<>>::memory<slot_like> memory;
        ASSERT_TRUE(memory.open(0, slots));
        std::uint32_t random = 1;
        for (int round = 0; round < 300; ++round) {
            random = random * 1664525u + 1013904223u;
            const std::size_t target = (random >> 8) % slots;
            if (random >> 31 != 0) {
                ASSERT_GE(memory.make_ready(target), target);
            } else {
                memory.give_back(target);
            }
            ASSERT_EQ(failing_memory::held_bytes(), memory.bytes());
            if (memory.ready() != 0) {  // the last slot of each array
                for (std::size_t k = 0; k < slot_like::arrays; ++k) {
                    arrays_of<slot_like>(memory)[k][slot_like::bytes(k, memory.ready()) - 1] = std::byte{1};
                }
            }
        }
    }
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
}

#if defined(__linux__) && !LIDO_PORTABLE_MEMORY

// Pages of [at, at + bytes) that are in memory now.
std::size_t resident(const std::byte* at, std::size_t bytes) {
    const std::size_t page = lido::os_pages::page_size();
    const auto first = reinterpret_cast<std::uintptr_t>(at) / page * page;
    const std::size_t pages = (reinterpret_cast<std::uintptr_t>(at) + bytes - first + page - 1) / page;
    std::vector<unsigned char> in_memory(pages);
    if (::mincore(reinterpret_cast<void*>(first), pages * page, in_memory.data()) != 0) {
        return SIZE_MAX;
    }
    return static_cast<std::size_t>(
        std::count_if(in_memory.begin(), in_memory.end(), [](unsigned char b) { return b & 1; }));
}

// True when the system still counts the mapping that holds `at` against its commit limit ("ac" in smaps).
bool is_charged(const std::byte* at, bool& known) {
    known = false;
    std::FILE* file = std::fopen("/proc/self/smaps", "r");
    if (file == nullptr) {
        return false;
    }
    char line[512];
    bool inside = false;
    bool charged = false;
    while (std::fgets(line, sizeof line, file) != nullptr) {
        std::uintptr_t from = 0;
        std::uintptr_t to = 0;
        if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2) {
            const auto address = reinterpret_cast<std::uintptr_t>(at);
            inside = from <= address && address < to;
        } else if (inside && std::strncmp(line, "VmFlags:", 8) == 0) {
            known = true;
            charged = std::strstr(line, " ac") != nullptr;
        }
    }
    std::fclose(file);
    return charged;
}

TEST(give_back, X12_lowers_resident_memory) {
    lido::reserved_storage::memory<slot_like> memory;
    ASSERT_TRUE(memory.open(slots, slots));
    fill<slot_like>(memory, slots);
    std::byte* const values = memory.array<0>();
    const std::size_t bytes = slot_like::bytes(0, slots);
    const std::size_t before = resident(values, bytes);
    ASSERT_NE(before, SIZE_MAX);
    ASSERT_GE(before, bytes / lido::os_pages::page_size());

    const std::size_t given = memory.give_back(100);

    EXPECT_GE(given, bytes - slot_like::bytes(0, 100) - 2 * lido::os_pages::page_size());
    const std::size_t kept = slot_like::bytes(0, 100) / lido::os_pages::page_size() + 2;
    EXPECT_LE(resident(values, bytes), kept);
    EXPECT_GE(resident(memory.array<1>(), slot_like::bytes(1, slots)),
              slot_like::bytes(1, slots) / lido::os_pages::page_size())
        << "generations are kept for good";

    ASSERT_EQ(memory.make_ready(slots), slots);
    EXPECT_LE(resident(values, bytes), kept) << "committed again, but not touched";
    fill<slot_like>(memory, slots, 3);
    EXPECT_TRUE(holds_fill<slot_like>(memory, slots, 3));
}

TEST(give_back, returns_the_charge_for_the_pages_too) {
    lido::reserved_storage::memory<slot_like> memory;
    ASSERT_TRUE(memory.open(slots, slots));
    fill<slot_like>(memory, slots);  // Linux returns the charge for untouched pages in any case
    const std::byte* const last = memory.array<0>() + slot_like::bytes(0, slots) - 1;
    bool known = false;
    const bool before = is_charged(last, known);
    if (!known) {
        GTEST_SKIP() << "/proc/self/smaps does not tell";
    }
    EXPECT_TRUE(before) << "committed pages must be charged, or the system cannot refuse them in time";
    ASSERT_GT(memory.give_back(100), 0u);
    EXPECT_FALSE(is_charged(last, known));
}

TEST(give_back_death, touching_what_was_given_back_does_not_go_unnoticed) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(
        {
            lido::reserved_storage::memory<slot_like> memory;
            static_cast<void>(memory.open(slots, slots));
            memory.give_back(100);
            *const_cast<volatile std::byte*>(memory.array<0>() + slot_like::bytes(0, slots) - 1) = std::byte{1};
        },
        "");
}

#endif

}  // namespace memory_give_back_test
